"""Kernels that tell no blocks apart: each block would do the same, so that one block is what they are launched with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord
from coalint.core.ir.intrinsics import ATOMICS
from coalint.engine.check.single_blocks import LoneKernels

_OTHER = (ir.Assembly, ir.Unanalysed, ir.Unresolved)  # in which a block may ask for its number
_REGISTERS = (ir.Register.BLOCK_INDEX, ir.Register.GRID_EXTENT)


def lone_kernels(module: ir.Module, records: Mapping[str, Sequence[LaunchRecord]]) -> LoneKernels:
    """Return the kernels of a module that tell no blocks apart; `records` are the launches by the kernels' keys."""
    alone = {kernel.key: kernel.span for kernel in module.kernels if _is_for_one_block(module, kernel.function)}
    launched = (launch for key in alone for launch in records.get(key, ()))
    return LoneKernels(frozenset(alone.values()), any(None in launch.grid for launch in launched))


def _is_for_one_block(module: ir.Module, function: ir.Function) -> bool:
    """Whether neither a function nor what it calls reads a block's number or the number of blocks.

    Atomics may give each block a number of its own, and so may code that was not understood.
    """
    seen = {function.key}
    pending: list[ir.Expression | ir.Statement] = [function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, _OTHER) or (isinstance(node, ir.Builtin) and node.register in _REGISTERS):
            return False
        if isinstance(node, ir.Call):
            callee = module.functions.get(node.function) if node.function else None
            if callee is None and _may_ask(node):
                return False
            if callee is not None and callee.key not in seen:
                seen.add(callee.key)
                pending.append(callee.body)
        pending.extend(ir.children(node))
    return True


def _may_ask(call: ir.Call) -> bool:
    """Whether a call without a body may give a block a number."""
    return call.intrinsic in ATOMICS or call.foreign or call.callee is not None or bool(call.reason)
