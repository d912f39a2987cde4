"""Two threads that touch the same byte, and as few races of them as barriers are missing."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.analysis.recorder.events import SharedAccess
from coalint.analysis.synchronization.intervals import Pair
from coalint.analysis.warps.threads import LANES
from coalint.core.facts.access import Operation
from coalint.core.facts.launch import Specialization
from coalint.core.facts.synchronization import Party, Race
from coalint.core.records import record


@record(frozen=True, slots=True)
class Collision:
    """Two threads (linear ids) and the byte that both touch."""

    pair: Pair
    threads: tuple[int, int]
    offset: int
    common: bool
    assumed: tuple[str, ...]

    @property
    def same_warp(self) -> bool:
        """Whether both are lanes of one warp."""
        return self.threads[0] // LANES == self.threads[1] // LANES


# --- one race for each missing barrier


def separate(collisions: Iterable[Collision]) -> list[Collision]:
    """Return as few as it takes for a barrier before each `second` to part all that were found."""
    chosen: list[Collision] = []
    ordered = sorted(collisions, key=lambda met: (met.same_warp, met.pair.turn is not None, met.pair.second.index))
    for met in ordered:
        if not any(_parted(met, other) or _in_one_statement(met, other) for other in chosen):
            chosen.append(met)
    return sorted(chosen, key=lambda met: met.pair.second.index)


def _parted(met: Collision, other: Collision) -> bool:
    """Whether a barrier right before the second access of `other` parts `met` as well."""
    barrier, first, second = other.pair.second.index, met.pair.first.index, met.pair.second.index
    if met.pair.turn is not None and met.same_warp and met.pair.turn is other.pair.turn:
        return True  # what is put at the end of the loop's body parts both
    if met.pair.turn is None:
        return first < barrier <= second and _within(met.pair, other.pair)
    inside = met.pair.turn in other.pair.second.loops
    return inside and (barrier <= second or first < barrier)


def _in_one_statement(met: Collision, other: Collision) -> bool:
    """Whether a lane reads what another writes in one statement, which already lacks a barrier before it.

    `s[t] += s[t + 16]` again and again by the lanes of a warp is one mistake.
    """
    first, second = met.pair.first, met.pair.second
    if not (met.same_warp and other.same_warp and first.operation is Operation.LOAD and met.pair.turn is None):
        return False
    lines = {(touch.span.file, touch.span.line) for touch in (first, second, other.pair.second)}
    return len(lines) == 1


def _within(pair: Pair, other: Pair) -> bool:
    """Whether the barrier stands in no loop that the pair does not pass through."""
    return other.turn is None or other.turn in pair.second.loops


def race_of(met: Collision, block: tuple[int, int, int], specialization: Specialization) -> Race:
    """Return the race that two threads of a block of this shape are an example of."""
    first, second = met.pair.first, met.pair.second
    turn = met.pair.turn
    parties = [_party(touch, thread, block) for touch, thread in zip((first, second), met.threads, strict=True)]
    element = first.text if met.common else _element(first, met.offset)
    return Race(
        kernel=specialization.kernel,
        specialization=specialization,
        first=parties[0],
        second=parties[1],
        element=element,
        same_warp=met.same_warp,
        loop=None if turn is None else turn.span,
        assumed=met.assumed,
        array=first.base.memory.name,
    )


def _party(touch: SharedAccess, thread: int, block: tuple[int, int, int]) -> Party:
    x, y, _ = block
    place = (thread % x, thread // x % y, thread // (x * y))
    return Party(touch.span, touch.operation, touch.text, place, touch.calls)


def _element(touch: SharedAccess, offset: int) -> str:
    """Return the element at a byte offset, as `tile[3][1]`."""
    memory = touch.base.memory
    if not memory.extents or not memory.element_bytes:
        return memory.name
    index, places = offset // memory.element_bytes, []
    for extent in reversed(memory.extents[1:]):
        if not extent:
            return memory.name
        places.append(index % extent)
        index //= extent
    return memory.name + "".join(f"[{number}]" for number in (index, *reversed(places)))
