"""Numbers and pointers read from bytes that were written as such, or in other parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import AggregateValue, Cell, Value
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.store.contents import Outside

IN_PARTS = "it is read in other pieces than it was written in"


def scalar(store: Outside, cells: Mapping[int, Cell], at: int, type_: ir.Type, name: str) -> Cell | None:
    """Return what a byte offset holds as a value of a type that is no struct; None where no such value was written."""
    cell = cells.get(at)
    if cell is not None and isinstance(cell.value, AggregateValue):
        return None
    if cell is not None and (cell.size == type_.size or not cell.size or not type_.size):
        value = _of_kind(store, cell.value, type_, name)
        return cell if value is cell.value else Cell(cell.size, value, cell.definition)
    parts = list(overlapping(cells, at, type_.size))
    if not parts:
        return None
    definition = next((part.definition for part in parts if part.definition), None)
    whole = cell.value if cell is not None and cell.size > type_.size and len(parts) == 1 else None
    if isinstance(type_, ir.Integer) and isinstance(whole, Polynomial) and not store.is_float(whole):
        low = store.algebra.operation("wrap", whole, bits=type_.bits, signed=type_.signed)  # the low bytes come first
        return Cell(type_.size, low, definition)
    level = max(store.level(part.value) for part in parts)
    if isinstance(type_, ir.Floating):
        return Cell(type_.size, store.floating(level), definition)
    return Cell(type_.size, store.algebra.opaque(name, level, IN_PARTS, is_quoted=True), definition)


def overlapping(cells: Mapping[int, Cell], at: int, size: int) -> Iterator[Cell]:
    """Yield the cells of no structs that lie in some of these bytes."""
    for start, cell in cells.items():
        is_near = start != WHOLE and start < at + max(size, 1) and at < start + max(cell.size, 1)
        if is_near and not isinstance(cell.value, AggregateValue):
            yield cell


def _of_kind(store: Outside, value: Value, type_: ir.Type, name: str) -> Value:
    """Return the bytes of a floating-point value as an integer, and the other way round."""
    if not isinstance(value, Polynomial):
        return value
    if isinstance(type_, ir.Integer) and store.is_float(value):
        return store.algebra.opaque(name, store.level(value), "the bits of a floating-point value", is_quoted=True)
    if isinstance(type_, ir.Floating) and not store.is_float(value):
        return store.floating(store.level(value))
    return value
