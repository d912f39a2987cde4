"""Where accesses stand in the branches of a kernel, as far as that lets nvcc make one instruction of two.

Of what both sides of an `if` load from one place, nvcc may make one load before it, and of what both store last, one
store behind it (LLVM's pass `simplifycfg`). It does neither where one of them stands in an `if` of its own that some
threads pass by, as in `else if` without an `else`, nor the latter where the `if` ends the only side of another one:
then other ways meet there, too, unless the next `if` has the same condition. So nvcc 13.2 compiles 348 kernels of two
or three branches (tests/machine/test_branches.py).
"""

from __future__ import annotations

from coalint.analysis.recorder.elimination.fed_stores import fed_stores
from coalint.analysis.recorder.elimination.joined_ends import joined_ends
from coalint.analysis.recorder.elimination.repeated_conditions import repeated_conditions
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.records import record


@record(frozen=True, slots=True)
class _Side:
    """A side of a branch, or a part of a loop, that an expression stands in.

    Attributes:
        branch: The identity of the branch.
        side: The number of the side.
        is_choice: Whether threads come to one of two sides.
        is_whole: Whether all threads come to a side: there is an `else`.
        is_last: Whether the branch ends the only side of another one.
    """

    branch: int
    side: int
    is_choice: bool = False
    is_whole: bool = False
    is_last: bool = False


class Branches:
    """Tells of which accesses in the body of a kernel nvcc may make one; it may of any two in what the kernel calls.

    `choices` are what its expressions choose between, by the identities of both, where each reads a place:
    `c ? p[i] : p[j]`. `stores` and `loads` are those that end both sides of a condition (see `joined_ends`),
    `fed` what is loaded for a store alone (see `fed_stores`).
    """

    def __init__(self, body: ir.Statement | None) -> None:
        self.choices: list[tuple[int, int]] = []
        self._sides: dict[int, tuple[_Side, ...]] = {}
        self._values: dict[int, int] = {}
        self.stores, self.loads = joined_ends(body) if isinstance(body, ir.Block) else ([], [])
        self.fed = {} if body is None else fed_stores(body)
        self._repeated = set[int]() if body is None else repeated_conditions(body)
        if body is not None:
            self._note(body, ())

    def loaded_for(self, stored: ir.Expression) -> int | None:
        """Return the identity of what an assignment to a place reads as its value; None where it computes one."""
        return self._values.get(id(stored))

    def may_merge(self, operation: Operation, one: ir.Expression, other: ir.Expression) -> bool:
        """Whether nvcc may make one instruction of two accesses to one place that no thread comes to both of."""
        around, beside = self._sides.get(id(one)), self._sides.get(id(other))
        if around is None or beside is None:
            return True
        shared = 0
        while shared < min(len(around), len(beside)) and around[shared] == beside[shared]:
            shared += 1
        if shared in (len(around), len(beside)):
            return True  # no branch tells them apart, but a way out of the function or of a loop
        first, second = around[shared], beside[shared]
        if first.branch != second.branch or not first.is_choice:
            return True
        inner = (*around[shared + 1 :], *beside[shared + 1 :])
        if not inner:
            return operation is not Operation.STORE or not first.is_last
        return all(side.is_whole for side in inner)

    def _note(self, node: ir.Expression | ir.Statement, around: tuple[_Side, ...], *, is_last: bool = False) -> None:
        """Note what is around all parts of a node; `is_last`: it ends the only side of a branch."""
        if isinstance(node, ir.Expression):
            self._sides[id(node)] = around
        if isinstance(node, ir.Assign):
            value = _read(node.value)
            if value is not None:
                self._values[id(node.target)] = value
        elif isinstance(node, ir.Conditional):
            chosen = _read(node.then), _read(node.otherwise)
            if chosen[0] is not None and chosen[1] is not None:
                self.choices.append((chosen[0], chosen[1]))
        if isinstance(node, ir.If | ir.Conditional):
            self._note(node.condition, around)
            is_whole = node.otherwise is not None
            is_end = not is_whole and id(node) not in self._repeated
            for number, side in enumerate((node.then, node.otherwise)):
                if side is not None:
                    own = _Side(id(node), number, is_choice=True, is_whole=is_whole, is_last=is_last)
                    self._note(side, (*around, own), is_last=is_end)
        elif isinstance(node, ir.Block):
            for number, statement in enumerate(node.statements):
                self._note(statement, around, is_last=is_last and number == len(node.statements) - 1)
        elif isinstance(node, ir.Loop | ir.Switch | ir.Try):
            for number, child in enumerate(ir.children(node)):
                self._note(child, (*around, _Side(id(node), number)))
        else:
            for child in ir.children(node):
                self._note(child, around)


def _read(value: ir.Expression) -> int | None:
    """Return the identity of a place whose content is a value; None where it is computed."""
    while isinstance(value, ir.Cast):
        value = value.operand
    return id(value) if isinstance(value, ir.Subscript | ir.Dereference | ir.Member) else None
