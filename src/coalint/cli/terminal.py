"""What the command line writes, and how: findings on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from coalint.reporters.shared.visible import visible

if TYPE_CHECKING:
    from coalint.engine.report import Failure


def written(render: Callable[[], None]) -> None:
    """Render; a reader that has enough (`| head`) changes nothing about the exit code."""
    try:
        render()
        sys.stdout.flush()
    except BrokenPipeError:
        silence_stdout()


def silence_stdout() -> None:
    """Point stdout elsewhere, so that the interpreter's last flush is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_failures(failures: Sequence[Failure]) -> None:
    """On stderr; a fault of coalint's own that strikes many kernels is told once, and how often it struck."""
    sys.stdout.flush()
    alike: dict[str, list[Failure]] = {}
    for failure in failures:
        alike.setdefault(failure.cause, []).append(failure)
    for first, *others in alike.values():
        print(visible(f"coalint: {first}"), file=sys.stderr)
        if others:
            print(f"  the same happened {len(others)} more time{'s' if len(others) > 1 else ''}", file=sys.stderr)


def print_remarks(remarks: Sequence[str]) -> None:
    """On stderr, each as a warning."""
    sys.stdout.flush()
    for remark in remarks:
        print(visible(f"coalint: warning: {remark}"), file=sys.stderr)


def forgive_encodings() -> None:
    """Source text may hold what the terminal cannot show: replace it rather than fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
