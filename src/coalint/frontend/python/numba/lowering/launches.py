"""Launches of kernels by the file's hosts, and calls of hosts by hosts."""

from __future__ import annotations

import ast
from dataclasses import replace

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.kernels import kernel_key, kernel_types
from coalint.frontend.python.numba.lowering.arguments import Arguments
from coalint.frontend.python.numba.lowering.build import converted, index
from coalint.frontend.python.numba.lowering.components import taken_apart
from coalint.frontend.python.numba.lowering.functions import bound, call_function
from coalint.frontend.python.numba.lowering.state import Lowering
from coalint.frontend.python.numba.types import UINT32, Type, ir_type
from coalint.frontend.python.numba.values import FunctionValue, Nothing, Number, TupleValue, Unknown, Value

EXTENTS = ir.Record("dim3", 12, 4, holds_extents=True)
_OPEN = ir.Integer(32, signed=False)


def launch(low: Lowering, node: ast.Call, function: FunctionValue, given: Arguments) -> Value:
    """Lower `kernel[grid, block](arguments)`."""
    assert function.configured is not None
    grid, block = (*function.configured, Unknown(""), Unknown(""))[:2]
    return _launched(low, node, function, given, grid, block)


def for_all(low: Lowering, node: ast.Call, kernel: FunctionValue, given: Arguments) -> Value:
    """Lower `kernel.forall(n, tpb)`: the block is Numba's choice unless it is given."""
    threads = given.get(1, "tpb")
    block = threads if isinstance(threads, Number) and threads.constant != 0 else Unknown("Numba chooses the block")
    return replace(kernel, configured=(Unknown("Numba chooses the grid"), block))


def _launched(
    low: Lowering, node: ast.Call, function: FunctionValue, given: Arguments, grid: Value, block: Value
) -> Value:
    if not function.is_kernel and not function.is_compiled:
        return Unknown("what is launched here is not a kernel of this file")
    span = low.span(node)
    values = bound(low, function, given)
    types = kernel_types(low, function, values)
    passed: tuple[ir.Expression, ...] = ()
    if values is not None and len(values) == len(types):
        passed = tuple(e for value, type_ in zip(values, types, strict=True) for e in _taken(value, type_, span))
    low.launches.append((function, types))
    e = ir.Launch(
        span=span,
        type=ir.Other("none"),
        kernel=kernel_key(low.unit, function, types),
        callee=None,
        grid=extents(grid, span),
        block=extents(block, span),
        arguments=passed,
    )
    low.emit(ir.Evaluate(span, e))
    return Nothing()


def _taken(value: Value, type_: Type, span: Span) -> tuple[ir.Expression, ...]:
    return tuple(taken_apart(value, type_, span))


def extents(value: Value, span: Span) -> ir.Expression:
    """Return a grid or a block as extents in x, y and z; what is not followed may be a number or a tuple of any."""
    items = value.items if isinstance(value, TupleValue) else (value,) * (3 if isinstance(value, Unknown) else 1)
    parts: list[tuple[int, ir.Expression]] = []
    for place in range(3):
        item = items[place] if place < len(items) else None
        e: ir.Expression = ir.Literal(span, _OPEN, 1)
        if isinstance(item, Number):
            e = (
                ir.Cast(span, _OPEN, index(item))
                if item.type.is_integer
                else ir.Cast(span, _OPEN, converted(item, UINT32))
            )
        elif item is not None:
            e = ir.Unresolved(span, ir_type(UINT32), item.reason if isinstance(item, Unknown) else "an extent")
        parts.append((4 * place, e))
    return ir.Aggregate(span, EXTENTS, tuple(parts))


def host_call(low: Lowering, node: ast.Call, function: FunctionValue, given: Arguments) -> Value:
    """Return the result of a function of the host."""
    if function.is_kernel and function.is_compiled:
        grid, block, passed = (*given.positional, None, None, None)[:3]
        if isinstance(passed, TupleValue) and grid is not None and block is not None:  # CuPy's way
            return _launched(low, node, function, Arguments(passed.items, {}), grid, block)
        return Unknown("a kernel is called without a grid")
    if low.is_static:
        return Unknown("what a function of the host returns is not followed here")
    return call_function(low, node, function, given)
