"""The lowering of functions as a whole: expressions and statements behind the state that their handlers share."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from coalint.frontend.python.numba.lowering import expressions, statements
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.values import Value


class WholeLowering(Lowering):
    """One function, with handlers for all that stands in it."""

    def value(self, node: ast.expr) -> Value:
        """Return what an expression stands for."""
        return expressions.value(self, node)

    def body(self, nodes: Sequence[ast.stmt]) -> None:
        """Lower statements into the block at hand."""
        statements.body(self, nodes)
