"""Threads that touch the same byte of shared memory with no barrier between: only what is certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import gcd, prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.recorder.events import Item, LoopRegion, SharedAccess
from coalint.analysis.synchronization.intervals import Pair, pairs
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.single_threads import Chosen, Threads, Touched, block_choices
from coalint.analysis.warps.threads import LANES
from coalint.core.facts.access import Operation
from coalint.core.facts.launch import Specialization
from coalint.core.facts.synchronization import Party, Race
from coalint.core.lazy import np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_TRIED = 60_000  # pairs under one choice of iterations
LAST = -1


@dataclass(frozen=True, slots=True)
class _Met:
    """Two threads (linear ids) and the byte that both touch."""

    pair: Pair
    threads: tuple[int, int]
    offset: int
    common: bool
    assumed: tuple[str, ...]

    @property
    def same_warp(self) -> bool:
        return self.threads[0] // LANES == self.threads[1] // LANES


def races(items: Sequence[Item], model: WarpModel, specialization: Specialization) -> tuple[Race, ...]:
    """One race for each place where a barrier is missing."""
    search = _Search(Threads(model))
    met = [found for pair in pairs(items) for found in search.meetings(pair)]
    return tuple(_race(found, model.block, specialization) for found in _separate(met))


class _Search:
    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.tried = 0

    def meetings(self, pair: Pair) -> Iterator[_Met]:
        """Threads that meet in the pair, of two warps if there are such; none if nothing is certain."""
        passed = self._passed(pair)
        if any(1 - part in passed for part in passed):
            return  # nobody comes there
        scattered = [
            t for t in (pair.first, pair.second) if t.operation is Operation.ATOMIC and self.threads.anywhere(t)
        ]
        for first, second in self._choices(pair):
            self.tried += 1
            if self.tried > MAX_TRIED:
                return
            if scattered:
                met = self._led_there(pair, (first, second), passed)
                if met is not None:
                    yield met
                    return
                continue
            a = self.threads.touched(pair.first, first, passed)
            b = self.threads.touched(pair.second, second, passed) if a is not None else None
            if a is None or b is None or dict(a.common) != dict(b.common):
                continue
            met = self._same_byte(pair, a, b, (first, second))
            if met is not None:
                yield met
                return

    def _led_there(self, pair: Pair, chosen: tuple[Chosen, Chosen], passed: frozenset[Poly]) -> _Met | None:
        """A thread whose data may lead its atomic to the element of a thread of another warp."""
        at = 0 if pair.first.operation is Operation.ATOMIC else 1
        atomic, other = (pair.first, pair.second)[at], (pair.first, pair.second)[1 - at]
        plain = self.threads.touched(other, chosen[1 - at], passed)
        led = self.threads.active(atomic, chosen[at], passed)
        if plain is None or led is None or plain.common or not _inside(other, plain):
            return None
        others, mine = np.flatnonzero(plain.active), np.flatnonzero(led[0])
        for s, t in ((others[0], mine[-1]), (others[-1], mine[0])):
            if s // LANES != t // LANES:
                threads = (int(t), int(s)) if at == 0 else (int(s), int(t))
                data = f"data may lead `{atomic.text}` of any thread there"
                return _Met(pair, threads, int(plain.offsets[s]), False, (*plain.assumed, *led[1], data))
        return None

    # --- which iterations

    def _choices(self, pair: Pair) -> Iterator[tuple[Chosen, Chosen]]:
        """Iterations in which a thread is at the two accesses with no barrier between."""
        common = [a for a, b in zip(pair.first.loops, pair.second.loops, strict=False) if a is b]
        if pair.turn is not None:
            common = common[: common.index(pair.turn)]
        done: set[tuple[Chosen, Chosen]] = set()
        rounds = {loop for loop in (*pair.first.loops, *pair.second.loops) if loop is not pair.turn}
        steps = (0, 1, LAST) if rounds else (0,)
        turns = (0, 1, 2, LAST) if pair.turn is not None else (0,)
        touches = (pair.first, pair.second)
        for block, step, turn in product(list(block_choices(self.threads, touches)), steps, turns):
            first, second = dict(block), dict(block)
            iteration = 0 if pair.turn is None else _iteration(pair.turn, turn, 1)
            if iteration is None:
                continue
            shared = [_iteration(loop, step) for loop in common]
            if None in shared:
                continue
            for loop, number in zip(common, shared, strict=True):
                first[loop.counter] = second[loop.counter] = number or 0
            if pair.turn is not None:
                first[pair.turn.counter], second[pair.turn.counter] = iteration, iteration + 1
            if not self._inner(pair, len(common), step, first, second):
                continue
            chosen = (tuple(sorted(first.items())), tuple(sorted(second.items())))
            if chosen not in done:
                done.add(chosen)
                yield chosen

    def _inner(self, pair: Pair, outer: int, step: int, first: dict[int, int], second: dict[int, int]) -> bool:
        """Choose iterations of the loops around one access alone; False where none is certain to be right."""
        skipped = outer + (pair.turn is not None)
        for loop in pair.first.loops[skipped:]:
            number = _iteration(loop, LAST if loop.meets() else step)
            if loop.meets() and (loop.breaks or (loop.trips is None and not self._constant(pair.first, loop))):
                return False
            if number is None:
                return False
            first[loop.counter] = number
        for loop in pair.second.loops[skipped:]:
            number = _iteration(loop, 0 if loop.meets() else step)
            if number is None:
                return False
            second[loop.counter] = number
        return True

    def _constant(self, touch: SharedAccess, loop: LoopRegion) -> bool:
        """Whether an access is the same in all iterations, but for the loop's own condition."""
        values = [touch.offset, *(guard.condition.value for guard in touch.guards[loop.depth + 1 :])]
        return all(atom.index != loop.counter for atom in self.threads.algebra.closure(*values))

    def _passed(self, pair: Pair) -> frozenset[Poly]:
        """Conditions that hold for the whole block or not at all, the same for both accesses."""
        algebra = self.threads.algebra
        sides = []
        for touch in (pair.first, pair.second):
            guards = touch.guards if pair.turn is None else touch.guards[: pair.turn.depth]
            parts = (
                part
                for guard in guards
                if not guard.condition.over
                for part in conjuncts(algebra, guard.condition.value)
            )
            sides.append({part for part in parts if algebra.level(part) is Level.UNIFORM})
        return frozenset(sides[0] & sides[1])

    # --- which threads

    def _same_byte(self, pair: Pair, a: Touched, b: Touched, chosen: tuple[Chosen, Chosen]) -> _Met | None:
        first, second = pair.first, pair.second
        if not (_inside(first, a) and _inside(second, b)):
            return None
        unit = gcd(first.bytes, second.bytes, _step(a), _step(b), int(a.offsets[0] - b.offsets[0]))
        left, right = _units(a, first.bytes, unit), _units(b, second.bytes, unit)
        if first.operation is Operation.STORE and first.alike:  # who has stored the same reads nothing else
            right = _without(right, left)
        in_warp = pair.in_warp and first.own and second.own and first.operation is not Operation.LOAD
        if first is second or {first.operation, second.operation} == {Operation.STORE}:
            values = [
                None if touch.value is None else self.threads.numbers(touch.value, number)
                for touch, number in zip((first, second), chosen, strict=True)
            ]
            found = _apart(left, right, in_warp or first is second, (values[0], values[1]))
        else:
            found = _apart(left, right, in_warp, None)
        if found is None:
            return None
        s, t, at = found
        assumed = tuple(dict.fromkeys((*a.assumed, *b.assumed)))
        return _Met(pair, (s, t), at * unit + int(a.offsets[0]) % unit, bool(a.common), assumed)


