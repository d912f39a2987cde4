"""Where the cells of a variable lie: bytes without cells, structs cut at the ends of other cells."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from coalint.analysis.domain.values import (
    AggregateValue,
    Cell,
)

WHOLE = -1  # the cell offset that stands for "anywhere in this storage"


def is_filled(cells: Mapping[int, Cell], at: int, size: int) -> bool:
    """Whether cells stand everywhere in these bytes."""
    return WHOLE in cells or not gaps(cells, at, size)


def gaps(cells: Mapping[int, Cell], at: int, size: int) -> list[tuple[int, int]]:
    """Return where no cells stand in these bytes: begins and ends."""
    ranges: list[tuple[int, int]] = []
    end = at
    for start, cell in sorted((start, cell.size) for start, cell in cells.items() if start != WHOLE):
        if start < at + size and start + cell > at:
            if start > end:
                ranges.append((end, start))
            end = max(end, start + cell)
    return [*ranges, (end, at + size)] if end < at + size else ranges


def cut(cells: Mapping[int, Cell], at: int, size: int) -> dict[int, Cell]:
    """Return the same cells, structs that lie partly in these bytes cut at their ends."""
    parts: dict[int, Cell] = {}
    for start, cell in cells.items():
        points = [point - start for point in (at, at + size) if start < point < start + cell.size]
        if start == WHOLE or not points or not isinstance(cell.value, AggregateValue):
            parts[start] = cell
            continue
        blob = cell.value
        inner = cut(blob.cells, at - start, size)
        for low, high in pairwise((0, *points, cell.size)):
            inside = {o - low: c for o, c in inner.items() if low <= o < high}
            parts[start + low] = Cell(high - low, AggregateValue(inside, blob.rest, blob.shift + low), cell.definition)
    return parts


def aligned(a: dict[int, Cell], b: dict[int, Cell]) -> tuple[dict[int, Cell], dict[int, Cell]]:
    """Return both contents, structs cut where the cells of the other begin and end."""
    if any(isinstance(cell.value, AggregateValue) for cell in (*a.values(), *b.values())):
        for offset, cell in list(b.items()):
            if offset != WHOLE:
                a = cut(a, offset, cell.size)
        for offset, cell in list(a.items()):
            if offset != WHOLE:
                b = cut(b, offset, cell.size)
    return a, b


def is_occupied(cells: Mapping[int, Cell], span: tuple[int, int] | None) -> bool:
    """Whether something stands in these bytes (None: anywhere)."""
    if span is None:
        return bool(cells)
    return any(at == WHOLE or (at < span[1] and at + cell.size > span[0]) for at, cell in cells.items())
