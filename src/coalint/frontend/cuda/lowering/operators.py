"""Operators and subscripts."""

from __future__ import annotations

from coalint.core import ir
from coalint.frontend.cuda.libclang.bindings import BINARY, UNARY
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context


def binary(low: Context, node: CursorNode) -> ir.Expression:
    """Lower an operator of two operands, or an assignment."""
    parts = low.expressions.parts(node)
    index = low.lib.clang_getCursorBinaryOperatorKind(node.cursor)
    if len(parts) != 2 or not 0 < index < len(BINARY):
        return low.expressions.unknown(node)
    operator = BINARY[index]
    left, right = low.expressions.lower(parts[0]), low.expressions.lower(parts[1])
    span, type_ = low.expressions.span(node), low.expressions.type(node)
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


def unary(low: Context, node: CursorNode) -> ir.Expression:
    """Lower an operator of one operand."""
    parts = low.expressions.parts(node)
    index = low.lib.clang_getCursorUnaryOperatorKind(node.cursor)
    if len(parts) != 1 or not 0 < index < len(UNARY):
        return low.expressions.unknown(node)
    operator = UNARY[index]
    operand = low.expressions.lower(parts[0])
    span, type_ = low.expressions.span(node), low.expressions.type(node)
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


def subscript(low: Context, node: CursorNode) -> ir.Expression:
    """Lower the element of an array, or of what a pointer leads to."""
    parts = low.expressions.parts(node)
    if len(parts) != 2:
        return low.expressions.unknown(node)
    base, index = low.expressions.lower(parts[0]), low.expressions.lower(parts[1])
    if isinstance(base.type, ir.Integer) and not isinstance(index.type, ir.Integer):
        base, index = index, base
    type_ = low.expressions.type(node)
    if isinstance(type_, ir.Other) and not type_.size and isinstance(base.type, ir.Pointer | ir.Array):
        type_ = base.type.pointee if isinstance(base.type, ir.Pointer) else base.type.element
    return ir.Subscript(low.expressions.span(node), type_, base, index)
