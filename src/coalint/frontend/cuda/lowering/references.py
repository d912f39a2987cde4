"""Names: variables, special registers, enumerators and functions."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode, tree
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.cursors import FUNCTIONS
from coalint.frontend.cuda.spelling import CUDA

REGISTERS = {
    CUDA.thread_index: ir.Register.THREAD_INDEX,
    CUDA.block_index: ir.Register.BLOCK_INDEX,
    CUDA.block_extent: ir.Register.BLOCK_EXTENT,
    CUDA.grid_extent: ir.Register.GRID_EXTENT,
}
"""The special registers by their names, but for the warp size, which has no components."""


def reference(low: Context, node: CursorNode) -> ir.Expression:
    """Lower the use of a name."""
    parts = low.expressions.parts(node)
    target = low.lib.clang_getCursorReferenced(node.cursor)
    if target is None:
        substituted = [part for part in parts if part.kind != kinds.UNEXPOSED_EXPR]
        if not node.cursor.spelling and substituted:
            return low.expressions.lower(substituted[-1])
        return ir.Unresolved(
            low.expressions.span(node), low.expressions.type(node), f"`{node.cursor.spelling}` is not declared"
        )
    kind = target._kind_id
    reason = low.stub(target) if kind == kinds.VAR_DECL else ""
    if reason:
        return ir.Unresolved(low.expressions.span(node), low.expressions.type(node), reason)
    if kind in (kinds.VAR_DECL, kinds.PARM_DECL, kinds.TEMPLATE_NON_TYPE_PARAMETER, kinds.UNEXPOSED_DECL):
        variable = low.variable(target)
        if variable.name == CUDA.warp_size:
            return ir.Builtin(low.expressions.span(node), variable.type, ir.Register.WARP_SIZE, None)
        if variable.name in REGISTERS and low.is_bundled(target):
            return ir.Builtin(low.expressions.span(node), variable.type, REGISTERS[variable.name], None)
        type_ = variable.type.target if isinstance(variable.type, ir.Reference) else variable.type
        return function_held(low, target, variable) or ir.Name(low.expressions.span(node), type_, variable)
    if kind == kinds.ENUM_CONSTANT_DECL:
        return enumerator(low, node, target)
    if kind in FUNCTIONS:
        return ir.FunctionName(low.expressions.span(node), low.expressions.type(node), low.named_function(target))
    return low.expressions.unknown(node)


def enumerator(low: Context, node: CursorNode, declaration: Any) -> ir.Expression:
    """Return the number of an enumerator."""
    reason = low.of_constant(declaration)
    if reason:
        return ir.Unresolved(low.expressions.span(node), low.expressions.type(node), reason)
    value = int(low.lib.clang_getEnumConstantDeclValue(declaration))
    type_ = low.expressions.type(node)
    return ir.Literal(
        low.expressions.span(node), type_ if isinstance(type_, ir.Integer) else ir.Integer(32, True), value
    )


def function_held(low: Context, cursor: Any, variable: ir.Variable) -> ir.FunctionName | None:
    """Return the function that a constant pointer outside of functions holds, as members of traits do."""
    if variable.storage is not ir.Storage.HOST or not isinstance(variable.type, ir.Pointer):
        return None
    parts = low.expressions.parts(tree(cursor)) if low.lib.clang_getCursorType(cursor).is_const_qualified() else []
    held = low.expressions.lower(parts[-1]) if parts else None
    while isinstance(held, ir.AddressOf | ir.Cast):
        held = held.target if isinstance(held, ir.AddressOf) else held.operand
    return held if isinstance(held, ir.FunctionName) else None
