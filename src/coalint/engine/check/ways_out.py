"""Statements after which a thread leaves a loop: it makes them once at most, however many iterations there are.

Lanes that leave in different iterations make them apart, with as many sectors all together as if they did at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coalint.core import ir
from coalint.core.ir.walk import children, nodes
from coalint.core.source.spans import Span


def ways_out(functions: Mapping[str, ir.Function], kernel: ir.Function) -> dict[Span, frozenset[Span]]:
    """Return the loops that are left by a `break` or `return` after what stands at a place, by that place.

    Places are those of the expressions in a kernel and in the functions that it calls; a loop is at its own.
    """
    found: dict[Span, frozenset[Span]] = {}
    entered = {kernel.key}
    pending = [kernel]
    while pending:
        function = pending.pop()
        for place, loops in _of(function.body, ()):
            found[place] = found.get(place, frozenset()) | loops
        for node in nodes(function.body):
            called = functions.get(node.function or "") if isinstance(node, ir.Call) else None
            if called is not None and called.key not in entered:
                entered.add(called.key)
                pending.append(called)
    return found


def _of(node: ir.Expression | ir.Statement, loops: tuple[Span, ...]) -> Iterator[tuple[Span, frozenset[Span]]]:
    """Yield the places below a node, which stands in these loops, with those of the loops that are left then."""
    if isinstance(node, ir.Block):
        left = _left(node, loops)
        if left:
            yield from ((part.span, left) for part in nodes(node) if isinstance(part, ir.Expression))
    if isinstance(node, ir.Loop):
        loops = (*loops, node.span)
    elif isinstance(node, ir.Switch):
        loops = (*loops, node.span)  # a `break` in it leaves it alone
    for child in children(node):
        yield from _of(child, loops)


def _left(block: ir.Block, loops: tuple[Span, ...]) -> frozenset[Span]:
    """Return the loops that a block ends with leaving; none where it may go on before its end."""
    last = block.statements[-1] if block.statements else None
    if isinstance(last, ir.Return):
        left = loops
    elif isinstance(last, ir.Jump) and last.kind is ir.JumpKind.BREAK:
        left = loops[-1:]
    else:
        return frozenset()
    goes_on = any(
        isinstance(part, ir.Jump) and part.kind is not ir.JumpKind.BREAK for part in nodes(block) if part is not last
    )
    return frozenset() if goes_on else frozenset(left)
