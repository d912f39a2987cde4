"""Values per lane that accesses in the same iterations have in common, each found once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.warps.lanes.lane_numbers import LaneValue, Undecided
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.domain.algebra.atoms import Atom

MOST_BYTES = 1 << 23  # of the numbers that are kept for one set of iterations
MOST_ITERATIONS = 4  # sets of iterations of which values are kept


@record(frozen=True, slots=True)
class Effects:
    """What an evaluation noted on its way: what it supposed, and the flags of `LaneEvaluator`."""

    assumed: tuple[str, ...]
    approximate: bool
    supposed: bool
    chosen: bool


@record(frozen=True, slots=True)
class Outcome:
    """The value of an atom, or why it is undecided, with what its evaluation noted; `effects` is None for nothing."""

    value: LaneValue | Undecided
    effects: Effects | None = None


class SharedValues:
    """The values of atoms where the counters have one set of numbers, up to `MOST_BYTES` of them.

    An atom is known by its identity, since an index names another one after the first was forgotten.
    """

    def __init__(self) -> None:
        self._outcomes: dict[int, tuple[Atom, Outcome]] = {}
        self._room = MOST_BYTES

    def get(self, atom: Atom) -> Outcome | None:
        """Return what is known of an atom; None where nothing is."""
        known = self._outcomes.get(atom.index)
        return known[1] if known is not None and known[0] is atom else None

    def put(self, atom: Atom, outcome: Outcome) -> None:
        """Keep an outcome, unless an open choice decided it, which another evaluation may decide otherwise."""
        if outcome.effects is not None and outcome.effects.chosen:
            return
        if isinstance(outcome.value, dict):
            size = sum(number.nbytes for number in outcome.value.values() if isinstance(number, np.ndarray))
            if size > self._room:
                return
            self._room -= size
        self._outcomes[atom.index] = atom, outcome


class ValuesByIterations:
    """The shared values of one model, for the sets of numbers that its counters had last."""

    def __init__(self) -> None:
        self._known: dict[object, SharedValues] = {}

    def of(self, fixed: dict[int, int], arrays: dict[int, NDArray[np.int64]]) -> SharedValues:
        """Return the values where atoms have the numbers in `fixed`, and counters those in `arrays`, by atom index."""
        key = tuple(fixed.items()), tuple((index, array.tobytes()) for index, array in arrays.items())
        shared = self._known.pop(key, None) or SharedValues()
        self._known[key] = shared  # the last one now
        if len(self._known) > MOST_ITERATIONS:
            del self._known[next(iter(self._known))]
        return shared
