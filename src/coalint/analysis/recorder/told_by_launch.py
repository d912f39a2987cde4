"""What of a kernel's text its launch alone tells: nvcc makes a loop or a branch of it, whatever the numbers are."""

from __future__ import annotations

from collections.abc import Container
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
        return isinstance(node, ir.Builtin) or _is_given(node, self._made)

    @cached_property
    def _made(self) -> frozenset[str]:
        """The keys of the kernel's variables that are declared as made of what only the launch tells."""
        made: set[str] = set()
        for node in () if self._body is None else ir.nodes(self._body):
            if isinstance(node, ir.Declare) and node.initializer is not None:
                parts = ir.nodes(node.initializer)
                if any(isinstance(part, ir.Builtin) or _is_given(part, made) for part in parts):
                    made.add(node.variable.key)
        return frozenset(made)


def _is_given(node: ir.Expression | ir.Statement, made: Container[str]) -> bool:
    """Whether it is a parameter of the kernel, or one of these variables."""
    return isinstance(node, ir.Name) and (node.variable.storage is ir.Storage.PARAMETER or node.variable.key in made)
