"""Values as the numbers and pointers that they consist of: what parameters, variables and results hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.build import INDEX, NOTHING, constant, converted, index
from coalint.frontend.python.numba.types import (
    INT64,
    ArrayType,
    Layout,
    Scalar,
    Static,
    Structure,
    TupleType,
    Type,
    UnknownType,
    ir_type,
)
from coalint.frontend.python.numba.values import ArrayValue, Number, RecordValue, TupleValue, Unknown, Value

EXTENT = ir.Integer(64, signed=False)
SLOT = 8  # bytes of a component in a function's result


def type_of(value: Value) -> Type:
    """Return the type of a value; UnknownType for what no variable of a kernel holds."""
    match value:
        case Number():
            return value.type
        case ArrayValue():
            return value.type
        case RecordValue():
            return value.type
        case TupleValue():
            return TupleType(tuple(type_of(item) for item in value.items))
        case Unknown():
            return UnknownType(value.reason)
    return UnknownType("a value that is not a number, array or tuple")


def parts(type_: Type, name: str) -> Iterator[tuple[str, ir.Type]]:
    """Yield the names and types of the components of what is called `name`."""
    match type_:
        case Scalar():
            yield name, ir_type(type_)
        case Structure():
            yield name, ir.Pointer(ir_type(type_))
        case ArrayType():
            yield name, ir.Pointer(ir_type(type_.item))
            for axis, extent in enumerate(type_.extents):
                if extent is None:
                    yield f"{name}.shape[{axis}]", EXTENT
            if type_.layout is Layout.ANY:
                for axis in range(type_.ndim):
                    yield f"{name}.strides[{axis}]", INDEX
        case TupleType():
            for place, item in enumerate(type_.items):
                yield from parts(item, f"{name}[{place}]")
        case UnknownType():
            yield name, ir.Other("unknown", 0, type_.reason)
        case Static():
            return


def taken_apart(value: Value, type_: Type, span: Span) -> Iterator[ir.Expression]:
    """Yield the components of a value as one of a type, in the order of `parts`."""
    match type_, value:
        case Scalar(), Number():
            yield converted(value, type_)
        case Structure(), RecordValue():
            yield ir.AddressOf(span, ir.Pointer(ir_type(type_)), value.expression)
        case ArrayType(), ArrayValue():
            yield pointer(value)
            for axis, extent in enumerate(type_.extents):
                if extent is None:
                    yield ir.Cast(span, EXTENT, index(value.shape[axis]))
            if type_.layout is Layout.ANY:
                yield from (index(stride) for stride in strides(value, span))
        case TupleType(), TupleValue() if len(type_.items) == len(value.items):
            for item, part in zip(type_.items, value.items, strict=True):
                yield from taken_apart(part, item, span)
        case _:
            reason = value.reason if isinstance(value, Unknown) else "a value of another kind"
            inside = value.parts if isinstance(value, Unknown) else ()
            for number, (_, part_type) in enumerate(parts(type_, "")):
                yield ir.Unresolved(span, part_type, reason, inside if number == 0 else ())


def put_together(type_: Type, expressions: Iterator[ir.Expression], span: Span) -> Value:
    """Return the value of a type whose components are these expressions, which are taken from the front."""
    match type_:
        case Scalar():
            return Number(next(expressions), type_)
        case Structure():
            return RecordValue(ir.Dereference(span, ir_type(type_), next(expressions)), type_)
        case ArrayType():
            base = next(expressions)
            shape = tuple(
                constant(span, extent)
                if extent is not None
                else Number(ir.Cast(span, INDEX, next(expressions)), INT64, is_natural=True)
                for extent in type_.extents
            )
            steps: tuple[Number, ...] = ()
            if type_.layout is Layout.ANY:
                steps = tuple(Number(next(expressions), INT64) for _ in type_.extents)
            return ArrayValue(base, type_, shape, steps)
        case TupleType():
            return TupleValue(tuple(put_together(item, expressions, span) for item in type_.items))
        case UnknownType():
            return Unknown(type_.reason, (next(expressions),))
        case Static():
            return cast("Value", type_.value)


def pointer(array: ArrayValue) -> ir.Expression:
    """Return the address of an array's first element."""
    base = array.base
    if isinstance(base.type, ir.Array):
        return ir.Cast(base.span, ir.Pointer(ir_type(array.type.item)), base)
    return base


def strides(array: ArrayValue, span: Span) -> tuple[Number, ...]:
    """Return the strides of an array in bytes."""
    if array.type.layout is Layout.ANY:
        return array.strides
    size = array.type.item.size
    axes = range(array.type.ndim)
    by_axis: dict[int, Number] = {}
    stride = constant(span, size)
    for axis in reversed(axes) if array.type.layout is Layout.C else axes:
        by_axis[axis] = stride
        e = ir.Binary(span, INDEX, "*", index(stride), index(array.shape[axis]))
        known = stride.constant, array.shape[axis].constant
        if isinstance(known[0], int) and isinstance(known[1], int):
            stride = constant(span, known[0] * known[1])
        else:
            stride = Number(e, INT64, is_natural=True)
    return tuple(by_axis[axis] for axis in axes)


def without_constants(type_: Type) -> Type:
    """Return the type as Numba knows it: of an array no extents."""
    match type_:
        case ArrayType():
            return replace(type_, extents=(None,) * type_.ndim)
        case TupleType():
            return TupleType(tuple(without_constants(item) for item in type_.items))
    return type_


def flat(values: Sequence[Value], types: Sequence[Type], span: Span) -> tuple[ir.Expression, ...]:
    """Return the components of several values."""
    return tuple(e for value, type_ in zip(values, types, strict=True) for e in taken_apart(value, type_, span))


def result_type(type_: Type | None) -> ir.Type:
    """Return the IR's type of a result: one number as it is, more as a record of them."""
    if type_ is None:
        return NOTHING
    if isinstance(type_, Scalar):
        return ir_type(type_)
    return ir.Record("result", SLOT * max(1, len(list(parts(type_, "")))), SLOT)


def packed(value: Value, type_: Type, span: Span) -> ir.Expression:
    """Return a value as a function's result."""
    components = list(taken_apart(value, type_, span))
    if isinstance(type_, Scalar):
        return components[0]
    placed = tuple((SLOT * place, e) for place, e in enumerate(components))
    return ir.Aggregate(span, result_type(type_), placed)
