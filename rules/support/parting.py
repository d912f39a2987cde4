"""Threads that part before a barrier only for some values of what the kernel is given."""

from __future__ import annotations

from coalint.core.facts.synchronization import Barrier
from coalint.core.findings import Severity


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
