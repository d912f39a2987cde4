"""The axes of the grid along which a kernel tells its blocks apart."""

from __future__ import annotations

from collections.abc import Collection

from coalint.core import ir
from coalint.core.facts.launch import Specialization


def read_axes(module: ir.Module, function: ir.Function) -> frozenset[ir.Axis]:
    """Return the axes of the block index that a function and all that it calls may read."""
    seen, used = {function.key}, set[ir.Axis]()
    pending: list[ir.Expression | ir.Statement] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Builtin) and node.register is ir.Register.BLOCK_INDEX:
            used.update(ir.AXES if node.axis is None else (node.axis,))
        elif isinstance(node, ir.Call) and node.function and node.function not in seen:
            seen.add(node.function)
            callee = module.functions.get(node.function)
            if callee is not None:
                pending.append(callee.body)
        pending.extend(ir.children(node))
    return frozenset(used)


def stated_grid(specialization: Specialization, read: Collection[ir.Axis]) -> tuple[int, int, int] | None:
    """Return the grid where the user states its extents along all axes that the kernel reads, one block along others.

    None where one of these is open, or nothing is stated.
    """
    stated = specialization.extents
    is_open = any(extent is None and axis in read for axis, extent in zip(ir.AXES, stated, strict=True))
    if is_open or not any(stated):
        return None
    x, y, z = (1 if extent is None else extent for extent in stated)
    return x, y, z
