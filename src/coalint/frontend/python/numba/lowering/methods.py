"""Methods of a host's own class: `self.run(kernel)`."""

from __future__ import annotations

import ast

from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.scopes import Parameter
from coalint.frontend.python.numba.values import FunctionValue

_NO_OBJECT = frozenset({"staticmethod", "classmethod"})


def own_method(low: Lowering, node: ast.expr) -> FunctionValue | None:
    """Return the method that `self.name` means in a method of a host; None for all else.

    A class that inherits may put another one in its place: this one is still a launch that the file writes.
    """
    if not (low.is_host and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
        return None
    home = low.scope.home(node.value.id)
    if home is None or home.parent is None or not isinstance(home.parent.node, ast.ClassDef):
        return None
    first = _first_parameter(home.node)
    if first != node.value.id or not all(isinstance(binding, Parameter) for binding in home.bound[first]):
        return None
    bindings = home.parent.bound.get(node.attr, [])
    method = bindings[0] if len(bindings) == 1 else None
    if not isinstance(method, ast.FunctionDef) or method.decorator_list or _first_parameter(method) is None:
        return None
    return FunctionValue(method, home.parent)


def _first_parameter(node: ast.AST) -> str | None:
    """Return the parameter of a method that is its object, as long as no decorator makes it something else."""
    if not isinstance(node, ast.FunctionDef):
        return None
    if any(isinstance(decorator, ast.Name) and decorator.id in _NO_OBJECT for decorator in node.decorator_list):
        return None
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[0].arg if arguments else None
