"""Formulas of what the accesses of a finding cost over a launch, beside the sample that stands for open sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from coalint.core.facts.block_forms import BlockForms
from coalint.core.facts.executions import Counting
from coalint.core.facts.formulas import scaled
from coalint.core.facts.launch_costs import Basis, LaunchCost
from coalint.core.records import record
from coalint.machine.nvcc.instructions import MachineInstruction

MOST = 4
"""Instructions of one finding whose formulas are added up."""
FINEST = 1 << 20
"""The denominator of a mean per request at most."""


def with_formula(
    cost: LaunchCost,
    made: Iterable[MachineInstruction],
    counting: Counting,
    block_forms: BlockForms | None = None,
) -> LaunchCost:
    """Return a cost with the formulas of its numbers; as it is where one of the instructions has none.

    The excess has none where the mean of a request changes with the sizes. Those in open extents of the block are in
    `block_forms`; what has none of these is said to be for the block that is supposed.
    """
    instructions = list(made)
    if len(instructions) > MOST or cost.executed is None or not instructions:
        return cost
    parts = [_in_block(one, block_forms) or _in_sizes(one, counting) for one in instructions]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or (cost.basis is not Basis.SAMPLE and not any(part.is_of_block for part in known)):
        return cost
    excess = [part.excess for part in known]
    assumed = [text for part in known for text in part.assumed]
    if block_forms is not None and not all(part.is_of_block for part in known):
        assumed.append(block_forms.at)
    return replace(
        cost,
        executed_formula=" + ".join(part.executed for part in known),
        excess_formula="" if None in excess else " + ".join(text for text in excess if text) or "0",
        formula_assumed=tuple(dict.fromkeys(assumed)),
    )


@record(frozen=True, slots=True)
class _Part:
    """The formulas of one instruction; `excess` is None where it has none, and empty where it is nothing."""

    executed: str
    excess: str | None
    assumed: tuple[str, ...]
    is_of_block: bool = False


def _in_sizes(made: MachineInstruction, counting: Counting) -> _Part | None:
    """Return the formulas in open sizes, at the block that the kernel is analysed for."""
    counted = made.executions(counting.as_formula)
    text = counted.formula if counted.warps is None else str(counted.warps)
    if not text or made.traffic is None:
        return None
    mean = Fraction(made.traffic.excess).limit_denominator(FINEST)
    excess = scaled(text, mean.numerator, mean.denominator) if mean else ""
    return _Part(text, None if counted.cost_varies else excess, counted.assumed)


def _in_block(made: MachineInstruction, block_forms: BlockForms | None) -> _Part | None:
    """Return the formulas in open extents of the block, too."""
    form = None if block_forms is None else block_forms.instructions.get(made.members[0])
    if form is None or made.traffic is None:
        return None
    from coalint.analysis.counts.forms.expression_values import expression_of
    from coalint.analysis.counts.forms.open_quantities import text

    excess = None if form.excess is None else text(expression_of(form.excess))
    conditions = (form.condition,) if form.condition else ()
    executed = text(expression_of(form.executed))
    return _Part(executed, "" if excess == "0" else excess, (*form.assumed, *conditions), is_of_block=True)
