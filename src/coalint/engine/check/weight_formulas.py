"""Formulas of what the accesses of a finding cost over a launch, beside the sample that stands for open sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from coalint.core.facts.executions import Counting
from coalint.core.facts.formulas import scaled
from coalint.core.facts.launch_costs import LaunchCost
from coalint.machine.nvcc.instructions import MachineInstruction

MOST = 4
"""Instructions of one finding whose formulas are added up."""
FINEST = 1 << 20
"""The denominator of a mean per request at most."""


def with_formula(cost: LaunchCost, made: Iterable[MachineInstruction], counting: Counting) -> LaunchCost:
    """Return a cost with the formulas of its numbers; as it is where one of the instructions has none.

    The excess has none where the mean of a request changes with the sizes.
    """
    instructions = list(made)
    if len(instructions) > MOST:
        return cost
    executed: list[str] = []
    excess: list[str] = []
    assumed: dict[str, None] = {}
    varies = False
    for one in instructions:
        counted = one.executions(counting.as_formula)
        varies = varies or counted.cost_varies
        text = counted.formula if counted.warps is None else str(counted.warps)
        if not text or one.traffic is None:
            return cost
        executed.append(text)
        mean = Fraction(one.traffic.excess).limit_denominator(FINEST)
        if mean:
            excess.append(scaled(text, mean.numerator, mean.denominator))
        assumed |= dict.fromkeys(counted.assumed)
    if cost.executed is None or not executed:
        return cost
    return replace(
        cost,
        executed_formula=" + ".join(executed),
        excess_formula="" if varies else " + ".join(excess) or "0",
        formula_assumed=tuple(assumed),
    )
