"""The arguments of calls."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode, tree
from coalint.frontend.cuda.lowering.context import Context


class Arguments:
    """Lowers arguments; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.lib = library()
        self.expressions = low.expressions

    def of_call(self, node: CursorNode, callee: Any) -> list[ir.Expression]:
        """Return what a call passes; what it leaves out is the default of the function that it calls."""
        count = self.lib.clang_Cursor_getNumArguments(node.cursor)
        arguments: list[ir.Expression] = []
        nodes = {_identity(child.cursor): child for child in node.children}
        for position in range(max(0, count)):
            cursor = self.lib.clang_Cursor_getArgument(node.cursor, position)
            cursor._tu = node.cursor._tu
            argument = nodes.get(_identity(cursor)) or tree(cursor)
            if argument.kind == kinds.UNEXPOSED_EXPR and not argument.children:
                default = self.default(callee, position)
                arguments.append(default if default is not None else self.expressions.unknown(argument))
            else:
                arguments.append(self.expressions.lower(argument))
        return arguments

    def default(self, callee: Any, position: int) -> ir.Expression | None:
        """Return a default argument: the initializer of the parameter."""
        if callee is None:
            return None
        parameter = self.lib.clang_Cursor_getArgument(callee, position)
        if parameter is None:
            return None
        parameter._tu = callee._tu
        parts = self.expressions.parts(tree(parameter))
        return self.expressions.lower(parts[-1]) if parts else None


def _identity(cursor: Any) -> tuple[Any, ...]:
    return cursor._kind_id, cursor.data[0], cursor.data[1], cursor.data[2]
