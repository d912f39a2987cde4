"""The loop that is solved, as those see it who find closed forms for its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.algebra.atoms import Level, Poly
    from coalint.analysis.domain.conditions import Condition
    from coalint.analysis.domain.guards import Guard
    from coalint.analysis.domain.sequences import Sequence
    from coalint.analysis.domain.values import Value
    from coalint.analysis.interpreter.loops.changes.records import Assigned, Carried, Slot
    from coalint.analysis.interpreter.loops.pointers.points_to import PointsTo
    from coalint.analysis.interpreter.loops.pointers.search import Search
    from coalint.analysis.interpreter.state import State
    from coalint.core import ir


class LoopState(Protocol):
    """One loop and what is known so far of the variables that it carries from iteration to iteration.

    `change` is what its syntax changes. `counter` is the number of the iteration, from 0, and `trips` how many there
    are; `varying` says that some blocks or outer iterations have fewer, `surely` that `trips` counts all that the
    condition asks, `monotone` that a thread for which the condition fails is out of the loop for good. `closed` gives
    the value of a variable at the start of iteration `counter`, `steps` what an iteration adds where that is constant,
    `finals` the value after the last iteration where it was followed one by one. `tabled` holds the start and how far
    each lane has moved from it, shape (trips + 1, W, 32). `replaced` are structs that are assigned to as a whole, with
    the level that they come to; `leads` are pointers that lead to several variables. `sequence` is by what iterations
    are counted where `trips` is open, `left_together` conditions that hold where the whole block has not left before by
    what is not known. `epoch` is that of the state before the loop. `search` is what a pass has to
    confirm of what the loop changes through pointers; None where that is known. `unconfirmed` are structs of which a
    run has to confirm which parts the loop writes, and `is_surprised` says that one has written more.
    """

    state: State
    statement: ir.Loop
    algebra: Algebra
    born: int
    epoch: int
    search: Search | None
    change: Assigned
    name: str
    counter: Poly | None
    trips: int | None
    total: Poly | None
    varying: bool
    surely: bool
    monotone: bool
    closed: dict[Slot, Poly]
    steps: dict[Slot, Poly]
    finals: dict[Slot, int | None]
    turns: dict[Slot, list[Value]]
    tabled: dict[Slot, tuple[Poly, NDArray[np.int64]]]
    sizes: dict[Slot, int]
    narrow: dict[Slot, ir.Integer]
    replaced: dict[Slot, Level]
    unconfirmed: list[int]
    is_surprised: bool
    leads: dict[Slot, PointsTo]
    sequence: Sequence | None
    left_together: tuple[Condition, ...]

    def new_counter(self, trips: int | None) -> Poly:
        """Return an atom for the number of the iteration, 0 to trips - 1."""

    def close(self, carried: list[Carried], counter: Poly, *, plain: bool = False) -> None:
        """Write down the value of every variable that moves in steps; `plain`: as if no type were too narrow."""

    def varies(self, step: Poly) -> bool:
        """Whether a value may differ from one iteration to the next."""

    def placeholders(self, numbers: list[Carried], marks: dict[Slot, Poly]) -> dict[Slot, Value]:
        """Return values for a dry run: stand-ins where nothing is known yet."""

    def put(self, values: dict[Slot, Value]) -> None:
        """Set variables, keeping where they came from."""

    def test(self, first: bool) -> Guard | None:
        """Evaluate the condition; it guards the body when it is tested first."""

    def body(self, mark: int) -> bool:
        """Run the body and the step; return whether any thread gets to the end."""
