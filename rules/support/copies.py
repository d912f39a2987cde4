"""Copies of structs into variables of which only a part is used: nvcc loads no other (machine.nvcc.struct_loads)."""

from __future__ import annotations

from coalint.core.facts.access import Access, RecordField
from coalint.core.findings import Note
from coalint.core.ir.spelling import Spelling
from coalint.rule import Context
from coalint.rules.support import wording

_MOST_NAMES = 4


def is_partial(access: Access) -> bool:
    """Whether an access loads what is used of a struct that is written as copied whole."""
    record, moved = access.field, access.aggregate
    return record is not None and moved is not None and moved.name == record.record


def parts(context: Context, access: Access) -> tuple[Access, ...]:
    """Return all loads of such a copy, in the order of their addresses."""
    same = (
        other
        for other in context.analysis.accesses
        if is_partial(other) and other.span == access.span and other.memory == access.memory
        if other.op is access.op and other.guard == access.guard
    )
    pieces = {other.piece: other for other in same}
    return tuple(pieces[piece] for piece in sorted(pieces))


def notes(access: Access, spelling: Spelling) -> tuple[Note, ...]:
    """Return that the access is narrower than it is written, for findings that do not say so themselves."""
    if access.field is None or not is_partial(access):
        return ()
    record, here = access.field.record, names((access,))
    text = f"of the `{record}` that is copied here, {spelling.compiler} loads only what is used: {here} in this access"
    return (Note(text),)


def names(loads: tuple[Access, ...]) -> str:
    """Return the fields that they load: `` `x`, `y` ``, and how many more there are."""
    single = fields(loads)
    shown = [f"`{name}`" for name in single[:_MOST_NAMES]]
    more = len(single) - len(shown)
    text: str = wording.listed([*shown, f"{more} more"] if more else shown)
    return text


def fields(loads: tuple[Access, ...]) -> list[str]:
    """Return the names of the fields that they load, each once: several loads may be pieces of one field."""
    loaded = (other.field for other in loads if other.field is not None)
    return list(dict.fromkeys(name for field in loaded for name in field.field.split(", ")))


def used(loads: tuple[Access, ...]) -> int:
    """Return how many bytes of the struct they load."""
    return sum(other.bytes for other in loads)


def is_most(record: RecordField, loads: tuple[Access, ...]) -> bool:
    """Whether more than half of the struct is loaded, in several pieces: its alignment is then what it lacks."""
    return len(loads) > 1 and 2 * used(loads) > record.record_bytes
