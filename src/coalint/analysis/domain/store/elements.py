"""What an element of a local array is whose index is no number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Cell, FunctionValue, Value
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.domain.store.contents import Outside

MAX_FUNCTIONS = 24  # of a table of functions that are told apart by the index
MAX_CHOICES = 4  # elements of a local array that a selection by the index names


def in_steps(store: Outside, cells: dict[int, Cell], offset: Poly, type_: ir.Type) -> Value | None:
    """Return an element of an array whose elements rise in equal steps: the first plus that many steps."""
    indexed = _values(store, cells, offset, type_)
    if indexed is None:
        return None
    index, values = indexed
    first = values[0]
    pointers = [value for value in values if isinstance(value, Address)]
    if isinstance(first, Address) and all(pointer.base is first.base for pointer in pointers):
        numbers: list[Poly] = [pointer.offset for pointer in pointers]
    else:
        numbers = [v for v in values if isinstance(v, Polynomial) and not store.is_float(v)]
    if len(numbers) < len(values) or len({after - before for before, after in pairwise(numbers)}) > 1:
        return None
    number = numbers[0] + (numbers[1] - numbers[0]) * index
    return Address(first.base, number) if isinstance(first, Address) else number


def one_of(
    store: Outside,
    cells: dict[int, Cell],
    offset: Poly,
    type_: ir.Type,
    select: Callable[[Poly, Value, Value], Value],
) -> Value | None:
    """Return an element of an array of which all are known: numbers as a table, few others as a selection."""
    indexed = _values(store, cells, offset, type_)
    if indexed is None:
        return None
    index, values = indexed
    numbers = [store.algebra.number(v) if isinstance(v, Polynomial) else None for v in values]
    known = tuple(number for number in numbers if number is not None)
    if len(known) == len(values):
        return store.algebra.atom(
            AtomKind.TABLE,
            "element",
            store.algebra.level(offset),
            key=("table", index, known),
            operands=(index,),
            values=known,
            low=min(known),
            high=max(known),
        )
    if len(values) > MAX_CHOICES or any(
        isinstance(v, AggregateValue) or (isinstance(v, Polynomial) and store.is_float(v)) for v in values
    ):
        return None
    chosen = values[-1]
    for position, value in enumerate(values[:-1]):
        here = store.algebra.compare("==", index, store.algebra.constant(position))
        chosen = select(here, value, chosen)
    return chosen


def function_of_table(store: Outside, cells: dict[int, Cell], offset: Poly) -> FunctionValue | None:
    """Return an element of a table of functions, whose null pointers nobody calls: one function for each index."""
    held = list(_functions(cells, 0))
    functions = [(at, value.function) for at, value in held if value.function is not None and not value.unless]
    if not functions or len(functions) < len(held) or WHOLE in cells or len(functions) > MAX_FUNCTIONS:
        return None
    at_each = [(store.algebra.compare("==", offset, store.algebra.constant(at)), name) for at, name in functions]
    return FunctionValue(functions[-1][1], tuple(at_each[:-1]))


def _functions(cells: Mapping[int, Cell], start: int) -> Iterator[tuple[int, FunctionValue]]:
    """Yield the functions in a table and its rows, by their byte offsets."""
    for at, cell in sorted(cells.items()):
        if isinstance(cell.value, FunctionValue):
            yield start + at, cell.value
        elif isinstance(cell.value, AggregateValue):
            yield from _functions(cell.value.cells, start + at)


def _values(store: Outside, cells: dict[int, Cell], offset: Poly, type_: ir.Type) -> tuple[Poly, list[Value]] | None:
    """Return the elements that an offset may mean, all of one size, and the position among them."""
    low, high = store.algebra.close_range(offset)
    if low is None or high is None or len(cells) < 2 or WHOLE in cells:
        return None
    size = cells[min(cells)].size
    if type_.size not in (0, size):
        return None
    places = range(low, high + 1, size)
    if any(at not in cells or cells[at].size != size for at in places) or len(places) < 2 or (high - low) % size:
        return None
    index = store.algebra.divide(offset - low, store.algebra.constant(size))
    values = [cells[at].value for at in places]
    return index, values
