"""Threads that touch the same byte of shared memory with no barrier between: only what is certain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.recorder.events import Item, LoopRegion, SharedAccess
from coalint.analysis.synchronization.collisions import Collision, race_of, separate
from coalint.analysis.synchronization.intervals import Pair, pairs
from coalint.analysis.synchronization.parts_of_threads import leaves_its_part
from coalint.analysis.synchronization.repeated_updates import is_repeatable
from coalint.analysis.synchronization.stored_values import Stored, computed, stored
from coalint.analysis.synchronization.touched_units import (
    KnownUnits,
    loaded_back,
    meet,
    stays_inside,
    threads_at_one_unit,
    units_of,
    without,
)
from coalint.analysis.warps.model import WarpModel
from coalint.analysis.warps.single_threads import BY_LARGE, Chosen, Threads, Touched, block_choices
from coalint.analysis.warps.threads import LANES
from coalint.core.facts.access import Operation
from coalint.core.facts.launch import Specialization
from coalint.core.facts.synchronization import Race
from coalint.core.lazy import np

if TYPE_CHECKING:
    from collections.abc import Sequence


_PIECE = re.compile(r"\**([A-Za-z_]\w*)\[")

MAX_TRIED = 60_000  # pairs under one choice of iterations
LAST = -1


def races(items: Sequence[Item], model: WarpModel, specialization: Specialization) -> tuple[Race, ...]:
    """Return one race for each place where a barrier is missing."""
    search = _Search(Threads(model))
    met = [collision for pair in pairs(items) for collision in search.meetings(pair)]
    return tuple(race_of(collision, model.block, specialization) for collision in separate(met))


class _Search:
    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.units = KnownUnits()
        self.tried = 0

    def meetings(self, pair: Pair) -> Iterator[Collision]:
        """Yield threads that meet in the pair, of two warps if there are such; none if nothing is certain."""
        if is_repeatable(self.threads.algebra, pair.first, pair.second):
            return
        passed = self._passed(pair)
        if any(1 - part in passed for part in passed):
            return  # nobody comes there
        scattered = [
            t for t in (pair.first, pair.second) if t.operation is Operation.ATOMIC and self.threads.anywhere(t)
        ]
        if scattered and pair.first.operation is Operation.LOAD:
            return  # which thread looks at what it then updates is not known
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
            a = self._changing(pair.first, first, self.threads.touched(pair.first, first, passed))
            b = None
            if a is not None:
                b = self._changing(pair.second, second, self.threads.touched(pair.second, second, passed))
            if a is None or b is None or dict(a.common) != dict(b.common):
                continue
            met = self._same_byte(pair, a, b, (first, second))
            if met is not None:
                yield met
                return

    def _led_there(self, pair: Pair, chosen: tuple[Chosen, Chosen], passed: frozenset[Poly]) -> Collision | None:
        """Return a thread whose data may lead its atomic to the element of a thread of another warp."""
        at = 0 if pair.first.operation is Operation.ATOMIC else 1
        atomic, other = (pair.first, pair.second)[at], (pair.first, pair.second)[1 - at]
        plain = self.threads.touched(other, chosen[1 - at], passed)
        led = self.threads.active(atomic, chosen[at], passed)
        if plain is None or led is None or plain.common or not stays_inside(other, plain):
            return None
        others, mine = np.flatnonzero(plain.active), np.flatnonzero(led[0])
        for s, t in ((others[0], mine[-1]), (others[-1], mine[0])):
            if s // LANES != t // LANES:
                threads = (int(t), int(s)) if at == 0 else (int(s), int(t))
                data = f"`{atomic.text}` of any thread may go there, depending on the data"
                return Collision(pair, threads, int(plain.offsets[s]), False, (*plain.assumed, *led[1], data))
        return None

    # --- which iterations

    def _choices(self, pair: Pair) -> Iterator[tuple[Chosen, Chosen]]:
        """Yield iterations in which a thread is at the two accesses with no barrier between."""
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
        """Return conditions that hold for the whole block or not at all, the same for both accesses."""
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

    def _changing(self, touch: SharedAccess, chosen: Chosen, touched: Touched | None) -> Touched | None:
        """Return the threads of an access without those that store what they have loaded from the same place."""
        source = None if touched is None or touch.copied is None else self.threads.offsets(touch.copied, chosen)
        if touched is None or source is None or dict(source[1]) != dict(touched.common):
            return touched
        active = touched.active & (source[0] != touched.offsets)
        return replace(touched, active=active) if active.any() else None

    def _same_byte(self, pair: Pair, a: Touched, b: Touched, chosen: tuple[Chosen, Chosen]) -> Collision | None:
        first, second = pair.first, pair.second
        if a.reach[1] + first.bytes <= b.reach[0] or b.reach[1] + second.bytes <= a.reach[0]:
            return None  # they do not meet, wherever each thread goes
        if not (stays_inside(first, a) and stays_inside(second, b)):
            return None
        pieces = [number for offset, size, _ in (*first.parts, *second.parts) for number in (offset, size)]
        unit = gcd(first.bytes, second.bytes, a.step, b.step, int(a.offsets[0] - b.offsets[0]), *pieces)
        met = self._threads(pair, a, b, chosen, unit)
        if met is None:
            return None
        (s, t, at), stores = met
        sides = ((first, a, chosen), (second, b, chosen[::-1]))
        if any(leaves_its_part(self.threads.algebra, *side, (s, t)) for side in sides):
            return None
        supposed = [text for store in stores for text in store.supposed]
        assumed = tuple(dict.fromkeys((*a.assumed, *b.assumed, *supposed)))
        if any(BY_LARGE in text for text in assumed) and _are_pieces(first, second):
            return None
        return Collision(pair, (s, t), at * unit + int(a.offsets[0]) % unit, bool(a.common), assumed)

    def _threads(
        self, pair: Pair, a: Touched, b: Touched, chosen: tuple[Chosen, Chosen], unit: int
    ) -> tuple[tuple[int, int, int], tuple[Stored, ...]] | None:
        """Return two threads at one unit, the unit, and what is known of stores that must leave different values."""
        first, second = pair.first, pair.second
        in_warp = (pair.in_warp and first.own and second.own) or (first is second and pair.turn is None)
        left, right = self.units.of(a, first.bytes, unit), self.units.of(b, second.bytes, unit)
        if not meet(left, right):
            return None
        match first.operation, second.operation:
            case Operation.STORE, Operation.STORE:
                mine, its = (stored(self.threads, t, n) for t, n in zip((first, second), chosen, strict=True))
                if first is second and pair.turn is None and mine is None:
                    mine = its = computed(self.threads, first, chosen[0])
                if mine is None or its is None or not mine.compares_with(its):
                    return None
                left, right = units_of(a, first.bytes, unit, mine), units_of(b, second.bytes, unit, its)
                meeting = threads_at_one_unit(left, right, in_warp=in_warp, by_contents=True)
                return None if meeting is None else (meeting, (mine, its))
            case Operation.STORE, Operation.LOAD:
                # Who has stored there reads nothing else, unless another thread stores something else.
                meeting = threads_at_one_unit(left, without(right, left), in_warp=in_warp, by_contents=False)
                if meeting is not None or first.alike:
                    return None if meeting is None else (meeting, ())
                mine = stored(self.threads, first, chosen[0])
                if mine is None:
                    return None
                left = units_of(a, first.bytes, unit, mine)
                meeting = threads_at_one_unit(left, loaded_back(right, left), in_warp=in_warp, by_contents=True)
                return None if meeting is None else (meeting, (mine,))
        meeting = threads_at_one_unit(left, right, in_warp=in_warp, by_contents=False)
        return None if meeting is None else (meeting, ())


def _iteration(loop: LoopRegion, step: int, more: int = 0) -> int | None:
    """Return the number of an iteration that has `more` after it; None where there is none."""
    if loop.trips is None:
        return 0 if step == LAST else step
    last = loop.trips - 1 - more
    return None if last < 0 else last if step == LAST else min(step, last)


def _are_pieces(first: SharedAccess, second: SharedAccess) -> bool:
    """Whether two accesses go through variables of their own, as to pieces that a program makes of one array.

    A size for which a piece reaches into the next is none that the program is launched with.
    """
    names = [match.group(1) if (match := _PIECE.match(touch.text)) else "" for touch in (first, second)]
    return all(names) and names[0] != names[1] and first.offset != second.offset
