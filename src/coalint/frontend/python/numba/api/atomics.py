"""`cuda.atomic.*`: on an element of an array."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.lowering import indexing
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.build import constant
from coalint.frontend.python.numba.lowering.state import Lowering, unresolved
from coalint.frontend.python.numba.types import ir_type
from coalint.frontend.python.numba.values import ArrayValue, Number, Unknown, Value

_FUNCTIONS = {
    "add": Intrinsic.ATOMIC_ADD,
    "sub": Intrinsic.ATOMIC_SUB,
    "and_": Intrinsic.ATOMIC_AND,
    "or_": Intrinsic.ATOMIC_OR,
    "xor": Intrinsic.ATOMIC_XOR,
    "inc": Intrinsic.ATOMIC_INC,
    "dec": Intrinsic.ATOMIC_DEC,
    "exch": Intrinsic.ATOMIC_EXCHANGE,
    "max": Intrinsic.ATOMIC_MAX,
    "min": Intrinsic.ATOMIC_MIN,
    "nanmax": Intrinsic.ATOMIC_MAX,
    "nanmin": Intrinsic.ATOMIC_MIN,
}
_OF_CUPY = {"atomic_cas": Intrinsic.ATOMIC_COMPARE_AND_SWAP, "atomic_exch": Intrinsic.ATOMIC_EXCHANGE} | {
    f"atomic_{name.rstrip('_')}": meant for name, meant in _FUNCTIONS.items() if not name.startswith("nan")
}


def _atomic(intrinsic: Intrinsic) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        array, at = given.get(0, "ary"), given.get(1, "idx")
        if not isinstance(array, ArrayValue) or at is None:
            return None
        return _call(low, node, intrinsic, indexing.subscript(low, node, array, at), given.positional[2:])

    return handler


def _call(
    low: Lowering, node: ast.Call, intrinsic: Intrinsic, place: Value, operands: tuple[Value, ...]
) -> Value | None:
    if not isinstance(place, Number):
        return place if isinstance(place, Unknown) else None
    span = low.span(node)
    type_ = ir_type(place.type)
    address = ir.AddressOf(span, ir.Pointer(type_), place.expression)
    passed = []
    for operand in operands:
        e = operand.expression if isinstance(operand, Number) else unresolved(operand, type_, span)
        passed.append(e if e.type == type_ else ir.Cast(e.span, type_, e))
    name = low.text(node.func)
    e = ir.Call(span, type_, name, None, (address, *passed), intrinsic=intrinsic)
    return Number(e, place.type)


def _compare_and_swap(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    """Return `cuda.atomic.compare_and_swap(array, old, value)`, on the array's first element."""
    array = given.get(0)
    if not isinstance(array, ArrayValue):
        return None
    first = tuple(constant(low.span(node), 0) for _ in array.shape)
    place = indexing.element_or_view(low, node, array, first)
    return _call(low, node, Intrinsic.ATOMIC_COMPARE_AND_SWAP, place, given.positional[1:])


TABLE: Table = {
    **{f"numba.cuda.atomic.{name}": _atomic(intrinsic) for name, intrinsic in _FUNCTIONS.items()},
    **{f"cupyx.jit.{name}": _atomic(intrinsic) for name, intrinsic in _OF_CUPY.items()},
    "numba.cuda.atomic.cas": _atomic(Intrinsic.ATOMIC_COMPARE_AND_SWAP),
    "numba.cuda.atomic.compare_and_swap": _compare_and_swap,
}
