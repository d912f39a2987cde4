"""Kernels that a call makes, and no decorator: `kernel = cuda.jit(function)`, `cuda.jit(types)(function)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from coalint.core import ir
from coalint.frontend.python.numba.decorators import KERNELS
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.scopes import Imported, Scope
from coalint.frontend.python.numba.values import Dotted, FunctionValue, Unknown

_LAST_NAMES = frozenset(name.rpartition(".")[2] for name in KERNELS)


def made_kernels(low: Lowering) -> Iterator[FunctionValue | ir.Problem]:
    """Yield what calls of the decorator in a file make kernels of; a problem where that is not followed."""
    for call, around, scope in _calls(low.unit.tree, low.unit.scope):
        outside = low.outside(scope)
        meant = outside.value(call.func)
        if not isinstance(meant, Dotted) or meant.name not in KERNELS:
            continue
        outer = call if around is None else around
        made = outside.value(outer)
        passed = outside.value(outer.args[0]) if outer.args else None
        if isinstance(made, FunctionValue):
            yield made
        elif isinstance(passed, Unknown) and _is_a_name(outer.args[0]) and not _is_device(call):
            message = f"what `{low.text(call.func)}` makes a kernel of here is not followed: {passed.reason}"
            help = "a kernel under the decorator, or made of a function by its name, is read"
            yield ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, low.unit.places.span(call), help=help)


def _calls(tree: ast.Module, scope: Scope) -> Iterator[tuple[ast.Call, ast.Call | None, Scope]]:
    """Yield the calls that may be the decorator's, each with the call of its result; decorators themselves are none."""
    waiting: list[tuple[ast.AST, ast.AST | None, Scope]] = [(tree, None, scope)]
    while waiting:
        node, parent, around = waiting.pop()
        if isinstance(node, ast.Call) and _may_be(node.func, around):
            yield node, parent if isinstance(parent, ast.Call) and parent.func is node else None, around
        decorators = set(map(id, getattr(node, "decorator_list", ())))
        inside = around.inner.get(node, around)
        waiting.extend((child, node, inside) for child in ast.iter_child_nodes(node) if id(child) not in decorators)


def _may_be(function: ast.expr, scope: Scope) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr in _LAST_NAMES
    if not isinstance(function, ast.Name):
        return False
    home = scope.home(function.id)
    bindings = home.bound[function.id] if home is not None else []
    return any(isinstance(one, Imported) and one.name.rpartition(".")[2] in _LAST_NAMES for one in bindings)


def _is_a_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _is_device(call: ast.Call) -> bool:
    return any(keyword.arg == "device" for keyword in call.keywords)
