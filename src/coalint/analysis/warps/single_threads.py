"""What single threads do under one choice of iterations and of the block: exact, or not known at all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import When, conjuncts
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.recorder.events import LoopRegion, SharedAccess
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.model import WarpModel
from coalint.core.arrays import spread
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

Chosen = tuple[tuple[int, int], ...]  # counters (atom indices) and their values

MAX_KEPT = 4096  # accesses under one choice of iterations whose threads are remembered
MAX_ITERATIONS = 64  # that a guard is tried in
LARGE = 4096  # what a parameter is taken for that is not known: larger than a block, and a multiple of its shape
BY_LARGE = "with large numbers for what the launch leaves open"
LARGEST = 2**62  # numbers beyond it do not fit into what threads hold
LARGER_BY = 1024  # each parameter than the one before


@record(frozen=True, eq=False)
class Touched:
    """Which threads make an access, shape (T,), and the byte from which on they do, relative to `common`.

    `assumed` are conditions on parameters that were taken to hold.
    """

    active: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    common: Mapping[object, int]
    assumed: tuple[str, ...]

    @cached_property
    def step(self) -> int:
        """What divides the distances in bytes of all threads from the first; 0 where there are none."""
        return int(np.gcd.reduce(self.offsets - self.offsets[0]))

    @cached_property
    def reach(self) -> tuple[int, int]:
        """The least and the largest offset of the threads that make the access."""
        offsets = self.offsets[self.active]
        return int(offsets.min()), int(offsets.max())


class Threads:
    """Evaluates guards and addresses thread by thread."""

    def __init__(self, model: WarpModel) -> None:
        self.model = model
        self.algebra = model.algebra
        self.exists = model.exists[0]
        self._evaluators: dict[tuple[Chosen, bool], LaneEvaluator] = {}
        self._truths: dict[tuple[Poly, Chosen], NDArray[np.bool_] | None] = {}
        self._offsets: dict[tuple[Poly, Chosen], tuple[NDArray[np.int64], dict[object, int]] | None] = {}
        self._large: dict[int, int] = {}
        self._touched: dict[tuple[int, Chosen, frozenset[Poly]], tuple[SharedAccess, Touched | None]] = {}

    def touched(self, touch: SharedAccess, chosen: Chosen, passed: frozenset[Poly]) -> Touched | None:
        """Return the threads and addresses of an access; None where they are not known. Conditions in `passed` hold."""
        key = (id(touch), chosen, passed)
        known = self._touched.get(key)  # an access is part of as many pairs as there are others
        if known is not None:
            return known[1]
        offsets = self.offsets(touch.offset, chosen)
        taking_part = self.active(touch, chosen, passed) if offsets is not None else None
        made = None if offsets is None or taking_part is None else Touched(taking_part[0], *offsets, taking_part[1])
        if len(self._touched) >= MAX_KEPT:
            self._touched.clear()
        self._touched[key] = touch, made
        return made

    def active(
        self, touch: SharedAccess, chosen: Chosen, passed: Collection[Poly]
    ) -> tuple[NDArray[np.bool_], tuple[str, ...]] | None:
        """Return the threads that make an access, and what was taken to hold.

        None where they are not known, or none.
        """
        active = np.ones(prod(self.model.block), dtype=np.bool_)
        assumed: dict[str, None] = {}
        otherwise = False  # whether it takes small parameters to come here
        for position, guard in enumerate(touch.guards):
            for part in conjuncts(self.algebra, guard.condition.value):
                if part in passed:
                    truth = self._truth(part, chosen)
                    if truth is not None and not truth.any() and not self._open(part):
                        return None
                    otherwise |= truth is not None and not truth.any()
                    continue
                holds = self._holds(part, guard, self._over(guard, position, touch.loops), dict(chosen))
                uniform = self.algebra.level(part) is Level.UNIFORM
                if holds is None and guard.kind is GuardKind.LOOP and uniform:
                    assumed[f"the loop with `{guard.condition.text}` runs"] = None
                    continue
                if holds is None:
                    return None
                if self._open(part):
                    if self._counts_groups(part) and not self._is_length(part, touch):
                        return None
                    assumed[f"`{guard.condition.text}`, {BY_LARGE}"] = None
                active &= holds
                if not active.any():
                    return None
        return None if otherwise and assumed else (active, tuple(assumed))

    def anywhere(self, touch: SharedAccess) -> bool:
        """Whether data alone lead each thread to a place in an array, from one start for the whole block."""
        pending, seen, loaded = [touch.offset], set[Poly](), False
        while pending:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            for atom in self.algebra.atoms_of(value):
                if atom.level >= Level.LOADED and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE):
                    loaded = True
                elif atom.kind is not AtomKind.OPERATION and atom.level is not Level.UNIFORM:
                    return False
                else:
                    pending += atom.operands
        return loaded

    def _open(self, part: Poly) -> bool:
        """Whether a condition rests on parameters that are not known."""
        return any(atom.kind is AtomKind.UNIFORM for atom in self.algebra.closure(part))

    def _counts_groups(self, part: Poly) -> bool:
        """Whether a condition compares threads of the block with a quotient of what is not known: a count of warps.

        Such a count is smaller than the block, however large the number that is divided.
        """
        atoms = self.algebra.closure(part)
        if any(atom.is_block_index for atom in atoms) or self.algebra.level(part) is Level.UNIFORM:
            return False
        return any(atom.operator in ("/", ">>") and any(map(self._open, atom.operands)) for atom in atoms)

    def _is_length(self, part: Poly, touch: SharedAccess) -> bool:
        """Whether a condition compares the threads' places in a loop with what the loop around goes up to.

        `start + threadIdx.x < n / 8` in `for (start = 0; start < n / 8; start += 64)`: that is the length of an array.
        """
        inside = {atom.index: atom for atom in self.algebra.closure(part)}
        quotients = {index for index, atom in inside.items() if atom.operator in ("/", ">>")}
        for loop in touch.loops:
            guard = touch.guards[loop.depth] if loop.depth < len(touch.guards) else None
            if loop.counter in inside and guard is not None and guard.kind is GuardKind.LOOP:
                bounds = {atom.index for atom in self.algebra.closure(guard.condition.value)}
                if loop.counter in bounds and quotients <= bounds:
                    return True
        return False

    def _over(self, guard: Guard, position: int, loops: tuple[LoopRegion, ...]) -> tuple[tuple[int, When], ...]:
        """Return the iterations that a guard speaks of: a loop's own condition, of all up to this one."""
        over = guard.condition.over
        if guard.kind is GuardKind.LOOP and not over:
            own = [loop.counter for loop in loops if loop.depth <= position]
            return ((own[-1], When.UNTIL),) if own else ()
        return over

    def _holds(
        self, part: Poly, guard: Guard, over: tuple[tuple[int, When], ...], chosen: dict[int, int]
    ) -> NDArray[np.bool_] | None:
        """Return for which threads a condition holds in all iterations that count."""
        inside = {atom.index for atom in self.algebra.closure(part)}
        ranges: list[tuple[int, range]] = []
        for counter, when in over:
            if counter not in inside:
                if when is When.BEFORE and chosen.get(counter) == 0:
                    return np.ones(prod(self.model.block), dtype=np.bool_)
                continue
            trips = self.algebra.atoms[counter].trips
            end = trips if when is When.EVER else chosen.get(counter, MAX_ITERATIONS) + (when is When.UNTIL)
            if end is None or end > MAX_ITERATIONS:
                return None
            ranges.append((counter, range(end)))
        if prod(len(numbers) for _, numbers in ranges) > MAX_ITERATIONS:
            return None
        holds = np.ones(prod(self.model.block), dtype=np.bool_)
        for numbers in product(*(numbers for _, numbers in ranges)):
            here = {**chosen, **dict(zip((counter for counter, _ in ranges), numbers, strict=True))}
            truth = self._truth(part, tuple(sorted(here.items())))
            if truth is None:
                return None
            holds = holds & truth
        return holds

    def _truth(self, part: Poly, chosen: Chosen) -> NDArray[np.bool_] | None:
        key = (part, chosen)
        if key not in self._truths:
            number = self.numbers(part, chosen, large=True)
            self._truths[key] = None if number is None else number != 0
        return self._truths[key]

    def numbers(self, value: Poly, chosen: Chosen, *, large: bool = False) -> NDArray[np.int64] | None:
        """Return the number that each thread holds; `large` takes parameters that are not known for large ones."""
        lanes = self._value(value, chosen, large)
        if lanes is None or not set(lanes) <= {CONSTANT}:
            return None
        return self._flat(lanes.get(CONSTANT, 0))

    def offsets(self, offset: Poly, chosen: Chosen) -> tuple[NDArray[np.int64], dict[object, int]] | None:
        """Return byte offsets per thread, and the unknown part that all threads of the block share."""
        key = (offset, chosen)
        if key not in self._offsets:
            self._offsets[key] = self._split(self._value(offset, chosen, False))
        return self._offsets[key]

    def _split(self, lanes: LaneValue | None) -> tuple[NDArray[np.int64], dict[object, int]] | None:
        if lanes is None:
            return None
        common: dict[object, int] = {}
        for monomial, coefficient in lanes.items():
            if monomial != CONSTANT:
                numbers = self._flat(coefficient)
                varies = any(self.algebra.atoms[index].level is not Level.UNIFORM for index, _ in monomial)
                if varies or (numbers != numbers[0]).any():  # what varies is the same for a warp only
                    return None
                common[monomial] = int(numbers[0])
        return self._flat(lanes.get(CONSTANT, 0)), common

    def _flat(self, number: object) -> NDArray[np.int64]:
        flat: NDArray[np.int64] = spread(np.asarray(number, dtype=np.int64), (1, *self.exists.shape))[0]
        existing: NDArray[np.int64] = flat[self.exists]
        return existing

    def _value(self, value: Poly, chosen: Chosen, large: bool) -> LaneValue | None:
        known = dict(chosen)
        sizes: dict[int, int] = {}
        for atom in self.algebra.closure(value):
            if atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE) or atom.pending:
                return None
            if atom.kind is AtomKind.COUNTER and atom.index not in known:
                return None
            if atom.kind is AtomKind.UNIFORM:
                if atom.high is not None or atom.name == "divisor":
                    return None
                sizes[atom.index] = self._large.setdefault(atom.index, LARGE + LARGER_BY * len(self._large))
        key = (chosen, large)
        evaluator = self._evaluators.get(key)
        if evaluator is None or (large and any(index not in evaluator.known for index in sizes)):
            numbers = {**self.model.threads, **known, **(self._large if large else {})}
            evaluator = self._evaluators[key] = LaneEvaluator(self.algebra, numbers)
        try:
            lanes = evaluator.value(value)
        except (Undecided, OverflowError):
            lanes = None
        if lanes is not None and any(isinstance(n, int) and abs(n) > LARGEST for n in lanes.values()):
            lanes = None
        if evaluator.open_choices or evaluator.assumed or evaluator.approximate or evaluator.supposed:
            del self._evaluators[key]  # what it holds rests on suppositions
            return None
        return lanes


def block_choices(threads: Threads, touches: Collection[SharedAccess]) -> Iterator[dict[int, int]]:
    """Yield the block that is looked at: the first, and one that is not at the edge of the grid."""
    values = [touch.offset for touch in touches]
    values += [guard.condition.value for touch in touches for guard in touch.guards]
    values += [touch.value for touch in touches if touch.value is not None]
    blocks = [atom for atom in threads.algebra.closure(*values) if atom.is_block_index]
    yield {atom.index: 0 for atom in blocks}
    if any(atom.trips is None or atom.trips > 1 for atom in blocks):
        yield {atom.index: 1 if atom.trips is None or atom.trips > 1 else 0 for atom in blocks}
