"""Groups accesses of a place that touch the same memory, or copy parts of one struct."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from coalint.core.facts.access import Access
from coalint.engine.inspection.showing import Shown


def group_alike(items: Iterable[Shown]) -> Iterator[Shown]:
    """Yield accesses that touch the same memory once, as the load and store of `x += 1`; likewise parts of a copy."""
    groups: dict[object, list[Shown]] = {}
    for item in items:
        drawn = item.map
        picture = (drawn.lanes, drawn.lines, drawn.wavefronts, drawn.row) if drawn is not None else item.reason
        groups.setdefault((*_shared_target(item.access), item.access.result.assumed, picture), []).append(item)
    grouped: list[Shown] = []
    for first, *rest in groups.values():
        alike = tuple(other.access for other in rest)
        before = next((n for n, other in enumerate(grouped) if _continues_copy(other, first)), None)
        if before is None:
            grouped.append(replace(first, alike=alike))
        else:
            grouped[before] = replace(grouped[before], further=(*grouped[before].further, first.access))
    yield from grouped


def _shared_target(access: Access) -> tuple[object, ...]:
    """Return what accesses of one place share that touch the same memory."""
    return access.span, access.space, access.bytes, access.memory, access.address.common


def _continues_copy(first: Shown, other: Shown) -> bool:
    """Whether an instruction copies a later part of the same structs, at the same cost."""
    first_access, other_access = first.access, other.access
    if first.map is None or other.map is None or first.map.traffic != other.map.traffic:
        return False
    if (first_access.op, *_shared_target(first_access)) != (other_access.op, *_shared_target(other_access)):
        return False
    shift = first_access.bytes * (other_access.piece[0] - first_access.piece[0])
    moved = [lane.offset if lane.offset is None else lane.offset + shift for lane in first.map.lanes]
    return shift > 0 and moved == [lane.offset for lane in other.map.lanes]
