"""Records: fields of one, and the column that a field makes of an array of them."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.core import ir
from coalint.frontend.python.numba.dtypes import alignment
from coalint.frontend.python.numba.lowering.build import constant
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import (
    ArrayType,
    Field,
    Layout,
    Scalar,
    ScalarKind,
    Structure,
    complex_record,
    ir_type,
)
from coalint.frontend.python.numba.values import ArrayValue, Number, RecordValue, Unknown, Value

_REFUSED = "Numba refuses to compile this: the field `{}` does not lie at a multiple of its size"


def _is_refused(field: Field) -> bool:
    """Whether a number of a record lies where Numba compiles no access (`BaseContext.sentry_record_alignment`)."""
    return isinstance(field.type, Scalar) and field.offset % alignment(field.type) > 0


def _refused(low: Lowering, node: ast.AST, name: str) -> Unknown:
    if not (low.is_host or low.is_static):
        low.not_analysed(low.span(node), _REFUSED.format(name))
    return Unknown(_REFUSED.format(name))


def field(low: Lowering, node: ast.expr, record: RecordValue, name: str) -> Value:
    """Return a field of a record."""
    field_ = record.type.field(name)
    if field_ is None:
        return low.unknown(f"the record has no field `{name}`", record)
    if _is_refused(field_):
        return _refused(low, node, name)
    span = low.span(node)
    if field_.extents:
        type_: ir.Type = ir_type(field_.type)
        for extent in reversed(field_.extents):
            type_ = ir.Array(type_, extent)
        member = ir.Member(span, type_, record.expression, name, field_.offset)
        # Numba takes the elements as aligned, and refuses records where they are not.
        start = ir.AddressOf(span, ir.Pointer(ir_type(field_.type)), member)
        shape = tuple(constant(span, extent) for extent in field_.extents)
        return ArrayValue(start, ArrayType(field_.type, Layout.C, field_.extents), shape)
    member = ir.Member(span, ir_type(field_.type), record.expression, name, field_.offset)
    if isinstance(field_.type, Structure):
        return RecordValue(member, field_.type)
    is_natural = field_.type.kind in (ScalarKind.UNSIGNED, ScalarKind.BOOLEAN)
    return Number(member, field_.type, is_natural=is_natural)


def column(low: Lowering, node: ast.AST, array: ArrayValue, name: str) -> Value:
    """Return the array of one field of an array of records."""
    type_ = array.type
    if isinstance(type_.element, Scalar) and type_.element.kind is ScalarKind.COMPLEX and name in ("real", "imag"):
        record = complex_record(type_.element)
        field_ = record.field(name)
        assert field_ is not None
        changed = replace(type_, element=field_.type, record=record, field=name)
        return replace(array, type=changed)
    if not isinstance(type_.element, Structure) or type_.record is not None:
        return low.unknown(f"the field `{name}` of this array is not followed", array)
    field_ = type_.element.field(name)
    if field_ is None or field_.extents:
        return low.unknown(f"the field `{name}` of the array's records is not followed", array)
    if _is_refused(field_):
        return _refused(low, node, name)
    return replace(array, type=replace(type_, element=field_.type, record=type_.element, field=name))
