"""Calls: of the file's own functions, of what Numba, NumPy and Python provide, of kernels by their hosts."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.frontend.python.numba.api import called
from coalint.frontend.python.numba.decorators import COMPILED, KERNELS, compiled
from coalint.frontend.python.numba.lowering import launches
from coalint.frontend.python.numba.lowering.arguments import arguments
from coalint.frontend.python.numba.lowering.effects import unfollowed
from coalint.frontend.python.numba.lowering.functions import call_function
from coalint.frontend.python.numba.lowering.methods import own_method
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.values import Bound, Dotted, FunctionValue, Unknown, Value


def call(low: Lowering, node: ast.Call) -> Value:
    """Return the result of a call."""
    method = own_method(low, node.func)
    if method is not None:
        given = arguments(low, node)
        passed = replace(given, positional=(Unknown("an object of the host's class"), *given.positional))
        return launches.host_call(low, node, method, passed)
    function = low.value(node.func)
    if isinstance(function, Dotted) and function.name in KERNELS | COMPILED:
        return _decorator(low, node, function)
    given = arguments(low, node)
    match function:
        case FunctionValue() if function.configured is not None:
            return launches.launch(low, node, function, given)
        case FunctionValue() if low.is_host or low.is_static:
            return launches.host_call(low, node, function, given)
        case FunctionValue():
            return call_function(low, node, function, given)
        case Dotted():
            return called(low, node, function.name, given)
        case Bound(object=FunctionValue() as kernel, name="forall"):
            return launches.for_all(low, node, kernel, given)
        case Bound(object=FunctionValue() as kernel, name="configure"):
            return replace(kernel, configured=given.positional)
        case Bound():
            return called(low, node, f".{function.name}", given, function.object)
        case Unknown() if isinstance(node.func, ast.Call) and node.args:
            inner = low.value(node.args[0])
            if isinstance(inner, FunctionValue):
                return inner
    reason = function.reason if isinstance(function, Unknown) else "what is called here is not followed"
    return unfollowed(low, node, given, reason)


def _decorator(low: Lowering, node: ast.Call, function: Dotted) -> Value:
    """Return `cuda.jit(f)`, `cuda.jit(signature)(f)`; what stands in for a decorator otherwise."""
    value = low.value(node.args[0]) if node.args else None
    if isinstance(value, FunctionValue):
        rest = ast.Call(func=node.func, args=node.args[1:], keywords=node.keywords)
        return compiled(low, function.name, rest, value) or value
    return Bound(Dotted(function.name), "decorate")
