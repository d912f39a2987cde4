"""Why the lanes of a global access touch more sectors than their bytes need, and what to do about each reason."""

from __future__ import annotations

import re

from coalint.core.facts.access import Access
from coalint.core.facts.causes import CauseKind
from coalint.core.ir.registers import AXES, Axis, Register
from coalint.core.ir.spelling import Spelling
from coalint.core.records import record
from coalint.rules.support import alignment, wording


@record(frozen=True, slots=True)
class Advice:
    """What a finding says.

    Attributes:
        reason: Why it costs so much.
        help: What to do.
    """

    reason: str
    help: str


def advice(
    access: Access,
    spelling: Spelling,
    axis: int,
    kind: CauseKind,
    *,
    runs: float = 0,
    is_narrowed: bool = False,
    side: int = 0,
    vector: int = 0,
    moved: int = 0,
) -> Advice:
    """Return the reason and the help for an access.

    `axis` is that of threadIdx by which neighbouring lanes differ; `runs` are contiguous runs of lanes per warp, where
    these are the reason; an access `is_narrowed` where it uses fewer bytes of each element than the element has; `side`
    are the rows of blocks of which it walks the diagonals; `vector` are the bytes of a vector that it and those beside
    it move, `moved` those of the instruction that the compiler makes of it.
    """
    if is_narrowed:
        return _narrowed(access)
    if kind is CauseKind.PIECES:
        return _pieces(access, spelling, axis)
    if kind is CauseKind.IDLE_LANES:
        return _IDLE_LANES
    if kind is CauseKind.NARROW_BLOCK:
        return _narrow_block(access, spelling, axis)
    if kind is CauseKind.STRIDE:
        return _stride(access, spelling, axis, vector, moved)
    if side:
        return _diagonals(access, side)
    return _runs(access, runs) if runs else _uneven(access, spelling)


_IDLE_LANES = Advice(
    "the active lanes are spread over sectors that they share with idle lanes",
    "keep whole warps active: compact the work so that the threads that pass the guard are neighbours, "
    "for example by computing the index from a packed thread number",
)


def _pieces(access: Access, spelling: Spelling, axis: int) -> Advice:
    declared = f", declared with {spelling.alignment_mark}" if spelling.alignment_mark else ""
    vectors = f"whole vectors (8 or 16 bytes{declared}), as " if spelling.aligns_wider else ""
    return Advice(
        f"the value is moved in {access.piece[1]} pieces of {wording.plural(access.bytes, 'byte')} each, "
        f"{wording.stride_in(access, axis)} from lane to lane; {wording.other_pieces(access)}",
        f"move such values as {vectors}separate arrays, or through shared memory",
    )


def _narrow_block(access: Access, spelling: Spelling, axis: int) -> Advice:
    width = access.specialization.block[axis]
    extent, lanes = wording.block_extent(axis, spelling), wording.warp_threads(access)
    return Advice(
        f"{extent} is {width}, so a warp's {lanes} lanes are on several rows of {width} lanes each",
        f"make {wording.block_extent(0, spelling)} a multiple of 32 (for example 32x8 instead of 8x32), "
        "so that a warp stays in one row",
    )


def _stride(access: Access, spelling: Spelling, axis: int, vector: int, moved: int) -> Advice:
    array, index = wording.name_of(access), wording.thread_index(axis, spelling)
    whole = f"move the {vector} bytes of each thread as one vector, if {array} is aligned to {vector} bytes; or "
    return Advice(
        f"{wording.neighbours(access, spelling)} and use {wording.plural(moved or access.bytes, 'byte')} each",
        f"{whole if vector else ''}let consecutive values of {index} use consecutive elements of {array}: "
        f"{_order(access, spelling, index)}",
    )


def _order(access: Access, spelling: Spelling, index: str) -> str:
    """Return how threads come to use elements in their order: they may count what blocks count, element by element."""
    for axis in (Axis.Y, Axis.Z):
        block = spelling.component_of(Register.BLOCK_INDEX, axis)
        if access.specialization.block[AXES.index(axis)] == 1 and _walks(access, block):
            return (
                f"these are what {block} counts now, so let {index} count them, and {block} what {index} counts; or "
                "stage the data through shared memory"
            )
    return "lay the data out in the order of the threads, or stage it through shared memory"


def _walks(access: Access, name: str) -> bool:
    """Whether a quantity moves an access by one element from each of its values to the next, and by nothing else."""
    terms = [term for term in re.split(r" [+-] ", access.address.common) if name in term.split("*")]
    return terms == [f"{access.bytes}*{name}" if access.bytes > 1 else name]


def _diagonals(access: Access, side: int) -> Advice:
    return Advice(
        f"the lanes take the diagonals of {side}x{side} blocks that lie one after the other, an element of each row",
        f"if the kernel's time matters, keep the diagonals of {wording.name_of(access)} in an array of their own, too; "
        "otherwise leave it",
    )


def _runs(access: Access, runs: float) -> Advice:
    return Advice(
        f"a warp's lanes access {wording.number(runs)} contiguous runs, and the extra sectors are those at "
        "their ends, which the L1 cache often still holds for the next warp",
        f"where rows of {wording.name_of(access)} are this short by design, pad them to a multiple of 32 "
        "elements and begin them at a sector boundary; for a stencil's window, leave it",
    )


def _uneven(access: Access, spelling: Spelling) -> Advice:
    index = wording.thread_index(wording.lane_axis(access), spelling)
    if alignment.is_multiple_apart(access):
        names = wording.listed([f"`{name}`" for name in access.result.symbolic])
        return Advice(
            f"the lanes of a warp are multiples of {names} apart and use {wording.plural(access.bytes, 'byte')} each",
            f"let neighbouring lanes of a warp use neighbouring elements of {wording.name_of(access)}: lay the data "
            "out in the order of the lanes, or stage it through shared memory",
        )
    return Advice(
        f"the address does not advance in even steps with {index}, so the lanes are scattered over the sectors",
        f"let the 32 lanes of a warp together use neighbouring elements of {wording.name_of(access)}, "
        "in any order; do the irregular part in shared memory, where it does not cost sectors",
    )


def _narrowed(access: Access) -> Advice:
    assert access.memory is not None
    size = access.memory.element_bytes
    used = "1 byte" if access.bytes == 1 else f"{access.bytes} bytes"
    return Advice(
        f"the code uses only {used} of the {size} of each element"
        + (", so the compiler loads only these" if access.is_narrowed else ""),
        f"if {wording.name_of(access)} does not need numbers of {size} bytes, a type of {used} "
        "needs less traffic; otherwise leave it",
    )
