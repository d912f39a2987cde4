"""One loop under evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.guards import Guard
from coalint.analysis.domain.sequences import Sequence
from coalint.analysis.domain.values import Value
from coalint.analysis.interpreter.loops.changes.records import Assigned, Carried, Slot
from coalint.analysis.interpreter.loops.pointers.points_to import PointsTo
from coalint.analysis.interpreter.loops.pointers.search import Search
from coalint.analysis.interpreter.loops.solving.closed_forms import close, varies
from coalint.analysis.interpreter.loops.solving.running import body, placeholders, put, test
from coalint.analysis.interpreter.loops.solving.trip_counts import new_counter
from coalint.core import ir

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coalint.analysis.interpreter.state import State


class LoopEvaluation:
    """The data that `loops.state.LoopState` describes, with the functions that the protocol asks for."""

    def __init__(self, state: State, statement: ir.Loop) -> None:
        self.state = state
        self.statement = statement
        self.algebra = state.algebra
        self.born = len(state.algebra.atoms)  # atoms from here on are made inside the loop
        self.epoch = state.epoch  # before anything inside the loop is evaluated
        self.search: Search | None = None
        self.name = "iteration"
        self.change: Assigned = state.assignments.of(statement)
        self.counter: Poly | None = None
        self.trips: int | None = None
        self.total: Poly | None = None  # how many iterations each thread makes, where the condition alone says so
        self.closed: dict[Slot, Poly] = {}  # value at the start of iteration k
        self.steps: dict[Slot, Poly] = {}
        self.finals: dict[Slot, int | None] = {}
        self.turns: dict[Slot, list[Value]] = {}  # what variables hold that take over each other's values
        self.tabled: dict[Slot, tuple[Poly, NDArray[np.int64]]] = {}
        self.sizes: dict[Slot, int] = {}  # in bytes
        self.replaced: dict[Slot, Level] = {}  # structs that are assigned to as a whole
        self.unconfirmed: list[int] = []  # structs of which a run has to confirm which parts the loop writes
        self.is_surprised = False  # whether one has written more
        self.leads: dict[Slot, PointsTo] = {}  # pointers that lead to several variables
        self.narrow: dict[Slot, ir.Integer] = {}  # those that may leave the range of a type below 32 bits
        self.sequence: Sequence | None = None  # by which iterations are counted, where `trips` is open
        self.left_together: tuple[Condition, ...] = ()  # that the block has not left before by what is not known
        self.varying = False  # whether some blocks or iterations of loops around have fewer trips than others
        self.surely = False  # whether `trips` counts all that the condition asks
        self.monotone = False  # whether a thread for which the condition fails is out of it for good

    def new_counter(self, trips: int | None) -> Poly:
        """Return an atom for the number of the iteration, 0..trips-1."""
        return new_counter(self, trips)

    def varies(self, step: Poly) -> bool:
        """Whether a value may differ from one iteration to the next."""
        return varies(self, step)

    def close(self, carried: list[Carried], counter: Poly, *, plain: bool = False) -> None:
        """Write down the value of every variable that moves in steps; `plain`: as if no type were too narrow."""
        close(self, carried, counter, plain=plain)

    def placeholders(self, numbers: list[Carried], marks: dict[Slot, Poly]) -> dict[Slot, Value]:
        """Return values for a dry run: stand-ins where nothing is known yet."""
        return placeholders(self, numbers, marks)

    def put(self, values: dict[Slot, Value]) -> None:
        """Set variables, keeping where they came from."""
        put(self, values)

    def test(self, first: bool) -> Guard | None:
        """Evaluate the condition; it guards the body when it is tested first."""
        return test(self, first)

    def body(self, mark: int) -> bool:
        """Run the body and the step, for which threads that continued are back. False where none gets there."""
        return body(self, mark)
