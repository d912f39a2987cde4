"""Describes a map in one sentence: how the lanes lie in memory, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from coalint.core.facts.access import Operation, Space
from coalint.core.facts.lanes import Service
from coalint.machine.access_map import AccessMap
from coalint.machine.shared_memory.async_copies import line_pairs
from coalint.machine.traffic import takes_turns
from coalint.rules.support.wording import many_ways, number, plural

_DOES = {Operation.LOAD: "read", Operation.STORE: "write", Operation.ATOMIC: "update"}


def describe_map(part: AccessMap) -> str:
    """Return the most striking property of a map as a sentence."""
    lanes = part.active
    if not lanes:
        return "No lane of this warp is active."
    return _shared(part) if part.access.space is Space.SHARED else _global(part)


# --- global memory


def _global(part: AccessMap) -> str:
    lanes, size = part.active, part.access.bytes
    assert part.traffic is not None
    excess = part.traffic.excess > 0
    if len(lanes) == 1:
        return f"One lane is active; {plural(part.sectors, 'sector')} of 32 bytes must move for its {size}."
    places = len({(lane.group, lane.offset) for lane in lanes})
    if places == 1:
        does = _DOES[part.access.op]
        return f"All {len(lanes)} lanes {does} the same {plural(size, 'byte')}: {_so_many(part)} for all of them."
    again = sum(sector.requests > 1 for line in part.lines for sector in line.sectors)
    if again:
        move = "sectors move" if again > 1 else "sector moves"
        return f"{again} {move} once for each sector of shared memory that the parts go to: {_so_many(part)} in all."
    runs = _runs(part)
    if places < len(lanes) and not excess:
        return f"{len(lanes)} lanes use {places} different addresses, which lie in {_so_many(part)}."
    if len(runs) == 1:
        return _side_by_side(part)
    step = _step(part)
    if step is not None and excess:
        return _strided(part, abs(step))
    share = f"{_percent(part)} of the moved bytes are used"
    if all(run == runs[0] for run in runs) and runs[0] > 1:
        rows = f"The lanes fall into {len(runs)} rows of {runs[0]} side by side"
        return f"{rows}; {share}." if excess else f"{rows}, which together fill their sectors: {_so_many(part)}."
    if not excess:
        return f"The lanes share {_so_many(part)}, no more than their bytes need."
    return f"The lanes are scattered over {plural(len(part.lines), 'line')} and {_so_many(part)}; {share}."


def _side_by_side(part: AccessMap) -> str:
    assert part.traffic is not None
    if not part.traffic.excess:
        if part.bytes_used == part.bytes_moved:
            return "The lanes lie side by side and use every byte that moves."
        return f"The lanes lie side by side in {_so_many(part)}, as few as hold their bytes."
    first = min(lane.offset for lane in part.active if lane.offset is not None)
    begin = first % part.sector_bytes
    return (
        f"The lanes lie side by side, but begin {plural(begin, 'byte')} past a sector boundary, "
        f"which takes {plural(part.traffic.excess, 'sector')} more."
    )


def _strided(part: AccessMap, step: int) -> str:
    numbers = [lane.lane for lane in part.active]
    which = "Neighbouring lanes" if numbers[-1] - numbers[0] < len(numbers) else "The active lanes"
    apart = f"{which} are {plural(step, 'byte')} apart"
    if part.sectors == len(part.active):
        return f"{apart}, so that each needs a sector of its own: {part.access.bytes} of its 32 bytes are used."
    if step < part.sector_bytes:
        return f"{apart}, so that {_percent(part)} of the moved bytes are used."
    return f"{apart}: {_so_many(part)} move for {len(part.active)} lanes, and {_percent(part)} of their bytes are used."


def _so_many(part: AccessMap) -> str:
    sectors: str = plural(part.sectors, "sector")
    return sectors


def _percent(part: AccessMap) -> str:
    return f"{number(round(100 * part.bytes_used / part.bytes_moved, 1))} %"


def _step(part: AccessMap) -> int | None:
    """Return the distance in bytes between successive active lanes; None where it is not always the same."""
    lanes = part.active
    if len({lane.group for lane in lanes}) > 1:
        return None
    offsets = [lane.offset or 0 for lane in lanes]
    steps = {b - a for a, b in pairwise(offsets)}
    return steps.pop() if len(steps) == 1 else None


def _runs(part: AccessMap) -> Sequence[int]:
    """Return the numbers of lanes in each stretch without a gap, in the order of addresses."""
    size = part.access.bytes
    places = sorted({(lane.group, lane.offset) for lane in part.active if lane.offset is not None})
    runs = [1]
    for (group, before), (other, offset) in pairwise(places):
        if group == other and offset == before + size:
            runs[-1] += 1
        else:
            runs.append(1)
    return runs


# --- shared memory


def _shared(part: AccessMap) -> str:
    lanes, ways = part.active, part.ways
    worst = max(ways.values())
    many = plural(part.served, "wavefront")
    if takes_turns(part.access):
        if worst == 1:
            return f"No two lanes use the same bank: {many}."
        return f"Lanes that use the same bank take turns, even for the same word: up to {worst} do, in {many}."
    if part.access.served.partner is not None:
        if part.access.served.service is Service.BYPASS:
            assert part.access.result.lanes is not None
            if part.served == line_pairs(part.access.served.partner, part.access.result.lanes):
                return f"The copy takes {many}: one from each line that is read to each line that is written."
            return f"The copy takes {many}: chunks that move from one line to another by the same distance share one."
        turns = "lanes that use the same bank at either end, by the global or the shared address, take turns"
        return f"The copy takes {many}" + (f": {turns}." if part.traffic is not None and part.traffic.excess else ".")
    if worst == 1 or (part.traffic is not None and not part.traffic.excess):
        if len({word.word for wavefront in part.wavefronts for word in wavefront.words}) == 1 and len(lanes) > 1:
            return f"All {len(lanes)} lanes get the same word: {many} for all of them."
        parts = {8: ", one for each quarter of the warp", 16: ", one for each half of the warp"}
        stretches = {wavefront.last - wavefront.first + 1 for wavefront in part.wavefronts}
        whole = part.served > 1 and len(stretches) == 1 and 32 // min(stretches) == part.served
        served = many + (parts.get(min(stretches), "") if whole else "")
        return f"No bank has to serve two different words at once, so there is no conflict: {served}."
    banks = [bank for bank, way in ways.items() if way == worst]
    if len(ways) == 1:
        return f"All {len(lanes)} lanes need different words of bank {banks[0]}, one after the other: {many}."
    where = f"bank {banks[0]}" if len(banks) == 1 else f"each of {len(banks)} banks"
    return f"Up to {worst} different words of {where} are needed at once, {many_ways(worst)} conflict: {many}."
