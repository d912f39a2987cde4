"""Functions of numbers: `math.*`, NumPy's, libdevice's, CUDA's integer functions."""

from __future__ import annotations

import ast
import math

from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.frontend.python.numba.api.casts import cast
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.lowering import complexes
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.arithmetic import floor_division
from coalint.frontend.python.numba.lowering.build import combined, constant, converted, real
from coalint.frontend.python.numba.lowering.conditions import chosen, truth_of
from coalint.frontend.python.numba.lowering.host_arrays import elementwise
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import (
    BOOLEAN,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    Scalar,
    ScalarKind,
    arithmetic,
    ir_type,
)
from coalint.frontend.python.numba.values import ArrayValue, Number, Unknown, Value

_MODULES = ("math.", "cmath.", "numpy.", "numba.cuda.libdevice.", "numba.cuda.fp16.", "scipy.special.")
_OF_EACH = frozenset(
    {"sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "exp", "log", "log2", "log10", "sqrt"}
)
_TRUTHS = frozenset({"isnan", "isinf", "isfinite"})


def of_module(name: str) -> Handler | None:
    """Return a function of floating-point numbers by its whole name; None where it is of no such module."""
    return floating if name.startswith(_MODULES) and not name.startswith("numpy.random") else None


def floating(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    """Return a floating-point function of numbers: only what it is given matters."""
    numbers = [value for value in given.all if isinstance(value, Number)]
    if len(numbers) != len(given.all) or not numbers:
        return _of_array(low, node, given) if low.is_host or low.is_static else None
    type_ = numbers[0].type
    for number in numbers[1:]:
        type_ = arithmetic(type_, number.type)
    span = low.span(node)
    name = low.text(node.func)
    short = name.rpartition(".")[2]
    if type_.kind is ScalarKind.COMPLEX:
        return _of_complex(low, node, numbers[0], short)
    type_ = type_ if type_.kind is ScalarKind.FLOAT else FLOAT64
    result = BOOLEAN if short in _TRUTHS else type_
    passed = tuple(converted(number, type_) for number in numbers)
    e = ir.Call(span, ir_type(result), name, None, passed, intrinsic=Intrinsic.PURE)
    return Number(e, result)


def _of_array(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    """Return a function of each number of one array."""
    array = given.get(0)
    if len(given.all) != 1 or not isinstance(array, ArrayValue) or not isinstance(array.type.element, Scalar):
        return None
    name, type_ = low.text(node.func).rpartition(".")[2], array.type.element
    if name in _OF_EACH and type_.kind in (ScalarKind.FLOAT, ScalarKind.COMPLEX):
        return elementwise(low, node, array, type_)
    return elementwise(low, node, array, FLOAT64) if name in _OF_EACH and type_.bits >= 32 else None


def _of_complex(low: Lowering, node: ast.Call, number: Number, name: str) -> Value | None:
    span = low.span(node)
    if name in ("abs", "absolute", "phase", "angle"):
        return complexes.magnitude(low, node, number)
    if name in ("exp", "sqrt", "log", "conj", "conjugate"):
        e = complexes.magnitude(low, node, number).expression
        return complexes.made(span, number.type, e, e)
    return None


def _rounded(up: bool) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        number = given.number(0)
        if number is None:
            return None
        span = low.span(node)
        if number.constant is not None:
            return constant(span, math.ceil(number.constant) if up else math.floor(number.constant))
        if number.type.is_integer:
            return number
        if number.ratio is None:
            level = floating(low, node, given)
            if not isinstance(level, Number):
                return level
            return Number(ir.Cast(span, ir_type(INT64), level.expression), INT64)
        above, below = number.ratio
        if up:
            above = combined(span, "+", above, combined(span, "-", below, constant(span, 1)))
            above = Number(above.expression, INT64, above.constant, number.ratio[0].is_natural)
        return floor_division(low, node, above, below)

    return handler


def _truncated(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    number = given.number(0)
    return None if number is None or number.type.kind is ScalarKind.COMPLEX else cast(low, node, number, INT64)


def _integer(intrinsic: Intrinsic, result: Scalar | None = None) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        number = given.number(0)
        if number is None:
            return None
        type_ = result or number.type
        e = ir.Call(
            low.span(node), ir_type(type_), low.text(node.func), None, (number.expression,), intrinsic=intrinsic
        )
        return Number(e, type_, is_natural=result is not None)

    return handler


def extremum(low: Lowering, node: ast.Call, given: Arguments, *, largest: bool) -> Value | None:
    """Return the least or the largest of numbers."""
    numbers = [value for value in given.positional if isinstance(value, Number)]
    if len(numbers) != len(given.positional) or not numbers:
        return None
    span = low.span(node)
    known = [number.constant for number in numbers if number.constant is not None]
    if len(known) == len(numbers) and all(isinstance(one, int) for one in known):
        return constant(span, int(max(known) if largest else min(known)))
    extreme = numbers[0]
    for number in numbers[1:]:
        type_ = arithmetic(extreme.type, number.type)
        if type_.kind is ScalarKind.COMPLEX:
            return None
        name, intrinsic = ("max", Intrinsic.MAXIMUM) if largest else ("min", Intrinsic.MINIMUM)
        passed = (converted(extreme, type_), converted(number, type_))
        naturals = (extreme.is_natural, number.is_natural)
        e = ir.Call(span, ir_type(type_), name, None, passed, intrinsic=intrinsic)
        extreme = Number(e, type_, is_natural=any(naturals) if largest else all(naturals))
    return extreme


def _absolute(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    number = given.number(0)
    if number is None:
        return None
    if number.type.kind is ScalarKind.COMPLEX:
        return complexes.magnitude(low, node, number)
    span = low.span(node)
    if number.constant is not None:
        known = abs(number.constant)
        return constant(span, known) if isinstance(known, int) else real(span, known)
    type_ = INT64 if number.type.is_integer else number.type
    e = ir.Call(span, ir_type(type_), "abs", None, (converted(number, type_),), intrinsic=Intrinsic.ABSOLUTE)
    return Number(e, type_, is_natural=True)


def _select(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    """Return `cuda.selp(condition, a, b)`."""
    if len(given.positional) != 3:
        return None
    test = truth_of(low, given.positional[0], node)
    return chosen(low, node, test, given.positional[1], given.positional[2])


def _gcd(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    numbers = [value for value in given.positional if isinstance(value, Number)]
    if len(numbers) != len(given.positional):
        return None
    e = ir.Call(
        low.span(node), ir_type(INT64), "gcd", None, tuple(n.expression for n in numbers), intrinsic=Intrinsic.PURE
    )
    return Number(e, INT64, is_natural=True)


def unknown_float(low: Lowering, node: ast.expr, value: Unknown) -> Number:
    """Return a floating-point number that is not followed."""
    return Number(unresolved(value, ir_type(FLOAT32), low.span(node)), FLOAT32)


TABLE: Table = {
    "math.ceil": _rounded(up=True),
    "math.floor": _rounded(up=False),
    "numpy.ceil": _rounded(up=True),
    "numpy.floor": _rounded(up=False),
    "math.trunc": _truncated,
    "math.fabs": _absolute,
    "math.gcd": _gcd,
    "numba.cuda.popc": _integer(Intrinsic.POPULATION_COUNT, INT32),
    "numba.cuda.clz": _integer(Intrinsic.COUNT_LEADING_ZEROS, INT32),
    "numba.cuda.ffs": _integer(Intrinsic.FIND_FIRST_SET, INT32),
    "numba.cuda.brev": _integer(Intrinsic.REVERSE_BITS),
    "numba.cuda.fma": floating,
    "numba.cuda.cbrt": floating,
    "numba.cuda.selp": _select,
    "builtins.abs": _absolute,
    "numpy.abs": _absolute,
    "numpy.absolute": _absolute,
    "builtins.min": lambda low, node, given: extremum(low, node, given, largest=False),
    "builtins.max": lambda low, node, given: extremum(low, node, given, largest=True),
    "numpy.minimum": lambda low, node, given: extremum(low, node, given, largest=False),
    "numpy.maximum": lambda low, node, given: extremum(low, node, given, largest=True),
}
