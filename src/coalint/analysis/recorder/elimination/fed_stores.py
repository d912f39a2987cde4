"""What is loaded for a store alone: where the store is left out, so is the load.

Of `for (...) { o[t] = x[i]; o[i] = 1; }` nvcc stores the last one of four copies to `o[t]`, and loads no other.
"""

from __future__ import annotations

from collections import Counter

from coalint.analysis.recorder.elimination.written_sums import shape_of
from coalint.core import ir
from coalint.core.ir.straight_code import changed_variable, loads


def fed_stores(body: ir.Statement) -> dict[int, int]:
    """Return the identity of the place that is stored to, by that of each load whose value goes nowhere else.

    A value may be kept in one variable that is named once.
    """
    named = Counter(node.variable.key for node in ir.nodes(body) if isinstance(node, ir.Name))
    kept: dict[str, list[ir.Expression]] = {}
    found: dict[int, int] = {}
    for node in ir.nodes(body):
        match node:
            case ir.Declare(variable=variable, initializer=ir.Expression() as value) if named[variable.key] == 1:
                kept[variable.key] = loads(value)
            case ir.Assign(target=target, value=value, operator=None) if changed_variable(target) is None:
                names = (name.variable.key for name in ir.nodes(value) if isinstance(name, ir.Name))
                read = [*loads(value), *(load for key in names for load in kept.get(key, ()))]
                if shape_of(target) not in map(shape_of, read):  # else each iteration adds to what the last one left
                    found.update((id(load), id(target)) for load in read)
    return found
