"""Values of which a loop needs the last one alone: `for (i = 0; i < n; i++) v = x[i];`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from coalint.core.ir.expressions import Assign, Name
from coalint.core.ir.loop_trips import LoopTrips
from coalint.core.ir.nodes import Expression
from coalint.core.ir.statements import Evaluate, Loop
from coalint.core.ir.walk import nodes


def last_values(loop: Loop) -> Iterator[Expression]:
    """Yield the values that a loop sets variables to which it reads nowhere; none where it has one iteration."""
    if LoopTrips({}).constant(loop) == 1:
        return
    parts = list(nodes(loop))
    named = Counter(part.variable.key for part in parts if isinstance(part, Name))
    found: list[tuple[str, Expression]] = []
    for part in parts:
        match part:
            case Evaluate(expression=Assign(operator=None, target=Name(variable=variable), value=value)):
                found.append((variable.key, value))
    written = Counter(key for key, _ in found)
    yield from (value for key, value in found if named[key] == written[key])
