"""The counts of a kernel whose block is supposed, as formulas in the extents of the block.

The kernel is analysed at every block that a formula speaks of. What is found is an expression that gives the count, or
its formula in other sizes, at each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from coalint.analysis.counts.forms.expression_values import expression_of, formula_of
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.block_forms import BlockForm, BlockForms
from coalint.core.facts.executions import Counting, Executions
from coalint.core.records import record
from coalint.engine.check.limits import OvertimeError
from coalint.engine.open_blocks.fits import Fits
from coalint.engine.open_blocks.shapes import OpenBlock
from coalint.engine.open_blocks.unified import unified
from coalint.engine.open_blocks.views import Key, View
from coalint.machine.architecture import Architecture
from coalint.machine.traffic import settled
from coalint.rule import Block, Context

MOST_INSTRUCTIONS = 32
"""Of kernels that are analysed at all blocks and not at those alone whose extents are powers of two."""
MOST_OF_FINDINGS = 12
"""Of kernels that are analysed at further blocks for what findings weigh: `lint` is to be fast."""
FINEST = 1 << 20
"""The denominator of a mean per request at most."""


@record(frozen=True, slots=True)
class _Written:
    """Expressions of an instruction at one block; None for what is open, or moves nothing."""

    executed: Any
    cost: Any
    excess: Any
    assumed: tuple[str, ...] = ()


class BlockCounts:
    """Finds the formulas of one kernel.

    Args:
        open_block: The extents that are open.
        view: The kernel at the block that is supposed.
        at_block: Analyses the kernel at another block; None where that fails.
        arch: The GPU that costs are for.
    """

    def __init__(
        self, open_block: OpenBlock, view: View, at_block: Callable[[Block], Analysis | None], arch: Architecture
    ) -> None:
        self._open, self._at_block, self._arch = open_block, at_block, arch
        self._views: dict[Block, View | None] = {open_block.block: view}

    def forms(self, numbers: Collection[int] | None = None, *, for_all: bool = True) -> BlockForms:
        """Return the formulas of the instructions with these numbers, or of all with those of the barriers.

        `for_all` asks for formulas that hold for all blocks with whole warps, where there are such; else they are of
        powers of two, and of small kernels alone.
        """
        view = self._view(self._open.block)
        if (
            view is None
            or not self._open.is_tried
            or (not for_all and (len(self._open.axes) > 1 or len(view.instructions) > MOST_OF_FINDINGS))
        ):
            return BlockForms(self._open.supposed)
        instructions: dict[int, BlockForm] = {}
        barriers: dict[int, BlockForm] = {}
        with suppress(OvertimeError):  # the kernel is reported with the formulas that are there by then
            for key, made in view.instructions.items():
                if numbers is None or made.members[0] in numbers:
                    form = self._form(key, for_all=for_all)
                    instructions |= {} if form is None else {made.members[0]: form}
            for key, number in view.barriers.items() if numbers is None else ():
                form = self._form(key, for_all=for_all)
                barriers |= {} if form is None else {number: form}
        return BlockForms(self._open.supposed, instructions, barriers)

    def _view(self, block: Block) -> View | None:
        if block not in self._views:
            analysis = self._at_block(block)
            self._views[block] = None
            if analysis is not None:
                accesses = tuple(settled(access, self._arch) for access in analysis.accesses)
                analysis = replace(analysis, accesses=accesses)
                self._views[block] = View.of(analysis, Context(analysis, self._arch, self._at_block).instructions)
        return self._views[block]

    def _form(self, key: Key, *, for_all: bool) -> BlockForm | None:
        own = self._written(key, self._open.block)
        if own is None:
            return None
        others = self._open.others if for_all and self._is_small() else ()
        if all(self._holds(own, key, block) for block in self._open.powers):
            is_for_all = bool(others) and all(self._holds(own, key, block) for block in others)
            return self._made(own, self._assumed(key, [own]), is_for_all=is_for_all)
        written: list[_Written] = []
        for block in self._open.powers:
            one = self._written(key, block)
            if one is None:
                return None
            written.append(one)
        assumed = self._assumed(key, written)
        if len(assumed) > len(own.assumed) + 1:  # a condition for each block
            return None
        fits = Fits(self._open)
        executed = unified([one.executed for one in written], fits)
        if executed is None:
            return None
        cost, excess = (self._of_all(written, name, fits) for name in ("cost", "excess"))
        whole = self._for_all(key, written, assumed) if others else None
        return whole or self._made(_Written(executed, cost, excess), assumed, is_for_all=False)

    def _assumed(self, key: Key, written: Sequence[_Written]) -> tuple[str, ...]:
        """Return what the formulas, and the counts at all blocks that were tried, rest on."""
        assumed = dict.fromkeys(text for one in written for text in one.assumed)
        for view in self._views.values():
            counted = None if view is None else self._counted(view, key, lambda counting: counting.of_access)
            assumed |= dict.fromkeys(() if counted is None else counted.assumed)
        return tuple(assumed)

    def _is_small(self) -> bool:
        view = self._view(self._open.block)
        return view is not None and bool(self._open.others) and len(view.instructions) <= MOST_INSTRUCTIONS

    def _of_all(self, written: Sequence[_Written], name: str, fits: Fits) -> Any:
        values = [getattr(one, name) for one in written]
        return None if any(value is None for value in values) else unified(values, fits)

    def _for_all(self, key: Key, written: Sequence[_Written], assumed: tuple[str, ...]) -> BlockForm | None:
        """Return the formulas that hold for all blocks with whole warps along x; None where none does."""
        import sympy

        for rounded in (sympy.floor, sympy.ceiling):
            fits = Fits(self._open, rounded)
            executed = unified([one.executed for one in written], fits)
            cost, excess = (self._of_all(written, name, fits) for name in ("cost", "excess"))
            found = _Written(executed, cost, excess)
            if all(self._holds(found, key, block) for block in self._open.others):
                return self._made(found, assumed, is_for_all=True)
            if not executed.has(sympy.floor, sympy.ceiling) and found.cost is None:
                return None
        return None

    def _holds(self, found: _Written, key: Key, block: Block) -> bool:
        """Whether formulas give what is counted at a block."""
        view = self._view(block)
        counted = None if view is None else self._counted(view, key, lambda counting: counting.of_access)
        if view is None or counted is None:
            return False
        executed, cost, excess = (self._at(block, value) for value in (found.executed, found.cost, found.excess))
        here = _Written(executed, cost, excess)
        made = view.instructions.get(key)
        if counted.warps is not None:
            if here.executed != counted.warps:
                return False
        elif made is not None and made.is_merged:
            counted = self._counted(view, key, lambda counting: counting.as_formula)
            if counted is None or counted.form is None or (expression_of(counted.form) - here.executed).expand() != 0:
                return False
        else:
            number = view.barriers[key] if made is None else made.members[0]
            if not view.counting.holds(number, formula_of(here.executed), of_barrier=made is None):
                return False
        if made is None or counted.warps == 0 or found.cost is None:
            return found.cost is None or (here.cost == 0 and here.excess in (0, None))
        if made.traffic is None or (counted.cost_varies and here.executed.free_symbols):
            return False
        means = ((made.traffic.count, here.cost), (made.traffic.excess, here.excess))
        return all(
            total is not None and (_rational(mean) * here.executed - total).expand() == 0 for mean, total in means
        )

    def _at(self, block: Block, value: Any) -> Any:
        if value is None:
            return None
        named = dict(zip(self._open.names, (block[axis] for axis in self._open.axes), strict=True))
        return value.subs({one: named[one.name] for one in value.free_symbols if one.name in named})

    def _written(self, key: Key, block: Block) -> _Written | None:
        """Return what stands at a key at a block; None where it is open there."""
        view = self._view(block)
        counted = None if view is None else self._counted(view, key, lambda counting: counting.as_formula)
        if view is None or counted is None:
            return None
        if counted.form is None and counted.warps is None:
            return None
        from sympy import Integer

        executed = Integer(counted.warps) if counted.form is None else expression_of(counted.form)
        made = view.instructions.get(key)
        if executed == 0:
            return _Written(executed, executed, executed, counted.assumed)
        traffic = None if made is None else made.traffic
        if traffic is None or (counted.cost_varies and executed.free_symbols):
            return _Written(executed, None, None, counted.assumed)
        cost, excess = (_rational(mean) * executed for mean in (traffic.count, traffic.excess))
        return _Written(executed, cost, excess, counted.assumed)

    def _counted(
        self, view: View, key: Key, how: Callable[[Counting], Callable[[int], Executions | None]]
    ) -> Executions | None:
        """Return the executions of what stands at a key; None where something else stands there at this block.

        There are none where the kernel does not come to the place, as to a loop that its small blocks do not enter.
        """
        made = view.instructions.get(key)
        if made is not None:
            return made.executions(how(view.counting))
        if key in view.barriers:
            return view.counting.barrier_as_formula(view.barriers[key])
        is_left_out = all(other[0] != key[0] for other in (*view.instructions, *view.barriers))
        return Executions(0, 0) if is_left_out else None

    def _made(self, found: _Written, assumed: tuple[str, ...], *, is_for_all: bool) -> BlockForm:
        cost, excess = (None if value is None else formula_of(value) for value in (found.cost, found.excess))
        condition = self._open.conditions(is_for_all=is_for_all)
        return BlockForm(formula_of(found.executed), cost, excess, condition, assumed, is_narrow=not is_for_all)


def _rational(number: float) -> Any:
    from sympy import Rational

    near = Fraction(number).limit_denominator(FINEST)
    return Rational(near.numerator, near.denominator)
