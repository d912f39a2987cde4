"""Loads before a condition of what only one side of it uses: `float v = s[0]; if (t == 0) out[b] = v;`.

A compiler may load it behind the condition, where fewer threads come to. LLVM moves what is computed to where all of
its uses are (`InstCombine`, "sink instructions"), then what that is computed from: `float v = 2 * x[i] + y[i];` as well
as two statements. It does so where nothing between the two may write to memory. What is loaded through a pointer of
which the source promises that no other leads there it loads past barriers and stores, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from coalint.core.ir.expressions import Assign, Call, Dereference, Member, Name, Subscript
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.loop_trips import LoopTrips
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Expression, Statement, Variable
from coalint.core.ir.statements import Block, Declare, Evaluate, If, Jump, Loop, Return, Switch
from coalint.core.ir.straight_code import StraightCode, changed_variable
from coalint.core.ir.types import Pointer, Reference
from coalint.core.ir.uniform_variables import is_uniform, uniform_variables
from coalint.core.ir.walk import nodes


class LateLoads:
    """Tells loads of a kernel that may be made later than they are written; `functions` are those that it may call."""

    def __init__(self, kernel: Function, functions: Mapping[str, Function]) -> None:
        self._kernel, self._functions = kernel, functions
        self._code = StraightCode(functions)
        self._promises = any(one.is_restrict for one in kernel.parameters)
        self._found: dict[str, frozenset[int]] = {}

    def of(self, key: str) -> frozenset[int]:
        """Return the `id` of each load, or call that loads, which may be made later in the function of a key.

        What the parameters of the kernel promise may hold for each pointer that it passes.
        """
        if key not in self._found:
            is_kernel = key == self._kernel.key
            function = self._kernel if is_kernel else self._functions.get(key)
            self._found[key] = frozenset()
            if function is not None:
                promised = self._promises and not is_kernel
                pointers = (one for one in function.parameters if isinstance(one.type, Pointer))
                restricted = frozenset(one.name for one in pointers if promised or one.is_restrict)
                uniform = uniform_variables(function) if is_kernel else frozenset()
                self._found[key] = frozenset(self._search(function.body, restricted, uniform))
        return self._found[key]

    def _search(self, body: Statement, restricted: Set[str], uniform: Set[str]) -> Iterator[int]:
        for node in nodes(body):
            if isinstance(node, Call):
                yield from self._in_arguments(node, restricted)
            if not isinstance(node, Block):
                continue
            statements = list(_in_scope(node))
            own = {one.variable.key for one in statements if isinstance(one, Declare)}
            for position, statement in enumerate(statements):
                variable, value = _set(statement)
                if variable is None or value is None or (variable.key not in own and _adds(statement)):
                    continue
                found = [id(one) for one in nodes(value) if isinstance(one, Subscript | Dereference | Member | Call)]
                if not found or not self._code.is_straight(value):
                    continue
                moved = _Moved(self._code, own, uniform, past_writes=_is_promised(value, restricted))
                if moved.is_used_on_one_side(variable, statements[position + 1 :]):
                    yield from found

    def _in_arguments(self, call: Call, restricted: Set[str]) -> Iterator[int]:
        """Yield what is loaded for a function that uses it behind a condition: `put(out, i, n, in[i])`."""
        function = self._functions.get(call.function or "")
        if function is None:
            return
        statements = list(_in_scope(function.body))
        own = {one.variable.key for one in statements if isinstance(one, Declare)}
        for parameter, value in zip(function.parameters, call.arguments, strict=False):
            found = [id(one) for one in nodes(value) if isinstance(one, Subscript | Dereference | Member | Call)]
            if not found or isinstance(parameter.type, Reference) or not self._code.is_straight(value):
                continue
            moved = _Moved(self._code, own, frozenset(), past_writes=_is_promised(value, restricted))
            if moved.is_used_on_one_side(parameter, statements):
                yield from found


class _Moved:
    """A value that is computed later: what it is kept in, and what else is computed from it alone.

    `own` are the keys of the variables of the block, others outlive it; `uniform` those of variables that all threads
    have in common.
    """

    def __init__(self, code: StraightCode, own: Set[str], uniform: Set[str], *, past_writes: bool) -> None:
        self._code, self._own, self._uniform, self._past_writes = code, own, uniform, past_writes
        self._keys: set[str] = set()

    def is_used_on_one_side(self, variable: Variable, after: Sequence[Statement]) -> bool:
        """Whether one side of the first condition that matters has all uses of a variable.

        Nothing writes before it, unless that does not matter (`past_writes`).
        """
        self._keys.add(variable.key)
        for position, statement in enumerate(after):
            sides = self._sides(statement)
            using = [side for side in sides if any(self._uses(one) for one in side)]
            later = any(self._uses(one) for one in after[position + 1 :])
            if later and any(self._replaces(side) for side in using):
                return True
            if using:
                return len(using) == 1 and not later
            if any(_leaves(one) for side in sides for one in side):
                return later
            if self._uses(statement):
                if not self._takes_over(statement):
                    return False
            elif not self._past_writes and self._code.may_write(statement):
                return False
        return False

    def _sides(self, statement: Statement) -> list[Sequence[Statement]]:
        """Return what a condition leads to that does not rest on the value; none where there is no such condition."""
        match statement:
            case If(condition=condition) if not self._uses(condition):
                return [[side] for side in (statement.then, statement.otherwise) if side is not None]
            case Switch(subject=subject) if not self._uses(subject):
                return [case.body for case in statement.cases]
            case Loop(test_first=True, condition=condition) if condition is not None:
                if self._is_entered_by_all(statement):
                    return []
                before: list[Expression | Statement] = [*statement.initializer, condition]
                return [] if any(self._uses(one) for one in before) else [[statement.body]]
        return []

    def _is_entered_by_all(self, loop: Loop) -> bool:
        """Whether threads come to a loop's body together: what it counts between is the same for all of them."""
        if LoopTrips({}).constant(loop) is not None:
            return True
        known = set(self._uniform)
        for statement in loop.initializer:
            variable, value = _set(statement)
            if variable is not None and value is not None and is_uniform(value, known):
                known.add(variable.key)
        return loop.condition is not None and is_uniform(loop.condition, known)

    def _takes_over(self, statement: Statement) -> bool:
        """Whether a statement only computes a variable of this block from the value; that takes part then."""
        variable, value = _set(statement)
        if variable is None or value is None or variable.key not in self._own or not self._code.is_straight(value):
            return False
        self._keys.add(variable.key)
        return True

    def _replaces(self, side: Sequence[Statement]) -> bool:
        """Whether one side of a condition sets a variable anew, so that only the other one needs what it was."""
        for statement in side:
            for one in statement.statements if isinstance(statement, Block) else (statement,):
                if self._uses(one):
                    variable, value = _set(one)
                    is_anew = variable is not None and not _adds(one) and variable.key in self._keys
                    return is_anew and value is not None and not self._uses(value)
        return False

    def _uses(self, node: Expression | Statement) -> bool:
        return any(isinstance(one, Name) and one.variable.key in self._keys for one in nodes(node))


