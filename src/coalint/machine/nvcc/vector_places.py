"""Where in a vector an access lies, and which rows of its iterations begin one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Lanes
from coalint.machine.nvcc.struct_loads import WIDEST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.core.lazy import np


def position_in(access: Access, position: int, width: int) -> int | None:
    """Return how many bytes past the vector's beginning all lanes are; None where that hangs on what is not known.

    Where the base is no known multiple of the vector, as with a pitch that only the launch tells, the type says it: a
    struct lies at a multiple of its alignment.
    """
    record, lanes = access.field, access.result.lanes
    assert lanes is not None
    if lanes.alignment % width == 0:
        return position
    if access.space is not Space.GLOBAL or record is None or record.bytes != access.bytes:
        return None
    return record.offset % width


def reads_over(access: Access, width: int, position: int) -> bool:
    """Whether nvcc loads four where three are wanted: not where the first of them is not, in global memory."""
    if access.op is not Operation.LOAD or width != 4 * access.bytes:
        return False
    return access.space is Space.SHARED or (access.field is not None and position > 0)


def known_alignment(access: Access) -> int:
    """Return the alignment in bytes that nvcc may know of where the access's vector begins; 1 for none."""
    if access.space is Space.SHARED:
        return WIDEST
    return declared_alignment(access) if access.space is Space.GLOBAL else 1


def declared_alignment(access: Access) -> int:
    """Return the alignment in bytes of the record whose field is accessed; 1 where it is not known or there is none."""
    return 1 if access.field is None else min(access.field.record_align, WIDEST)


def iterations_that_start(lanes: Lanes, width: int) -> Lanes | None:
    """Return the rows in which every lane begins a vector: a loop is enumerated in rows, or not if it is uniform."""
    starts = ((lanes.offsets % width == 0) | ~lanes.active).all(axis=(1, 2))
    return rows_of(lanes, starts) if starts.any() else None


def rows_of(lanes: Lanes, starts: NDArray[np.bool_]) -> Lanes:
    """Return some of the rows in which a loop is enumerated."""
    groups = lanes.groups[starts] if lanes.groups is not None and lanes.groups.ndim == 3 else lanes.groups
    return replace(
        lanes,
        offsets=lanes.offsets[starts],
        active=lanes.active[starts],
        weights=lanes.weights[starts],
        groups=groups,
        counters=tuple((name, values[starts]) for name, values in lanes.counters),
    )
