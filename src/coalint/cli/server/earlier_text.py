"""Where a line of a changed text stood before the change."""

from __future__ import annotations

from collections.abc import Iterable


def line_before(before: list[str], now: list[str], line: int) -> int | None:
    """Return the number (from 1) that a line had before a change; None for one between the first and last changed."""
    if line <= _alike(zip(before, now, strict=False)):
        return line
    behind = len(now) - line
    if behind < _alike(zip(reversed(before), reversed(now), strict=False)):
        return len(before) - behind
    return None


def _alike(pairs: Iterable[tuple[str, str]]) -> int:
    """Return how many pairs at the beginning are of two equal lines."""
    number = 0
    for one, other in pairs:
        if one != other:
            break
        number += 1
    return number
