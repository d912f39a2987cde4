"""Arrays of the host: what kernels are launched with; only type, shape and order of them matter."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from coalint.core import ir
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import FLOAT64, ArrayType, Element, Layout, Scalar, ir_type
from coalint.frontend.python.numba.types import arithmetic as common
from coalint.frontend.python.numba.values import ArrayValue, Number, Text, TupleValue, Unknown, Value


def made(
    low: Lowering, node: ast.AST, element: Element, shape: Sequence[Number], layout: Layout = Layout.C
) -> ArrayValue:
    """Return a new array without gaps."""
    if len(shape) == 1:
        layout = Layout.C
    extents = tuple(number.constant if isinstance(number.constant, int) else None for number in shape)
    base = ir.Literal(low.span(node), ir.Pointer(ir_type(element)), None)
    return ArrayValue(base, ArrayType(element, layout, extents), tuple(shape))


def shape_of(value: Value | None) -> tuple[Number, ...] | None:
    """Return a shape: one extent or a tuple of them; None where it is not followed."""
    items = value.items if isinstance(value, TupleValue) else (value,)
    numbers = tuple(item for item in items if isinstance(item, Number) and item.type.is_integer)
    return numbers if len(numbers) == len(items) else None


def order_of(value: Value | None) -> Layout | None:
    """Return the order that an argument asks for; None where it is to stay as it is ("K", "A"), or is not said."""
    return {"C": Layout.C, "F": Layout.FORTRAN}.get(value.text) if isinstance(value, Text) else None


def elementwise(low: Lowering, node: ast.AST, array: ArrayValue, element: Scalar) -> ArrayValue:
    """Return a new array of numbers of a type, each made of an array's number at the same place."""
    layout = array.type.layout if array.type.layout is not Layout.ANY else Layout.C
    return made(low, node, element, array.shape, layout)


def arithmetic(low: Lowering, node: ast.AST, sign: str, left: Value, right: Value) -> Value | None:
    """Return `left sign right` of arrays and numbers; None where neither is an array."""
    arrays = [value for value in (left, right) if isinstance(value, ArrayValue)]
    if not arrays:
        return None
    if sign == "@":
        return _product(low, node, left, right)
    like = max(arrays, key=lambda array: array.type.ndim)
    element = _element(sign, left, right)
    if element is None:
        return Unknown("the type of this array is not known")
    layout = Layout.FORTRAN if all(array.type.layout is Layout.FORTRAN for array in arrays) else Layout.C
    return made(low, node, element, like.shape, layout)


def _product(low: Lowering, node: ast.AST, left: Value, right: Value) -> Value:
    if isinstance(left, ArrayValue) and isinstance(right, ArrayValue) and left.type.ndim == right.type.ndim == 2:
        element = _element("*", left, right)
        if element is not None:
            return made(low, node, element, (left.shape[0], right.shape[1]))
    return Unknown("this product of arrays is not followed")


def _element(sign: str, left: Value, right: Value) -> Scalar | None:
    """Return NumPy's type of the result: a number of Python's does not widen an array."""
    types = [value.type.element for value in (left, right) if isinstance(value, ArrayValue)]
    scalars = [type_ for type_ in types if isinstance(type_, Scalar)]
    if len(scalars) != len(types) or not scalars:
        return None
    if any(isinstance(value, Unknown) for value in (left, right)):
        return None
    if len(scalars) == 1:
        other = left if isinstance(left, Number) else right
        own = scalars[0]
        if isinstance(other, Number) and own.is_integer and (not other.type.is_integer or sign == "/"):
            return FLOAT64
        return own
    if scalars[0] == scalars[1]:
        return scalars[0] if not (sign == "/" and scalars[0].is_integer) else FLOAT64
    return common(scalars[0], scalars[1])
