"""Cursors of expressions to IR."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import TypeKind

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.bindings import BINARY, UNARY, Node, library, tree
from coalint.frontend.cuda.lowering.calls import FUNCTIONS
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.objects import classes, initialization
from coalint.frontend.cuda.lowering.sugar.lambdas import lambda_expression
from coalint.frontend.cuda.lowering.unknown_names import SIZES
from coalint.frontend.cuda.spelling import CUDA

_AXES = {axis.value: axis for axis in ir.AXES}
REGISTERS = {
    CUDA.thread_index: ir.Register.THREAD_INDEX,
    CUDA.block_index: ir.Register.BLOCK_INDEX,
    CUDA.block_extent: ir.Register.BLOCK_EXTENT,
    CUDA.grid_extent: ir.Register.GRID_EXTENT,
}
"""The special registers by their names, but for the warp size, which has no components."""

_PROPERTIES = {"warpSize": ir.Register.WARP_SIZE, "warp_size": ir.Register.WARP_SIZE}
"""The special registers that a device's properties give to host code, by the names of the fields."""

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
NUMBERS = frozenset({K.INTEGER_LITERAL.value, K.CHARACTER_LITERAL.value, K.CXX_BOOL_LITERAL_EXPR.value})
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


class Expressions:
    """Lowers expressions; `low` holds what the whole module shares."""

    def __init__(self, low: Context) -> None:
        self.low = low
        self.lib = library()

    def parts(self, node: Node) -> list[Node]:
        """The children that are expressions."""
        return [child for child in node.children if is_expression(child.kind)]

    def lower(self, node: Node) -> ir.Expression:
        """One expression."""
        node = self._constant(node)
        kind = node.kind
        if kind == K.UNEXPOSED_EXPR.value:
            return self._unexposed(node)
        if kind == K.DECL_REF_EXPR.value:
            return self._reference(node)
        if kind == K.PAREN_EXPR.value:
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
        if kind == K.BINARY_OPERATOR.value or kind == K.COMPOUND_ASSIGNMENT_OPERATOR.value:
            return self._binary(node)
        if kind == K.UNARY_OPERATOR.value:
            return self._unary(node)
        if kind == K.ARRAY_SUBSCRIPT_EXPR.value:
            return self._subscript(node)
        if kind == K.MEMBER_REF_EXPR.value:
            return self._member(node)
        if kind == K.CALL_EXPR.value:
            return self.low.calls.lower(node)
        if kind in _CASTS or kind == ADDRSPACE_CAST:
            return self._cast(node)
        if kind == K.CONDITIONAL_OPERATOR.value:
            parts = self.parts(node)
            if len(parts) == 3:
                a, b, c = (self.lower(part) for part in parts)
                return ir.Conditional(self.span(node), self.type(node), a, b, c)
        if kind == K.CXX_THIS_EXPR.value and self.low.this is not None:
            return ir.Name(self.span(node), self.low.this.type, self.low.this)
        if kind in initialization.LISTS:
            return initialization.braced(self.low, node)
        if kind == K.COMPOUND_LITERAL_EXPR.value and self.parts(node):
            return self.lower(self.parts(node)[-1])
        if kind == K.LAMBDA_EXPR.value:
            return lambda_expression(self.low, node)
        if kind == K.StmtExpr.value:
            return self._statement_expression(node)
        if kind in (K.FLOATING_LITERAL.value, K.STRING_LITERAL.value, K.CXX_NULL_PTR_LITERAL_EXPR.value):
            return ir.Literal(self.span(node), self.type(node), None)
        return self.unknown(node)

    @staticmethod
    def _constant(node: Node) -> Node:
        """What stands in a constant expression: libclang shows one as another operator of the same kind around it."""
        while node.kind in _OPERATORS and len(node.children) == 1 and node.children[0].kind == node.kind:
            (inner,) = node.children
            if inner.cursor.extent.begin_int_data != node.cursor.extent.begin_int_data:  # in macros, spans say less
                break
            node = inner
        return node

    def span(self, node: Node) -> Span:
        """Where a node is written."""
        return self.low.locations.span(node.cursor)

    def type(self, node: Node) -> ir.Type:
        """The type of a node's value."""
        return self.low.types.of(node.cursor)

    # --- leaves and wrappers

    def unknown(self, node: Node) -> ir.Expression:
        """An expression of which libclang tells the value at most."""
        value = self.low.evaluated(node.cursor)
        type_ = self.type(node)
        if value is not None and isinstance(type_, ir.Integer):
            return ir.Literal(self.span(node), type_, value)
        parts = tuple(self.lower(part) for part in self.parts(node))
        if len(parts) == 1 and not isinstance(type_, ir.Other):
            return ir.Cast(self.span(node), type_, parts[0])
        return ir.Unresolved(self.span(node), type_, "an expression that libclang could not resolve", parts)

    def _unexposed(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        type_ = self.type(node)
        if len(parts) != 1:
            return self.low.calls.recovered(node, parts) or self.unknown(node)
        inner = self._converted(node, parts[0], self.lower(parts[0]))
        if inner.type == type_ or (isinstance(type_, ir.Reference) and inner.type == type_.target):
            return inner
        if isinstance(type_, ir.Other) and not type_.size:
            return inner
        if (
            (
                isinstance(inner, ir.Literal)
                and inner.value is not None
                and isinstance(type_, ir.Integer)
                and type_.bits > 1
            )
            and inner.value >= 0
            and inner.value < 1 << (type_.bits - 1)
        ):
            return ir.Literal(inner.span, type_, inner.value)
        return ir.Cast(inner.span, type_, inner)

    def _cast(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        if not parts:
            return self.unknown(node)
        inner = self._converted(node, parts[-1], self.lower(parts[-1]))
        type_ = self.type(node)
        of = self.type(parts[-1])
        if isinstance(of, ir.Other) and of.reason and isinstance(type_, ir.Integer | ir.Floating):
            return ir.Unresolved(self.span(node), type_, of.reason, (inner,))  # of an enumeration's value
        if isinstance(type_, ir.Reference):
            type_ = type_.target
        is_made = isinstance(inner, ir.Aggregate | ir.Sequence) or (isinstance(inner, ir.Call) and inner.constructor)
        if is_made and inner.type == type_:
            return inner
        return ir.Cast(self.span(node), type_, inner)

    def _reference(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        target = self.lib.clang_getCursorReferenced(node.cursor)
        if target is None:
            substituted = [part for part in parts if part.kind != K.UNEXPOSED_EXPR.value]
            if not node.cursor.spelling and substituted:
                return self.lower(substituted[-1])
            return ir.Unresolved(self.span(node), self.type(node), f"`{node.cursor.spelling}` is not declared")
        kind = target._kind_id
        reason = self.low.stub(target) if kind == K.VAR_DECL.value else ""
        if reason:
            return ir.Unresolved(self.span(node), self.type(node), reason)
        if kind in (K.VAR_DECL.value, K.PARM_DECL.value, K.TEMPLATE_NON_TYPE_PARAMETER.value, K.UNEXPOSED_DECL.value):
            variable = self.low.variable(target)
            if variable.name == CUDA.warp_size:
                return ir.Builtin(self.span(node), variable.type, ir.Register.WARP_SIZE, None)
            if variable.name in REGISTERS and self.low.is_bundled(target):
                return ir.Builtin(self.span(node), variable.type, REGISTERS[variable.name], None)
            type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
            return self._function_held(target, variable) or ir.Name(self.span(node), type_, variable)
        if kind == K.ENUM_CONSTANT_DECL.value:
            return self._enumerator(node, target)
        if kind in FUNCTIONS:
            return ir.FunctionName(self.span(node), self.type(node), self.low.named_function(target))
        return self.unknown(node)

    def _enumerator(self, node: Node, declaration: Any) -> ir.Expression:
        reason = self.low.of_constant(declaration)
        if reason:
            return ir.Unresolved(self.span(node), self.type(node), reason)
        value = int(self.lib.clang_getEnumConstantDeclValue(declaration))
        type_ = self.type(node)
        return ir.Literal(self.span(node), type_ if isinstance(type_, ir.Integer) else ir.Integer(32, True), value)

    def _function_held(self, cursor: Any, variable: ir.Variable) -> ir.FunctionName | None:
        """The function that a constant pointer outside of functions holds, as members of traits do."""
        if variable.storage is not ir.Storage.HOST or not isinstance(variable.type, ir.Pointer):
            return None
        parts = self.parts(tree(cursor)) if self.lib.clang_getCursorType(cursor).is_const_qualified() else []
        held = self.lower(parts[-1]) if parts else None
        while isinstance(held, ir.AddressOf | ir.Cast):
            held = held.target if isinstance(held, ir.AddressOf) else held.operand
        return held if isinstance(held, ir.FunctionName) else None

    # --- operators

    def _binary(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        index = self.lib.clang_getCursorBinaryOperatorKind(node.cursor)
        if len(parts) != 2 or not 0 < index < len(BINARY):
            return self.unknown(node)
        operator = BINARY[index]
        left, right = self.lower(parts[0]), self.lower(parts[1])
        span, type_ = self.span(node), self.type(node)
        if operator in (".*", "->*"):
            at = ir.AddressOf(left.span, ir.Pointer(left.type), left) if operator == ".*" else left
            pointer = ir.Unresolved(span, ir.Pointer(type_), "a pointer to a member is not followed", (at, right))
            return ir.Dereference(span, type_, pointer)
        if operator == ",":
            return ir.Sequence(span, type_, (ir.Evaluate(left.span, left),), right)
        if operator == "=":
            return ir.Assign(span, left.type, None, left, right)
        if operator.endswith("=") and operator not in ("==", "!=", "<=", ">="):
            return ir.Assign(span, left.type, operator[:-1], left, right)
        return ir.Binary(span, type_, operator, left, right)

    def _unary(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        index = self.lib.clang_getCursorUnaryOperatorKind(node.cursor)
        if len(parts) != 1 or not 0 < index < len(UNARY):
            return self.unknown(node)
        operator = UNARY[index]
        operand = self.lower(parts[0])
        span, type_ = self.span(node), self.type(node)
        match operator:
            case "*":
                return ir.Dereference(span, type_, operand)
            case "&":
                return ir.AddressOf(span, type_, operand)
            case "p++" | "p--" | "++p" | "--p":
                return ir.Increment(span, operand.type, operand, 1 if "+" in operator else -1, operator.endswith("p"))
            case "+":
                return operand
        return ir.Unary(span, type_, operator, operand)

    def _subscript(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        if len(parts) != 2:
            return self.unknown(node)
        base, index = self.lower(parts[0]), self.lower(parts[1])
        if isinstance(base.type, ir.Integer) and not isinstance(index.type, ir.Integer):
            base, index = index, base
        type_ = self.type(node)
        if isinstance(type_, ir.Other) and not type_.size and isinstance(base.type, ir.Pointer | ir.Array):
            type_ = base.type.pointee if isinstance(base.type, ir.Pointer) else base.type.element
        return ir.Subscript(self.span(node), type_, base, index)

    def _member(self, node: Node) -> ir.Expression:
        parts = self.parts(node)
        field = self.lib.clang_getCursorReferenced(node.cursor)
        span, type_ = self.span(node), self.type(node)
        if field is not None and field._kind_id == K.VAR_DECL.value:  # a static member
            reason = self.low.stub(field)
            if reason:
                return ir.Unresolved(span, type_, reason, tuple(self.lower(part) for part in parts))
            variable = self.low.variable(field)
            return self._function_held(field, variable) or ir.Name(span, variable.type, variable)
        if field is not None and field._kind_id == K.ENUM_CONSTANT_DECL.value:
            return self._enumerator(node, field)
        owner: ir.Expression
        of = classes.around(field)
        if parts:
            owner = self.lower(parts[0])
            axis = _AXES.get(node.cursor.spelling)
            if isinstance(owner, ir.Builtin) and owner.register is not ir.Register.WARP_SIZE and axis is not None:
                return ir.Builtin(span, type_, owner.register, axis)
            if field is not None and of != field.semantic_parent:
                of = _record(parts[0].cursor, isinstance(owner.type, ir.Pointer))
            if isinstance(owner.type, ir.Pointer):
                owner = ir.Dereference(owner.span, owner.type.pointee, owner)
        elif self.low.this is not None and isinstance(self.low.this.type, ir.Pointer):
            owner = self.low.within(self.this_object(span), self.low.this_class, of)
        else:
            return ir.Unresolved(span, type_, f"`{node.cursor.spelling}` is a member of what is not known")
        if field is not None and isinstance(self.low.types.of(field), ir.Reference):
            return self.field(field, of, owner, span)
        offset, bits = self.low.layout.offset_in(of, field), self.low.layout.bit_bytes(field)
        name = node.cursor.spelling
        return ir.Member(span, type_, owner, name, offset, bits, _PROPERTIES.get(name))

    def field(self, field: Any, of: Any, owner: ir.Expression, span: Span) -> ir.Expression:
        """A field of an object of the class `of`: a reference is what its pointer leads to."""
        offset, bits = self.low.layout.offset_in(of, field), self.low.layout.bit_bytes(field)
        type_ = self.low.types.of(field)
        if isinstance(type_, ir.Reference):
            pointer = ir.Member(span, ir.Pointer(type_.target), owner, field.spelling, offset)
            return ir.Dereference(span, type_.target, pointer)
        return ir.Member(span, type_, owner, field.spelling, offset, bits)

    # --- calls

    def this_object(self, span: Span) -> ir.Expression:
        """The object of a method: `*this`."""
        this = self.low.this
        assert this is not None
        assert isinstance(this.type, ir.Pointer)
        return ir.Dereference(span, this.type.pointee, ir.Name(span, this.type, this))

    def _converted(self, node: Node, part: Node, inner: ir.Expression) -> ir.Expression:
        """An object, or a pointer to one, that a cast takes for one of its base classes, or for one derived from it."""
        pointer = inner.type if isinstance(inner.type, ir.Pointer) else None
        if not isinstance(pointer.pointee if pointer is not None else inner.type, ir.Record):
            return inner
        of, to = _record(part.cursor, pointer is not None), _record(node.cursor, pointer is not None)
        if of is None or to is None or of == to:
            return inner
        if pointer is None:
            return self.low.within(inner, of, to)
        target = ir.Dereference(inner.span, pointer.pointee, inner)
        found = self.low.within(target, of, to)
        if isinstance(found, ir.Unresolved):
            return replace(found, type=ir.Pointer(found.type))
        return inner if found is target else ir.AddressOf(inner.span, ir.Pointer(found.type), found)

    def _statement_expression(self, node: Node) -> ir.Expression:
        body = self.low.statements.lower(node.children[0])
        statements = body.statements if isinstance(body, ir.Block) else (body,)
        value = None
        if statements and isinstance(statements[-1], ir.Evaluate):
            value, statements = statements[-1].expression, statements[:-1]
        return ir.Sequence(self.span(node), self.type(node), tuple(statements), value)


def _record(cursor: Any, pointer: bool) -> Any:
    """The class that an expression's value has, or points to; None where it is none."""
    type_ = cursor.type.get_canonical()
    if pointer:
        type_ = type_.get_pointee().get_canonical()
    return type_.get_declaration() if type_._kind_id == TypeKind.RECORD.value else None
