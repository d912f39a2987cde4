"""Declarations of local variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def declare(state: State, statement: ir.Declare) -> None:
    """Declare a local variable; shared ones have their place for the whole block."""
    variable = statement.variable
    if variable.storage not in (ir.Storage.LOCAL, ir.Storage.PARAMETER):
        return
    if isinstance(variable.type, ir.Reference):
        if statement.initializer is not None:
            state.frame.variables[variable.key] = state.place(statement.initializer)
        return
    mark = state.begin()
    storage = state.store.new()
    state.store.variables[storage] = variable
    state.frame.variables[variable.key] = storage
    initializer = statement.initializer
    if initializer is None:
        return
    if isinstance(initializer, ir.Call) and initializer.constructor and initializer.receiver is None:
        construct(state, statement, initializer, storage, mark)
        return
    value = copied(state, state.kept(initializer, variable, state.frame))
    state.store.write(storage, state.algebra.zero, variable.type.size, value, state.definition(statement, mark))


def construct(state: State, statement: ir.Declare, call: ir.Call, storage: int, mark: int) -> None:
    """Handle `T name(arguments)`: the constructor's temporary becomes the variable."""
    from coalint.analysis.interpreter.calls import functions

    result = functions.call(state, call)
    value = state.load(result, None) if isinstance(result, Lvalue) else result
    state.store.write(
        storage, state.algebra.zero, statement.variable.type.size, value, state.definition(statement, mark)
    )
