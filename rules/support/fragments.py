"""Accesses to a matrix in global memory as an instruction for matrices (`mma.sync`) lays its fragment over a warp.

Four lanes have 16 bytes of a row, and the next four of the next row: half of each sector. The other half is what the
instruction for the next eight columns moves. On an H200 (benchmarks/fragments.cu) loads take as long as those of whole
sectors (0.96 to 1.02 times), since the L1 cache holds the other half; stores, which it hands on one by one, take 1.6 to
3.1 times as long where a kernel does nothing else.
"""

from __future__ import annotations

from coalint.core.arrays import distinct
from coalint.core.facts.access import Access, Operation
from coalint.core.lazy import np
from coalint.machine.global_memory.runs import runs_of
from coalint.rule import Context
from coalint.rules.support.scattered import Advice

_LANES = 4  # of a row
_BYTES = 16  # of a row
_ROWS = 8

_REASON = (
    f"each {_LANES} lanes access {_BYTES} bytes of a row, and the next {_LANES} lanes another row, as an instruction "
    "for matrices lays its fragment over a warp"
)
_OF_LOADS = Advice(
    f"{_REASON}; the L1 cache still holds the rest of each sector for the next fragment",
    "leave it, or load the rows as they lie, through shared memory",
)
_OF_STORES = Advice(
    f"{_REASON}; the rest of each sector is stored by itself",
    "exchange values between the lanes of each four first, so that they store 32 bytes of a row together: each lane "
    "gives one neighbour its half of this fragment for a half of the next; or stage the tile through shared memory",
)


def advice(access: Access) -> Advice:
    """Return the reason and the help for such an access."""
    return _OF_LOADS if access.op is Operation.LOAD else _OF_STORES


def is_fragment(context: Context, access: Access) -> bool:
    """Whether each four lanes of a warp have 16 bytes of a row, and another access or iteration moves those beside."""
    return _is_in_fours(access) and _has_next(context, access)


def _is_in_fours(access: Access) -> bool:
    lanes = access.result.lanes
    if lanes is None or access.bytes * _LANES != _BYTES or lanes.offsets.shape[-1] != _ROWS * _LANES:
        return False
    rows = lanes.offsets.reshape(-1, _ROWS, _LANES)
    active = lanes.active.reshape(-1, _ROWS, _LANES)
    if not active.any() or (active.any(axis=-1) != active.all(axis=-1)).any():
        return False
    beside = rows - rows[:, :, :1] == access.bytes * np.arange(_LANES)
    return bool(beside[active].all()) and bool((runs_of(lanes, access.bytes).lengths == _BYTES).all())


def _has_next(context: Context, access: Access) -> bool:
    """Whether the 16 bytes before or after those of each row are moved, too: by a loop, or by an access beside."""
    if any(loop.bytes is not None and abs(loop.bytes) == _BYTES for loop in access.loops):
        return True
    lanes = access.result.lanes
    assert lanes is not None
    for other in context.analysis.accesses:
        there = other.result.lanes
        is_alike = (other.op, other.space, other.memory, other.address.common_names) == (
            access.op,
            access.space,
            access.memory,
            access.address.common_names,
        )
        if is_alike and there is not None and there.offsets.shape == lanes.offsets.shape:
            apart = distinct((there.offsets - lanes.offsets)[lanes.active & there.active])
            if len(apart) == 1 and abs(int(apart[0])) == _BYTES:
                return True
    return False
