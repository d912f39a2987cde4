"""Functions for arguments of certain types: parameters, passes until the types of variables are found, results."""

from __future__ import annotations

import ast
from typing import cast

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.components import (
    SLOT,
    parts,
    put_together,
    result_type,
    taken_apart,
    type_of,
)
from coalint.frontend.python.numba.lowering.effects import unfollowed
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.lowering.statements import returned
from coalint.frontend.python.numba.scopes import Parameter
from coalint.frontend.python.numba.types import (
    Scalar,
    Static,
    Type,
    UnknownType,
    joined,
)
from coalint.frontend.python.numba.unit import Instance, Unit
from coalint.frontend.python.numba.values import FunctionValue, Nothing, Number, TupleValue, Unknown, Value

MOST_PASSES = 6
MOST_FOR_CONSTANTS = 8  # instances of a function for constants that it is given


def parameters_of(function: FunctionValue) -> list[Parameter]:
    """Return the parameters of a function, in their order."""
    scope = function.scope.inner.get(function.node)
    arguments = function.node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    parameters: list[Parameter] = []
    for name in names:
        binding = scope.bound[name][0] if scope is not None and name in scope.bound else None
        parameters.append(binding if isinstance(binding, Parameter) else Parameter(name, None))
    return parameters


def instance(
    low: Lowering, function: FunctionValue, types: tuple[Type, ...], *, is_host: bool = False, key: str = ""
) -> Instance | None:
    """Return a function for arguments of these types; None where it is being lowered already.

    It is known by `key` where there is one.
    """
    unit = low.unit.lowered
    known = (function.node, types, is_host)
    if known in unit.instances and (not key or key in unit.functions):
        return unit.instances[known]
    if known in unit.lowering:
        return None
    unit.lowering.add(known)
    try:
        unit.instances[known] = _lowered(low, function, types, is_host=is_host, key=key)
    finally:
        unit.lowering.discard(known)
    return unit.instances[known]


def _lowered(outer: Lowering, function: FunctionValue, types: tuple[Type, ...], *, is_host: bool, key: str) -> Instance:
    node, unit = function.node, outer.unit.around(function.scope)
    done = unit.lowered
    span = unit.places.header(node)
    scope = function.scope.inner[node]
    name = getattr(node, "name", "lambda")
    key = (
        key
        or f"{'host ' if is_host else ''}{name}:{span.line}:{span.column}:{len(done.instances) + len(done.lowering)}"
    )
    low = outer.other(scope, key, is_host=is_host)
    names = [parameter.name for parameter in parameters_of(function)]
    named = list(zip(names, types, strict=False))
    statements: tuple[ir.Statement, ...] = ()
    parameters: list[ir.Variable] = []
    for _ in range(MOST_PASSES):
        low.variables.begin()
        low.results, low.launches, low.made = [], [], 0
        parameters = []
        for parameter, type_ in named:
            place = _argument_span(unit, node, parameter) or span
            parameters += low.variables.declare(parameter, type_, place, ir.Storage.PARAMETER).components
        with low.block() as inside:
            if isinstance(node, ast.Lambda):
                _lambda(low, node)
            else:
                low.body(node.body)
        statements = tuple(inside)
        result: Type | None = None
        for type_ in low.results:
            result = type_ if result is None else joined(result, type_)
        is_same, low.result = result == low.result, result
        if is_same and not low.variables.changed:
            break
    result = low.result
    whole = ir.Block(span, (*low.variables.declarations(span), *statements))
    done.functions[key] = ir.Function(key, name, tuple(parameters), whole, result_type(result), span)
    for launched, given in low.launches:
        done.launched.setdefault(launched.node, {}).setdefault(given, launched)
    return Instance(key, tuple(named), result)


def _argument_span(unit: Unit, node: ast.FunctionDef | ast.Lambda, name: str) -> Span | None:
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.arg == name:
            return unit.places.span(argument)
    return None


def _lambda(low: Lowering, node: ast.Lambda) -> None:
    returned(low, low.value(node.body), low.span(node))


def call_function(low: Lowering, node: ast.Call, function: FunctionValue, given: Arguments) -> Value:
    """Return the result of a call of one of the file's functions."""
    values = bound(low, function, given)
    if values is None:
        return unfollowed(low, node, given, "how its arguments are passed is not followed")
    made = sum(node is function.node for node, _, _ in low.unit.lowered.instances)
    keeps_constants = not low.is_host and made < MOST_FOR_CONSTANTS
    types = tuple(argument_type(value, keeps_constants=keeps_constants) for value in values)
    callee = instance(low, function, types, is_host=low.is_host)
    name = getattr(function.node, "name", "lambda")
    if callee is None:
        return unfollowed(low, node, given, f"`{name}` calls itself")
    span = low.span(node)
    passed = tuple(e for value, type_ in zip(values, types, strict=True) for e in taken_apart(value, type_, span))
    e = ir.Call(span, result_type(callee.result), name, callee.key, passed)
    if callee.result is None:
        low.emit(ir.Evaluate(span, e))
        return Nothing()
    if isinstance(callee.result, Scalar):
        return Number(e, callee.result)
    if isinstance(callee.result, Static):
        low.emit(ir.Evaluate(span, e))
        return cast("Value", callee.result.value)
    if isinstance(callee.result, UnknownType):
        return Unknown(callee.result.reason, (e,))
    variable = ir.Variable(low.new_key(name), name, e.type, ir.Storage.LOCAL, span)
    low.emit(ir.Declare(span, variable, e))
    record = ir.Name(span, e.type, variable)
    members = [
        ir.Member(span, part, record, part_name, SLOT * place)
        for place, (part_name, part) in enumerate(parts(callee.result, ""))
    ]
    return put_together(callee.result, iter(members), span)


def _is_constant(value: Value) -> bool:
    if isinstance(value, TupleValue):
        return bool(value.items) and all(map(_is_constant, value.items))
    return isinstance(value, Number) and value.constant is not None


def argument_type(value: Value, *, keeps_constants: bool = False) -> Type:
    """Return the type of an argument; what no variable holds is a type of its own, and constants are if asked for."""
    if keeps_constants and _is_constant(value):
        return Static(value)
    type_ = type_of(value)
    return Static(value) if isinstance(type_, UnknownType) and not isinstance(value, Unknown) else type_


def bound(low: Lowering, function: FunctionValue, given: Arguments) -> list[Value] | None:
    """Return the arguments in the order of the parameters, with defaults; None where they cannot be told."""
    parameters = parameters_of(function)
    rest = function.node.args.vararg or function.node.args.kwarg
    if given.is_open or rest is not None or len(given.positional) > len(parameters):
        return None
    values: list[Value] = list(given.positional)
    for parameter in parameters[len(values) :]:
        if parameter.name in given.named:
            values.append(given.named[parameter.name])
        elif parameter.default is not None:
            outside = low.outside(function.scope)
            values.append(outside.value(parameter.default))
        else:
            return None
    return values
