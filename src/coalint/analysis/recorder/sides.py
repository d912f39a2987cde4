"""Accesses that nvcc may join where a condition parts the threads that come to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.core.facts.access import Access, Join, Side

Key = TypeVar("Key")


def sides_of(
    accesses: Mapping[Key, Access],
    reached: Mapping[Key, Sequence[Occurrence]],
    joined: Iterable[tuple[int, int, Join]],
) -> dict[Key, tuple[Side, ...]]:
    """Return the sides of each access that has some.

    `reached` are the accesses as they are come to, `joined` the numbers of each two that nvcc may join; of HELD the
    second is held. Of what two calls of a function do at two places none is made.
    """
    keys = {one.number: key for key, all_ in reached.items() for one in all_}
    sides: dict[Key, list[Side]] = {}
    pairs = ((keys[first], keys[second], join) for first, second, join in joined)
    for number, (first, second, join) in enumerate(dict.fromkeys(pairs)):
        if first == second or (join is Join.TWO_PLACES and accesses[first].calls != accesses[second].calls):
            continue
        sides.setdefault(first, []).append(Side(number, Join.HOLDS if join is Join.HELD else join))
        sides.setdefault(second, []).append(Side(number, join))
    return {key: tuple(found) for key, found in sides.items()}
