"""Whether lanes of one warp make different numbers of iterations of a loop, found by trying its counters' values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.counts.patterns import Enumerated, NotFollowed
from coalint.analysis.counts.whole_blocks import mixed_blocks
from coalint.analysis.domain.algebra.atoms import Atom
from coalint.analysis.domain.conditions import Condition
from coalint.core.arrays import LARGEST
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.model import WarpModel


class Known:
    """What was found out under the conditions that matter, which many accesses share.

    `found` are answers, `lost` conditions in a row of which the last is not followed.
    """

    def __init__(self) -> None:
        self.found: dict[tuple[object, ...], bool | None] = {}
        self.lost: set[tuple[object, ...]] = set()


@record(frozen=True, slots=True)
class Tested:
    """Conditions that are tried for every lane.

    `active` are those of an access that test nothing but the loop's own counters, `stays` those to stay in the loop.
    `further` test counters besides: guards that leave no lanes but such as go along with each other.
    """

    active: Sequence[Condition]
    stays: Sequence[Condition]
    further: Sequence[Condition]

    @property
    def key(self) -> tuple[object, ...]:
        """What tells these conditions from others."""
        return tuple(tuple((one.value, one.over) for one in part) for part in (self.active, self.stays, self.further))


@record(frozen=True, slots=True)
class Trial:
    """One loop, of which every iteration is tried for the lanes of one block.

    Attributes:
        model: The lanes.
        counter: The loop's own counter.
        limits: How many values each counter has that matters to the loop, by the indices of their atoms.
        wider: The same of these and of the counters that `Tested.further` test.
        fixed: Numbers of open quantities, likewise.
        most_lanes: Over all combinations of counters, that are tried one by one.
        known: What was found out before, for the same model.
    """

    model: WarpModel
    counter: Atom
    limits: Mapping[int, int]
    wider: Mapping[int, int]
    fixed: Mapping[int, int]
    most_lanes: int
    known: Known

    def result(self, tested: Tested) -> bool | None:
        """Return whether lanes of a warp make different numbers of iterations; None where that is not known."""
        key = (*self._key, *tested.key)
        if key not in self.known.found:
            self.known.found[key] = self._found(tested)
        return self.known.found[key]

    @property
    def _key(self) -> tuple[object, ...]:
        return self.counter.index, *self.limits.items(), *self.fixed.items()

    def _found(self, tested: Tested) -> bool | None:
        is_known = all(self.model.algebra.atoms[index].trips for index in self.limits)
        try:
            if self._are_few(self.limits):
                tried = Enumerated(self.model, self.limits, self.fixed)
                is_uneven = self._differ(self._passing(tried, tested.active), tried.passing(tested.stays), self.limits)
                if is_uneven and len(self.wider) > len(self.limits) and self._are_few(self.wider):
                    tried = Enumerated(self.model, self.wider, self.fixed)
                    is_uneven = self._differ(tried.passing(tested.further), tried.passing(tested.stays), self.wider)
            elif is_known:
                return self._differ_at_the_end(tested)
            else:
                return None
        except NotFollowed:
            return None
        return is_uneven or (False if is_known else None)

    def _are_few(self, limits: Mapping[int, int]) -> bool:
        return prod(limits.values()) * self.model.exists.size <= self.most_lanes

    def _passing(self, tried: Enumerated, guards: Sequence[Condition]) -> NDArray[np.bool_]:
        """Return the lanes that pass. Raises NotFollowed, at once where that is known of the first of these guards."""
        key, lost = self._key, self.known.lost
        begins = [(*key, *((one.value, one.over) for one in guards[: end + 1])) for end in range(len(guards))]
        if not lost.isdisjoint(begins):
            raise NotFollowed
        try:
            return tried.passing(guards, at_once=True)
        except NotFollowed as refused:
            if begins:
                lost.add(begins[(len(refused.args) or len(begins)) - 1])
            raise

    def _differ(self, active: NDArray[np.bool_], stays: NDArray[np.bool_], limits: Mapping[int, int]) -> bool:
        """Whether lanes of a warp that are ever active make different numbers of iterations, other counters the same.

        `active` and `stays` have the lanes of each combination of counters, shape (rows, W, 32).
        """
        axis, shape = list(limits).index(self.counter.index), (*limits.values(), *active.shape[1:])
        takes_part = active.reshape(shape).any(axis=axis)
        iterations = np.logical_and.accumulate(stays.reshape(shape), axis=axis).sum(axis=axis)
        most = np.where(takes_part, iterations, 0).max(axis=-1)
        least = np.where(takes_part, iterations, LARGEST).min(axis=-1)
        return bool((takes_part.any(axis=-1) & (most != least)).any())

    def _differ_at_the_end(self, tested: Tested) -> bool | None:
        """Return the same of inequalities that hold for whole blocks in most iterations; None where it is not known.

        A warp of which some lanes stay in an iteration, and some that began the loop do not, has lanes of both kinds.
        """
        model, stays = self.model, tested.stays
        around = [one for one in tested.active if not any(one.value == stay.value for stay in stays)]
        if any(atom.index in self.limits for one in around for atom in model.algebra.closure(one.value)):
            return None
        mixed = mixed_blocks(model, stays, self.limits, self.fixed, model.exists, self.most_lanes)
        if mixed is None:
            return None
        if not mixed.rows:
            return False
        counter = self.counter.index
        first = {**mixed.arrays, counter: np.zeros_like(mixed.arrays[counter])}
        begun = Enumerated(model, self.limits, self.fixed, arrays=first).passing([*around, *stays])
        stay = Enumerated(model, self.limits, self.fixed, arrays=mixed.arrays).passing(stays)
        return bool(((begun & stay).any(axis=-1) & (begun & ~stay).any(axis=-1)).any())
