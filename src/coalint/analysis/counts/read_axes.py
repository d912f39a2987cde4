"""The axes of the grid along which a kernel tells its blocks apart."""

from __future__ import annotations

from coalint.core import ir


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
