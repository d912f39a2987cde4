"""Attributes: what modules hold, shapes and kin of arrays, fields of records."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.core import ir
from coalint.core.ir import Axis, Register
from coalint.frontend.python.numba.lowering import complexes, records
from coalint.frontend.python.numba.lowering.build import combined, constant
from coalint.frontend.python.numba.lowering.components import strides
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.lowering.statics import member
from coalint.frontend.python.numba.modules import canonical
from coalint.frontend.python.numba.types import INT32, UINT32, Layout, Scalar, ScalarKind, Structure, ir_type
from coalint.frontend.python.numba.values import (
    ArrayValue,
    Bound,
    Dotted,
    ElementType,
    FunctionValue,
    Number,
    ProjectModule,
    RecordValue,
    TupleValue,
    Unknown,
    Value,
)

REGISTERS = {
    "threadIdx": Register.THREAD_INDEX,
    "blockIdx": Register.BLOCK_INDEX,
    "blockDim": Register.BLOCK_EXTENT,
    "gridDim": Register.GRID_EXTENT,
}
_MODULES_OF_REGISTERS = ("numba.cuda.", "cupyx.jit.")
_TURNED = {Layout.C: Layout.FORTRAN, Layout.FORTRAN: Layout.C, Layout.ANY: Layout.ANY}


def attribute(low: Lowering, node: ast.Attribute, base: Value) -> Value:
    """Return `base.name`."""
    name = node.attr
    match base:
        case Dotted():
            return _of_module(low, node, canonical(f"{base.name}.{name}"))
        case ProjectModule():
            return member(low, base, name)
        case ArrayValue():
            return of_array(low, node, base, name)
        case RecordValue():
            return records.field(low, node, base, name)
        case Number() if base.type.kind is ScalarKind.COMPLEX and name in ("real", "imag"):
            return complexes.part(base, name, low.span(node))
        case Number() if name == "real":
            return base
        case ElementType() if name == "itemsize":
            return constant(low.span(node), base.type.size)
        case Unknown():
            return low.unknown(base.reason, base)
        case FunctionValue() if name == "py_func":
            return replace(base, is_kernel=False, is_compiled=False)
    return Bound(base, name)


def _of_module(low: Lowering, node: ast.Attribute, name: str) -> Value:
    for module in _MODULES_OF_REGISTERS:
        if name.startswith(module):
            register, _, axis = name[len(module) :].partition(".")
            if register in REGISTERS and axis in ("x", "y", "z"):
                return component(low, node, REGISTERS[register], Axis(axis))
            if module == "numba.cuda." and name[len(module) :] in ("laneid", "warpsize"):
                return _of_warp(low, node, name[len(module) :])
    return Dotted(name)


def component(low: Lowering, node: ast.AST, register: Register, axis: Axis) -> Number:
    """Return one component of a special register."""
    return Number(ir.Builtin(low.span(node), ir_type(UINT32), register, axis), INT32, is_natural=True)


def _of_warp(low: Lowering, node: ast.AST, name: str) -> Number:
    span = low.span(node)
    if name == "warpsize":
        return constant(span, 32, INT32)
    return lane(low, node)


def lane(low: Lowering, node: ast.AST) -> Number:
    """Return the number of the lane: the threads of a block are counted along x first."""
    span = low.span(node)
    thread = constant(span, 0)
    for axis in reversed(ir.AXES):
        extent = component(low, node, Register.BLOCK_EXTENT, axis)
        thread = combined(
            span, "+", combined(span, "*", thread, extent), component(low, node, Register.THREAD_INDEX, axis)
        )
    e = ir.Binary(span, ir.Integer(64, signed=True), "%", thread.expression, ir.Literal(span, ir.Integer(64, True), 32))
    return Number(e, INT32, is_natural=True)


def of_array(low: Lowering, node: ast.AST, array: ArrayValue, name: str) -> Value:
    """Return what an array says of itself, a column of it, or a method."""
    span = low.span(node)
    match name:
        case "shape":
            return TupleValue(array.shape)
        case "strides":
            return TupleValue(strides(array, span))
        case "ndim":
            return constant(span, array.type.ndim)
        case "size":
            size = constant(span, 1)
            for extent in array.shape:
                size = combined(span, "*", size, extent)
            return size
        case "itemsize":
            return constant(span, array.type.element.size)
        case "dtype":
            return ElementType(array.type.element)
        case "T":
            return transposed(array)
        case "real" | "imag" if (
            isinstance(array.type.element, Scalar) and array.type.element.kind is not ScalarKind.COMPLEX
        ):
            return array if name == "real" else Unknown("the imaginary part of real numbers")
        case "real" | "imag":
            return records.column(low, node, array, name)
    if isinstance(array.type.element, Structure) and array.type.element.field(name) is not None:
        return records.column(low, node, array, name)
    return Bound(array, name)


def transposed(array: ArrayValue) -> ArrayValue:
    """Return `a.T`."""
    if array.type.ndim < 2:
        return array
    base = array.base
    if isinstance(base.type, ir.Array):
        base = ir.Cast(base.span, ir.Pointer(ir_type(array.type.item)), base)
    type_ = replace(array.type, layout=_TURNED[array.type.layout], extents=array.type.extents[::-1])
    return ArrayValue(base, type_, array.shape[::-1], array.strides[::-1])
