"""Floating-point numbers that threads compute: of which number of theirs they are a function that tells it apart.

The analysis follows no rounded number. What it can say is that `2 * in[t] + n` differs between two threads where
`in[t]` does: a sum, difference, product or quotient of it with something that is the same for all threads, or a
function that never falls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain import constant_floats
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.values import Address, Region, Value
from coalint.analysis.interpreter.dry_runs import dry_run
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_RISING = frozenset(
    {
        "sqrt",
        "sqrtf",
        "exp",
        "expf",
        "exp2",
        "exp2f",
        "log",
        "logf",
        "log2",
        "log2f",
        "tanh",
        "tanhf",
    }
)
_MOST_STEPS = 24


def basis(state: State, place: Lvalue, e: ir.Expression, value: Value) -> Poly | None:
    """Return the number that decides a floating-point value which is stored; None where none is known to."""
    if not isinstance(place.address, Address) or place.address.base.region is not Region.SHARED:
        return None
    if state.dry or not state.recorder.order.wanted:
        return None
    if not isinstance(e.type, ir.Floating) or not isinstance(value, Polynomial) or not _differs(state, value):
        return None
    with dry_run(state):
        for _ in range(_MOST_STEPS):
            match e:
                case ir.Cast() if isinstance(e.operand.type, ir.Floating):
                    e = e.operand
                case ir.Cast() if isinstance(e.operand.type, ir.Integer):
                    return _number(state, e.operand)
                case ir.Unary(operator="-" | "+"):
                    e = e.operand
                case ir.Binary(operator="+" | "-" | "*" | "/"):
                    side = _only_side(state, e)
                    if side is None:
                        return None
                    e = side
                case ir.Call() if e.name.strip("_") in _RISING and len(e.arguments) == 1 and e.function is None:
                    e = e.arguments[0]
                case ir.Name():
                    declared = _declared_once(state)
                    if e.variable.key not in declared:
                        return None
                    e = declared[e.variable.key]
                case ir.Subscript() | ir.Dereference() | ir.Member():
                    return _number(state, e)
                case _:
                    return None
    return None


def _differs(state: State, value: Value) -> bool:
    return Level.UNIFORM < state.store.level(value) <= Level.LOADED


def _number(state: State, e: ir.Expression) -> Poly | None:
    value = state.value(e)
    return value if isinstance(value, Polynomial) and _differs(state, value) else None


def _only_side(state: State, e: ir.Binary) -> ir.Expression | None:
    """Return the operand that differs between threads, where the other does not, and is no zero."""
    left, right = state.value(e.left), state.value(e.right)
    if _differs(state, left) == _differs(state, right):
        return None
    side, other = (e.left, right) if _differs(state, left) else (e.right, left)
    if not isinstance(other, Polynomial) or state.store.level(other) is not Level.UNIFORM:
        return None
    return None if constant_floats.constant(state.algebra, other) == 0 else side


def _declared_once(state: State) -> dict[str, ir.Expression]:
    """Return what the variables of the function are initialized with that nothing else sets, by their keys."""
    key = state.frame.function
    known = state.recorder.order.declared.get(key)
    if known is not None:
        return known
    function = state.module.functions.get(key)
    found: dict[str, ir.Expression] = {}
    changed: set[str] = set()
    pending: list[ir.Expression | ir.Statement] = [] if function is None else [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Declare) and node.initializer is not None:
            found[node.variable.key] = node.initializer
        target = node.target if isinstance(node, ir.Assign | ir.Increment | ir.AddressOf) else None
        if isinstance(target, ir.Name):
            changed.add(target.variable.key)
        if isinstance(node, ir.Call):
            changed.update(argument.variable.key for argument in node.arguments if isinstance(argument, ir.Name))
        pending.extend(ir.children(node))
    once = {key: initializer for key, initializer in found.items() if key not in changed}
    state.recorder.order.declared[key] = once
    return once
