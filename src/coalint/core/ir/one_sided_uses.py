"""Variables of which one side of a condition alone has all uses, also by way of what is computed from them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set

from coalint.core.ir.expressions import Assign, Name
from coalint.core.ir.loop_trips import LoopTrips
from coalint.core.ir.nodes import Expression, Statement, Variable
from coalint.core.ir.statements import Block, Declare, Evaluate, If, Jump, Loop, Return, Switch
from coalint.core.ir.straight_code import StraightCode, changed_variable
from coalint.core.ir.types import Reference
from coalint.core.ir.uniform_variables import is_uniform
from coalint.core.ir.walk import nodes
from coalint.core.records import record


@record(frozen=True, slots=True)
class _End:
    """The side of a condition that has all uses: its statement's position, and its number.

    Of a condition on one side of which threads leave, or a variable is set anew, the number is -1: all uses are later.
    """

    position: int
    side: int = -1


class OneSidedUses:
    """Tells the uses of the variables of a block; `uniform` are the keys of those that all threads have in common."""

    def __init__(self, code: StraightCode, block: Block, uniform: Set[str]) -> None:
        self._code, self._uniform = code, uniform
        self.statements = list(_in_scope(block))
        self._own = {one.variable.key for one in self.statements if isinstance(one, Declare)}
        self._users: dict[str, list[int]] = {}
        for position, statement in enumerate(self.statements):
            for key in code.named(statement):
                self._users.setdefault(key, []).append(position)
        sides = [any(_leaves(one) for side in self._sides(statement) for one in side) for statement in self.statements]
        self._leaves = [position for position, leaves in enumerate(sides) if leaves]
        self._writes = [position for position, one in enumerate(self.statements) if code.may_write(one)]
        self._ends: dict[bool, dict[int, _End | None]] = {}

    def holds(self, variable: Variable) -> bool:
        """Whether a variable is declared in the block, and ends with it."""
        return variable.key in self._own

    def are_on_one_side(self, position: int, variable: Variable, *, past_writes: bool) -> bool:
        """Whether one side of the first condition that matters has all uses of what a statement sets a variable to.

        Nothing writes to memory before it, unless that does not matter (`past_writes`). The position -1 stands for what
        the variable holds at the start of the block.
        """
        if past_writes not in self._ends:
            ends = self._ends[past_writes] = {}
            for place in range(len(self.statements) - 1, -1, -1):
                set_here, _ = set_by(self.statements[place])
                if set_here is not None:
                    ends[place] = self._end(place, set_here.key, ends, past_writes)
        ends = self._ends[past_writes]
        found = ends.get(position) if position >= 0 else self._end(position, variable.key, ends, past_writes)
        return found is not None

    def _end(self, position: int, key: str, ends: dict[int, _End | None], past_writes: bool) -> _End | None:
        """Return where all uses of a variable behind a position are; None where they are in several places."""
        users = self._users.get(key, [])
        left, written = _next(self._leaves, position), _next(self._writes, position)
        found: _End | None = None
        for place in users[bisect_right(users, position) :]:
            if self._is_replaced(place, key):
                return found or _End(place)
            if left is not None and left < place and (past_writes or written is None or written >= left):
                return _End(left) if found is None or found.position >= left else None
            if not past_writes and written is not None and written < place:
                return None
            end = self._end_of_use(place, key, ends, is_last=place == users[-1])
            if end is None or (found is not None and found != end):
                return None
            found = end
            if end == _End(place) or self._is_set_again(place, key):
                return end
        return found

    def _end_of_use(self, place: int, key: str, ends: dict[int, _End | None], *, is_last: bool) -> _End | None:
        statement = self.statements[place]
        sides = self._sides(statement)
        if sides and key not in self._named_before(statement):
            using = [number for number, side in enumerate(sides) if any(key in self._code.named(one) for one in side)]
            if not is_last and any(self._replaces(sides[number], key) for number in using):
                return _End(place)
            return _End(place, using[0]) if len(using) == 1 else None
        variable, value = set_by(statement)
        if variable is None or value is None or variable.key not in self._own or not self._code.is_straight(value):
            return None
        return ends.get(place)

    def _is_replaced(self, place: int, key: str) -> bool:
        """Whether a statement sets a variable to something else, whatever it held: later uses are of that."""
        return self._sets_anew(self.statements[place], key)

    def _sets_anew(self, statement: Statement, key: str) -> bool:
        variable, value = set_by(statement)
        is_set = variable is not None and variable.key == key and is_set_anew(statement)
        return is_set and value is not None and key not in self._code.named(value)

    def _is_set_again(self, place: int, key: str) -> bool:
        """Whether a statement computes a variable from itself: later uses are of what it is then."""
        variable, _ = set_by(self.statements[place])
        return variable is not None and variable.key == key

    def _sides(self, statement: Statement) -> list[Sequence[Statement]]:
        """Return what a condition leads to; none where there is no condition."""
        match statement:
            case If():
                return [[side] for side in (statement.then, statement.otherwise) if side is not None]
            case Switch():
                return [case.body for case in statement.cases]
            case Loop(test_first=True, condition=condition) if condition is not None:
                return [] if self._is_entered_by_all(statement) else [[statement.body]]
        return []

    def _named_before(self, statement: Statement) -> frozenset[str]:
        """Return the keys of what a condition rests on."""
        match statement:
            case If(condition=condition) | Switch(subject=condition):
                return self._code.named(condition)
            case Loop(initializer=initializer, condition=condition) if condition is not None:
                return self._code.named(condition).union(*map(self._code.named, initializer))
        return frozenset()

    def _is_entered_by_all(self, loop: Loop) -> bool:
        """Whether threads come to a loop's body together: what it counts between is the same for all of them."""
        if LoopTrips({}).constant(loop) is not None:
            return True
        known = set(self._uniform)
        for statement in loop.initializer:
            variable, value = set_by(statement)
            if variable is not None and value is not None and is_uniform(value, known):
                known.add(variable.key)
        return loop.condition is not None and is_uniform(loop.condition, known)

    def _replaces(self, side: Sequence[Statement], key: str) -> bool:
        """Whether one side of a condition sets a variable anew, so that only the other one needs what it was."""
        for statement in side:
            for one in statement.statements if isinstance(statement, Block) else (statement,):
                if key in self._code.named(one):
                    return self._sets_anew(one, key)
        return False


