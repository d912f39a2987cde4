"""What the loops of a module change, found from their syntax once for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coalint.analysis.interpreter.loops.changes.deciding_floats import floats_decide
from coalint.analysis.interpreter.loops.changes.records import Assigned
from coalint.analysis.interpreter.loops.changes.steps import (
    expressions_of_step,
    mentions,
    step_of,
    unconditional_expressions,
)
from coalint.analysis.interpreter.loops.changes.walker import CallEffects, Walker
from coalint.core import ir


class Assignments:
    """What the loops of a module change, looked up once for each."""

    def __init__(self, functions: Mapping[str, ir.Function]) -> None:
        self.functions = functions
        self._known: dict[int, tuple[ir.Loop, Assigned]] = {}
        self._walked: dict[str, CallEffects] = {}
        self._deciding: dict[int, tuple[ir.Loop, bool]] = {}

    def of(self, loop: ir.Loop) -> Assigned:
        """Return what a loop changes (without its initializer)."""
        entry = self._known.get(id(loop))
        if entry is None:
            entry = self._known[id(loop)] = loop, _assigned(loop, self.functions, self.effects)
        return entry[1]

    def floats_decide(self, loop: ir.Loop) -> bool:
        """Whether a floating-point value decides anything in a loop."""
        entry = self._deciding.get(id(loop))
        if entry is None:
            entry = self._deciding[id(loop)] = loop, floats_decide(loop, self.functions)
        return entry[1]

    def effects(self, key: str) -> CallEffects:
        """Return what calling a function changes."""
        effects = self._walked.get(key)
        if effects is None:
            self._walked[key] = CallEffects(True, ())  # as far as it calls itself
            walker, function = Walker(self.functions, self.effects), self.functions[key]
            walker.visit(function.body)
            own = {*walker.declared, *(parameter.key for parameter in function.parameters)}
            outer = tuple(variable for key, variable in walker.changed.items() if key not in own)
            effects = self._walked[key] = CallEffects(walker.stores, outer)
        return effects


def _assigned(loop: ir.Loop, functions: Mapping[str, ir.Function], effects: Callable[[str], CallEffects]) -> Assigned:
    walker = Walker(functions, effects)
    for part in (loop.condition, loop.body, loop.step):
        if part is not None:
            walker.visit(part)
    assigned = Assigned(
        breaks=walker.breaks,
        through_this=walker.through_this,
        barriers=walker.barriers,
        calls=walker.calls,
        stores=walker.stores,
        decays=walker.decays,
        elements=walker.elements,
        pointed=walker.pointed,
        writes=walker.writes,
        handed=tuple(v for key, v in walker.handed.items() if key not in walker.declared),
    )
    changed = {key: variable for key, variable in walker.changed.items() if key not in walker.declared}
    assigned.variables = tuple(changed.values())
    steps = list(expressions_of_step(loop.step))
    always = [*steps, *(unconditional_expressions(loop.body) if not walker.continues else [])]
    for expression in always:
        step = step_of(expression)
        if step is None:
            continue
        variable, increment = step
        if walker.counts.get(variable.key) == 1 and not mentions(increment.by, {*walker.changed, *walker.declared}):
            assigned.increments[variable.key] = increment
    for expression in steps:
        step = step_of(expression)
        if step is not None and step[0].key in changed:
            assigned.counter = step[0]
            break
    if assigned.counter is None:  # `step *= 2`
        targets = [e.target.variable for e in steps if isinstance(e, ir.Assign) and isinstance(e.target, ir.Name)]
        assigned.counter = next((variable for variable in targets if variable.key in changed), None)
    if assigned.counter is None and len(assigned.increments) == 1:
        assigned.counter = changed.get(next(iter(assigned.increments)))
    return assigned
