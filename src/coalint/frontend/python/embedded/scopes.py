"""The names that a Python file binds, scope by scope, and the calls in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import field

from coalint.core.records import record


@record
class Scope:
    """The names that one function, class or module binds, each with the values that it is given; None: unknown ones."""

    parent: Scope | None
    is_class: bool = False
    bound: dict[str, list[ast.expr | str | None]] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)

    def bind(self, name: str, value: ast.expr | str | None) -> None:
        """Note that a name is given a value: an expression, what it is imported as, or None."""
        if name in self.outer and self.parent is not None:
            self.parent.bind(name, None)
            return
        self.bound.setdefault(name, []).append(value)

    def values(self, name: str) -> tuple[Sequence[ast.expr | str | None], Scope]:
        """Return what a name may stand for, seen from here, and the scope that binds it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or not scope.is_class):
                return scope.bound[name], scope
            scope = scope.parent
        return (), self


class Names:
    """The calls of a module, each with the scope that it is in."""

    def __init__(self, tree: ast.Module) -> None:
        self.calls: list[tuple[ast.Call, Scope]] = []
        module = Scope(None)
        for node in tree.body:
            self._visit(node, module)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            if not isinstance(node, ast.Lambda):
                scope.bind(node.name, None)
            inner = Scope(scope, isinstance(node, ast.ClassDef))
        elif isinstance(node, ast.arg):
            scope.bind(node.arg, None)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            scope.outer.update(node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                scope.bind(alias.asname or alias.name.partition(".")[0], alias.name if alias.asname else "")
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                scope.bind(alias.asname or alias.name, f"{node.module}.{alias.name}" if not node.level else None)
        elif isinstance(node, ast.Call):
            self.calls.append((node, scope))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if node.value is None:
                return
            for target in targets:
                if isinstance(target, ast.Name):
                    scope.bind(target.id, node.value)
                else:
                    self._visit(target, scope)
            self._visit(node.value, scope)
            return
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            scope.bind(node.id, None)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.bind(node.name, None)
        for child in ast.iter_child_nodes(node):
            self._visit(child, inner)


def dotted(node: ast.expr, scope: Scope, depth: int = 0) -> Iterator[str]:
    """Yield what a callee may be called by its module."""
    if isinstance(node, ast.Attribute):
        yield from (f"{base}.{node.attr}" for base in dotted(node.value, scope, depth))
    elif isinstance(node, ast.Name) and depth < 8:
        values, home = scope.values(node.id)
        for value in values:
            if isinstance(value, str):
                yield value or node.id
            elif isinstance(value, ast.Name | ast.Attribute):
                yield from dotted(value, home, depth + 1)
