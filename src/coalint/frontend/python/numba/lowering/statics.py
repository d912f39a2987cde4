"""What names outside of a function stand for, as far as the file says it: imports, constants, functions, types."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from coalint.frontend.python.numba.decorators import decorated
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.modules import canonical
from coalint.frontend.python.numba.scopes import Binding, Imported, Item, Parameter, Scope
from coalint.frontend.python.numba.values import Dotted, Nothing, Number, TupleValue, Unknown, Value

MOST_BINDINGS = 4


def static_value(low: Lowering, scope: Scope, name: str) -> Value:
    """Return what a name of a scope stands for."""
    unit, key = low.unit, (scope, name)
    if key not in unit.values:
        unit.values[key] = None
        unit.values[key] = _value(low, scope, name)
    found = unit.values[key]
    return Unknown(f"`{name}` is defined by itself") if found is None else found


def _value(low: Lowering, scope: Scope, name: str) -> Value:
    bindings = scope.bound[name]
    functions = [binding for binding in bindings if isinstance(binding, ast.FunctionDef)]
    if functions and len(functions) == len(bindings):
        return _bound(low, scope, functions[-1])
    if len(bindings) > MOST_BINDINGS:
        return Unknown(f"`{name}` is assigned in {len(bindings)} places")
    found = [_bound(low, scope, binding) for binding in bindings]
    sure = [value for value in found if not isinstance(value, Unknown | Nothing)]
    modules = [value for value in sure if isinstance(value, Dotted)]
    if modules and len(found) > 1:
        return modules[0]  # the others stand in for a module that is not there
    if len(found) == 1:
        return found[0]
    first = sure[0] if sure else None
    if first is not None and len(sure) == len(found) and all(_same(first, other) for other in sure[1:]):
        return first
    return Unknown(f"`{name}` is assigned in {len(bindings)} places")


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, Number) and isinstance(b, Number):
        return a.constant is not None and a.constant == b.constant and a.type == b.type
    return a == b


def _bound(low: Lowering, scope: Scope, binding: Binding) -> Value:
    low = low.outside(scope)
    match binding:
        case ast.FunctionDef():
            return decorated(low, binding)
        case Imported():
            return Dotted(canonical(binding.name))
        case Item():
            whole = low.value(binding.value)
            if isinstance(whole, TupleValue) and binding.index < len(whole.items):
                return whole.items[binding.index]
            return Unknown("part of a value that is not followed")
        case Parameter():
            return _parameter(low, scope, binding)
        case ast.expr():
            return low.value(binding)
    return Unknown("it is assigned in a way that is not followed")


def _parameter(low: Lowering, scope: Scope, parameter: Parameter) -> Value:
    """What a function is called with that makes kernels: where all calls in the file agree."""
    unknown = Unknown(f"`{parameter.name}` is a parameter of the function around the kernel")
    node = scope.node
    if not isinstance(node, ast.FunctionDef):
        return unknown
    found: list[Value] = []
    for call, around in _calls(low.unit.scope, node.name):
        argument = _argument(call, node, parameter)
        if argument is None:
            return unknown
        found.append(low.outside(around).value(argument))
    if not found and parameter.default is not None:
        return unknown
    first = found[0] if found else unknown
    return first if all(_same(first, other) for other in found[1:]) else unknown


def _argument(call: ast.Call, node: ast.FunctionDef, parameter: Parameter) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == parameter.name:
            return keyword.value
    names = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    place = names.index(parameter.name) if parameter.name in names else len(call.args)
    if any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    return call.args[place] if place < len(call.args) else parameter.default


def _calls(scope: Scope, name: str) -> Iterator[tuple[ast.Call, Scope]]:
    """Yield the calls of a function by its name, each with the scope that it stands in."""
    waiting: list[tuple[ast.AST, Scope]] = [(scope.node, scope)]
    while waiting:
        node, around = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == name:
                yield child, around
            waiting.append((child, around.inner.get(child, around)))
