"""Warp primitives: whether every lane that the mask names comes to it (CUDA C++ Programming Guide, 10.19 to 10.22).

A primitive waits for the lanes of its mask that have not exited; each lane that calls it must be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import Condition, conjuncts, implied
from coalint.analysis.domain.divisors import Divisors
from coalint.analysis.domain.guards import Guard
from coalint.analysis.synchronization.mask_lanes import MaskLanes
from coalint.analysis.synchronization.named_lanes import FULL, NamedLanes
from coalint.analysis.synchronization.trials import Trials
from coalint.analysis.uniformity.choices import agreed_either_way
from coalint.analysis.uniformity.divergence import Uniformity
from coalint.analysis.uniformity.judgements import Judgement, gone_back, notes
from coalint.analysis.uniformity.reasons import alike, fulfilled
from coalint.analysis.uniformity.signatures import Signatures
from coalint.analysis.warps.counters.enumeration import enumerate_counters
from coalint.analysis.warps.counters.plan import BANK
from coalint.analysis.warps.threads import LANES
from coalint.core.facts.synchronization import Verdict
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

WHO = "lanes of the warp"


@record(frozen=True, slots=True)
class _Part:
    """One condition on the way that lanes of a warp need not share."""

    guard: Guard
    value: Poly
    gone: bool
    """Whether who does not fulfil it has left the kernel."""

    @property
    def condition(self) -> Condition:
        return Condition(self.value, self.guard.condition.text, self.guard.condition.over)

    def alike(self, other: _Part) -> bool:
        """Whether it asks the same of a lane."""
        return self.value == other.value and self.condition.over == other.condition.over


class MaskVerdicts:
    """The verdicts on the primitives of one kernel that wait for the lanes of a mask."""

    def __init__(self, uniformity: Uniformity) -> None:
        self.uniformity = uniformity
        self.algebra = uniformity.algebra
        self.masks = NamedLanes(uniformity.algebra)
        self._group = False
        self._reads = False
        self._why = ""  # lanes come together
        self._known: Divisors | None = None

    # --- verdicts

    def judge(
        self, mask: Poly | None, guards: Sequence[Guard], group: bool = False, *, reads: bool = False
    ) -> Judgement:
        """Return the verdict for a primitive with this mask (None: one that is not known) under these guards.

        `group`: the user wrote no mask but a function of a group of threads. `reads`: a lane gets what another has,
        which is undefined where that has left the kernel's last loop.
        """
        self._group, self._reads = group, reads
        known = self._known = self.uniformity.facts(guards, of_warps=True)
        parts = list(self._parts(guards, known))
        agreed = [guard for guard in guards if all(part.guard is not guard for part in parts)]
        self._why = alike(agreed) + known.words()
        gone = [part for part in parts if part.gone]
        absent = [p for k, p in enumerate(parts) if not p.gone and not any(q.gone and q.alike(p) for q in parts[:k])]
        bits = None if mask is None else self.masks.constant(mask)
        if not absent and (bits in (None, FULL)):
            return self._together(gone)
        if mask is None:
            return self._unknown(absent, "the mask is not followed")
        covered = list(self.masks.covered(mask))
        if any(part.value in covered for part in absent):
            self._why = fulfilled([part.guard for part in absent if part.value in covered])
        absent = [part for part in absent if part.value not in covered]
        if not absent and bits is None:
            return self._together(gone)
        judged = self._counted(
            mask, [part for part in parts if part.gone or part in absent], list(self._of_warps(guards))
        )
        return judged if not judged.deciding_parameters else self._tried(judged, mask, guards, absent)

    def _tried(self, judged: Judgement, mask: Poly, guards: Sequence[Guard], absent: Sequence[_Part]) -> Judgement:
        """Return that it is not known, where lanes part for none of the numbers that are tried."""
        assert self.uniformity.model is not None
        trials = Trials(self.algebra, self.uniformity.model, mask, guards)
        part_nobody = trials.part_nobody([part.value for part in absent])
        self.uniformity.forget()
        if not part_nobody:
            return judged
        because = f"{judged.because}; with the other conditions they part for none of the numbers that were tried"
        return Judgement(Verdict.UNKNOWN, because, judged.notes)

    def _parts(self, guards: Sequence[Guard], known: Divisors) -> Iterator[_Part]:
        conditions = [guard.condition for guard in guards]
        uniformity = self.uniformity

        def plainly(value: Poly, divisors: Divisors) -> bool:
            return uniformity.same_in_warps(value) or divisors.settle(value, uniformity.same_in_warps)

        def in_case(value: Poly, facts: tuple[Poly, ...]) -> bool:
            return plainly(value, uniformity.facts(guards, facts, of_warps=True))

        def agreed(value: Poly) -> bool:
            return plainly(value, known) or agreed_either_way(self.algebra, value, in_case, uniformity.forget)

        for guard in guards:
            for value in conjuncts(self.algebra, guard.condition.value):
                if not agreed(value) and not implied(self.algebra, value, guard.condition, conditions, agreed):
                    yield _Part(guard, value, uniformity.is_end(guard, (value,), loops=not self._reads))

    def _of_warps(self, guards: Sequence[Guard]) -> Iterator[Condition]:
        """Yield what keeps whole warps away."""
        for guard in guards:
            for value in conjuncts(self.algebra, guard.condition.value):
                if self.algebra.level(value) is not Level.UNIFORM and self.uniformity.same_in_warps(value):
                    yield Condition(value, guard.condition.text, guard.condition.over)

    def _together(self, gone: Sequence[_Part]) -> Judgement:
        followed = [part for part in gone if not self.uniformity.unresolved(part.value, LANES)]
        if followed:
            return self.uniformity.after([(part.guard, [part.value]) for part in followed], WHO)
        return Judgement(Verdict.UNIFORM, f"every lane that it waits for reaches it together, since {self._why}")

    def _unknown(self, absent: Sequence[_Part], reason: str) -> Judgement:
        guard = absent[0].guard
        said = self.uniformity.words(guard, WHO)
        return Judgement(Verdict.UNKNOWN, f"{said}, and {reason}", notes(guard))

    # --- lane by lane

    def _counted(self, mask: Poly, parts: list[_Part], of_warps: list[Condition]) -> Judgement:
        """Compare the lanes that the mask names with those that come, in every warp and iteration.

        `parts` are in the order in which lanes come to them: who is absent already leaves by no later exit.
        """
        assert self.uniformity.model is not None
        absent = [part for part in parts if not part.gone]
        self._why = f"the lanes that {self._names(mask)} are those that reach it, warp by warp"
        conditions = [*(part.condition for part in (*absent, *(part for part in parts if part.gone))), *of_warps]
        plan = enumerate_counters(self.algebra, (mask,), conditions, BANK, self.uniformity.model.exists.size)
        signatures = Signatures(self.algebra, self.uniformity.model, plan.arrays)
        lanes = MaskLanes(self.masks, self.uniformity, signatures, plan)
        named = lanes.named(mask)
        if named is None:
            return self._unknown(absent, "whether the mask names exactly the lanes that reach it is not followed")
        here = alive = lanes.existing()
        for condition in of_warps:
            comes = lanes.holds(condition)
            here = here if comes is None else here & comes
        unsure: list[tuple[_Part, NDArray[np.bool_]]] = []
        kept_away: list[tuple[_Part, NDArray[np.bool_]]] = []
        for part in parts:
            holds = lanes.holds(part.condition)
            if holds is not None:
                kept_away.append((part, here & ~holds))
                alive = alive & ~(here & ~holds) if part.gone else alive
                here = here & holds
            elif not part.gone:
                unsure.append((part, named & here))
        missing = lanes.waited_for(mask, named, here) & alive & ~here
        if missing.any():
            keeping = [part for part, away in kept_away if not part.gone and (away & missing).any()]
            return self._missing(mask, keeping or absent, missing, here)
        strangers = here & ~named
        if strangers.any() and not unsure and self.masks.constant(mask) is not None:
            return self._strangers(mask, absent or parts, strangers)
        return self._open(mask, unsure, [part for part in parts if part.gone], lanes)

    def _open(
        self, mask: Poly, parts: list[tuple[_Part, NDArray[np.bool_]]], gone: list[_Part], lanes: MaskLanes
    ) -> Judgement:
        """Return the quantities that the launch gives no number for, and those that the lanes need."""
        splitting = [(part, here) for part, here in parts if not self._shared(lanes, part.value, mask, here)]
        if not splitting:
            self._why += "" if self._known is None else self._known.words()
            return self._together(gone)
        parting = [(part, here) for part, here in splitting if not self.uniformity.unresolved(part.value, LANES)]
        if not parting:
            first = splitting[0][0]
            because = f"`{first.guard.condition.text}` could not be decided: {self.uniformity.reason(first.value)}"
            return Judgement(Verdict.UNKNOWN, because, notes(first.guard))
        if self.masks.constant(mask) != FULL:
            parting = [(part, here) for part, here in parting if not self._rests_on_opaque(part.value)]
            if not parting:
                return self._unknown([splitting[0][0]], "whether the lanes of one mask agree on it is not followed")
        wanted = parting[0][1]
        grouped = [(part.guard, [part.value]) for part, _ in parting]
        judged = self.uniformity.parted(grouped, WHO, lambda value: lanes.afresh().shared(value, mask, wanted))
        because = f"some of the lanes that {self._names(mask)} may not reach it: {judged.because}"
        left = all(self.uniformity.is_end(part.guard, (part.value,), loops=True) for part, _ in parting)
        return replace(judged, because=because, at_end=judged.at_end or left)

    def _shared(self, lanes: MaskLanes, value: Poly, mask: Poly, wanted: NDArray[np.bool_]) -> bool:
        """Whether lanes of one mask agree on a value, with what is known to divide its quantities too."""
        if lanes.shared(value, mask, wanted):
            return True
        known = self._known
        return known is not None and known.settle(value, lambda changed: lanes.afresh().shared(changed, mask, wanted))

    def _rests_on_opaque(self, value: Poly) -> bool:
        """Whether a value rests on what is known to differ in a warp, but not between which of its lanes."""
        return any(
            atom.kind is AtomKind.OPAQUE and atom.level is not Level.UNIFORM and not atom.agreed
            for atom in self.algebra.closure(value)
        )

    def _missing(
        self, mask: Poly, absent: list[_Part], missing: NDArray[np.bool_], here: NDArray[np.bool_]
    ) -> Judgement:
        row = np.argwhere(missing.any(axis=-1))[0]
        lost, come = (_ranges(np.flatnonzero(lanes[tuple(row)])) for lanes in (missing, here))
        guard = absent[0].guard
        who = "lane" if lost.isdigit() else "lanes"
        said = self.uniformity.words(guard, WHO)
        because = (
            f"{self._names(mask)} {who} {lost} of warp {row[1]}, but only {come} of the warp reach it, since {said}"
        )
        back = gone_back(part.guard for part in absent)
        return Judgement(Verdict.DIVERGENT, because, notes(guard), fork=(guard.span, guard.condition.text), back=back)

    def _strangers(self, mask: Poly, parts: list[_Part], strangers: NDArray[np.bool_]) -> Judgement:
        row = np.argwhere(strangers.any(axis=-1))[0]
        lanes = _ranges(np.flatnonzero(strangers[tuple(row)]))
        who, call, them = ("lane", "calls", "it") if lanes.isdigit() else ("lanes", "call", "them")
        verb = "hold" if self._group else "name"
        because = f"{who} {lanes} of warp {row[1]} {call} it, but {self._text(mask)} does not {verb} {them}"
        return Judgement(Verdict.DIVERGENT, because, notes(parts[0].guard) if parts else (), unnamed=True)

    def _names(self, mask: Poly) -> str:
        return f"{self._text(mask)} {'holds' if self._group else 'names'}"

    def _text(self, mask: Poly) -> str:
        if self._group:
            return "the group"
        bits = self.masks.constant(mask)
        return "its mask" if bits is None else f"the mask 0x{bits:x}"


def _ranges(lanes: NDArray[np.intp]) -> str:
    """Return Lane numbers in words: `0-3, 8`."""
    runs = []
    for _, run in groupby(enumerate(lanes.tolist()), key=lambda pair: pair[1] - pair[0]):
        numbers = [lane for _, lane in run]
        runs.append(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
    return ", ".join(runs)
