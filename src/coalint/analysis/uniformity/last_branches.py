"""Branches that a kernel ends with: who does not take one comes to the kernel's end, as by a `return` before it."""

from __future__ import annotations

from collections import Counter

from coalint.core import ir
from coalint.core.ir.walk import nodes
from coalint.core.source.spans import Span


def last_branches(body: ir.Statement) -> frozenset[Span]:
    """Return the places of the conditions of branches without `else` after which a kernel with this body does nothing.

    Those at its end, and those at the end of such a branch. A place that several branches share, as those of one macro
    do, is none: what follows one of them is not the kernel's end.
    """
    places: set[Span] = set()
    last: ir.Statement | None = body
    while last is not None:
        if isinstance(last, ir.Block):
            last = last.statements[-1] if last.statements else None
        elif isinstance(last, ir.If) and last.otherwise is None:
            places.add(last.condition.span)
            last = last.then
        else:
            break
    if places:
        counts = Counter(node.condition.span for node in nodes(body) if isinstance(node, ir.If))
        places = {place for place in places if counts[place] == 1}
    return frozenset(places)
