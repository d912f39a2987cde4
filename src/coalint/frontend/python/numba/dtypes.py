"""Element types as NumPy writes them: names, codes, records."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.frontend.python.numba.type_names import scalar_coded, scalar_named
from coalint.frontend.python.numba.types import Element, Field, Structure
from coalint.frontend.python.numba.values import Dotted, ElementType, Number, Text, TupleValue, Value


def element_of(value: Value | None) -> Element | None:
    """Return the element type that a value means, as an argument called `dtype`; None where it is not followed."""
    match value:
        case ElementType():
            return value.type
        case Dotted():
            return scalar_named(value.name)
        case Text():
            return scalar_coded(value.text) or _listed(value.text)
        case TupleValue():
            return record(value)
    return None


def _listed(code: str) -> Structure | None:
    """Return the positions that a list gives a value, in order or, in a list of its own, by designators."""
    if "," not in code:
        return None
    types = [scalar_coded(part.strip()) for part in code.split(",")]
    return packed([(f"f{number}", type_, ()) for number, type_ in enumerate(types) if type_ is not None], align=False)


def record(fields: TupleValue, *, align: bool = False) -> Structure | None:
    """Return the record of `[("x", np.float32), ("y", "f4", (3,))]`; None where a part is not followed."""
    entries: list[tuple[str, Element, tuple[int, ...]]] = []
    for item in fields.items:
        if not isinstance(item, TupleValue) or not 2 <= len(item.items) <= 3 or not isinstance(item.items[0], Text):
            return None
        element = element_of(item.items[1])
        extents = _extents(item.items[2]) if len(item.items) == 3 else ()
        if element is None or extents is None:
            return None
        entries.append((item.items[0].text, element, extents))
    return packed(entries, align=align)


def _extents(value: Value) -> tuple[int, ...] | None:
    items = value.items if isinstance(value, TupleValue) else (value,)
    known = [item.constant for item in items if isinstance(item, Number) and isinstance(item.constant, int)]
    return tuple(known) if len(known) == len(items) else None


def alignment(element: Element) -> int:
    """Return how a field of this type is aligned where fields are: as a number, a complex one as its parts."""
    if isinstance(element, Structure):
        return element.align
    return element.size // 2 if element.kind.value == "complex" else element.size


def packed(fields: Sequence[tuple[str, Element, tuple[int, ...]]], *, align: bool) -> Structure:
    """Return a record: without gaps as NumPy makes it, or as C does."""
    offset, widest = 0, 1
    placed: list[Field] = []
    for name, element, extents in fields:
        if align:
            step = alignment(element)
            offset, widest = -(-offset // step) * step, max(widest, step)
        field = Field(name, offset, element, extents)
        placed.append(field)
        offset += field.size
    size = -(-offset // widest) * widest
    return Structure(tuple(placed), size, widest if align else 1)
