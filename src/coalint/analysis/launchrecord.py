"""A host function's launches, as evaluated: block shape, grid and constant arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint import ir
from coalint.analysis.access import LaunchRecord
from coalint.analysis.values import Blob, FunctionValue, Place, Value

if TYPE_CHECKING:
    from coalint.analysis.interpreter import Interpreter


def record(run: Interpreter, e: ir.Launch) -> LaunchRecord | None:
    """What is constant of a launch; None where the kernel is not known."""
    kernel = e.kernel
    if kernel is None and e.callee is not None:
        callee = run.value(e.callee)
        kernel = callee.function if isinstance(callee, FunctionValue) else None
    block, grid = _extents(run, e.block), _extents(run, e.grid)
    arguments: list[int | None] = []
    members: list[tuple[int, int, int, int]] = []
    shifts: list[tuple[int, int]] = []
    for position, argument in enumerate(e.arguments):
        value = run.value(argument)
        arguments.append(_known(run, value) if isinstance(argument.type, ir.Integer) else None)
        shift = _shift(run, argument)
        if shift:
            shifts.append((position, shift))
        if isinstance(value, Blob):
            cells = {at: (cell.size, _known(run, cell.value)) for at, cell in value.cells.items() if at >= 0}
            members.extend((position, at, size, n) for at, (size, n) in cells.items() if n is not None)
    if kernel is None:
        return None
    return LaunchRecord(kernel, block, grid, tuple(arguments), e.span, tuple(members), tuple(shifts))


def _shift(run: Interpreter, argument: ir.Expression) -> int:
    """The bytes in `array + 1` and `&array[1]`; 0 for a plain pointer, and for what is no constant."""
    while isinstance(argument, ir.Cast):
        argument = argument.operand
    index: ir.Expression | None = None
    size = 0
    if isinstance(argument, ir.Binary) and argument.operator in ("+", "-"):
        if isinstance(argument.left.type, ir.Pointer):
            index, size = argument.right, argument.left.type.pointee.size
    elif isinstance(argument, ir.AddressOf) and isinstance(argument.target, ir.Subscript):
        index, size = argument.target.index, argument.target.type.size
    known = None if index is None else _known(run, run.value(index))
    if known is None:
        return 0
    return -known * size if isinstance(argument, ir.Binary) and argument.operator == "-" else known * size


def _extents(run: Interpreter, e: ir.Expression) -> tuple[int | None, int | None, int | None]:
    if isinstance(e.type, ir.Integer):
        return (_known(run, run.value(e)), 1, 1)
    place = run.place(e)
    found = []
    integer = ir.Integer(32, False)
    for axis in range(3):
        part = Place(run.moved(place.address, run.algebra.constant(4 * axis)), integer)
        found.append(_known(run, run.load(part, None)))
    return (found[0], found[1], found[2])


def _known(run: Interpreter, value: Value) -> int | None:
    return run.algebra.number(value) if hasattr(value, "ring") else None
