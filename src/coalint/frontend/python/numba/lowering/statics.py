"""What names outside of a function stand for, as far as the file says it: imports, constants, functions, types."""

from __future__ import annotations

import ast
import math
import os
from collections.abc import Iterator

from coalint.frontend.python.numba.decorators import decorated
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.modules import canonical
from coalint.frontend.python.numba.scopes import Binding, Imported, Item, Parameter, Scope
from coalint.frontend.python.numba.type_names import NAMES
from coalint.frontend.python.numba.unit import ImportTarget
from coalint.frontend.python.numba.values import Dotted, Nothing, Number, ProjectModule, TupleValue, Unknown, Value

MOST_BINDINGS = 4
_STARRED = {
    "math": frozenset(dir(math)),
    "numba": frozenset({"cuda", "jit", "njit", "vectorize", "guvectorize", "prange", *NAMES}),
    "numba.cuda": frozenset({"jit", "grid", "gridsize", "threadIdx", "blockIdx", "blockDim", "gridDim", "shared"})
    | {"local", "const", "atomic", "syncthreads", "to_device", "device_array", "synchronize"},
    "numba.types": frozenset(NAMES),
}


def static_value(low: Lowering, scope: Scope, name: str) -> Value:
    """Return what a name of a scope stands for."""
    unit, key = low.unit.around(scope), (scope, name)
    if key not in unit.values:
        unit.values[key] = None
        unit.values[key] = _value(low, scope, name)
    value = unit.values[key]
    return Unknown(f"`{name}` is defined by itself") if value is None else value


def _value(low: Lowering, scope: Scope, name: str) -> Value:
    bindings = scope.bound[name]
    functions = [binding for binding in bindings if isinstance(binding, ast.FunctionDef)]
    if functions and len(functions) == len(bindings):
        return _bound(low, scope, functions[-1])
    if len(bindings) > MOST_BINDINGS:
        return Unknown(f"`{name}` is assigned in {len(bindings)} places")
    values = [_bound(low, scope, binding) for binding in bindings]
    sure = [value for value in values if not isinstance(value, Unknown | Nothing)]
    modules = [value for value in sure if isinstance(value, Dotted)]
    if modules and len(values) > 1:
        return modules[0]  # the others stand in for a module that is not there
    if len(values) == 1:
        return values[0]
    first = sure[0] if sure else None
    if first is not None and len(sure) == len(values) and all(_same(first, other) for other in sure[1:]):
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
            return _imported(low, binding)
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


def _imported(low: Lowering, binding: Imported) -> Value:
    target = None if low.unit.lowered.imports is None else low.unit.lowered.imports.find(binding, low.unit)
    if target is None:
        if binding.level:
            return Unknown(f"`{binding.name}` is imported from a file that is not available")
        return Dotted(canonical(binding.name))
    value: Value = _module(target)
    for name in target.names:
        if not isinstance(value, ProjectModule):
            return Unknown(f"`{binding.name}` is part of a value that is not followed")
        value = member(low, value, name)
    return value


def member(low: Lowering, module: ProjectModule, name: str) -> Value:
    """Return what a module of the project holds by a name."""
    imports = low.unit.lowered.imports
    folder = module.path
    if module.scope is not None:
        unit = low.unit.lowered.units[module.scope]
        inside = low.outside(unit.scope)
        if name in unit.scope.bound:
            return static_value(inside, unit.scope, name)
        starred = from_star(inside, name)
        if starred is not None:
            return starred
        folder = os.path.dirname(module.path)
    beside = module.scope is None or os.path.basename(module.path) == "__init__.py"
    target = imports.within(folder, name) if imports is not None and beside else None
    if target is not None:
        return _module(target)
    return Unknown(f"`{name}` is not defined in {os.path.basename(module.path)}")


def _module(target: ImportTarget) -> ProjectModule:
    return ProjectModule(None if target.unit is None else target.unit.scope, target.path)


def from_star(low: Lowering, name: str) -> Value | None:
    """Return what a name stands for by `from module import *`; None where no such import gives it."""
    scope = low.scope.outermost
    imports = low.unit.lowered.imports
    for binding in reversed(scope.bound.get("*", [])):
        if not isinstance(binding, Imported):
            continue
        module = Imported(binding.name.removesuffix("*").removesuffix("."), binding.level)
        target = imports.find(module, low.unit) if imports is not None and module.name else None
        if target is None:
            if module.name in _STARRED and name in _STARRED[module.name]:
                return Dotted(canonical(f"{module.name}.{name}"))
        elif not target.names and target.unit is not None and target.unit is not low.unit and not name.startswith("_"):
            inside = low.outside(target.unit.scope)
            if name in target.unit.scope.bound:
                return static_value(inside, target.unit.scope, name)
            if (deeper := from_star(inside, name)) is not None:
                return deeper
    return None


def _parameter(low: Lowering, scope: Scope, parameter: Parameter) -> Value:
    """Return what a function is called with that makes kernels: where all calls in the file agree."""
    unknown = Unknown(f"`{parameter.name}` is a parameter of the function around the kernel")
    node = scope.node
    if not isinstance(node, ast.FunctionDef):
        return unknown
    values: list[Value] = []
    for call, around in _calls(scope.outermost, node.name):
        argument = _argument(call, node, parameter)
        if argument is None:
            return unknown
        values.append(low.outside(around).value(argument))
    if not values and parameter.default is not None:
        return unknown
    first = values[0] if values else unknown
    return first if all(_same(first, other) for other in values[1:]) else unknown


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
