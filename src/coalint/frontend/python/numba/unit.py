"""Python files on their way to a module of the IR: their scopes, and the functions that were lowered."""

from __future__ import annotations

import ast
from dataclasses import field
from typing import Protocol

from coalint.core import ir
from coalint.core.records import record
from coalint.frontend.python.numba.places import Places
from coalint.frontend.python.numba.scopes import Imported, Scope, read_scopes
from coalint.frontend.python.numba.types import Type
from coalint.frontend.python.numba.values import FunctionValue, Value


@record(frozen=True, slots=True)
class Instance:
    """A function for arguments of certain types; `result` is None where it returns nothing."""

    key: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type | None


@record(eq=False)
class Lowered:
    """What was lowered of a file and of those that it imports.

    `instances` are functions by node and types, `lowering` those that are being lowered. `launched` are the types with
    which kernels are launched.
    """

    functions: dict[str, ir.Function] = field(default_factory=dict)
    instances: dict[tuple[ast.AST, tuple[Type, ...], bool], Instance] = field(default_factory=dict)
    lowering: set[tuple[ast.AST, tuple[Type, ...], bool]] = field(default_factory=set)
    launched: dict[ast.AST, dict[tuple[Type, ...], FunctionValue]] = field(default_factory=dict)
    kernel_keys: dict[tuple[ast.AST, tuple[Type, ...]], int] = field(default_factory=dict)
    problems: list[ir.Problem] = field(default_factory=list)
    units: dict[Scope, Unit] = field(default_factory=dict)
    imports: Imports | None = None


class Imports(Protocol):
    """Finds what imports lead to."""

    def find(self, imported: Imported, by: Unit) -> ImportTarget | None:
        """Return what an import of a file leads to; None for what is no file of the project."""

    def within(self, folder: str, name: str) -> ImportTarget | None:
        """Return the module of a name in a folder; None where there is none."""


@record(frozen=True, slots=True)
class ImportTarget:
    """What an import leads to: a file of the project, and the names that are looked up in it one by one.

    `unit` is None for a folder that holds no `__init__.py`.
    """

    unit: Unit | None
    path: str
    names: tuple[str, ...]


@record(eq=False)
class Unit:
    """The state of one file.

    `values` holds what names outside of functions stand for. `targets` are the names that values are assigned to.
    """

    path: str
    text: str
    tree: ast.Module
    lowered: Lowered
    places: Places = field(init=False)
    scope: Scope = field(init=False)
    values: dict[tuple[Scope, str], Value | None] = field(default_factory=dict)
    targets: dict[ast.AST, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = Places(self.path, self.text)
        self.scope = read_scopes(self.tree)
        self.lowered.units[self.scope] = self
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.targets[node.value] = node.targets[0].id
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                self.targets[node.value] = node.target.id

    def around(self, scope: Scope) -> Unit:
        """Return the file of a scope."""
        return self.lowered.units[scope.outermost]
