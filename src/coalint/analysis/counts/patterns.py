"""The lanes of a block that pass guards, as distinct patterns with the number of times that each occurs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.warps.counters.plan import Plan
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.passing_lanes import PassingLanes
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coalint.analysis.warps.model import WarpModel


FEW_ROWS = 256
"""Patterns that are told apart one by one: sorting so few takes longer."""


class NotFollowed(Exception):
    """The lanes that pass a guard are not known; the argument names the guards."""


class TooLarge(NotFollowed):
    """There are more combinations of blocks and iterations than are tried."""


@record(frozen=True, slots=True)
class Patterns:
    """Distinct sets of lanes: `lanes` is bool, shape (P, W, 32); `times` says how often each occurs, shape (P,)."""

    lanes: NDArray[np.bool_]
    times: NDArray[np.int64]

    def both(self, other: Patterns) -> Patterns:
        """Return the lanes of one pattern of each, for every pair."""
        lanes = self.lanes[:, None] & other.lanes[None, :]
        times = self.times[:, None] * other.times[None, :]
        return distinct(lanes.reshape(-1, *self.lanes.shape[1:]), times.reshape(-1))


def distinct(lanes: NDArray[np.bool_], times: NDArray[np.int64]) -> Patterns:
    """Return patterns, shape (P, W, 32), without repetition."""
    packed = _words(lanes)
    changes = (packed[1:] != packed[:-1]).any(axis=1)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))  # most rows are like the ones before them
    if len(starts) == 1:
        return Patterns(lanes[:1], times.sum(keepdims=True))
    first, numbers = _numbered(packed[starts])
    total = np.zeros(len(first), dtype=np.int64)
    np.add.at(total, numbers, np.add.reduceat(times, starts))
    return Patterns(lanes[starts[first]], total)


def _words(lanes: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return each pattern as a row of 64-bit words."""
    packed = np.packbits(lanes.reshape(len(lanes), -1), axis=1)
    missing = -packed.shape[1] % 8
    if missing:
        padded = np.zeros((len(packed), packed.shape[1] + missing), dtype=np.uint8)
        padded[:, : packed.shape[1]] = packed
        packed = padded
    return np.ascontiguousarray(packed).view(np.uint64)


def _numbered(rows: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first of equal rows, in any order, and for each row the number of its first."""
    if len(rows) <= FEW_ROWS:
        first_of: dict[bytes, int] = {}
        places = [first_of.setdefault(row.tobytes(), at) for at, row in enumerate(rows)]
        number_of = {at: number for number, at in enumerate(first_of.values())}
        return np.array([*first_of.values()], dtype=np.int64), np.array([number_of[at] for at in places])
    numbers = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:  # column by column: sorting whole rows takes ten times as long
        _, inverse = np.unique(column, return_inverse=True)
        _, numbers = np.unique(numbers * len(rows) + inverse.reshape(-1), return_inverse=True)
    _, first = np.unique(numbers, return_index=True)
    return first.astype(np.int64), numbers.reshape(-1).astype(np.int64)


class Enumerated:
    """The lanes of a block in every combination of values of counters, from 0 to below `limits`.

    `exists` are the lanes that are tried: those of the block, or one for all where no condition tells lanes apart.
    `arrays` are the values of each counter, shape (rows, 1, 1), where not all combinations are tried.
    """

    def __init__(
        self,
        model: WarpModel,
        limits: Mapping[int, int],
        fixed: Mapping[int, int],
        exists: NDArray[np.bool_] | None = None,
        arrays: Mapping[int, NDArray[np.int64]] | None = None,
    ) -> None:
        self.model, self.limits, self.fixed = model, dict(limits), fixed
        self.exists = model.exists if exists is None else exists
        self.arrays = all_values(limits) if arrays is None else dict(arrays)
        self.rows = prod(limits.values()) if arrays is None else len(next(iter(arrays.values())))
        self.shape = (self.rows, *self.exists.shape[1:])
        self.evaluator = LaneEvaluator(model.algebra, {**model.threads, **fixed, **self.arrays})

    def patterns(self, guards: Sequence[Condition]) -> Patterns:
        """Return the lanes that pass, as patterns; NotFollowed where they are not known."""
        return distinct(self.passing(guards), np.ones(self.rows, dtype=np.int64))

    def passing(self, guards: Sequence[Condition], *, at_once: bool = False) -> NDArray[np.bool_]:
        """Return the lanes that pass, shape (rows, W, 32); NotFollowed where they are not known.

        `at_once` says that as soon as a guard is not followed, whatever the others are.
        """
        plan = Plan(
            arrays=self.arrays,
            combinations=self.rows,
            averaged=frozenset(),
            sampled=False,
            assumed={},
            counts=self.limits,
            whole=frozenset(self.limits),
        )
        active = np.broadcast_to(self.exists, self.shape).copy()
        passing = PassingLanes(self.model.algebra, self.evaluator, plan, self.fixed, active)
        try:
            for number, guard in enumerate(guards):
                passing.restrict(guard)
                if at_once and not all(part.followed for part in passing.parts):
                    raise NotFollowed(*(f"`{one.text}`" for one in guards[: number + 1]))
        except (Undecided, OverflowError) as error:
            raise NotFollowed(*(f"`{guard.text}`" for guard in guards)) from error
        lost = [f"`{part.guard.text}`" for part in passing.parts if not part.followed]
        evaluator = self.evaluator
        if lost or passing.suppositions or evaluator.open_choices or evaluator.approximate or evaluator.permuted:
            raise NotFollowed(*lost)
        return active

    def fails_at_last(self, condition: Poly, counter: int) -> bool:
        """Whether a condition holds for no lane at the last value of a counter."""
        value = np.broadcast_to(self.evaluator.value(condition).get(CONSTANT, 0), self.shape)
        last = self.arrays[counter].reshape(-1) == self.limits[counter] - 1
        return not value[last].any()


def all_values(limits: Mapping[int, int]) -> dict[int, NDArray[np.int64]]:
    """Return every combination of values of counters below `limits`: an array for each, shape (rows, 1, 1)."""
    axes = np.indices(tuple(limits.values()), dtype=np.int64).reshape(len(limits), prod(limits.values()))
    return {index: axis.reshape(-1, 1, 1) for index, axis in zip(limits, axes, strict=True)}


def independent(algebra: Algebra, guards: Iterable[Condition]) -> list[tuple[frozenset[int], list[Condition]]]:
    """Return the guards in groups that have no counter in common, each with the counters that it tests."""
    groups: list[tuple[frozenset[int], list[Condition]]] = []
    for guard in guards:
        whole = [guard] if guard.over else [replace(guard, value=part) for part in conjuncts(algebra, guard.value)]
        for part in whole:
            inside = algebra.closure(part.value)
            tested = {atom.index for atom in inside if atom.kind is AtomKind.COUNTER}
            tested |= {index for index, _ in part.over}
            near = [group for group in groups if group[0] & tested or not (group[0] or tested)]
            groups = [group for group in groups if group not in near]
            merged = frozenset(tested).union(*(group[0] for group in near))
            groups.append((merged, [*(each for group in near for each in group[1]), part]))
    return groups
