"""What keeps an access in a loop by what the loop executes: branches, barriers, what lanes exchange."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.analysis.recorder.elimination.certain_nodes import CertainNodes, LoopBody, Waits
from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.core import ir
from coalint.core.facts.access import Operation


class LoopBodies:
    """The bodies of a kernel's loops, as `nodes` tells what these execute.

    `occurrences` are all instructions of the kernel, `restricted` the parameters of which the source promises that no
    other pointer leads to what they store.
    """

    def __init__(self, nodes: CertainNodes, occurrences: Sequence[Occurrence], restricted: frozenset[str]) -> None:
        self._nodes, self._restricted = nodes, restricted
        self._bodies: dict[ir.Loop, LoopBody | None] = {}
        self._changed = {one.base for one in occurrences if one.operation is not Operation.LOAD}

    def of(self, loop: ir.Loop) -> LoopBody | None:
        """Return what each iteration of a loop executes; None where calls may touch any memory, or a jump leaves it."""
        if loop not in self._bodies:
            self._bodies[loop] = self._nodes.of(loop)
        return self._bodies[loop]

    def is_held_back(self, one: Occurrence, body: LoopBody) -> bool:
        """Whether what threads wait for, or lanes exchange, keeps an access in a loop.

        Nobody stores to memory that is read through a pointer of which the source promises that no other leads there.
        """
        is_promised = one.base.memory.name in self._restricted and one.base not in self._changed
        return body.waits is not Waits.NONE and not (is_promised and one.operation is Operation.LOAD)

    def is_certain(self, one: Occurrence, loop: ir.Loop) -> bool:
        """Whether each iteration of a loop around an instruction executes it, by loops inside that have iterations."""
        at = one.loops.index(loop)
        inside = one.loops[at + 1 :]
        if any(not counted.trips for counted in one.reach.loops[at + 1 :]):
            return False
        body = self.of(loop)
        if body is None or self.is_held_back(one, body):
            return False
        nodes: tuple[ir.Expression | ir.Loop, ...] = (*inside, one.expression)
        return all(self._comes_to(around, node) for around, node in zip(one.loops[at:], nodes, strict=True))

    def _comes_to(self, loop: ir.Loop, node: ir.Expression | ir.Loop) -> bool:
        """Whether a loop executes an expression, or comes to a loop inside of it, in every iteration."""
        body = self.of(loop)
        return body is not None and id(node) in body.certain
