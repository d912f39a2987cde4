"""`lint --watch`: waits for changes of files that a report may depend on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from coalint.cli.setup.errors import UsageError
from coalint.engine.config.files import NAMES
from coalint.engine.units.discovery import repository_root
from coalint.reporters.shared.escape_controls import escape_controls

if TYPE_CHECKING:
    from watchfiles import Change

POLL = 200
"""Milliseconds after which the watcher returns though nothing changed, so that signals are handled."""
SUFFIXES = (
    *(".cu", ".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl", ".inc", ".ipp", ".tpp", ".c", ".cc", ".cpp", ".cxx", ".py"),
)
_NAMES = frozenset((*NAMES, "compile_commands.json", ".gitignore"))
_CLEARED = "\x1b[H\x1b[2J\x1b[3J"


def run_on_changes(paths: Sequence[str], run: Callable[[], int]) -> int:
    """Run now and after each change, until KeyboardInterrupt. Raises UsageError where nothing can be watched."""
    changes = _changes(paths)
    next(changes, None)  # from here on, changes count
    _run_once(run)
    for changed in changes:
        if changed:
            if sys.stdout.isatty():
                sys.stdout.write(_CLEARED)
            _run_once(run)
    return 0


def _run_once(run: Callable[[], int]) -> None:
    try:
        run()
    except UsageError as error:  # in a configuration that is being written, say
        print(f"coalint: error: {escape_controls(str(error))}", file=sys.stderr)
    print("coalint: waiting for changes; Ctrl-C ends this", file=sys.stderr, flush=True)


def _changes(paths: Sequence[str]) -> Iterator[object]:
    """Yield the changes as they come; an empty set where nothing changed for a while."""
    try:
        from watchfiles import DefaultFilter, watch
    except ModuleNotFoundError:
        raise UsageError(
            "watchfiles is not installed; `pip install 'coalint[watch]'` brings what --watch needs"
        ) from None
    default = DefaultFilter()

    def is_watched(change: Change, path: str) -> bool:
        name = os.path.basename(path)
        return (name.endswith(SUFFIXES) or name in _NAMES) and default(change, path)

    missing = next((path for path in paths if not os.path.exists(path)), None)
    if missing is not None:
        raise UsageError(f"{missing}: no such file or folder")
    try:
        yield from watch(
            *_folders(paths), watch_filter=is_watched, debounce=200, step=50, rust_timeout=POLL, yield_on_timeout=True
        )
    except OSError as error:
        raise UsageError(f"the files cannot be watched: {error}") from error


def _folders(paths: Sequence[str]) -> list[str]:
    """Return the folders of the paths and the repositories around them, where headers and settings lie."""
    folders = {os.path.realpath(path if os.path.isdir(path) else os.path.dirname(path) or ".") for path in paths}
    folders |= {repository_root(os.path.join(folder, "file")) for folder in folders}
    return sorted(f for f in folders if not any(f != o and f.startswith(os.path.join(o, "")) for o in folders))
