"""Accesses to parts of small structs, such as complex numbers, that the compiler moves whole.

The parts of `x[i * step]` are as far apart as the structs. With a step of 1 they are good together, though each by
itself takes sectors of which it uses half.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly

if TYPE_CHECKING:
    from coalint.analysis.recorder.placed import Placed
    from coalint.core.facts.access import Access, RecordField

WIDEST = 16
"""Bytes that a lane moves in one instruction."""


def is_moved_whole(field: RecordField | None, bytes: int) -> bool:
    """Whether an access of so many bytes to a field is one to a part of a struct that one instruction may move."""
    if field is None or bytes >= field.record_bytes:
        return False
    return field.record_align == field.record_bytes <= WIDEST


def settled_records(placed: Sequence[tuple[Access, Placed]]) -> Iterator[tuple[Access, Placed]]:
    """Yield accesses, with numbers that fit a whole struct only where all of its parts are accessed side by side."""
    parts: dict[tuple[object, ...], set[int]] = {}
    for access, place in placed:
        if access.field is not None:
            parts.setdefault(_struct(access, access.field, place), set()).update(
                range(access.field.offset, access.field.offset + access.bytes)
            )
    for access, place in placed:
        field = access.field
        if access.open.fitting_whole and field is not None:
            is_whole = len(parts[_struct(access, field, place)]) == field.record_bytes
            yield access if is_whole else _unfitting(access), place
        else:
            yield access, place


def _unfitting(access: Access) -> Access:
    return replace(access, open=replace(access.open, fitting=(), fitting_count=0.0))


def _struct(access: Access, field: RecordField, place: Placed) -> tuple[object, ...]:
    start: Poly = place.offset - field.offset
    return access.memory, access.op, start, place.guards