def set_by(statement: Statement) -> tuple[Variable | None, Expression | None]:
    """Return the variable that a statement sets, it or a part of it, and to what."""
    match statement:
        case Declare(variable=variable, initializer=value) if not isinstance(variable.type, Reference):
            return variable, value
        case Evaluate(expression=Assign(target=target, value=value)):
            return changed_variable(target), value
        case _:
            return None, None


def is_set_anew(statement: Statement) -> bool:
    """Whether a statement sets a variable to something else as a whole, whatever it held before."""
    if not isinstance(statement, Evaluate):
        return True
    expression = statement.expression
    return isinstance(expression, Assign) and expression.operator is None and isinstance(expression.target, Name)


def _next(positions: Sequence[int], after: int) -> int | None:
    """Return the first of positions in rising order that comes after one."""
    number = bisect_right(positions, after)
    return positions[number] if number < len(positions) else None


def _leaves(node: Statement) -> bool:
    return any(isinstance(one, Return | Jump) for one in nodes(node))


def _in_scope(block: Block) -> Iterator[Statement]:
    """Yield a block's statements, and of each statement that declares several variables its declarations."""
    for statement in block.statements:
        parts = statement.statements if isinstance(statement, Block) else ()
        if parts and all(isinstance(part, Declare) for part in parts):
            yield from parts
        else:
            yield statement
