"""Threads that part before a barrier only for some values of what the kernel is given."""

from __future__ import annotations

import os

from coalint.core.facts.synchronization import Barrier
from coalint.core.findings import Severity
from coalint.core.source.spans import Span


def severity_of(barrier: Barrier, *, early_exit_legal: bool) -> Severity | None:
    """Return the severity of a divergent barrier; None for the rule's own.

    It is less where parameters decide, or what threads have read from memory, or where the others come to the kernel's
    end and those that have left no longer count (`early_exit_legal`). It is least where threads agree if one of the
    parameters is the size of a warp, which code that tells warps by a parameter means it to be.
    """
    if barrier.settled_by_warp_size:
        return Severity.INFO
    is_harmless = barrier.at_end and early_exit_legal
    return Severity.WARNING if barrier.deciding_parameters or barrier.by_data or is_harmless else None


def unless(barrier: Barrier) -> str:
    """Return for which values of parameters no thread stays away, to follow the words that say that some may."""
    return f" unless `{barrier.settled}`" if barrier.settled else ""


def why(barrier: Barrier) -> str:
    """Return why threads part, with the file of the lines in it where that is not the barrier's."""
    apart = barrier.fork is not None and barrier.fork[0].file != barrier.span.file
    return (
        f"{barrier.because} (in {os.path.basename(barrier.fork[0].file)})"
        if barrier.fork and apart
        else barrier.because
    )


def place(span: Span, barrier: Barrier) -> str:
    """Return `line 90`, with the file where that is not the barrier's: `kernels.cu:90`."""
    same = span.file == barrier.span.file
    return f"line {span.line}" if same else f"{os.path.basename(span.file)}:{span.line}"
