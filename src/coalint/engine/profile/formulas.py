"""Formulas of a kernel's profile: costs, excess and shares in open sizes, what remains of them for large ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import sympy
from sympy.printing.mathml import mathml

from coalint.analysis.counts.forms.expression_values import expression_of, open_symbol
from coalint.analysis.counts.forms.shares import limit_of_share, ratio
from coalint.core.facts.access import Space
from coalint.core.facts.formulas import Formula
from coalint.core.records import record
from coalint.engine.profile.instruction import ProfiledInstruction
from coalint.engine.profile.records import InstructionFormulas, KernelFormulas, WrittenFormula

SAMPLE = 100_003
"""What stands in for every open size where kernels are put in order."""


@record(frozen=True, slots=True)
class _Costs:
    """An instruction's numbers as expressions; None where one is open without a formula."""

    executed: Any
    cost: Any
    excess: Any

    def at(self, numbers: Mapping[Any, Any]) -> _Costs:
        """Return them with numbers for some symbols."""
        executed, cost, excess = (
            None if value is None else value.subs(numbers) for value in (self.executed, self.cost, self.excess)
        )
        return _Costs(executed, cost, excess)


def kernel_formulas(
    instructions: Sequence[ProfiledInstruction],
    extents: Mapping[str, Formula] = MappingProxyType({}),
    supposed_block: Mapping[str, int] = MappingProxyType({}),
) -> KernelFormulas | None:
    """Return the formulas of a kernel; None where nothing of it is a formula.

    `extents` are what the launch computes numbers of blocks from, by their names: these do not grow by themselves, and
    neither do the extents of the block that is supposed.
    """
    if not any(item.executions.form is not None or item.in_block is not None for item in instructions):
        return None
    block = {open_symbol(name): sympy.Integer(number) for name, number in supposed_block.items()}
    costs = [_costs(item) for item in instructions]
    shared_costs = list(costs)
    totals: dict[Space, Any] = {}
    at_block: set[Space] = set()
    for space in (Space.GLOBAL, Space.SHARED):
        inside = [at for at, item in enumerate(instructions) if item.made.access.space is space]
        if block and any(instructions[at].in_block is None for at in inside):
            at_block.add(space)
            for at in inside:
                shared_costs[at] = costs[at].at(block)
        if inside and all(costs[at].excess is not None for at in inside):
            totals[space] = [shared_costs[at] for at in inside]
    excess = {space: sympy.Add(*(cost.excess for cost in of_space)) for space, of_space in totals.items()}
    moved = {space: sympy.Add(*(cost.cost for cost in of_space)) for space, of_space in totals.items()}
    tied = {open_symbol(name): expression_of(formula) for name, formula in extents.items()} | block
    return KernelFormulas(
        instructions=tuple(
            _written_costs(cost, of_shares, excess.get(space), moved.get(space), tied)
            for cost, of_shares, space in zip(
                costs, shared_costs, (item.made.access.space for item in instructions), strict=True
            )
        ),
        cost={space: _written(total) for space, total in moved.items()},
        excess={space: _written(total) for space, total in excess.items()},
        sample_excess=float(_at_sample(excess[Space.GLOBAL], tied)) if Space.GLOBAL in excess else None,
        at_block=frozenset(at_block),
    )


def _costs(item: ProfiledInstruction) -> _Costs:
    form = item.in_block
    if form is not None:
        cost, excess = (None if formula is None else expression_of(formula) for formula in (form.cost, form.excess))
        return _Costs(expression_of(form.executed), cost, excess)
    executed = _executed(item)
    traffic = item.made.traffic
    if executed is None or traffic is None or (item.executions.cost_varies and executed.free_symbols):
        return _Costs(executed, None, None)
    count, excess = (_rational(number) for number in (traffic.count, traffic.excess))
    return _Costs(executed, count * executed, excess * executed)


def _executed(item: ProfiledInstruction) -> Any:
    if item.executions.form is not None:
        return expression_of(item.executions.form)
    return None if item.executions.warps is None else sympy.Integer(item.executions.warps)


def _rational(number: float) -> Any:
    near = Fraction(number).limit_denominator(1 << 20)
    return sympy.Rational(near.numerator, near.denominator)


def _at_sample(value: Any, tied: Mapping[Any, Any]) -> Any:
    value = value.subs(tied)
    return value.subs(dict.fromkeys(value.free_symbols, SAMPLE))


def _written_costs(
    costs: _Costs, of_shares: _Costs, excess: Any, moved: Any, tied: Mapping[Any, Any]
) -> InstructionFormulas:
    share, limit = _share(of_shares.excess, excess, tied)
    traffic, traffic_limit = _share(of_shares.cost, moved, tied)
    return InstructionFormulas(
        executed=_written(costs.executed),
        cost=_written(costs.cost),
        excess=_written(costs.excess),
        share=share,
        share_limit=limit,
        traffic_share=traffic,
        traffic_limit=traffic_limit,
    )


def _share(part: Any, whole: Any, tied: Mapping[Any, Any]) -> tuple[WrittenFormula | None, float | None]:
    """Return a part of a whole as a formula, and for large sizes; None where one is open or the whole is nothing."""
    if part is None or whole is None or whole == 0:
        return None, None
    return _written(ratio(part, whole)), limit_of_share(part, whole, tied)


def _written(value: Any) -> WrittenFormula | None:
    if value is None:
        return None
    text = str(value).replace("ceiling(", "ceil(").replace("**", "^")
    return WrittenFormula(text=text, latex=sympy.latex(value), mathml=mathml(value, printer="presentation"))
