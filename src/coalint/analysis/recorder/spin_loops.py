"""Accesses after a loop with an atomic that lanes leave at different times: they go on each by itself.

Counted on an H200 (nvcc 13.0 for sm_90, tests/support/spin_loops.cu): after a loop around `atomicCAS`, or one that
takes a lock, the accesses of a warp are made in as many requests as lanes left the loop at different times, those of a
loop around it too, until the next barrier or `__syncwarp()`. So they are after any loop with an atomic that a part of a
warp passes by or leaves before the others: nvcc has put a `YIELD` in it. After other loops that lanes leave by data
they go on together at once.
"""

from __future__ import annotations

from collections.abc import Hashable

from coalint.analysis.recorder.elimination.occurrences import Occurrence
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.ir.loop_trips import LoopTrips
from coalint.core.ir.spin_loops import spins
from coalint.core.records import record

MOST_UNROLLED = 16
"""Iterations of a loop, all of whose copies a compiler is thought to make."""


@record(frozen=True, slots=True)
class _Place:
    """Where an instruction stands: its place in the order, waits of threads before it, and the loops around."""

    number: int
    waits: int
    loops: tuple[ir.Loop, ...]


class SpinLoops:
    """Notes each loop that parts a warp, with the place of its atomic, and of all loops the first and the last wait."""

    def __init__(self) -> None:
        self._known: dict[ir.Loop, bool] = {}
        self._spun: dict[ir.Loop, _Place] = {}
        self._places: dict[Hashable, _Place] = {}
        self._met: dict[ir.Loop, tuple[int, int]] = {}

    def come_to(self, key: Hashable, made: Occurrence, waits: int, *, is_parted: bool) -> None:
        """Note an access, known by a key, and how often threads have waited before it.

        `is_parted`: some lanes of a warp come to it without others.
        """
        number, loops, is_atomic = made.number, made.loops, made.operation is Operation.ATOMIC
        place = _Place(number, waits, loops)
        self._places.setdefault(key, place)
        for position, loop in enumerate(loops):
            self._met[loop] = self._met.get(loop, (waits,))[0], waits
            if is_atomic and (self._spins(loop) or (is_parted and not _is_unrolled(loop))):
                self._spun.setdefault(loop, _Place(number, waits, loops[:position]))

    def supposed(self, key: Hashable) -> tuple[Supposition, ...]:
        """Return what the numbers of an access rest on."""
        if not self._spun or key not in self._places:
            return ()
        place = self._places[key]
        apart = (loop for loop, spun in self._spun.items() if loop not in place.loops and self._is_apart(place, spun))
        texts = (f"the lanes of a warp go on together after the loop at line {loop.span.line}" for loop in apart)
        return tuple(Supposition(text, Supposed.TURNS) for text in texts)

    def _is_apart(self, place: _Place, spun: _Place) -> bool:
        """Whether an access comes after a spin without a wait between them, in the same or the next iteration."""
        if place.number > spun.number:
            return place.waits == spun.waits
        around = (self._met[loop] for loop in spun.loops if loop in place.loops)
        return any(last == spun.waits and first == place.waits for first, last in around)

    def _spins(self, loop: ir.Loop) -> bool:
        known = self._known.get(loop)
        if known is None:
            known = self._known[loop] = spins(loop)
        return known


def _is_unrolled(loop: ir.Loop) -> bool:
    """Whether a compiler makes a copy of a loop's body for each iteration."""
    trips = LoopTrips({}).constant(loop)
    return trips is not None and trips <= MOST_UNROLLED
