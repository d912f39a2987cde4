"""Which functions of a file may launch kernels, themselves or through others, by what is written in them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from coalint.frontend.python.numba.scopes import Scope

Host = tuple[ast.FunctionDef, Scope]


def launching(functions: Sequence[Host]) -> list[Host]:
    """Return the functions that launch kernels, and those that pass functions of the file to them.

    Those that no other one of them calls come first.
    """
    nodes = {node for node, _ in functions if _launches(node)}
    launchers = {node.name for node in nodes}
    scopes = {around for node, scope in functions for around in (scope, scope.inner.get(node)) if around is not None}
    known = {name for scope in scopes for name in _functions(scope)} if launchers else set()
    passing = [node for node, _ in functions if node not in nodes and _called(node, known) & launchers]
    nodes.update(passing)
    chosen = [pair for pair in functions if pair[0] in nodes]
    inner = {name for node in passing for name in _called(node, known) - {node.name}}
    return sorted(chosen, key=lambda pair: pair[0].name in inner)


def _launches(node: ast.AST) -> bool:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            as_cupy_does = len(inner.args) >= 3 and isinstance(inner.args[2], ast.Tuple)
            if isinstance(inner.func, ast.Subscript) or as_cupy_does:
                return True
        if isinstance(inner, ast.Attribute) and inner.attr in ("forall", "configure"):
            return True
    return False


def _functions(scope: Scope) -> set[str]:
    return {node.name for node in scope.inner if isinstance(node, ast.FunctionDef)}


def _called(node: ast.AST, passed: set[str]) -> set[str]:
    """Return the names of functions and methods called with an argument that one of the names `passed` means."""
    names: set[str] = set()
    for inner in ast.walk(node):
        if not isinstance(inner, ast.Call):
            continue
        if any(isinstance(argument, ast.Name) and argument.id in passed for argument in inner.args):
            if isinstance(inner.func, ast.Name):
                names.add(inner.func.id)
            elif isinstance(inner.func, ast.Attribute):
                names.add(inner.func.attr)
    return names
