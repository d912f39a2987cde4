"""What longer rows would do to a tile: the pitch to advise, what it changes for each access, and the edit."""

from __future__ import annotations

from math import prod

from coalint.core.facts.access import Access, Space
from coalint.core.findings import Fix, FixCheck, Note
from coalint.core.ir.spelling import Spelling
from coalint.core.source.spans import Edit, Span
from coalint.machine.padding import Padding
from coalint.rule import Context
from coalint.rules.support import wording
from coalint.rules.support.tiles import Tile, same_array

STATIC_SHARED = 48 << 10
"""Bytes that a block's declarations may take (CUDA C++ Programming Guide, Technical Specifications)."""


def padded(tile: Tile, context: Context) -> Padding | None:
    """Return the pitch that serves all accesses of the tile best, where that beats the present one and can be told."""
    if tile.mixed:
        return None
    padding = context.padding(tile.memory, tile.accesses, tile.pitch_bytes, tile.element_bytes)
    return padding if padding is not None and padding.helps else None


def spares(tile: Tile, padding: Padding, access: Access) -> bool:
    """Whether an access of the tile takes fewer wavefronts with the longer rows, as far as is known."""
    counts = zip(tile.accesses, padding.before, padding.after, strict=True)
    costs = next(((before, after) for other, before, after in counts if other is access), (None, None))
    return costs[0] is None or costs[1] is None or costs[1].count < costs[0].count


def is_little(tile: Tile, padding: Padding | None, access: Access) -> bool:
    """Whether the best rows save an access of the tile a quarter of its wavefronts at most."""
    if padding is None:
        return False
    counts = zip(tile.accesses, padding.before, padding.after, strict=True)
    costs = next(((before, after) for other, before, after in counts if other is access), (None, None))
    return costs[0] is not None and costs[1] is not None and 4 * costs[1].count >= 3 * costs[0].count


def advice(tile: Tile, padding: Padding | None, spelling: Spelling) -> str:
    """Return what to change, as a declaration where the tile has one."""
    memory = tile.memory
    if tile.mixed:
        return (
            f"`{memory.name}` may hold more than this tile: pad the rows of this one alone, so that consecutive rows "
            "begin in different banks, and move what comes after it; or swizzle its column (`column ^ row`) in all its "
            "accesses"
        )
    if padding is None:
        return (
            f"no padding of up to 32 elements helps all accesses of `{memory.name}` together: swap the roles of "
            "rows and columns in one of them, or swizzle the column (`column ^ row`) in all of them"
        )
    if tile.declared:
        declaration = wording.declared(memory, (*memory.extents[:-1], padding.extent), spelling)
        change = f"declare `{declaration}` (rows of {padding.extent} instead of {tile.extent} elements)"
    else:
        elements = "elements"
        if tile.element_bytes != memory.element_bytes:
            elements += f" of {wording.plural(tile.element_bytes, 'byte')}"
        change = (
            f"keep the rows of `{memory.name}` {padding.extent} instead of {tile.extent} {elements} apart in every "
            "index, and make the array that much larger"
        )
    rest = "" if padding.cures else ", which is best over all its accesses, although some conflicts remain"
    if _is_of_argument(tile):
        size = wording.plural(tile.element_bytes, "byte")
        rest += f"; that is for elements of {size}, and other arguments of the template may need other rows"
    return change + rest


def _is_of_argument(tile: Tile) -> bool:
    """Whether the type of the tile's elements is an argument of the kernel's template."""
    return any(tile.memory.type_name in access.specialization.template_arguments for access in tile.accesses)


def fix(tile: Tile, padding: Padding | None, context: Context) -> Fix | None:
    """Return the declaration with longer rows, where that ends all conflicts, the tile is known whole, and it fits."""
    memory = tile.memory
    if padding is None or not padding.cures or not tile.declared or memory.span is None or memory.dynamic:
        return None
    if tile.mixed or any(cost is None for cost in padding.after) or not _has_room(tile, padding, context):
        return None
    span, more = memory.span, padding.extent - tile.extent
    end = Span(span.file, span.end_line, span.end_column - 1, span.end_line, span.end_column - 1)
    description = f"lengthen the rows of `{memory.name}` by {wording.plural(more, 'element')}"
    check = FixCheck(memory.name, span, tile.pitch_bytes, padding.pitch_bytes)
    return Fix(description, (Edit(end, f" + {more}"),), check=check)


def _has_room(tile: Tile, padding: Padding, context: Context) -> bool:
    """Whether the kernel's static shared memory is known, and with the longer rows within what every GPU gives."""
    sizes: dict[tuple[str, Span | None], int] = {}
    for access in context.analysis.accesses:
        memory = access.memory
        if access.space is not Space.SHARED:
            continue
        if memory is None or None in memory.extents or memory.dynamic:
            return False
        pitch = padding.pitch_bytes if same_array(memory, tile.memory) else memory.row_pitch
        counts = [extent for extent in memory.extents if extent is not None]
        sizes[memory.name, memory.span] = (
            prod(counts[:-1]) * pitch if pitch is not None else prod(counts) * memory.element_bytes
        )
    return sum(sizes.values()) <= STATIC_SHARED


def effects(tile: Tile, padding: Padding | None) -> tuple[Note, ...]:
    """Return wavefronts before and after for each access of the tile that changes, each at its own place."""
    if padding is None:
        return ()
    notes: dict[Note, None] = {}
    for access, before, after in zip(tile.accesses, padding.before, padding.after, strict=True):
        if before is not None and after is not None and wording.number(before.count) == wording.number(after.count):
            continue
        if before is None or after is None:
            text = f"{wording.subject(access)} is not considered in this choice: its lanes are not known"
        else:
            text = (
                f"with rows of {padding.extent}, {wording.subject(access)} takes "
                f"{wording.plural(after.count, 'wavefront')} instead of {wording.number(before.count)}"
            )
        notes.setdefault(Note(text, access.span, of_help=True))
    return tuple(notes)
