"""Accesses in several branches: `if (c) a = s[2 * t]; out[i] = m; if (c) b = s[2 * t + 1];` is no vector.

Where nothing stands between two branches with the same condition nvcc may make one of them, and a vector then. So an
H200 counts it (tests/support/repeated_conditions.cu).
"""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.facts.access import Access


def are_in_branches_apart(accesses: Sequence[Access], one: int, other: int) -> bool:
    """Whether two accesses stand in branches between which the kernel accesses memory.

    What is on the other side of the first branch does not count.
    """
    first, last = accesses[min(one, other)], accesses[max(one, other)]
    if first.branches == last.branches:
        return False
    sides = [set(first.branches), set(last.branches)]
    between = accesses[min(one, other) + 1 : max(one, other)]
    return any(
        not any(side.issubset(each.branches) for side in sides) and not _excludes(each, first) for each in between
    )


def _excludes(one: Access, other: Access) -> bool:
    """Whether an access stands on the other side of the innermost branch around another."""
    return bool(other.guard) and f"!({other.guard[-1]})" in one.guard
