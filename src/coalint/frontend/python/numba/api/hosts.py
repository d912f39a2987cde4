"""Functions with which hosts make arrays: NumPy's, CuPy's, Numba's."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from coalint.core import ir
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.dtypes import element_of, record
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.arithmetic import numbers as combine
from coalint.frontend.python.numba.lowering.build import INDEX, constant
from coalint.frontend.python.numba.lowering.components import type_of
from coalint.frontend.python.numba.lowering.host_arrays import made, order_of, shape_of
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import FLOAT64, INT64, Element, Layout, Scalar, joined
from coalint.frontend.python.numba.values import (
    ArrayValue,
    ElementType,
    Nothing,
    Number,
    TupleValue,
    Unknown,
    Value,
)


def _layout(given: Arguments, place: int) -> Layout:
    return order_of(given.get(place, "order")) or Layout.C


def _filled(dtype_place: int, order_place: int, default: Element | None = FLOAT64) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        if not (low.is_host or low.is_static):
            return None
        shape = shape_of(given.get(0, "shape"))
        written = given.get(dtype_place, "dtype")
        element = default if written is None or isinstance(written, Nothing) else element_of(written)
        if shape is None or element is None:
            return Unknown(
                "the shape of this array is not known" if shape is None else "this array's type is not known"
            )
        return made(low, node, element, shape, _layout(given, order_place))

    return handler


def _full(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    value = given.get(1, "fill_value")
    default = value.type if isinstance(value, Number) else None
    return _filled(2, 3, default)(low, node, given)


def _like(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    array = given.get(0, "a") or given.get(0, "ary") or given.get(0, "prototype")
    if not isinstance(array, ArrayValue):
        return None
    written = given.get(1, "dtype")
    element = array.type.element if written is None or isinstance(written, Nothing) else element_of(written)
    kept = Layout.FORTRAN if array.type.layout is Layout.FORTRAN else Layout.C
    layout = order_of(given.get(2, "order")) or kept
    return (
        Unknown("this array's type is not known") if element is None else made(low, node, element, array.shape, layout)
    )


def _same(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    """Return what gives an array of the same type, shape and order: a copy on the device, say."""
    source = given.get(0, "obj") or given.get(0, "a") or given.get(0, "ary")
    return _listed(low, node, source, None) if isinstance(source, TupleValue) else source


def _converted(layout: Layout | None = None, order_place: int = -1) -> Handler:
    """Return an object, or a pointer to one, that a cast takes for one of its base classes or derived classes."""

    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        value = given.get(0, "a") or given.get(0, "object")
        written = given.get(1, "dtype")
        element = None if written is None or isinstance(written, Nothing) else element_of(written)
        if isinstance(value, TupleValue):
            return _listed(low, node, value, element)
        if not isinstance(value, ArrayValue):
            return None
        kept = value.type.layout if value.type.layout is not Layout.ANY else Layout.C
        asked = layout or order_of(given.get(order_place, "order"))
        return made(low, node, element or value.type.element, value.shape, asked or kept)

    return handler


def _listed(low: Lowering, node: ast.AST, value: TupleValue, element: Element | None) -> Value:
    """Return an array of what is listed, tuple by tuple."""
    shape: list[Number] = []
    inside: Value = value
    while isinstance(inside, TupleValue):
        shape.append(constant(low.span(node), len(inside.items)))
        if not inside.items:
            break
        kinds = [type_of(item) for item in inside.items]
        first = inside.items[0]
        common = kinds[0]
        for kind in kinds[1:]:
            common = joined(common, kind)
        if isinstance(common, Scalar) and element is None:
            element = common
        inside = first
    if element is None:
        return Unknown("the type of this array is not known")
    return made(low, node, element, shape)


def _arange(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    numbers = [value for value in given.positional if isinstance(value, Number)]
    written = given.named.get("dtype")
    if not 1 <= len(numbers) <= 3:
        return Unknown("the length of this array is not known")
    whole = all(number.type.is_integer for number in numbers)
    element: Element | None = (INT64 if whole else FLOAT64) if written is None else element_of(written)
    if element is None:
        return Unknown("this array's type is not known")
    span = low.span(node)
    count: Value = numbers[0] if whole else Number(ir.Unresolved(span, INDEX, "the length of this array"), INT64)
    if whole and len(numbers) > 1:
        count = combine(low, node, "-", numbers[1], numbers[0])
        if len(numbers) == 3 and isinstance(count, Number):
            up = combine(low, node, "+", count, combine_minus_one(low, node, numbers[2]))
            count = combine(low, node, "//", up, numbers[2]) if isinstance(up, Number) else up
    return made(low, node, element, (count,)) if isinstance(count, Number) else count


def combine_minus_one(low: Lowering, node: ast.AST, number: Number) -> Number:
    """Return a number less one."""
    assert isinstance(node, ast.expr)
    difference = combine(low, node, "-", number, constant(low.span(node), 1))
    assert isinstance(difference, Number)
    return difference


def _linspace(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    count = given.number(2, "num") or constant(low.span(node), 50)
    written = given.named.get("dtype")
    element = FLOAT64 if written is None else element_of(written)
    return None if element is None else made(low, node, element, (count,))


def _eye(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    rows = given.number(0, "N")
    return _square(low, node, rows, given.number(1, "M") or rows, given.get(3, "dtype"))


def _identity(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    rows = given.number(0, "n")
    return _square(low, node, rows, rows, given.get(1, "dtype"))


def _square(low: Lowering, node: ast.Call, rows: Number | None, columns: Number | None, type_: Value | None) -> Value:
    element = FLOAT64 if type_ is None else element_of(type_)
    if rows is None or columns is None or element is None:
        return Unknown("the shape or the type of this array is not known")
    return made(low, node, element, (rows, columns))


def _dtype(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    written, align = given.get(0, "dtype"), given.get(1, "align")
    is_aligned = isinstance(align, Number) and bool(align.constant)
    if isinstance(written, TupleValue):
        made_record = record(written, align=is_aligned)
        return Unknown("this record's fields are not followed") if made_record is None else ElementType(made_record)
    element = element_of(written)
    return None if element is None else ElementType(element)


def _c_struct(_low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    fields = given.get(0)
    structure = record(fields, align=True) if isinstance(fields, TupleValue) else None
    return None if structure is None else ElementType(structure)


def _from_dtype(_low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    element = element_of(given.get(0))
    return None if element is None else ElementType(element)


def _nothing(_low: Lowering, _node: ast.Call, _given: Arguments) -> Value | None:
    return Nothing()


_ZEROS, _EMPTY_DEVICE = _filled(1, 2), _filled(1, 3)
_OF_NUMPY: dict[str, Callable[..., Value | None]] = {
    "zeros": _ZEROS,
    "ones": _ZEROS,
    "empty": _ZEROS,
    "full": _full,
    "zeros_like": _like,
    "ones_like": _like,
    "empty_like": _like,
    "full_like": lambda low, node, given: _like(
        low, node, replace(given, positional=(*given.positional[:1], *given.positional[2:]))
    ),
    "array": _converted(),
    "asarray": _converted(order_place=2),
    "require": lambda _low, _node, _given: Unknown("the order that `require` asks for is not followed"),
    "recarray": _filled(1, 6),
    "ascontiguousarray": _converted(Layout.C),
    "asfortranarray": _converted(Layout.FORTRAN),
    "copy": _same,
    "arange": _arange,
    "linspace": _linspace,
    "eye": _eye,
    "identity": _identity,
    "dtype": _dtype,
}

TABLE: Table = {
    **{f"numpy.{name}": handler for name, handler in _OF_NUMPY.items()},
    "numba.cuda.to_device": _same,
    "numba.cuda.as_cuda_array": _same,
    "numba.cuda.device_array": _EMPTY_DEVICE,
    "numba.cuda.pinned_array": _EMPTY_DEVICE,
    "numba.cuda.mapped_array": _EMPTY_DEVICE,
    "numba.cuda.managed_array": _EMPTY_DEVICE,
    "numba.cuda.device_array_like": _like,
    "numba.cuda.pinned_array_like": _like,
    "numba.cuda.mapped_array_like": _like,
    "numba.cuda.synchronize": _nothing,
    "numba.from_dtype": _from_dtype,
    "numba.np.numpy_support.from_dtype": _from_dtype,
    "numba.types.Record.make_c_struct": _c_struct,
    "cupy.asnumpy": _same,
}
