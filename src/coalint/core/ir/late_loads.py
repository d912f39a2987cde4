"""Loads before a condition of what only one side of it uses: `float v = s[0]; if (t == 0) out[b] = v;`.

A compiler may load it behind the condition, where fewer threads come to. LLVM does so where nothing between the two may
write to memory, and where the variable is the loaded value itself (`InstCombine`, "sink instructions"). What is loaded
through a pointer of which the source promises that no other leads there it loads past barriers and stores, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from coalint.core.ir.expressions import Assign, Call, Cast, Dereference, Increment, Launch, Member, Name, Subscript
from coalint.core.ir.intrinsics import PURE_FUNCTIONS
from coalint.core.ir.nodes import Expression, Statement, Variable
from coalint.core.ir.statements import Assembly, Block, Declare, Evaluate, If, Jump, Labelled, Return
from coalint.core.ir.walk import nodes


def late_loads(body: Statement, restricted: Set[str] = frozenset()) -> frozenset[int]:
    """Return the `id` of each expression in a function's body that may be loaded later than it is written.

    `restricted` are the names of the parameters of which the source promises that no other pointer leads there.
    """
    found: set[int] = set()
    for node in nodes(body):
        if isinstance(node, Block):
            statements = list(_in_scope(node))
            for position, statement in enumerate(statements):
                variable, value = _set(statement)
                if variable is None or value is None:
                    continue
                is_promised = any(isinstance(one, Name) and one.variable.name in restricted for one in nodes(value))
                if _is_used_on_one_side(variable, statements[position + 1 :], past_writes=is_promised):
                    found.add(id(value))
    return frozenset(found)


def _in_scope(block: Block) -> Iterator[Statement]:
    """Yield a block's statements, and of each statement that declares several variables its declarations."""
    for statement in block.statements:
        parts = statement.statements if isinstance(statement, Block) else ()
        if parts and all(isinstance(part, Declare) for part in parts):
            yield from parts
        else:
            yield statement


def _set(statement: Statement) -> tuple[Variable | None, Expression | None]:
    """Return the variable that a statement sets to what is loaded, and the load."""
    match statement:
        case Declare(variable=variable, initializer=value) if value is not None:
            pass
        case Evaluate(expression=Assign(target=Name(variable=variable), operator=None, value=value)):
            pass
        case _:
            return None, None
    while isinstance(value, Cast):
        value = value.operand
    return (variable, value) if isinstance(value, Subscript | Dereference | Member) else (None, None)


def _is_used_on_one_side(variable: Variable, after: Sequence[Statement], *, past_writes: bool) -> bool:
    """Whether one side of the first condition that matters has all uses of a variable.

    Nothing writes before it, unless that does not matter (`past_writes`).
    """
    for position, statement in enumerate(after):
        if isinstance(statement, If) and not _uses(statement.condition, variable):
            sides = [side for side in (statement.then, statement.otherwise) if side is not None]
            using = [side for side in sides if _uses(side, variable)]
            later = any(_uses(one, variable) for one in after[position + 1 :])
            if using:
                return len(using) == 1 and not later
            if any(_leaves(side) for side in sides):
                return later
        if _uses(statement, variable) or (not past_writes and _may_write(statement)):
            return False
    return False


def _uses(node: Expression | Statement, variable: Variable) -> bool:
    return any(isinstance(one, Name) and one.variable.key == variable.key for one in nodes(node))


def _leaves(node: Statement) -> bool:
    return any(isinstance(one, Return | Jump) for one in nodes(node))


def _may_write(statement: Statement) -> bool:
    """Whether a statement may change memory, or wait for other threads."""
    for one in nodes(statement):
        if isinstance(one, Assembly | Launch | Labelled):
            return True
        if isinstance(one, Call) and one.intrinsic not in PURE_FUNCTIONS:
            return True
        if isinstance(one, Assign | Increment) and not isinstance(one.target, Name):
            return True
    return False
