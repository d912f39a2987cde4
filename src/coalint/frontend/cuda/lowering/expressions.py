"""Cursors of expressions to IR."""

from __future__ import annotations

from collections.abc import Callable

from clang.cindex import CursorKind as K

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.bindings import library
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import conversions, members, operators, references
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.gpu import intrinsics
from coalint.frontend.cuda.lowering.objects import classes, initialization
from coalint.frontend.cuda.lowering.objects.from_expressions import LISTS
from coalint.frontend.cuda.lowering.sugar.lambdas import lambda_expression
from coalint.frontend.cuda.lowering.unknown_names import SIZES

_CASTS = frozenset(
    kind.value
    for kind in (
        K.CSTYLE_CAST_EXPR,
        K.CXX_STATIC_CAST_EXPR,
        K.CXX_REINTERPRET_CAST_EXPR,
        K.CXX_CONST_CAST_EXPR,
        K.CXX_FUNCTIONAL_CAST_EXPR,
        K.CXX_DYNAMIC_CAST_EXPR,
    )
)
NUMBERS = frozenset({kinds.INTEGER_LITERAL, kinds.CHARACTER_LITERAL, kinds.CXX_BOOL_LITERAL_EXPR})
ADDRSPACE_CAST = 152


def is_expression(kind: int) -> bool:
    """Whether a cursor kind is an expression's (clang-c/Index.h numbers them 100 to 199)."""
    return 100 <= kind < 200


_OPERATORS = frozenset(
    kind.value
    for kind in (
        K.UNARY_OPERATOR,
        K.BINARY_OPERATOR,
        K.CONDITIONAL_OPERATOR,
        K.CSTYLE_CAST_EXPR,
        K.CXX_FUNCTIONAL_CAST_EXPR,
        K.CXX_STATIC_CAST_EXPR,
    )
)

_LOWERED: dict[int, Callable[[Context, CursorNode], ir.Expression]] = {
    kinds.UNEXPOSED_EXPR: conversions.implicit,
    kinds.DECL_REF_EXPR: references.reference,
    kinds.BINARY_OPERATOR: operators.binary,
    kinds.COMPOUND_ASSIGNMENT_OPERATOR: operators.binary,
    kinds.UNARY_OPERATOR: operators.unary,
    kinds.ARRAY_SUBSCRIPT_EXPR: operators.subscript,
    kinds.MEMBER_REF_EXPR: members.member,
    kinds.LAMBDA_EXPR: lambda_expression,
    **dict.fromkeys((*_CASTS, ADDRSPACE_CAST), conversions.cast),
    **dict.fromkeys(LISTS, initialization.braced),
}
"""What lowers expressions of one kind, whatever is in them."""


_PLACES = frozenset(
    kind.value for kind in (K.ARRAY_SUBSCRIPT_EXPR, K.UNARY_OPERATOR, K.MEMBER_REF_EXPR, K.DECL_REF_EXPR)
)
"""Expressions that name a place in memory."""


class Expressions:
    """Lowers expressions; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()

    def parts(self, node: CursorNode) -> list[CursorNode]:
        """Return the children that are expressions."""
        return [child for child in node.children if 100 <= child.kind < 200]  # as `is_expression`, without a call

    def lower(self, node: CursorNode) -> ir.Expression:
        """Return one expression."""
        node = self._constant(node)
        kind = node.kind
        if self.low.marks_volatile and kind in _PLACES and node.cursor.type.is_volatile_qualified():
            self.low.volatile.add(self.span(node))
        lowered = _LOWERED.get(kind)
        if lowered is not None:
            return lowered(self.low, node)
        if kind == kinds.PAREN_EXPR:
            return self.lower(self.parts(node)[0])
        if kind in SIZES and self.low.unknown_names is not None:
            reason = self.low.unknown_names.of_size([child.cursor for child in node.children]) or self.low.doubtful
            if reason:
                return ir.Unresolved(self.span(node), self.type(node), reason)
        if kind in NUMBERS or kind in SIZES:
            number = self.low.evaluated(node.cursor)
            if number is None and kind in SIZES:
                return ir.Unresolved(self.span(node), self.type(node), "it depends on a template parameter")
            return ir.Literal(self.span(node), self.type(node), number)
        if kind == kinds.CALL_EXPR:
            return self.low.calls.lower(node)
        if kind == kinds.CONDITIONAL_OPERATOR:
            parts = self.parts(node)
            if len(parts) == 3:
                a, b, c = (self.lower(part) for part in parts)
                return ir.Conditional(self.span(node), self.type(node), a, b, c)
        if kind == kinds.CXX_THIS_EXPR and self.low.this is not None:
            return ir.Name(self.span(node), self.low.this.type, self.low.this)
        if kind == kinds.COMPOUND_LITERAL_EXPR and self.parts(node):
            return self.lower(self.parts(node)[-1])
        if kind == kinds.STMT_EXPR:
            return self._statement_expression(node)
        if kind == kinds.FLOATING_LITERAL:
            return ir.Literal(self.span(node), self.type(node), None, self.low.evaluated_float(node.cursor))
        if kind in (kinds.STRING_LITERAL, kinds.CXX_NULL_PTR_LITERAL_EXPR):
            return ir.Literal(self.span(node), self.type(node), None)
        return self.unknown(node)

    @staticmethod
    def _constant(node: CursorNode) -> CursorNode:
        """Return what stands in a constant expression.

        Libclang shows one as another operator of the same kind around it.
        """
        while node.kind in _OPERATORS and len(node.children) == 1 and node.children[0].kind == node.kind:
            (inner,) = node.children
            if inner.cursor.extent.begin_int_data != node.cursor.extent.begin_int_data:  # in macros, spans say less
                break
            node = inner
        return node

    def span(self, node: CursorNode) -> Span:
        """Return where a node is written."""
        return self.low.locations.span(node.cursor)

    def type(self, node: CursorNode) -> ir.Type:
        """Return the type of a node's value."""
        return self.low.types.of(node.cursor)

    def unknown(self, node: CursorNode) -> ir.Expression:
        """Return an expression of which libclang tells the value at most."""
        value = self.low.evaluated(node.cursor)
        type_ = self.type(node)
        if value is not None and isinstance(type_, ir.Integer):
            return ir.Literal(self.span(node), type_, value)
        written = self.parts(node)
        parts = tuple(self.lower(part) for part in written)
        if len(parts) == 1 and not isinstance(type_, ir.Other):
            return ir.Cast(self.span(node), type_, parts[0])
        if isinstance(type_, ir.Other) and parts and classes.is_lambda(written[0].cursor.type.get_declaration()):
            name = written[0].cursor.spelling  # a lambda whose result is of no known type is called
            return intrinsics.call(self.span(node), type_, name, None, parts[1:], callee=parts[0])
        return ir.Unresolved(self.span(node), type_, "an expression that libclang could not resolve", parts)

    def _statement_expression(self, node: CursorNode) -> ir.Expression:
        body = self.low.statements.lower(node.children[0])
        statements = body.statements if isinstance(body, ir.Block) else (body,)
        value = None
        if statements and isinstance(statements[-1], ir.Evaluate):
            value, statements = statements[-1].expression, statements[:-1]
        return ir.Sequence(self.span(node), self.type(node), tuple(statements), value)
