"""Values per lane that accesses in the same iterations have in common, each found once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coalint.analysis.warps.lanes.lane_numbers import LaneValue, Undecided
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.domain.algebra.atoms import Atom, Poly

MOST_BYTES = 1 << 23  # of the numbers that are kept for one set of iterations
MOST_ITERATIONS = 4  # sets of iterations of which values are kept


@record(frozen=True, slots=True)
class Effects:
    """What an evaluation noted on its way: what it supposed, and the flags of `LaneEvaluator`.

    `choices` are the open conditions that it asked for, in order, each with the side that was taken.
    """

    assumed: tuple[str, ...]
    approximate: bool
    supposed: bool
    choices: tuple[tuple[Poly, int], ...]


@record(frozen=True, slots=True)
class Outcome:
    """The value of an atom, or why it is undecided, with what its evaluation noted; `effects` is None for nothing."""

    value: LaneValue | Undecided
    effects: Effects | None = None


_Ways = dict[tuple[int, ...], "Poly | Outcome"]


class SharedValues:
    """The values of atoms where the counters have one set of numbers, up to `MOST_BYTES` of them.

    An atom is known by its identity, since an index names another one after the first was forgotten. An evaluation that
    asks for open conditions goes the same way as another one as long as it is given the same sides: so what it asks for
    next, or its outcome in the end, is kept by the sides given so far.
    """

    def __init__(self) -> None:
        self._outcomes: dict[int, tuple[Atom, Outcome | _Ways]] = {}
        self._room = MOST_BYTES

    def get(self, atom: Atom, choose: Callable[[Poly], int]) -> Outcome | None:
        """Return what is known of an atom; None where nothing is.

        `choose` gives the side of an open condition. It is asked for those that an evaluation would ask for.
        """
        known = self._outcomes.get(atom.index)
        if known is None or known[0] is not atom:
            return None
        ways = known[1]
        if isinstance(ways, Outcome):
            return ways
        sides: tuple[int, ...] = ()
        while (reached := ways.get(sides)) is not None and not isinstance(reached, Outcome):
            sides = (*sides, choose(reached))
        return reached

    def put(self, atom: Atom, outcome: Outcome) -> None:
        """Keep an outcome, under the sides of the open conditions that it rests on."""
        if isinstance(outcome.value, dict):
            size = sum(number.nbytes for number in outcome.value.values() if isinstance(number, np.ndarray))
            if size > self._room:
                return
            self._room -= size
        if outcome.effects is None or not outcome.effects.choices:
            self._outcomes[atom.index] = atom, outcome
            return
        known = self._outcomes.get(atom.index)
        ways = known[1] if known is not None and known[0] is atom else None
        if not isinstance(ways, dict):
            ways = {}
            self._outcomes[atom.index] = atom, ways
        sides: tuple[int, ...] = ()
        for condition, side in outcome.effects.choices:
            ways[sides] = condition
            sides = (*sides, side)
        ways[sides] = outcome


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