def _iteration(loop: LoopRegion, step: int, more: int = 0) -> int | None:
    """The number of an iteration that has `more` behind it; None where there is none."""
    if loop.trips is None:
        return 0 if step == LAST else step
    last = loop.trips - 1 - more
    return None if last < 0 else last if step == LAST else min(step, last)


Units = tuple["NDArray[np.int64]", "NDArray[np.int64]"]  # what is touched and by which thread, sorted by both


def _inside(touch: SharedAccess, touched: Touched) -> bool:
    """Whether all active threads stay inside of the array, as far as its size is known."""
    memory, offsets = touch.base.memory, touched.offsets[touched.active]
    if touched.common:
        return True
    if offsets.min() < 0:
        return False
    known = [extent for extent in memory.extents if extent is not None]
    if len(known) < len(memory.extents) or not memory.element_bytes:
        return True
    return bool(offsets.max() + touch.bytes <= prod(known) * memory.element_bytes)


def _step(touched: Touched) -> int:
    return int(np.gcd.reduce(touched.offsets - touched.offsets[0]))


def _units(touched: Touched, size: int, unit: int) -> Units:
    """The units of memory that each thread touches."""
    ids = np.flatnonzero(touched.active)
    start = np.floor_divide(touched.offsets[ids], unit)
    places = (start[:, None] + np.arange(size // unit)).ravel()
    owners = np.repeat(ids, size // unit)
    order = np.lexsort((owners, places))
    return places[order], owners[order]


def _without(units: Units, others: Units) -> Units:
    """Units but for those that the same thread touches among the others."""
    span = 1 << 20
    kept = ~np.isin(units[0] * span + units[1], others[0] * span + others[1])
    return units[0][kept], units[1][kept]


def _apart(
    left: Units, right: Units, in_warp: bool, values: tuple[NDArray[np.int64] | None, NDArray[np.int64] | None] | None
) -> tuple[int, int, int] | None:
    """Two threads at one unit: of different warps, else of one if that counts. With `values`, these must differ."""
    places = np.intersect1d(left[0], right[0])
    if not places.size or (values is not None and (values[0] is None or values[1] is None)):
        return None
    ends = [
        (units[1][np.searchsorted(units[0], places)], units[1][np.searchsorted(units[0], places, "right") - 1])
        for units in (left, right)
    ]
    for warps in (True, False) if in_warp else (True,):
        for s, t in ((ends[0][0], ends[1][1]), (ends[0][1], ends[1][0])):
            differ = s // LANES != t // LANES if warps else s != t
            if values is not None and values[0] is not None and values[1] is not None:
                differ = differ & (values[0][s] != values[1][t])
            if differ.any():
                index = int(np.flatnonzero(differ)[0])
                return int(s[index]), int(t[index]), int(places[index])
    return None


# --- one race for each missing barrier


def _separate(found: Iterable[_Met]) -> list[_Met]:
    """As few as it takes for a barrier before each `second` to part all that were found."""
    chosen: list[_Met] = []
    ordered = sorted(found, key=lambda met: (met.same_warp, met.pair.turn is not None, met.pair.second.index))
    for met in ordered:
        if not any(_parted(met, other) for other in chosen):
            chosen.append(met)
    return sorted(chosen, key=lambda met: met.pair.second.index)


def _parted(met: _Met, other: _Met) -> bool:
    """Whether a barrier right before the second access of `other` parts `met` as well."""
    barrier, first, second = other.pair.second.index, met.pair.first.index, met.pair.second.index
    if met.pair.turn is None:
        return first < barrier <= second and _within(met.pair, other.pair)
    inside = met.pair.turn in other.pair.second.loops
    return inside and (barrier <= second or first < barrier)


def _within(pair: Pair, other: Pair) -> bool:
    """Whether the barrier stands in no loop that the pair does not pass through."""
    return other.turn is None or other.turn in pair.second.loops


def _race(met: _Met, block: tuple[int, int, int], specialization: Specialization) -> Race:
    first, second = met.pair.first, met.pair.second
    turn = met.pair.turn
    parties = [_party(touch, thread, block) for touch, thread in zip((first, second), met.threads, strict=True)]
    element = first.text if met.common else _element(first, met.offset)
    return Race(
        specialization.kernel,
        specialization,
        parties[0],
        parties[1],
        element,
        met.same_warp,
        None if turn is None else turn.span,
        met.assumed,
    )


def _party(touch: SharedAccess, thread: int, block: tuple[int, int, int]) -> Party:
    x, y, _ = block
    return Party(touch.span, touch.operation, touch.text, (thread % x, thread // x % y, thread // (x * y)))


def _element(touch: SharedAccess, offset: int) -> str:
    """The element at a byte offset, as `tile[3][1]`."""
    memory = touch.base.memory
    if not memory.extents or not memory.element_bytes:
        return memory.name
    index, places = offset // memory.element_bytes, []
    for extent in reversed(memory.extents[1:]):
        if not extent:
            return memory.name
        places.append(index % extent)
        index //= extent
    return memory.name + "".join(f"[{number}]" for number in (index, *reversed(places)))
