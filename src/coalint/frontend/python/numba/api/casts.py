"""Scalar types called as functions: `np.float32(x)`, `int(x)`."""

from __future__ import annotations

import ast
import math

from coalint.core import ir
from coalint.frontend.python.numba.api.table import Handler
from coalint.frontend.python.numba.lowering import complexes
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.arithmetic import floor_division
from coalint.frontend.python.numba.lowering.build import converted, real
from coalint.frontend.python.numba.lowering.host_arrays import elementwise
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import INT64, Scalar, ScalarKind, ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, Unknown, Value


def cast_to(type_: Scalar) -> Handler:
    """Return the function that a scalar type is."""

    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        span = low.span(node)
        if not given.positional:
            return Number(ir.Literal(span, ir_type(type_), 0 if type_.is_integer else None), type_, 0, is_natural=True)
        value = given.positional[0]
        if type_.kind is ScalarKind.COMPLEX and not isinstance(value, ArrayValue):
            return _complex(low, node, type_, given)
        if isinstance(value, Unknown):
            return Number(unresolved(value, ir_type(type_), span), type_)
        if isinstance(value, ArrayValue) and (low.is_host or low.is_static):
            return elementwise(low, node, value, type_)
        if not isinstance(value, Number) or value.type.kind is ScalarKind.COMPLEX:
            return None
        return cast(low, node, value, type_)

    return handler


def cast(low: Lowering, node: ast.expr, value: Number, type_: Scalar) -> Number:
    """Return a number as one of another type; the quotient of integers becomes a division."""
    span = low.span(node)
    known = value.constant
    if type_.kind is ScalarKind.FLOAT and known is not None:
        return real(span, float(known), type_)
    if not type_.is_integer:
        keeps_ratio = type_.kind is ScalarKind.FLOAT and type_.bits == 64
        return Number(converted(value, type_), type_, ratio=value.ratio if keeps_ratio else None)
    if isinstance(known, float) and math.isfinite(known):
        known = int(known)
    if isinstance(known, int):
        return Number(ir.Literal(span, ir_type(type_), known), type_, known, is_natural=known >= 0)
    if value.ratio is not None:
        above, below = value.ratio
        if above.is_natural and below.is_natural:
            quotient = floor_division(low, node, above, below)
        else:  # towards zero
            quotient = Number(
                ir.Binary(span, ir_type(INT64), "/", converted(above, INT64), converted(below, INT64)), INT64
            )
        return Number(converted(quotient, type_), type_, is_natural=quotient.is_natural)
    is_natural = value.is_natural or type_.kind is ScalarKind.UNSIGNED
    return Number(converted(value, type_), type_, is_natural=is_natural)


def _complex(low: Lowering, node: ast.Call, type_: Scalar, given: Arguments) -> Value | None:
    span = low.span(node)
    numbers = [value for value in given.positional if isinstance(value, Number)]
    if len(numbers) != len(given.positional) or not numbers:
        return None
    if len(numbers) == 1:
        re, im = complexes.halves(low, numbers[0], type_, span)
        return complexes.made(span, type_, re, im)
    half = Scalar(ScalarKind.FLOAT, type_.bits // 2)
    if any(number.type.kind is ScalarKind.COMPLEX for number in numbers):
        return None
    return complexes.made(span, type_, converted(numbers[0], half), converted(numbers[1], half))
