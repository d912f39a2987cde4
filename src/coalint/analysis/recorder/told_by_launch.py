"""What of a kernel's text its launch alone tells: nvcc makes a loop or a branch of it, whatever the numbers are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from coalint.core import ir


class ToldByLaunch:
    """Tells which expressions of a kernel name the extents of its launch, its parameters, or what is made of these.

    `body` is that of the kernel.
    """

    def __init__(self, body: ir.Statement | None) -> None:
        self._body = body
        self._known: dict[int, tuple[ir.Expression, bool]] = {}

    def names(self, expression: ir.Expression, *, is_called: bool) -> bool:
        """Whether an expression names what only the launch tells.

        `is_called`: it stands in a function that the kernel calls, whose parameters may be anything.
        """
        if is_called:
            return any(isinstance(node, ir.Builtin) for node in ir.nodes(expression))
        known = self._known.get(id(expression))
        if known is None:
            is_told = any(self._is_told(node) for node in ir.nodes(expression))
            known = self._known[id(expression)] = expression, is_told
        return known[1]

    def _is_told(self, node: ir.Expression | ir.Statement) -> bool:
        is_made = isinstance(node, ir.Name) and node.variable.key in self._made
        return is_made or isinstance(node, ir.Builtin) or is_parameter(node)

    @cached_property
    def _made(self) -> frozenset[str]:
        """The keys of the kernel's variables that are made of what only the launch tells."""
        return variables_made_of(self._body, lambda part: isinstance(part, ir.Builtin) or is_parameter(part))


def is_parameter(node: ir.Expression | ir.Statement) -> bool:
    """Whether a node of a kernel's body names a parameter of the kernel."""
    return isinstance(node, ir.Name) and node.variable.storage is ir.Storage.PARAMETER


def variables_made_of(
    body: ir.Statement | None, is_source: Callable[[ir.Expression | ir.Statement], bool]
) -> frozenset[str]:
    """Return the keys of variables that are declared or set as made of such nodes, or of other such variables."""
    made: set[str] = set()
    for node in () if body is None else ir.nodes(body):
        match node:
            case (
                ir.Declare(variable=variable, initializer=ir.Expression() as value)
                | ir.Assign(target=ir.Name(variable=variable), value=value)
            ):
                parts = ir.nodes(value)
                if any(is_source(part) or (isinstance(part, ir.Name) and part.variable.key in made) for part in parts):
                    made.add(variable.key)
    return frozenset(made)
