"""Writes to the terminal: results on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from coalint.engine.config.outputs import OutputError
from coalint.reporters.shared.escape_controls import escape_controls

if TYPE_CHECKING:
    from coalint.engine.report import Failure


def print_to_stdout(render: Callable[[], None]) -> None:
    """Call what writes to stdout, and flush; a reader that closes the pipe (`| head`) does not change the exit code.

    Raises OutputError where the disk is full, or else nothing can be written.
    """
    try:
        render()
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()
    except OSError as error:
        silence_stdout()
        raise OutputError(f"stdout cannot be written: {error.strerror}") from None


def print_bytes(data: bytes) -> None:
    """Write bytes to stdout: the contents of a file, in its own encoding."""

    def write() -> None:
        sys.stdout.buffer.write(data)

    print_to_stdout(write)


def silence_stdout() -> None:
    """Redirect stdout to the null device, so that the interpreter's last flush does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def open_closed_streams() -> None:
    """Have stdout and stderr lead nowhere where they are closed (`>&-`), before another file gets their numbers."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _flush_stdout() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        silence_stdout()


def print_failures(failures: Sequence[Failure]) -> None:
    """Print failures on stderr; failures of the same cause are printed once, with their number."""
    _flush_stdout()
    by_cause: dict[str, list[Failure]] = {}
    for failure in failures:
        by_cause.setdefault(failure.cause or str(failure), []).append(failure)
    for first, *others in by_cause.values():
        print(escape_controls(f"coalint: {first}"), file=sys.stderr)
        if others:
            print(f"  the same happened {len(others)} more time{'s' if len(others) > 1 else ''}", file=sys.stderr)


def print_remarks(remarks: Sequence[str]) -> None:
    """Print each remark on stderr as a warning."""
    _flush_stdout()
    for remark in remarks:
        print(escape_controls(f"coalint: warning: {remark}"), file=sys.stderr)


def replace_unencodable() -> None:
    """Replace characters that the terminal cannot encode, as source text may hold them, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
