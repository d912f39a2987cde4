"""Arrays of integers in constant or global memory that hold what they were initialized with."""

from __future__ import annotations

from math import prod
from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang.trees import tree
from coalint.frontend.cuda.lowering.constant_globals import is_constant, is_only_read
from coalint.frontend.cuda.lowering.context import Context

MOST = 1024
"""Elements of an array whose numbers are kept."""


def numbers(low: Context, cursor: Any, type_: ir.Type, storage: ir.Storage) -> tuple[int, ...]:
    """Return the elements of an array, row after row; nothing where they are not known or may be changed.

    Kernels cannot write to constant memory; there, an array that is not `const` counts if it belongs to this file alone
    or to the whole program in one file, and nothing but subscripts names it.
    """
    if storage not in (ir.Storage.CONSTANT, ir.Storage.GLOBAL) or not isinstance(type_, ir.Array):
        return ()
    if not is_constant(cursor) and (storage is ir.Storage.GLOBAL or not is_only_read(low.locations, cursor)):
        return ()
    extents: list[int] = []
    element: ir.Type = type_
    while isinstance(element, ir.Array):
        extents.append(element.count or 0)
        element = element.element
    if not isinstance(element, ir.Integer) or not 0 < prod(extents) <= MOST:
        return ()
    value = low.statements.initializer(tree(cursor))
    elements = [0] * prod(extents)
    return tuple(elements) if value is not None and _fill(elements, value, 0, element.size) else ()


def _fill(elements: list[int], value: ir.Expression, at: int, size: int) -> bool:
    """Put the numbers of an initializer in their places; False where one is not known."""
    if isinstance(value, ir.Aggregate) and isinstance(value.type, ir.Array):
        return all(_fill(elements, part, at + offset, size) for offset, part in value.parts)
    number = _number(value)
    if number is None or at % size or at // size >= len(elements):
        return False
    elements[at // size] = number
    return True


def _number(value: ir.Expression) -> int | None:
    """Return an integer constant, converted to its type."""
    if not isinstance(value.type, ir.Integer):
        return None
    match value:
        case ir.Literal(value=int(number)):
            integer = number
        case ir.Name() if value.variable.constant is not None:
            integer = value.variable.constant
        case ir.Cast() | ir.Unary(operator="-" | "+" | "~"):
            inner = _number(value.operand)
            if inner is None:
                return None
            sign = value.operator if isinstance(value, ir.Unary) else "+"
            integer = -inner if sign == "-" else ~inner if sign == "~" else inner
        case _:
            return None
    low = -(1 << (value.type.bits - 1)) if value.type.signed else 0
    return integer if low <= integer < low + (1 << value.type.bits) else None
