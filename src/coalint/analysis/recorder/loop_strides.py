"""How addresses move with the loops around them."""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.polynomial import term
from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
from coalint.analysis.recorder.loop_conditions import conditions_in
from coalint.analysis.warps.quantities import in_iterations
from coalint.core import ir
from coalint.core.facts.access import Conditions, LoopStride
from coalint.core.ir.counters import is_counted
from coalint.core.ir.loop_trips import LoopTrips

_CONSTANT = LoopTrips({})
MAX_VALUES = 256
"""Of a loop's variable."""


class LoopStrides:
    """What is known of the loops around the statements of one kernel."""

    def __init__(self, kernel: EvaluatedKernel) -> None:
        self.kernel = kernel
        self._values: dict[tuple[Poly, Poly], tuple[int, ...]] = {}
        self._nests: dict[ir.Loop, tuple[int, int | None]] = {}
        self._conditions: dict[ir.Loop, dict[int, Conditions]] = {}
        self._counted: dict[ir.Loop, bool] = {}

    def forget(self) -> None:
        """Forget values: atoms that they are made of may be gone."""
        self._values.clear()

    def of(self, offset: Poly, expression: ir.Expression) -> tuple[LoopStride, ...]:
        """Return how the byte offset of an access moves with each loop around the current statement with a counter."""
        strides = []
        for around in self.kernel.loops:
            loop, counter, trips, variable = around.loop, around.counter, around.trips, around.variable
            if counter is None:
                continue
            depth, rounds = self._nest_in(loop)
            atom = self.kernel.algebra.atoms_of(counter)[0]
            values = self._values_of(variable, counter, trips)
            if any(
                inner is atom
                for other in self.kernel.algebra.atoms_of(offset)
                for o in other.operands
                for inner in self.kernel.algebra.closure(o)
            ):
                number, text = None, "?"
            else:
                step = self.kernel.algebra.difference(offset, atom)
                number, text = self.kernel.algebra.number(step), self.kernel.printer.text(step)
            strides.append(
                LoopStride(
                    variable=atom.name,
                    bytes=number,
                    text=text,
                    trips=trips,
                    most=around.most,
                    span=loop.span,
                    values=values,
                    unroll=loop.unroll,
                    inner_depth=depth,
                    inner_rounds=rounds,
                    conditions=self._conditions_in(loop).get(id(expression), Conditions.NONE),
                    multiple=0 if number is not None else self._multiple(offset, atom),
                    by_launch=loop.condition is not None and self.kernel.rests_on_launch(loop.condition),
                    is_counted=self._is_counted(loop),
                    is_given=self.kernel.model is not None and atom.name in self.kernel.model.given,
                )
            )
        return tuple(strides)

    def _multiple(self, offset: Poly, counter: Atom) -> int:
        """Return what divides every term of an offset that a loop's counter is in, as `bk & 1` of `tile[bk & 1][i]`."""
        algebra = self.kernel.algebra
        return gcd(
            *(
                coefficient
                for monomial, coefficient in offset.items()
                if counter in algebra.closure(term(monomial, coefficient))
            )
        )

    def _conditions_in(self, loop: ir.Loop) -> dict[int, Conditions]:
        """Return under what the expressions of a loop's body stand."""
        if loop not in self._conditions:
            self._conditions[loop] = conditions_in(loop, (around.loop for around in self.kernel.loops))
        return self._conditions[loop]

    def _is_counted(self, loop: ir.Loop) -> bool:
        """Whether a loop's header alone tells how often it runs."""
        if loop not in self._counted:
            self._counted[loop] = is_counted(loop)
        return self._counted[loop]

    def _nest_in(self, loop: ir.Loop) -> tuple[int, int | None]:
        """Return how deep loops are nested in a loop's body, and the iterations of the longest nest."""
        if loop not in self._nests:
            self._nests[loop] = _depth(loop.body), _rounds(loop.body)
        return self._nests[loop]

    def _values_of(self, variable: Poly | None, counter: Poly, trips: int | None) -> tuple[int, ...]:
        """Return what a loop's variable holds in each iteration, the same for all threads.

        Empty where that is not known.
        """
        if variable is None or trips is None or trips > MAX_VALUES or self.kernel.model is None:
            return ()
        key = (variable, counter)
        if key not in self._values:
            self._values[key] = in_iterations(
                self.kernel.algebra, variable, self.kernel.algebra.atoms_of(counter)[0], trips
            )
        return self._values[key]


def _depth(node: ir.Expression | ir.Statement) -> int:
    inside = max(map(_depth, ir.children(node)), default=0)
    return inside + isinstance(node, ir.Loop)


def _rounds(node: ir.Expression | ir.Statement) -> int | None:
    """Return how often the innermost body of nested loops runs, where all count between constants; 1 without loops."""
    inside = [_rounds(child) for child in ir.children(node) if isinstance(child, ir.Statement)]
    most = max((rounds for rounds in inside if rounds is not None), default=1)
    if None in inside or not isinstance(node, ir.Loop):
        return None if None in inside else most
    trips = _CONSTANT.constant(node)
    return None if trips is None else int(trips) * most
