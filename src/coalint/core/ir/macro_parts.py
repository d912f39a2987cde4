"""What a macro makes beside the expression that its use stands for: the text of the use names none of it.

`LOADS;` may declare two variables, and `INDEX(i, j)` read two members: each would be called as the use is.
"""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core.ir.expressions import Cast
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Expression, Statement
from coalint.core.ir.statements import Evaluate
from coalint.core.ir.walk import children
from coalint.core.source.spans import Span


class MacroParts:
    """The expressions of functions that are parts of what a macro makes; each function is looked through once.

    `uses` are the places where macros are used. `known` are the parts that were found before, by the functions' keys
    and by their `id`, and is added to.
    """

    def __init__(
        self, functions: Mapping[str, Function], uses: frozenset[Span], known: dict[str, frozenset[int]]
    ) -> None:
        self._functions = functions
        self._uses = uses
        self._parts = known

    def hold(self, expression: Expression, function: str) -> bool:
        """Whether an expression of the function of this key is such a part."""
        return bool(self._uses) and id(expression) in self._of(function)

    def _of(self, function: str) -> frozenset[int]:
        known = self._parts.get(function)
        if known is None:
            found = self._functions.get(function)
            known = frozenset() if found is None else self._in(found.body)
            self._parts[function] = known
        return known

    def _in(self, body: Statement) -> frozenset[int]:
        parts: set[int] = set()
        pending: list[Expression | Statement] = [body]
        while pending:
            node = pending.pop()
            inside = children(node)
            pending.extend(inside)
            reads_alike = isinstance(node, Cast | Evaluate) and id(node) not in parts
            if not reads_alike and node.span in self._uses:
                parts.update(id(child) for child in inside if child.span == node.span)
        return frozenset(parts)
