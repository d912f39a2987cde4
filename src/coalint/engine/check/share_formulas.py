"""Formulas of the part of findings in what their kernel moves in vain, beside the samples of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Any

from coalint.core.facts.block_forms import BlockForms
from coalint.core.facts.executions import Counting
from coalint.core.facts.launch_costs import LaunchCost
from coalint.core.records import record
from coalint.engine.check.weight_formulas import FINEST
from coalint.machine.nvcc.instructions import MachineInstruction

MOST = 12
"""Wasteful instructions of a kernel and memory whose formulas are added up."""


@record(slots=True)
class ShareFormulas:
    """Divides formulas of excess; those of one kernel, each made once.

    Attributes:
        counting: Counts the executions of the kernel.
        block_forms: Its counts in open extents of the block; None where none is open.
    """

    counting: Counting
    block_forms: BlockForms | None
    _known: dict[int, Any] = field(default_factory=dict)
    _shares: dict[tuple[Any, Any], tuple[str, float | None]] = field(default_factory=dict)

    def with_share(
        self, cost: LaunchCost, own: Mapping[int, MachineInstruction], kernels: Mapping[int, MachineInstruction]
    ) -> LaunchCost:
        """Return a cost with the formula of its share; as it is where not all of the kernel's excess has one.

        `own` are the instructions of the cost, `kernels` those of the kernel that are wasteful in the same memory, by
        their numbers.
        """
        of_all = {**kernels, **own}
        if not cost.excess_formula or cost.share is None or len(of_all) > MOST:
            return cost
        excess = {number: self._excess(number, made) for number, made in of_all.items()}
        if any(value is None for value in excess.values()):
            return cost
        from coalint.analysis.counts.forms.expression_values import open_symbol
        from coalint.analysis.counts.forms.open_quantities import text
        from coalint.analysis.counts.forms.shares import limit_of_share, ratio

        supposed: dict[Any, int] = {}
        if self.block_forms is not None:
            supposed = {open_symbol(name): number for name, number in self.block_forms.supposed}
            if any(number not in self.block_forms.instructions for number in of_all):
                excess = {number: value.subs(supposed) for number, value in excess.items()}
        part, whole = _sum(excess[number] for number in own), _sum(excess.values())
        if whole == 0:
            return cost
        if (part, whole) not in self._shares:
            share = ratio(part, whole)
            at_block = share.subs(supposed)
            # How a number of blocks grows with the sizes only the launch tells.
            is_told = not any(symbol.name in self.counting.open_grid for symbol in at_block.free_symbols)
            limit = limit_of_share(part, whole, supposed) if is_told and not at_block.is_number else None
            self._shares[part, whole] = text(share), float(at_block) if at_block.is_number else limit
        formula, limit = self._shares[part, whole]
        return replace(cost, share_formula=formula, share_limit=limit)

    def _excess(self, number: int, made: MachineInstruction) -> Any:
        """Return the excess of an instruction as an expression; None where it has no formula."""
        if number not in self._known:
            self._known[number] = self._made(number, made)
        return self._known[number]

    def _made(self, number: int, made: MachineInstruction) -> Any:
        from sympy import Integer, Rational

        from coalint.analysis.counts.forms.expression_values import expression_of

        form = None if self.block_forms is None else self.block_forms.instructions.get(number)
        if form is not None:
            return None if form.excess is None else expression_of(form.excess)
        counted = made.executions(self.counting.as_formula)
        if made.traffic is None or (counted.warps is None and counted.form is None):
            return None
        if counted.warps is None and counted.cost_varies:
            return None
        mean = Fraction(made.traffic.excess).limit_denominator(FINEST)
        executed = Integer(counted.warps) if counted.warps is not None else expression_of(counted.form)  # type: ignore[arg-type]
        return Rational(mean.numerator, mean.denominator) * executed


def _sum(values: Iterable[Any]) -> Any:
    from sympy import Add

    return Add(*values)
