"""One Python file on its way to a module of the IR: its scopes, and the functions that were lowered."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from coalint.core import ir
from coalint.frontend.python.numba.places import Places
from coalint.frontend.python.numba.scopes import Scope, read_scopes
from coalint.frontend.python.numba.types import Type
from coalint.frontend.python.numba.values import FunctionValue, Value


@dataclass(frozen=True, slots=True)
class Instance:
    """A function for arguments of certain types; `result` is None where it returns nothing."""

    key: str
    parameters: tuple[tuple[str, Type], ...]
    result: Type | None


@dataclass(eq=False)
class Unit:
    """The state of one file.

    `values` holds what names outside of functions stand for, `instances` the functions that were lowered, by node and
    types. `lowering` are those that are being lowered. `launched` are the types with which kernels are launched,
    `targets` the names that values are assigned to.
    """

    path: str
    text: str
    tree: ast.Module
    places: Places = field(init=False)
    scope: Scope = field(init=False)
    values: dict[tuple[Scope, str], Value | None] = field(default_factory=dict)
    functions: dict[str, ir.Function] = field(default_factory=dict)
    instances: dict[tuple[ast.AST, tuple[Type, ...], bool], Instance] = field(default_factory=dict)
    lowering: set[tuple[ast.AST, tuple[Type, ...], bool]] = field(default_factory=set)
    launched: dict[ast.AST, dict[tuple[Type, ...], FunctionValue]] = field(default_factory=dict)
    kernel_keys: dict[tuple[ast.AST, tuple[Type, ...]], int] = field(default_factory=dict)
    problems: list[ir.Problem] = field(default_factory=list)
    targets: dict[ast.AST, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = Places(self.path, self.text)
        self.scope = read_scopes(self.tree)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.targets[node.value] = node.targets[0].id
