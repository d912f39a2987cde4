"""Accesses that stay alone beside another row of a dynamic shared array, where nvcc may know more of how rows lie.

`rows_apart.py` tells what a multiple of the vector tells. nvcc knows the whole distance: of `a[k] += b[k + 1]`, rows of
eight, it merges all, since `a[k]` and `b[k + 1]` are 4 bytes or some 32 more apart. And where a row is stored after the
other it merges some of its stores.
"""

from __future__ import annotations

from collections.abc import Iterable

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np
from coalint.machine.nvcc.merging import MOST_NEIGHBOURS, Kernel
from coalint.machine.nvcc.told_alignment import ToldAlignment


def beside_rows(kernel: Kernel, told: ToldAlignment, number: int) -> Supposition | None:
    """Return what an access rests on that another row of its array keeps alone; None where nothing does or all is told.

    The access is one that is not merged.
    """
    access = kernel.accesses[number]
    if access.space is not Space.SHARED or access.memory is None or not access.memory.dynamic:
        return None
    for loop in access.loops:
        if loop.bytes is not None and abs(loop.bytes) == access.bytes and loop.unroll != 1:
            rows = list(kernel.order.ordering(access, kernel.order.inside(loop)))
            in_order = all((row < number) is (access.op is Operation.STORE) for row in rows)
            if in_order and _may_be_apart(kernel, told, number, rows):
                return _supposed(access, kernel.accesses[rows[0]])
    for other in _side_by_side(kernel, number):
        first, last = sorted((number, other))
        rows = list(kernel.order.ordering(access, range(first + 1, last)))
        moved = first if access.op is Operation.STORE else last
        if _may_be_apart(kernel, told, moved, rows) and not any(_is_one(told, moved, row) for row in rows):
            return _supposed(access, kernel.accesses[rows[0]])
    return None


def _may_be_apart(kernel: Kernel, told: ToldAlignment, number: int, rows: Iterable[int]) -> bool:
    """Whether all of some accesses are to rows of the array that nvcc may know to be apart from this one."""
    access, own = kernel.accesses[number], None
    pair, are_apart = 2 * access.bytes, False
    for row in rows:
        other = kernel.accesses[row]
        if other.op is Operation.ATOMIC or (other.memory, other.bytes) != (access.memory, access.bytes):
            return False
        own, its = own or told.compiled_address(number), told.compiled_address(row)
        if own is None or its is None or min(own.possible, its.possible) < pair:
            return False
        are_apart |= own.forms != its.forms
    return are_apart


def _is_one(told: ToldAlignment, moved: int, row: int) -> bool:
    """Whether two accesses touch the same bytes where their rows are one."""
    own, its = told.compiled_address(moved), told.compiled_address(row)
    return own is not None and its is not None and own.starts == its.starts


def _side_by_side(kernel: Kernel, number: int) -> Iterable[int]:
    """Yield the accesses of the same kind that touch what lies beside, in all lanes."""
    access = kernel.accesses[number]
    lanes, alike = access.result.lanes, kernel.alike_to(number)
    for other in alike if lanes is not None and len(alike) <= MOST_NEIGHBOURS else ():
        others = kernel.accesses[other].result.lanes
        if others is None or lanes is None or others.offsets.shape != lanes.offsets.shape:
            continue
        if np.array_equal(others.active, lanes.active) and bool(
            (np.abs(others.offsets - lanes.offsets)[lanes.active] == access.bytes).all()
        ):
            yield other


def _supposed(access: Access, row: Access) -> Supposition:
    text = f"the compiler does not know `{access.expression}` and its neighbours to be apart from `{row.expression}`"
    return Supposition(text, Supposed.UNROLLING)
