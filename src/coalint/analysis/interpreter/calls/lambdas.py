"""Lambdas: what they see of the variables around them, as these are or as they were when the lambda was made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.values import Closure, Value
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def closure(state: State, e: ir.Lambda) -> Closure:
    """Return a lambda with the variables around it, copies of those that it captures by value."""
    frame = state.frame
    function = state.module.functions.get(e.function)
    if function is None or not (e.by_value or e.others or e.copies_this):
        return Closure(e.function, frame)
    copies: dict[str, int] = {}
    for variable in seen(state, function):
        held = frame.find(variable.key)
        if held is None or (variable.name in e.others) is e.by_value:
            continue
        if isinstance(held, int):
            state.store.settle(held, state.algebra.zero, variable.type)
            contents = state.store.cells.get(held, {})
            if contents:
                copies[variable.key] = state.store.new()
                state.store.variables[copies[variable.key]] = variable
                state.store.cells[copies[variable.key]] = contents
        else:
            copies[variable.key] = state.store.new()
            value = state.load(held, None)
            state.store.write(copies[variable.key], state.algebra.zero, held.type.size, value)
    receiver = _copy_of_this(state, copies) if e.copies_this else frame.receiver
    if not copies:
        return Closure(e.function, frame)
    own = Frame(
        frame.function, dict(copies), frame, frame.call, receiver, frame.bundled, frame.caller, wanted=frame.wanted
    )
    return Closure(e.function, own, own=True)


def _copy_of_this(state: State, copies: dict[str, int]) -> Lvalue | None:
    """Return a copy of the object around a lambda, to which `this` points in it."""
    held, method = state.frame.receiver, state.module.functions.get(state.frame.function)
    if held is None or method is None or method.receiver is None:
        return held
    storage, pointer = state.store.new(), state.store.new()
    state.store.write(storage, state.algebra.zero, held.type.size, state.load(held, None))
    place = Lvalue(state.local(storage, "*this", held.type), held.type)
    state.store.write(pointer, state.algebra.zero, 8, place.address)
    copies[method.receiver.key] = pointer
    return place


def copied(state: State, value: Value) -> Value:
    """Return a value for another variable: a copy of a lambda changes copies of its own."""
    if not isinstance(value, Closure) or not value.own:
        return value
    function = state.module.functions.get(value.function)
    if function is None or function.is_const:
        return value
    variables = dict(value.frame.variables)
    for key, held in variables.items():
        if isinstance(held, int):
            variables[key] = state.store.new()
            state.store.cells[variables[key]] = state.store.cells.get(held, {})
    return replace(value, frame=replace(value.frame, variables=variables))


def seen(state: State, function: ir.Function) -> tuple[ir.Variable, ...]:
    """Return the variables that a lambda's body names and does not declare."""
    variables = state.captured.get(function.key)
    if variables is None:
        named: dict[str, ir.Variable] = {}
        declared = {parameter.key for parameter in function.parameters}
        waiting: list[ir.Expression | ir.Statement] = [function.body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ir.Name) and node.variable.storage in (ir.Storage.LOCAL, ir.Storage.PARAMETER):
                named[node.variable.key] = node.variable
            elif isinstance(node, ir.Declare):
                declared.add(node.variable.key)
            elif isinstance(node, ir.Lambda) and node.function in state.module.functions:
                named |= {inner.key: inner for inner in seen(state, state.module.functions[node.function])}
            waiting.extend(ir.children(node))
        variables = tuple(variable for key, variable in named.items() if key not in declared)
        state.captured[function.key] = variables
    return variables
