"""The loops of a program around its launches, from `main` on, as they are written."""

from __future__ import annotations

from collections.abc import Mapping

from coalint.core import ir
from coalint.core.source.spans import Span

SHORT = 10
"""Iterations up to which a loop with a number in its condition is none: several devices, a few warm-ups."""

Loops = tuple[Span, ...]
"""The places of the loops around a launch, the outermost first, through calls."""


def launch_loops(module: ir.Module) -> Mapping[str, frozenset[Loops]]:
    """Return the loops around the launches of each kernel in `main` and what it calls, by the kernels' keys.

    Empty where the file has no `main`.
    """
    found: dict[str, set[Loops]] = {}
    pending: list[tuple[str, Loops]] = [(host.key, ()) for host in module.hosts if host.name == "main"]
    seen = set(pending)
    while pending:
        key, around = pending.pop()
        function = module.functions.get(key)
        if function is None:
            continue
        for node, loops in _with_loops(function.body, around):
            if isinstance(node, ir.Launch) and node.kernel is not None:
                found.setdefault(node.kernel, set()).add(loops)
            called = node.function if isinstance(node, ir.Call | ir.Lambda) else None
            if called is not None and (called, loops) not in seen and len(set(loops)) == len(loops):
                seen.add((called, loops))
                pending.append((called, loops))
    return {kernel: frozenset(some) for kernel, some in found.items()}


def _with_loops(body: ir.Statement, around: Loops) -> list[tuple[ir.Expression | ir.Statement, Loops]]:
    """Return all nodes of a body, each with the loops around it."""
    found: list[tuple[ir.Expression | ir.Statement, Loops]] = []
    pending: list[tuple[ir.Expression | ir.Statement, Loops]] = [(body, around)]
    while pending:
        node, loops = pending.pop()
        found.append((node, loops))
        inside = (*loops, node.span) if isinstance(node, ir.Loop) and not _is_short(node) else loops
        first = set(map(id, node.initializer)) if isinstance(node, ir.Loop) else set()
        pending += [(child, loops if id(child) in first else inside) for child in ir.children(node)]
    return found


def _is_short(loop: ir.Loop) -> bool:
    """Whether a loop compares with a small number."""
    condition = loop.condition
    sides = (condition.left, condition.right) if isinstance(condition, ir.Binary) else ()
    return any(isinstance(side, ir.Literal) and side.value is not None and 1 < side.value <= SHORT for side in sides)
