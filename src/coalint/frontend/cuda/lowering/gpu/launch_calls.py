"""Launches through functions of the run-time and driver APIs: which argument is the kernel, the grid, the block."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core import ir
from coalint.core.records import record
from coalint.core.source.spans import Span

_DIM3 = ir.Record(name="dim3", size=12, align=4, holds_extents=True)
_POINTER = ir.Pointer(ir.Pointer(ir.Other("void")))


@record(frozen=True, slots=True)
class _Launcher:
    """Positions of the arguments: of the kernel, of grid and block (three numbers each where `scalars`), of the array
    of pointers to the kernel's arguments, and from where on these follow one by one.

    `config` is the position of a pointer to a struct that holds grid, block and perhaps more at these byte offsets
    (driver_types.h: cudaLaunchConfig_t, cudaKernelNodeParams, cudaGraphNodeParams).
    """

    kernel: int | None = None
    grid: int | None = None
    block: int | None = None
    packed: int | None = None
    rest: int | None = None
    scalars: bool = False
    config: int | None = None
    offsets: tuple[int, int, int | None, int | None] = (0, 12, None, None)


_CLASSIC = _Launcher(kernel=0, grid=1, block=2, packed=3)
_NODE = (8, 20, 0, 40)

LAUNCHERS = {
    "cudaLaunchKernel": _CLASSIC,
    "cudaLaunchCooperativeKernel": _CLASSIC,
    "hipLaunchKernel": _CLASSIC,
    "hipLaunchCooperativeKernel": _CLASSIC,
    "hipLaunchKernelGGL": _Launcher(kernel=0, grid=1, block=2, rest=5),
    "cudaLaunchKernelExC": _Launcher(kernel=1, packed=2, config=0),
    "cudaLaunchKernelEx": _Launcher(kernel=1, rest=2, config=0),
    "cuLaunchKernel": _Launcher(kernel=0, grid=1, block=4, packed=9, scalars=True),
    "cuLaunchCooperativeKernel": _Launcher(kernel=0, grid=1, block=4, packed=9, scalars=True),
    "cudaGraphAddNode": _Launcher(config=-1, offsets=(24, 36, 16, 56)),
    "cudaGraphAddKernelNode": _Launcher(config=4, offsets=_NODE),
    "cudaGraphKernelNodeSetParams": _Launcher(config=1, offsets=_NODE),
    "cudaGraphExecKernelNodeSetParams": _Launcher(config=2, offsets=_NODE),
}


def launch(name: str, arguments: Sequence[ir.Expression], span: Span, type_: ir.Type) -> ir.Launch | None:
    """Return the launch that a call of an API function is; None where the call is incomplete."""
    how = LAUNCHERS[name]
    needed = (how.kernel, how.grid, how.block, how.packed, how.config)
    if len(arguments) <= max(position for position in needed if position is not None):
        return None
    kernel = None if how.kernel is None else arguments[how.kernel]
    packed = None if how.packed is None else arguments[how.packed]
    if how.config is not None:
        at_grid, at_block, at_kernel, at_packed = how.offsets
        config = _pointee(arguments[how.config])
        grid, block = _field(config, "gridDim", at_grid, _DIM3), _field(config, "blockDim", at_block, _DIM3)
        kernel = kernel if at_kernel is None else _field(config, "func", at_kernel, _POINTER)
        packed = packed if at_packed is None else _field(config, "kernelParams", at_packed, _POINTER)
    elif how.grid is not None and how.block is not None:
        grid, block = (_three(arguments[at : at + 3]) if how.scalars else arguments[at] for at in (how.grid, how.block))
    else:
        return None
    rest = () if how.rest is None else tuple(arguments[how.rest :])
    return ir.Launch(span, type_, None, kernel, grid, block, rest, packed)


def _pointee(pointer: ir.Expression) -> ir.Expression:
    while isinstance(pointer, ir.Cast):
        pointer = pointer.operand
    if isinstance(pointer, ir.AddressOf):
        return pointer.target
    record = pointer.type.pointee if isinstance(pointer.type, ir.Pointer) else pointer.type
    return ir.Dereference(pointer.span, record, pointer)


def _field(config: ir.Expression, name: str, offset: int, type_: ir.Type) -> ir.Expression:
    return ir.Member(config.span, type_, config, name, offset)


def _three(sizes: Sequence[ir.Expression]) -> ir.Expression:
    return ir.Aggregate(sizes[0].span, _DIM3, tuple((4 * axis, size) for axis, size in enumerate(sizes)))


def handle(target: ir.Expression, kernel: str, span: Span) -> ir.Expression:
    """Return the assignment of a kernel to the function handle that a pointer points to."""
    place = _pointee(target)
    return ir.Assign(span, place.type, None, place, ir.FunctionName(span, place.type, kernel))
