"""The parameters of a kernel or host function at the start of its evaluation, as a launch passes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from coalint.analysis.domain import fractions
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.values import Address
from coalint.core import ir

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State
    from coalint.core.facts.launch import Specialization


def bind_parameters(state: State, function: ir.Function, specialization: Specialization) -> None:
    """Declare the parameters of a kernel and set those that the specialization knows."""
    state.store.stated = dict(specialization.parts)
    state.store.multiples = dict(specialization.multiples)
    declare_parameters(state, function, dict(specialization.arguments), dict(specialization.multiples))
    zero = state.algebra.zero
    for name, by in specialization.shifts:
        for parameter, storage in _named(state, function, name):
            if isinstance(parameter.type, ir.Pointer):
                key, supposed = ("parameter", storage, zero), parameter.supposed
                start = state.store.pointer(name, parameter.type, Level.UNIFORM, key, supposed=supposed)
                shifted = Address(start.base, state.algebra.constant(by))
                state.store.write(storage, zero, parameter.type.size, shifted)
    for name, floating in specialization.floats:
        for parameter, storage in _named(state, function, name):
            number = fractions.of_number(state.algebra, floating, parameter.type.size)
            if number is not None:
                state.store.write(storage, zero, parameter.type.size, number)
    for name, offset, size, value in specialization.members:
        for _, storage in _named(state, function, name):
            state.store.write(storage, state.algebra.constant(offset), size, state.algebra.constant(value))


def declare_parameters(
    state: State,
    function: ir.Function,
    arguments: Mapping[str, int] | None = None,
    multiples: Mapping[str, int] | None = None,
) -> None:
    """Declare parameters; `arguments` are known values by name, `multiples` known divisors of other arguments."""
    for parameter in function.parameters:
        storage = state.store.new()
        state.frame.variables[parameter.key] = storage
        state.store.parameters[storage] = parameter.name
        state.store.variables[storage] = parameter
        if parameter.supposed:
            state.store.suppositions[storage] = parameter.supposed
        value = _initial_value(state, parameter.name, arguments or {}, multiples or {})
        if value is not None:
            state.store.write(storage, state.algebra.zero, parameter.type.size, value)


def _initial_value(state: State, name: str, arguments: Mapping[str, int], multiples: Mapping[str, int]) -> Poly | None:
    if name in arguments:
        return state.algebra.constant(arguments[name])
    if name in multiples:
        divisor = multiples[name]
        return divisor * state.algebra.atom(AtomKind.UNIFORM, f"({name} / {divisor})", Level.UNIFORM)
    return None


def _named(state: State, function: ir.Function, name: str) -> Iterator[tuple[ir.Variable, int]]:
    """Yield the parameters of this name with their storages."""
    for parameter in function.parameters:
        storage = state.frame.variables[parameter.key]
        if parameter.name == name and isinstance(storage, int):
            yield parameter, storage
