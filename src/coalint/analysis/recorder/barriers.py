"""The barriers and warp primitives that an evaluation comes to, each with its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.guards import Guard
from coalint.analysis.domain.values import Value
from coalint.analysis.synchronization.masks import MaskVerdicts
from coalint.analysis.synchronization.named_lanes import Named
from coalint.analysis.uniformity.judgements import Judgement
from coalint.core.facts.synchronization import Barrier, Fence, Verdict
from coalint.core.records import record
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.analysis.counts.reaches import Reach
    from coalint.analysis.domain.site import Site
    from coalint.analysis.recorder.evaluated_kernel import EvaluatedKernel
    from coalint.analysis.recorder.events import Order
    from coalint.analysis.recorder.unsynchronised import Unsynchronised

_ELSEWHERE = "threads may arrive at it in another place, which it counts"
LONGEST_NAME = 40  # characters of what a user calls, as a barrier's name

_RANK = {Verdict.UNIFORM: 0, Verdict.AFTER_EXIT: 1, Verdict.UNKNOWN: 2, Verdict.DIVERGENT: 3}


@record(frozen=True, slots=True)
class Waits:
    """For whom a barrier waits: the block, runs of `size` threads (a tile), or lanes of the warp.

    `mask` names the lanes; None is a mask that is not followed. `masked` says that the call takes one. `split`: it
    waits for those who have arrived in another call. `orders_memory`: what they did to memory before is seen after it.
    `reads` says that a lane gets a value of another one. `number` is that of a numbered barrier of the block, which
    warps meet at wherever they wait for it.
    """

    scope: str = "block"
    size: int | None = None
    mask: Poly | None = None
    masked: bool = False
    split: bool = False
    orders_memory: bool = True
    number: int | None = None
    reads: bool = False


class Barriers:
    """Collects the barriers of one kernel; `reaches` are where those stand, in their order."""

    def __init__(
        self,
        kernel: EvaluatedKernel,
        unsynchronised: Unsynchronised,
        order: Order,
        reach_of: Callable[[Site], Reach],
    ) -> None:
        self.kernel = kernel
        self._reach_of = reach_of
        self.unsynchronised = unsynchronised
        self.order = order
        self.uniformity = kernel.uniformity
        self.mask_verdicts = MaskVerdicts(kernel.uniformity)
        self._barriers: list[Barrier] = []
        self.reaches: list[Reach] = []
        self.fences: list[Fence] = []
        self._waits: list[Waits] = []  # of these barriers
        self._back: dict[int, int] = {}  # those that others have gone back to a caller before, by how deep that was
        self._left: list[int] = []  # those before which others have left the outermost loop
        self._since: dict[int, int] = {}  # both, by how many barriers there were when they were back or out
        self._ended: dict[int, int] = {}  # those that were left, by how many accesses there were then

    def record(self, site: Site, function: str, span: Span, waits: Waits) -> None:
        """Record a barrier with the verdict that its guards give."""
        kernel = self.kernel
        if waits.scope == "block":
            self.unsynchronised.clear()
        if site.dry or kernel.model is None or kernel.specialization is None:
            return
        at = kernel.place_of(span)
        judged = self._judge(waits, site.guards, group=at != span)
        if waits.split and judged.verdict is Verdict.DIVERGENT:
            judged = replace(judged, verdict=Verdict.UNKNOWN, because=f"{judged.because}, but {_ELSEWHERE}")
        whole = waits.size is None and not waits.split
        certain = whole and judged.verdict is not Verdict.DIVERGENT
        is_block = waits.scope == "block"
        self.order.met(site, block=is_block, certain=certain, orders_memory=is_block or waits.orders_memory)
        if judged.back:
            self._back[len(self._barriers)] = judged.back
        loops = [around.loop.span for around in kernel.loops]
        if is_block and judged.ways and all(_of_outermost(way.span, loops) for way in judged.ways):
            self._left.append(len(self._barriers))
        self._waits.append(waits)
        self.reaches.append(self._reach_of(site))
        self._barriers.append(
            Barrier(
                kernel=kernel.specialization.kernel,
                specialization=kernel.specialization,
                function=self._called(function, span, at),
                scope=waits.scope,
                span=at,
                verdict=judged.verdict,
                because=judged.because,
                provenance=(*judged.notes, *kernel.calls()),
                deciding_parameters=judged.deciding_parameters,
                settled=judged.settled,
                settled_by_warp_size=judged.settled_by_warp_size,
                fork=judged.fork,
                masked=waits.masked,
                unnamed=judged.unnamed,
                skipped=judged.skipped,
                by_data=judged.by_data,
                at_end=judged.at_end,
                whole_warps=judged.whole_warps,
                orders_memory=waits.scope == "block" or waits.orders_memory,
                number=waits.number,
                accesses_before=len(kernel.accesses),
                loops=tuple(loops),
            )
        )

    def fence(self, site: Site) -> None:
        """Record a fence of memory."""
        if not site.dry:
            loops = tuple(around.loop.span for around in self.kernel.loops)
            self.fences.append(Fence(accesses_before=len(self.kernel.accesses), loops=loops))

    def names(self, mask: Value, named: Named) -> None:
        """Remember which lanes a mask names."""
        if isinstance(mask, Polynomial):
            self.mask_verdicts.masks.remember(mask, named)

    def returned(self, depth: int) -> None:
        """Handle the end of a call that was `depth` calls deep: who has gone back early comes to what follows."""
        for index in [index for index, back in self._back.items() if back == depth]:
            del self._back[index]
            if not self.kernel.in_loop():
                self._since[index] = len(self._barriers)

    def out(self) -> None:
        """Handle the end of a loop: who has left it early comes to what follows."""
        if not self.kernel.in_loop():
            self._since.update(dict.fromkeys(self._left, len(self._barriers)))
            self._ended.update(dict.fromkeys(self._left, len(self.kernel.accesses)))
            self._left.clear()

    def finish(self) -> tuple[Barrier, ...]:
        """Return the barriers, with those for which the rest of the block has left the kernel.

        Who went back to a caller has where no barrier follows. Who left a loop has where no access follows either:
        nvcc lets such threads exit there, while it has others wait for their warp first.
        """
        for index, since in self._since.items():
            accesses = len(self.kernel.accesses)
            if since == len(self._barriers) and self._ended.get(index, accesses) == accesses:
                barrier = self._barriers[index]
                because = f"{barrier.because}, and come to the kernel's end"
                self._barriers[index] = replace(
                    barrier, verdict=Verdict.AFTER_EXIT, because=because, deciding_parameters=(), settled="", fork=None
                )
        return tuple(self._barriers)

    def mark(self) -> int:
        """Return how many barriers there are so far."""
        return len(self._barriers)

    def taint(self, since: int, guards: Sequence[Guard]) -> None:
        """Record that threads leave the loop around the barriers since then by `guards`.

        What that means for later iterations.
        """
        for index in range(since, len(self._barriers)):
            barrier, waits = self._barriers[index], self._waits[index]
            if waits.scope == "warp":
                continue  # the lanes are counted iteration by iteration
            judged = self._judge(waits, guards)
            if _RANK[judged.verdict] > _RANK[barrier.verdict]:
                self._since.pop(index, None)
                if waits.scope == "block" and judged.ways and not self.kernel.in_loop():
                    self._left.append(index)
                self._barriers[index] = replace(
                    barrier,
                    verdict=judged.verdict,
                    because=judged.because,
                    provenance=judged.notes,
                    deciding_parameters=judged.deciding_parameters,
                    settled=judged.settled,
                    settled_by_warp_size=judged.settled_by_warp_size,
                    fork=judged.fork,
                    skipped=judged.skipped,
                    by_data=judged.by_data,
                    at_end=judged.at_end,
                    whole_warps=judged.whole_warps,
                )

    def _judge(self, waits: Waits, guards: Sequence[Guard], group: bool = False) -> Judgement:
        if waits.scope == "warp":
            return self.mask_verdicts.judge(waits.mask, guards, group, reads=waits.reads)
        judged = self.uniformity.judge(guards, "block" if waits.size is None else "tile", waits.size)
        assert self.kernel.specialization is not None
        is_guess = waits.size is None and self.kernel.specialization.guesses_shape
        return replace(judged, settled="") if is_guess and not judged.settled_by_warp_size else judged

    def _called(self, function: str, span: Span, at: Span) -> str:
        """Return the names of functions and methods called with an argument that one of the names `passed` means."""
        if at == span:
            return function
        text = self.kernel.text(at).partition("(")[0].strip()
        return text if text and len(text) <= LONGEST_NAME and "..." not in text else function


def _of_outermost(way: Span, loops: Sequence[Span]) -> bool:
    """Whether threads that leave a loop at `way` leave the outermost of these loops."""
    return bool(loops) and way.lies_in(loops[0]) and not any(way.lies_in(inner) for inner in loops[1:2])
