"""Methods of arrays."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.frontend.python.numba.api.table import Table
from coalint.frontend.python.numba.decorators import compiled
from coalint.frontend.python.numba.dtypes import element_of
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.arithmetic import numbers
from coalint.frontend.python.numba.lowering.attributes import transposed
from coalint.frontend.python.numba.lowering.build import combined, constant
from coalint.frontend.python.numba.lowering.components import pointer
from coalint.frontend.python.numba.lowering.host_arrays import made, order_of, shape_of
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import Layout, Structure
from coalint.frontend.python.numba.values import (
    ArrayValue,
    Dotted,
    FunctionValue,
    Number,
    Text,
    TupleValue,
    Unknown,
    Value,
)


def _array(given: Arguments) -> ArrayValue | None:
    value = given.get(0)
    return value if isinstance(value, ArrayValue) else None


def _as_type(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    array, element = _array(given), element_of(given.get(1, "dtype"))
    if array is None or not (low.is_host or low.is_static):
        return None
    kept = array.type.layout if array.type.layout is not Layout.ANY else Layout.C
    layout = order_of(given.get(2, "order")) or kept
    return (
        Unknown("this array's type is not known") if element is None else made(low, node, element, array.shape, layout)
    )


def _reshape(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    array = _array(given)
    rest = given.positional[1:]
    shape = shape_of(rest[0] if len(rest) == 1 else TupleValue(rest))
    if array is None or shape is None or array.type.layout is not Layout.C:
        return None
    order = given.named.get("order")
    if order is not None and order_of(order) is not Layout.C:
        return Unknown("the order that `reshape` asks for is not followed")
    span = low.span(node)
    if any(number.constant == -1 for number in shape):
        whole = constant(span, 1)
        for extent in array.shape:
            whole = combined(span, "*", whole, extent)
        others = constant(span, 1)
        for number in shape:
            others = others if number.constant == -1 else combined(span, "*", others, number)
        left = numbers(low, node, "//", whole, others)
        shape = tuple(left if number.constant == -1 and isinstance(left, Number) else number for number in shape)
    extents = tuple(number.constant if isinstance(number.constant, int) else None for number in shape)
    return ArrayValue(pointer(array), replace(array.type, extents=extents), shape)


def _flat(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    array = _array(given)
    if array is None or array.type.layout is not Layout.C:
        return None
    minus = constant(low.span(node), -1)
    return _reshape(low, node, Arguments((array, minus), {}))


def _copied(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    array = _array(given)
    if array is None or not (low.is_host or low.is_static):
        return None
    order = given.get(1, "order")
    keeps = isinstance(order, Text) and order.text in ("A", "K") and array.type.layout is Layout.FORTRAN
    layout = Layout.FORTRAN if keeps or order_of(order) is Layout.FORTRAN else Layout.C
    return made(low, node, array.type.element, array.shape, layout)


def _same(low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    return _array(given) if (low.is_host or low.is_static) and len(given.all) == 1 else None


def _transposed(_low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    array = _array(given)
    if array is None:
        return None
    axes = given.positional[1:]
    if len(axes) == 1 and isinstance(axes[0], TupleValue):
        axes = axes[0].items
    backwards = tuple(range(array.type.ndim))[::-1]
    is_plain = not axes or tuple(axis.constant for axis in axes if isinstance(axis, Number)) == backwards
    return transposed(array) if is_plain and not given.named else None


def _view(_low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    array, type_ = _array(given), given.get(1, "dtype")
    if isinstance(type_, Dotted) and type_.name == "numpy.recarray":
        return array
    element = element_of(type_)
    if array is None or element is None or isinstance(element, Structure):
        return None
    return (
        replace(array, type=replace(array.type, element=element)) if element.size == array.type.element.size else None
    )


def _decorate(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    """Return `cuda.jit(...)(f)`: the decorator called."""
    decorator, function = given.get(0), given.get(1)
    if not isinstance(decorator, Dotted) or not isinstance(function, FunctionValue):
        return None
    call = node.func if isinstance(node.func, ast.Call) else None
    return compiled(low, decorator.name, call, function)


TABLE: Table = {
    ".astype": _as_type,
    ".reshape": _reshape,
    ".ravel": _flat,
    ".flatten": _flat,
    ".copy": _copied,
    ".get": _same,
    ".copy_to_host": _same,
    ".squeeze": lambda _low, _node, _given: Unknown("how many axes `squeeze` leaves is not followed"),
    "numpy.transpose": _transposed,
    ".transpose": _transposed,
    ".view": _view,
    ".decorate": _decorate,
}
