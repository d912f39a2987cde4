"""`cuda.grid`, `cuda.gridsize`: the thread's place in the grid."""

from __future__ import annotations

import ast

from coalint.core import ir
from coalint.core.ir import Register
from coalint.frontend.python.numba.api.table import Table
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.attributes import component, lane
from coalint.frontend.python.numba.lowering.build import combined, constant
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import INT32
from coalint.frontend.python.numba.values import Number, TupleValue, Value


def _axes(low: Lowering, given: Arguments) -> tuple[ir.Axis, ...] | None:
    count = given.number(0, "ndim")
    known = count.constant if count is not None else None
    return ir.AXES[:known] if isinstance(known, int) and 1 <= known <= 3 else None


def _grid(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    axes = _axes(low, given)
    if axes is None:
        return None
    span = low.span(node)
    indices = []
    for axis in axes:
        first = combined(
            span,
            "*",
            component(low, node, Register.BLOCK_INDEX, axis),
            component(low, node, Register.BLOCK_EXTENT, axis),
        )
        indices.append(combined(span, "+", first, component(low, node, Register.THREAD_INDEX, axis)))
    return indices[0] if len(indices) == 1 else TupleValue(tuple(indices))


def _gridsize(low: Lowering, node: ast.Call, given: Arguments) -> Value | None:
    axes = _axes(low, given)
    if axes is None:
        return None
    sizes: list[Number] = [
        combined(
            low.span(node),
            "*",
            component(low, node, Register.GRID_EXTENT, axis),
            component(low, node, Register.BLOCK_EXTENT, axis),
        )
        for axis in axes
    ]
    return sizes[0] if len(sizes) == 1 else TupleValue(tuple(sizes))


TABLE: Table = {
    "numba.cuda.grid": _grid,
    "numba.cuda.gridsize": _gridsize,
    "cupyx.jit.laneid": lambda low, node, _: lane(low, node),
    "cupyx.jit.warpsize": lambda low, node, _: constant(low.span(node), 32, INT32),
}