def _in_scope(block: Block) -> Iterator[Statement]:
    """Yield a block's statements, and of each statement that declares several variables its declarations."""
    for statement in block.statements:
        parts = statement.statements if isinstance(statement, Block) else ()
        if parts and all(isinstance(part, Declare) for part in parts):
            yield from parts
        else:
            yield statement


def _set(statement: Statement) -> tuple[Variable | None, Expression | None]:
    """Return the variable that a statement sets, it or a part of it, and to what."""
    match statement:
        case Declare(variable=variable, initializer=value) if not isinstance(variable.type, Reference):
            return variable, value
        case Evaluate(expression=Assign(target=target, value=value)):
            return changed_variable(target), value
        case _:
            return None, None


def _is_promised(value: Expression, parameters: Set[str]) -> bool:
    """Whether nothing changes what a value is loaded from: one of these parameters, or what is loaded as constant."""
    return any(
        (isinstance(one, Name) and one.variable.name in parameters)
        or (isinstance(one, Call) and one.intrinsic is Intrinsic.CACHED_LOAD)
        for one in nodes(value)
    )


def _adds(statement: Statement) -> bool:
    """Whether a statement changes what a variable held before, or a part of it."""
    return isinstance(statement, Evaluate) and (
        not isinstance(statement.expression, Assign)
        or statement.expression.operator is not None
        or not isinstance(statement.expression.target, Name)
    )


def _leaves(node: Statement) -> bool:
    return any(isinstance(one, Return | Jump) for one in nodes(node))
