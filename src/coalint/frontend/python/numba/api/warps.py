"""Barriers, warp primitives and fences."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.core.ir import Intrinsic
from coalint.frontend.python.numba.api.table import Handler, Table
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.build import NOTHING
from coalint.frontend.python.numba.lowering.effects import nothing
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import BOOLEAN, INT32, UINT32, Scalar, ir_type
from coalint.frontend.python.numba.values import Dotted, Number, TupleValue, Unknown, Value


def call(
    low: Lowering, node: ast.Call, intrinsic: Intrinsic, given: Arguments, type_: ir.Type, *, masked: bool = False
) -> ir.Call:
    """Return a call of an intrinsic with numbers as arguments."""
    arguments = tuple(one.expression for one in given.all if isinstance(one, Number))
    name = low.text(node.func)
    return ir.Call(low.span(node), type_, name, None, arguments, intrinsic=intrinsic, masked=masked)


def _barrier(intrinsic: Intrinsic, result: Scalar | None = None, *, masked: bool = False) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        if given.unknown is not None:
            return None
        type_ = NOTHING if result is None else ir_type(result)
        e = call(low, node, intrinsic, given, type_, masked=masked)
        return nothing(low, node, e) if result is None else Number(e, result)

    return handler


def _shuffle(intrinsic: Intrinsic) -> Handler:
    def handler(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
        value = given.get(1, "value")
        if isinstance(value, Unknown):
            e = call(low, node, intrinsic, given, ir_type(INT32), masked=True)
            return Unknown(value.reason, (*value.parts, e))
        if not isinstance(value, Number):
            return None
        return Number(call(low, node, intrinsic, given, ir_type(value.type), masked=True), value.type)

    return handler


def _match_all(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    e = call(low, node, Intrinsic.MATCH_ALL, given, ir_type(UINT32), masked=True)
    kept = low.kept(Number(e, UINT32), "mask", low.span(node))
    agree = ir.Unresolved(low.span(node), ir_type(BOOLEAN), "a value from other lanes")
    return TupleValue((kept, Number(agree, BOOLEAN)))


def _grid_group(_low: Lowering, _node: ast.Call, _given: Arguments) -> Value | None:
    return Dotted("numba.cuda.cg.grid_group")


def _sync(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    group = given.get(0)
    if isinstance(group, Dotted) and group.name == "numba.cuda.cg.grid_group":
        return nothing(low, node, call(low, node, Intrinsic.SYNC_GRID, Arguments((), {}), NOTHING))
    return None


_SHUFFLES = {
    "shfl_sync": Intrinsic.SHUFFLE,
    "shfl_up_sync": Intrinsic.SHUFFLE_RELATIVE,
    "shfl_down_sync": Intrinsic.SHUFFLE_RELATIVE,
    "shfl_xor_sync": Intrinsic.SHUFFLE_RELATIVE,
}

TABLE: Table = {
    "numba.cuda.syncthreads": _barrier(Intrinsic.SYNC_THREADS),
    "numba.cuda.syncthreads_count": _barrier(Intrinsic.SYNC_THREADS_COUNT, INT32),
    "numba.cuda.syncthreads_and": _barrier(Intrinsic.SYNC_THREADS_AND, INT32),
    "numba.cuda.syncthreads_or": _barrier(Intrinsic.SYNC_THREADS_OR, INT32),
    "numba.cuda.syncwarp": _barrier(Intrinsic.SYNC_WARP, masked=True),
    "numba.cuda.threadfence": _barrier(Intrinsic.MEMORY_FENCE),
    "numba.cuda.threadfence_block": _barrier(Intrinsic.MEMORY_FENCE),
    "numba.cuda.threadfence_system": _barrier(Intrinsic.MEMORY_FENCE),
    "numba.cuda.nanosleep": _barrier(Intrinsic.NO_EFFECT),
    "numba.cuda.activemask": _barrier(Intrinsic.ACTIVE_MASK, UINT32),
    "numba.cuda.lanemask_lt": _barrier(Intrinsic.UNKNOWN_VALUE, UINT32),
    "numba.cuda.ballot_sync": _barrier(Intrinsic.BALLOT, UINT32, masked=True),
    "numba.cuda.all_sync": _barrier(Intrinsic.VOTE, BOOLEAN, masked=True),
    "numba.cuda.any_sync": _barrier(Intrinsic.VOTE, BOOLEAN, masked=True),
    "numba.cuda.eq_sync": _barrier(Intrinsic.VOTE, BOOLEAN, masked=True),
    "numba.cuda.match_any_sync": _barrier(Intrinsic.MATCH_ANY, UINT32, masked=True),
    "numba.cuda.match_all_sync": _match_all,
    "numba.cuda.cg.this_grid": _grid_group,
    ".sync": _sync,
    **{f"numba.cuda.{name}": _shuffle(intrinsic) for name, intrinsic in _SHUFFLES.items()},
    # CuPy's names
    "cupyx.jit.syncthreads": _barrier(Intrinsic.SYNC_THREADS),
    "cupyx.jit.syncwarp": _barrier(Intrinsic.SYNC_WARP, masked=True),
}
