"""The scopes of a Python file: which names each binds, and to what."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import field

from coalint.core.records import record

FunctionNode = ast.FunctionDef | ast.Lambda


@record(frozen=True, slots=True)
class Item:
    """Item `index` of what a target of several names is bound to."""

    value: ast.expr
    index: int


@record(frozen=True, slots=True)
class Imported:
    """What an import binds, by its whole name; `level` counts the dots before it, which lead up from the file."""

    name: str
    level: int = 0


@record(frozen=True, slots=True)
class Parameter:
    """A parameter of the scope's function, with its default."""

    name: str
    default: ast.expr | None


Binding = ast.expr | ast.FunctionDef | Item | Imported | Parameter | None
"""What binds a name; None for what is not followed."""


@record(eq=False)
class Scope:
    """A module, function or class; `bound` has the bindings of each name, in their order."""

    node: ast.AST
    parent: Scope | None = None
    bound: dict[str, list[Binding]] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)
    inner: dict[ast.AST, Scope] = field(default_factory=dict)

    def bind(self, name: str, binding: Binding) -> None:
        """Note a binding, in the scope that `global` or `nonlocal` says."""
        if name in self.outer and self.parent is not None:
            self.parent.bind(name, binding)
        else:
            self.bound.setdefault(name, []).append(binding)

    def home(self, name: str) -> Scope | None:
        """Return the scope that a name belongs to, seen from here; None for Python's own names."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bound and (scope is self or not isinstance(scope.node, ast.ClassDef)):
                return scope
            scope = scope.parent
        return None

    @property
    def outermost(self) -> Scope:
        """The module's scope around this one."""
        return self if self.parent is None else self.parent.outermost

    def all(self) -> Iterator[Scope]:
        """Yield this scope and all within it, outer ones first."""
        yield self
        for scope in self.inner.values():
            yield from scope.all()


def read_scopes(tree: ast.Module) -> Scope:
    """Return the scope of a module, with those within it."""
    scope = Scope(tree)
    _read(tree.body, scope)
    return scope


def _read(nodes: list[ast.stmt], scope: Scope) -> None:
    for node in nodes:
        _visit(node, scope)


def _visit(node: ast.AST, scope: Scope) -> None:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            _function(node, scope)
            return
        case ast.ClassDef():
            scope.bind(node.name, None)
            inner = scope.inner[node] = Scope(node, scope)
            _read(node.body, inner)
            return
        case ast.Global() | ast.Nonlocal():
            scope.outer.update(node.names)
        case ast.Import():
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                scope.bind(alias.asname or name, Imported(name))
        case ast.ImportFrom():
            for alias in node.names:
                whole = f"{node.module}.{alias.name}" if node.module else alias.name
                scope.bind(alias.asname or alias.name, Imported(whole, node.level))
        case ast.Assign():
            for target in node.targets:
                _bind_target(target, node.value, scope)
        case ast.AnnAssign() if isinstance(node.target, ast.Name) and node.value is not None:
            scope.bind(node.target.id, node.value)
        case ast.Name(ctx=ast.Store() | ast.Del()):
            scope.bind(node.id, None)
            return
        case ast.ExceptHandler() if node.name:
            scope.bind(node.name, None)
    targets = set(map(id, node.targets)) if isinstance(node, ast.Assign) else {id(getattr(node, "target", None))}
    skips = isinstance(node, ast.Assign | ast.AnnAssign)
    for child in ast.iter_child_nodes(node):
        if not (skips and id(child) in targets and isinstance(child, ast.Name | ast.Tuple | ast.List)):
            _visit(child, scope)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope) -> None:
    if not isinstance(node, ast.Lambda):
        scope.bind(node.name, node if isinstance(node, ast.FunctionDef) else None)
        for decorator in node.decorator_list:
            _visit(decorator, scope)
    inner = scope.inner[node] = Scope(node, scope)
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults += arguments.defaults
    for argument, default in zip(positional, defaults, strict=True):
        inner.bind(argument.arg, Parameter(argument.arg, default))
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        inner.bind(argument.arg, Parameter(argument.arg, default))
    for rest in (arguments.vararg, arguments.kwarg):
        if rest is not None:
            inner.bind(rest.arg, None)
    if isinstance(node, ast.Lambda):
        _visit(node.body, inner)
    else:
        _read(node.body, inner)


def _bind_target(target: ast.expr, value: ast.expr, scope: Scope) -> None:
    match target:
        case ast.Name():
            scope.bind(target.id, value)
        case ast.Tuple() | ast.List():
            for index, element in enumerate(target.elts):
                if isinstance(element, ast.Name):
                    scope.bind(element.id, Item(value, index))
                else:
                    _visit(element, scope)
