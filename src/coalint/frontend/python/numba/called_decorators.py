"""Kernels that a call of the decorator makes: `cuda.jit(function)`, `cuda.jit(signature)(function)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from coalint.core import ir
from coalint.frontend.python.numba.decorators import KERNELS, is_device
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.scopes import Imported, Scope
from coalint.frontend.python.numba.values import Dotted, FunctionValue, Unknown

_NAMES = frozenset(name.rpartition(".")[2] for name in KERNELS)


def called_decorators(low: Lowering) -> Iterator[FunctionValue | ir.Problem]:
    """Yield the kernels that the file makes by calls, and what is said of those whose function is not followed."""
    for call, scope, is_called in _calls(low.unit.scope):
        outside = low.outside(scope)
        made_by = call.func if isinstance(call.func, ast.Call) else call
        if not call.args or not _is_decorator(outside, made_by.func):
            continue
        value = outside.value(call)
        if isinstance(value, FunctionValue):
            if value.is_kernel and low.unit.around(value.scope) is low.unit:
                yield value
        elif not is_called and not is_device(outside, made_by):
            argument = call.args[0]
            given = None if isinstance(argument, ast.Call) else outside.value(argument)  # a call is a signature
            if isinstance(given, Unknown):
                yield _unread(low, call, given.reason)


def _unread(low: Lowering, call: ast.Call, reason: str) -> ir.Problem:
    message = f"the kernel that `{low.text(call)}` makes is not read: {reason}"
    help = "coalint reads functions that the decorator is given by their names"
    return ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, low.span(call), help=help)


def _is_decorator(low: Lowering, node: ast.expr) -> bool:
    """Whether an expression means a decorator that makes kernels; names are looked up where they may."""
    match node:
        case ast.Attribute():
            may = node.attr in _NAMES
        case ast.Name():
            home = low.scope.home(node.id)
            bindings = home.bound[node.id] if home is not None else []
            may = any(isinstance(one, Imported) and one.name.rpartition(".")[2] in _NAMES for one in bindings)
        case _:
            may = False
    value = low.value(node) if may else None
    return isinstance(value, Dotted) and value.name in KERNELS


def _calls(scope: Scope) -> Iterator[tuple[ast.Call, Scope, bool]]:
    """Yield the calls of a file that are no decorators, each with its scope, and whether its result is called."""
    waiting: list[tuple[ast.AST, Scope, bool]] = [(scope.node, scope, False)]
    while waiting:
        node, around, is_called = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, around, is_called
        decorators = getattr(node, "decorator_list", ())
        inside = around.inner.get(node, around)
        children = [child for child in ast.iter_child_nodes(node) if child not in decorators]
        waiting.extend((c, inside, isinstance(node, ast.Call) and c is node.func) for c in reversed(children))
