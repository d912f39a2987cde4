"""Arrays that a kernel makes: shared, local and constant ones."""

from __future__ import annotations

import ast
from collections.abc import Callable

from coalint.core import ir
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.dtypes import element_of
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.build import constant
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import INT64, ArrayType, Layout, array_type
from coalint.frontend.python.numba.values import ArrayValue, Number, TupleValue, Unknown, Value


def _made(storage: ir.Storage) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        shape, dtype = given.get(0, "shape"), given.get(1, "dtype")
        element = element_of(dtype)
        if shape is None or dtype is None:
            return None
        extents = _extents(shape)
        what = "shared" if storage is ir.Storage.SHARED else "local"
        if element is None:
            return Unknown(f"the type of this {what} array's elements is not known")
        if extents is None:
            return Unknown(f"the shape of this {what} array is not a constant in the file")
        return _variable(low, node, ArrayType(element, Layout.C, extents), storage)

    return handler


def _extents(shape: Value) -> tuple[int, ...] | None:
    items = shape.items if isinstance(shape, TupleValue) else (shape,)
    constants = [item.constant for item in items if isinstance(item, Number)]
    known = [number for number in constants if isinstance(number, int)]
    return tuple(known) if len(known) == len(items) and all(number >= 0 for number in known) else None


def _variable(low: Lowering, node: ast.Call, type_: ArrayType, storage: ir.Storage) -> ArrayValue:
    span = low.span(node)
    is_dynamic = storage is ir.Storage.SHARED and 0 in type_.extents
    name = low.target_of(node) or ("shared" if storage is ir.Storage.SHARED else "array")
    place = f"{low.key}:{span.line}:{span.column}"
    if is_dynamic:
        element = type_.element
        stored: ir.Type = ir.Array(array_type(ArrayType(element, Layout.C, ())), None)
        variable = ir.Variable(f"dynamic:{name}", name, stored, storage, span, type_name=element.name)
        type_ = ArrayType(element, Layout.C, (None,))
        unknown = ir.Unresolved(span, ir.Integer(64, signed=True), "the size of dynamic shared memory")
        return ArrayValue(ir.Name(span, stored, variable), type_, (Number(unknown, INT64, is_natural=True),))
    stored = array_type(type_)
    variable = ir.Variable(place, name, stored, storage, span, type_name=type_.element.name)
    if storage is ir.Storage.LOCAL:
        low.emit(ir.Declare(span, variable, None))
    shape = tuple(constant(span, extent) for extent in type_.extents if extent is not None)
    return ArrayValue(ir.Name(span, stored, variable), type_, shape)


def _constant(low: Lowering, _node: ast.Call, given: Arguments) -> Value | None:
    return given.get(0, "ary")


_SHARED: Callable[..., Value | None] = _made(ir.Storage.SHARED)
_LOCAL: Callable[..., Value | None] = _made(ir.Storage.LOCAL)


def _cupy_shared(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    size = given.get(1, "size")
    dtype = given.get(0, "dtype")
    if size is None or dtype is None:
        return None
    return _SHARED(low, node, Arguments((size, dtype), {}))


TABLE: Table = {
    "numba.cuda.shared.array": _SHARED,
    "numba.cuda.local.array": _LOCAL,
    "numba.cuda.const.array_like": _constant,
    "cupyx.jit.shared_memory": _cupy_shared,
}
