"""Variables of an inner loop that depend on the loops around it: stride = size / 2, size / 4, ..., 1 for each size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Slot

MAX_ROWS = 256  # combinations of iterations of the loops around
MAX_STEPS = 4096  # iterations that are followed one by one, over all rows

Row = list[dict["Slot", int]]


def outer_counters(algebra: Algebra, own: int, values: list[Poly]) -> list[Atom]:
    """Return the counters of loops around (and block indices) that values rest on; none where one has no known end."""
    counters = [atom for atom in algebra.closure(*values) if atom.kind is AtomKind.COUNTER and atom.index != own]
    counters.sort(key=lambda atom: atom.index)
    if any(atom.trips is None for atom in counters) or prod(atom.trips or 0 for atom in counters) > MAX_ROWS:
        return []
    return counters


def follow_rows(
    algebra: Algebra,
    outer: list[Atom],
    starts: Mapping[Slot, Poly],
    step: Callable[[dict[int, int], dict[Slot, int], int], dict[Slot, int] | None],
    limit: int,
) -> list[Row] | None:
    """Return the states of each row, iteration by iteration and the one that ends it; None where it cannot be followed.

    `step` gives the state after iteration k, or None after the last iteration, and raises Undecided.
    """
    rows: list[Row] = []
    steps = 0
    for combination in product(*(range(atom.trips or 0) for atom in outer)):
        around = {atom.index: value for atom, value in zip(outer, combination, strict=True)}
        evaluator = LaneEvaluator(algebra, dict(around))
        try:
            state = {slot: whole(evaluator, start) for slot, start in starts.items()}
            row = [state]
            while len(row) <= limit:
                after = step(around, state, len(row) - 1)
                if after is None:
                    break
                row.append(after)
                state = after
                steps += 1
                if steps > MAX_STEPS:
                    return None
        except Undecided:
            return None
        rows.append(row)
    return rows


def row_number(algebra: Algebra, outer: list[Atom], counter: Poly, width: int) -> Poly:
    """Return the place of an iteration in a table of rows of `width`."""
    index = algebra.zero
    for atom in outer:
        index = index * (atom.trips or 0) + generator(atom.index)
    return index * width + counter


def whole(evaluator: LaneEvaluator, value: Poly) -> int:
    """Return the number that a value is for all threads. Raises Undecided."""
    number = evaluator.number(value)
    if number is None or evaluator.assumed or evaluator.open_choices:
        raise Undecided("a number that is not known")
    try:
        return int(number)
    except TypeError:
        raise Undecided("a number that differs between threads") from None
