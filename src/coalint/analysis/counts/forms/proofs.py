"""Closed forms that are proved: held against what the lane model counts at samples of the open sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.executions import count_executions
from coalint.analysis.counts.forms.closed_forms import ClosedForm
from coalint.analysis.counts.forms.expression_values import expression_of, formula_of, open_symbol, value_at
from coalint.analysis.counts.forms.logarithmic_fits import logarithmic
from coalint.analysis.counts.forms.open_quantities import NoClosedForm, name_of, text
from coalint.analysis.counts.patterns import NotFollowed
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.quantities import OPEN
from coalint.core.facts.formulas import Formula
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel

LEAST_SAMPLES = 3
"""At how many samples a form must hold."""
FEW = ((37, 20, 3, 9), (300, 6, 2, 2), (5, 101, 60, 51))
"""Numbers for open quantities at which a formula of a block is held against another block."""


@record(frozen=True, slots=True)
class ProvedForm:
    """The executed warp instructions as a formula, which held at the samples.

    Attributes:
        text: It as users write it.
        form: It to compute with.
        assumed: What it rests on, in words.
    """

    text: str
    form: Formula
    assumed: tuple[str, ...]


def closed_form(model: WarpModel, reach: Reach, axes: Axes, *, with_fits: bool = False) -> ProvedForm | None:
    """Return the executed warp instructions as a formula; None where none holds at samples.

    `with_fits` looks for what grows with a logarithm, too, where the guards give no formula; this takes longer.
    """
    try:
        form = ClosedForm(model, reach.guards, reach.loops, axes)
        form.expression = form.expression * reach.kept[0] / reach.kept[1]
    except (NoClosedForm, NotFollowed, OverflowError):
        return _logarithmic_form(model, reach, axes) if with_fits else None
    algebra = model.algebra
    tested = {atom.index for atom in algebra.closure(*reach.sizes) if atom.kind in OPEN}
    tested -= reach.stands_for
    free = form.expression.free_symbols.union(*(condition.free_symbols for condition in form.open.conditions))
    open_ = tested | {i for i, symbol in form.open.symbols.items() if symbol in free and algebra.atoms[i].kind in OPEN}
    value, conditions_hold = value_at(form.expression), [value_at(condition) for condition in form.open.conditions]
    held = 0
    assumed: tuple[str, ...] = ()
    for numbers in _samples(sorted(open_)):
        evaluator = LaneEvaluator(algebra, dict(numbers))
        needed = ((index, symbol) for index, symbol in form.open.symbols.items() if symbol in free)
        numbered = {symbol: evaluator.number(generator(index)) for index, symbol in needed}
        values = {name: value for name, value in numbered.items() if value is not None}
        if len(values) < len(numbered) or not all(holds(values) for holds in conditions_hold):
            continue
        counted = count_executions(model, reach, axes, numbers)
        if counted.warps is None:
            continue
        if value(values) != counted.warps:
            return None
        assumed, held = tuple(dict.fromkeys((*assumed, *counted.assumed))), held + 1
    if held < LEAST_SAMPLES:
        return None
    conditions = tuple(text(condition) for condition in form.open.conditions)
    return ProvedForm(text(form.expression), form.formula(), (*assumed, *conditions))


def _logarithmic_form(model: WarpModel, reach: Reach, axes: Axes) -> ProvedForm | None:
    found = logarithmic(model, reach, axes)
    if found is None:
        return None
    expression, holds, assumed = found
    return ProvedForm(text(expression), formula_of(expression), (*assumed, holds))


def gives(model: WarpModel, reaches: Sequence[Reach], axes: Axes, formula: Formula) -> bool:
    """Whether a formula gives the executions at some places together at samples of the open sizes."""
    algebra = model.algebra
    names: dict[int, str] = {}
    for reach in reaches:
        inside = (atom for atom in algebra.closure(*reach.sizes) if atom.kind in OPEN)
        names |= {atom.index: name_of(model, atom) for atom in inside if atom.index not in reach.stands_for}
    extents = (algebra.atoms[index] for index in axes.extents if index is not None)
    names |= {atom.index: name_of(model, atom) for atom in extents if name_of(model, atom) in formula.names}
    order = sorted({*names.values(), *formula.names})
    value = value_at(expression_of(formula))
    held = 0
    for row in FEW:
        sizes = {name: row[place % len(row)] for place, name in enumerate(order)}
        fixed = {index: sizes[name] for index, name in names.items()}
        counts = [count_executions(model, reach, axes, fixed).warps for reach in reaches]
        known = [count for count in counts if count is not None]
        if len(known) == len(counts):
            if value({open_symbol(name): size for name, size in sizes.items()}) != sum(known):
                return False
            held += 1
    return held >= LEAST_SAMPLES


def _samples(indices: Iterable[int]) -> list[dict[int, int]]:
    """Return numbers for open quantities at which a form is held against the lane model."""
    open_ = list(indices)
    if len(open_) == 1:
        return [{open_[0]: number} for number in (1, 5, 37, 50, 23, 64, 101, 300)]
    rows = (
        *((1, 2, 3, 5), (37, 20, 3, 9), (64, 5, 11, 8), (300, 6, 2, 2)),
        *((3, 101, 5, 60), (5, 38, 4, 51), (20, 300, 7, 80), (101, 3, 60, 5)),
    )  # small and large ones in either order: forms may hold where one is the larger
    return [{index: row[place % 4] for place, index in enumerate(open_)} for row in rows]
