"""Decorators: which functions are kernels, which are called by kernels, and their signatures."""

from __future__ import annotations

import ast

from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.values import Dotted, FunctionValue, Number, Text, Unknown, Value

KERNELS = frozenset({"numba.cuda.jit", "numba.cuda.autojit", "cupyx.jit.rawkernel", "numba.cuda.decorators.jit"})
COMPILED = frozenset(
    {"numba.jit", "numba.njit", "numba.extending.register_jitable", "numba.core.extending.register_jitable"}
)
VECTORIZED = frozenset({"numba.vectorize", "numba.guvectorize", "numba.cuda.reduce", "numba.cuda.Reduce"})


def decorated(low: Lowering, node: ast.FunctionDef) -> Value:
    """Return what a function's name stands for after its decorators."""
    value: Value = FunctionValue(node, low.scope)
    for decorator in reversed(node.decorator_list):
        value = _applied(low, decorator, value)
    return value


def _applied(low: Lowering, decorator: ast.expr, value: Value) -> Value:

    if not isinstance(value, FunctionValue):
        return value
    decorator = _written(low, decorator)
    call = decorator if isinstance(decorator, ast.Call) else None
    meant = low.value(decorator if call is None else call.func)
    if not isinstance(meant, Dotted):
        return value
    if meant.name in VECTORIZED:
        return Unknown("Numba itself writes the kernels of functions under `vectorize` and `reduce`")
    return compiled(low, meant.name, call, value) or value


def _written(low: Lowering, decorator: ast.expr) -> ast.expr:
    """Return a decorator as it is written where a name was given to it: `fast = cuda.jit(fastmath=True)`."""
    home = low.scope.home(decorator.id) if isinstance(decorator, ast.Name) else None
    bindings = home.bound[decorator.id] if home is not None and isinstance(decorator, ast.Name) else []
    only = bindings[0] if len(bindings) == 1 else None
    return only if isinstance(only, ast.Call) else decorator


def compiled(low: Lowering, name: str, call: ast.Call | None, function: FunctionValue) -> FunctionValue | None:
    """Return the function as compiled by the decorator of this whole name; None where it is none of Numba's."""
    if name in COMPILED:
        return FunctionValue(function.node, function.scope, is_compiled=True)
    if name not in KERNELS:
        return None
    keywords = {keyword.arg: keyword.value for keyword in call.keywords} if call is not None else {}
    written = keywords.get("signature") or keywords.get("argtypes") or keywords.get("func_or_sig")
    if written is None and call is not None and call.args:
        written = call.args[0]
    signatures = tuple(_signatures(low, written)) if written is not None else ()
    return FunctionValue(function.node, function.scope, not is_device(low, call), True, signatures)


def is_device(low: Lowering, call: ast.Call | None) -> bool:
    """Whether a call of the decorator makes functions that kernels call."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "device"] if call is not None else []
    flag = low.value(given[0]) if given else None
    return isinstance(flag, Number) and bool(flag.constant)


def _signatures(low: Lowering, written: ast.expr) -> list[str | ast.expr]:

    if isinstance(written, ast.List):
        return [signature for element in written.elts for signature in _signatures(low, element)]
    if isinstance(written, ast.Tuple) and any(isinstance(element, ast.Constant) for element in written.elts):
        return [signature for element in written.elts for signature in _signatures(low, element)]
    if isinstance(written, ast.Name):
        bindings = low.scope.bound.get(written.id, [])
        if len(bindings) == 1 and isinstance(bindings[0], ast.expr):
            return _signatures(low, bindings[0])
    value = low.value(written) if not isinstance(written, ast.Call | ast.Tuple | ast.Subscript) else None
    if isinstance(value, FunctionValue):
        return []
    return [value.text if isinstance(value, Text) else written]
