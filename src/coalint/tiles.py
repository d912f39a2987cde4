"""Shared tiles as rules see them: which accesses belong to one, how its rows lie, and what padding would do."""

from __future__ import annotations

from dataclasses import dataclass

from coalint import wording
from coalint.analysis.access import Access, Memory, Space
from coalint.diagnostics import Note
from coalint.machine.arch import Architecture
from coalint.machine.padding import Padding, best_padding
from coalint.rule import Context


@dataclass(frozen=True, slots=True)
class Tile:
    """A shared array seen as rows of `pitch_bytes`. `declared` is false where the rows are the index's doing alone."""

    memory: Memory
    pitch_bytes: int
    element_bytes: int
    declared: bool
    accesses: tuple[Access, ...]

    @property
    def extent(self) -> int:
        """Elements from one row to the next."""
        return self.pitch_bytes // self.element_bytes

    def is_padded(self, arch: Architecture) -> bool:
        """Whether the rows end in columns that no access uses, so that they do not begin in one bank.

        Only if every access is known: a column that an unknown one may use is no padding.
        """
        if self.pitch_bytes % (arch.banks * arch.bank_bytes) == 0:
            return False
        last = 0
        for access in self.accesses:
            if access.lanes is None or access.lanes.groups is not None:
                return False
            touched = access.lanes.offsets[access.lanes.active]
            if touched.size:
                last = max(last, int((touched % self.pitch_bytes).max()) + access.bytes)
        return last <= self.pitch_bytes - self.element_bytes


def tile_of(context: Context, access: Access) -> Tile | None:
    """The tile that an access with a conflict belongs to; None where its array does not fall into rows."""
    memory = access.memory
    if memory is None or access.space is not Space.SHARED or memory.element_bytes <= 0:
        return None
    declared = memory.row_pitch
    pitch = declared if declared is not None else _indexed_pitch(access, memory.element_bytes)
    if not pitch or pitch % memory.element_bytes:
        return None
    same = tuple(a for a in context.analysis.accesses if a.space is Space.SHARED and _same_array(a.memory, memory))
    if declared is None and not all(_fits_rows(a, pitch) for a in same):
        return None
    return Tile(memory, pitch, memory.element_bytes, declared is not None, same)


def padded(tile: Tile, context: Context) -> Padding | None:
    """The pitch that serves all accesses of the tile best, where that beats the present one."""
    padding = best_padding(tile.accesses, tile.pitch_bytes, tile.element_bytes, context.arch)
    return padding if padding is not None and padding.helps else None


def advice(tile: Tile, padding: Padding | None) -> str:
    """What to change, as a declaration where the tile has one."""
    memory = tile.memory
    if padding is None:
        return (
            f"no padding of up to 32 elements helps all accesses of `{memory.name}` together: exchange the roles of "
            "rows and columns in one of them, or swizzle the column (`column ^ row`) in all of them"
        )
    if tile.declared:
        declaration = f"{memory.name}{wording.extents_text((*memory.extents[:-1], padding.extent))}"
        change = f"declare `{memory.type_name} {declaration}`" if memory.type_name else f"declare `{declaration}`"
        change += f" (rows of {padding.extent} instead of {tile.extent} elements)"
    else:
        change = (
            f"keep the rows of `{memory.name}` {padding.extent} instead of {tile.extent} elements apart in every "
            "index, and make the array that much larger"
        )
    rest = "" if padding.cures else ", which is the best over all its accesses though some conflicts stay"
    return change + rest


def effects(tile: Tile, padding: Padding | None) -> tuple[Note, ...]:
    """Wavefronts before and after for each access of the tile, each at its own place."""
    if padding is None:
        return ()
    notes: dict[Note, None] = {}
    for access, before, after in zip(tile.accesses, padding.before, padding.after, strict=True):
        if before is None or after is None:
            text = f"{wording.subject(access)} is left out of this choice: its lanes are not known"
        else:
            text = (
                f"with rows of {padding.extent}, {wording.subject(access)} takes "
                f"{wording.plural(after.count, 'wavefront')} instead of {wording.number(before.count)}"
            )
        notes.setdefault(Note(text, access.span))
    return tuple(notes)


def _same_array(one: Memory | None, other: Memory) -> bool:
    return one is not None and (one.name, one.span) == (other.name, other.span)


def _indexed_pitch(access: Access, element: int) -> int | None:
    """The pitch that an index into a flat array implies: threadIdx.x strides it while y or a loop walks inside it."""
    in_x, in_y = access.strides[0], access.strides[1]
    if in_x is None or abs(in_x) < 2 * element:
        return None
    walks_row = access.specialization.block[1] > 1 and in_y is not None and abs(in_y) == element
    walks_row = walks_row or any(loop.bytes is not None and abs(loop.bytes) == element for loop in access.loops)
    return abs(in_x) if walks_row else None


def _fits_rows(access: Access, pitch: int) -> bool:
    """Whether an access to a flat array moves by whole rows or stays inside one, along every thread axis."""
    block = access.specialization.block
    for stride, threads in zip(access.strides, block, strict=True):
        if threads == 1:
            continue
        if stride is None:
            return False
        if stride % pitch and abs(stride) * (threads - 1) >= pitch:
            return False
    return True
