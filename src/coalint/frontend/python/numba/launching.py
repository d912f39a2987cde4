"""Which functions of a file may launch kernels, themselves or through others, by what is written in them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from coalint.frontend.python.numba.scopes import Scope

Host = tuple[ast.FunctionDef, Scope]


def launching(functions: Sequence[Host]) -> list[Host]:
    """Return the functions that may launch kernels; those that no other one of them calls come first."""
    calls = {node: _called(node) for node, _ in functions}
    found = {node for node, _ in functions if _launches(node)}
    names = {node.name for node in found}
    while more := [node for node, _ in functions if node not in found and calls[node] & names]:
        found.update(more)
        names.update(node.name for node in more)
    chosen = [pair for pair in functions if pair[0] in found]
    inner = {name for node, _ in chosen for name in calls[node] - {node.name}}
    return sorted(chosen, key=lambda pair: pair[0].name in inner)


def _launches(node: ast.AST) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            as_cupy_does = len(inner.args) >= 3 and isinstance(inner.args[2], ast.Tuple)
            if isinstance(inner.func, ast.Subscript) or as_cupy_does:
                return True
        if isinstance(inner, ast.Attribute) and inner.attr == "forall":
            return True
    return False


def _called(node: ast.AST) -> set[str]:
    """The names of what a function calls, of methods too."""
    found: set[str] = set()
    for inner in ast.walk(node):
        function = inner.func if isinstance(inner, ast.Call) else None
        if isinstance(function, ast.Name):
            found.add(function.id)
        elif isinstance(function, ast.Attribute):
            found.add(function.attr)
    return found
