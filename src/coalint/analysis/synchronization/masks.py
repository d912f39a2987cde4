"""Warp primitives: whether every lane that the mask names comes to it (CUDA C++ Programming Guide, 10.19 to 10.22).

A primitive waits for the lanes of its mask that have not exited; each lane that calls it must be named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.conditions import Condition, conjuncts, implied
from coalint.analysis.domain.divisors import Divisors
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.uniformity.divergence import Judgement, Uniformity, gone_back, notes
from coalint.analysis.uniformity.reasons import alike, fulfilled
from coalint.analysis.uniformity.signatures import Signatures
from coalint.analysis.warps.counters.enumeration import enumerate_counters
from coalint.analysis.warps.counters.plan import BANK, Plan
from coalint.analysis.warps.threads import LANES
from coalint.core.facts.synchronization import Verdict
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FULL = 0xFFFFFFFF
WHO = "lanes of the warp"


@dataclass(frozen=True, slots=True)
class Named:
    """The lanes that a computed mask names: who came to the place where it was made, under `guards`.

    Of those only the lanes that `mask` names (None: all) with a true `predicate` (None: all); `some`: not all of these,
    but who agrees on a value.
    """

    guards: tuple[Guard, ...]
    predicate: Poly | None = None
    mask: Poly | None = None
    some: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """One condition on the way that lanes of a warp need not share."""

    guard: Guard
    value: Poly

    @property
    def condition(self) -> Condition:
        return Condition(self.value, self.guard.condition.text, self.guard.condition.over)

    @property
    def gone(self) -> bool:
        """Whether who does not fulfil it has left the kernel."""
        return self.guard.kind is GuardKind.RETURN

    def alike(self, other: _Part) -> bool:
        """Whether it asks the same of a lane."""
        return self.value == other.value and self.condition.over == other.condition.over


class Masks:
    """What is known of the masks of one kernel, and the verdicts on the primitives that use them."""

    def __init__(self, uniformity: Uniformity) -> None:
        self.uniformity = uniformity
        self.algebra = uniformity.algebra
        self._named: dict[Atom, Named] = {}
        self._group = False
        self._why = ""  # lanes come together

    def remember(self, mask: Poly, named: Named) -> None:
        """Say what a mask that is made of one atom names."""
        atoms = self.algebra.atoms_of(mask)
        if len(atoms) == 1 and mask == generator(atoms[0].index):
            self._named[atoms[0]] = named

    # --- verdicts

    def judge(self, mask: Poly | None, guards: Sequence[Guard], group: bool = False) -> Judgement:
        """The verdict for a primitive with this mask (None: one that is not known) under these guards.

        `group`: the user wrote no mask but a function of a group of threads.
        """
        self._group = group
        known = self.uniformity.facts(guards)
        parts = list(self._parts(guards, known))
        agreed = [guard for guard in guards if all(part.guard is not guard for part in parts)]
        self._why = alike(agreed) + known.words()
        gone = [part for part in parts if part.gone]
        absent = [p for k, p in enumerate(parts) if not p.gone and not any(q.gone and q.alike(p) for q in parts[:k])]
        bits = None if mask is None else self._constant(mask)
        if not absent and (bits in (None, FULL)):
            return self._together(gone)
        if mask is None:
            return self._unknown(absent, "the mask is not followed")
        covered = list(self._covered(mask))
        if any(part.value in covered for part in absent):
            self._why = fulfilled([part.guard for part in absent if part.value in covered])
        absent = [part for part in absent if part.value not in covered]
        if not absent and bits is None:
            return self._together(gone)
        return self._counted(
            mask, [part for part in parts if part.gone or part in absent], list(self._of_warps(guards))
        )

    def _parts(self, guards: Sequence[Guard], known: Divisors) -> Iterator[_Part]:
        conditions = [guard.condition for guard in guards]
        uniformity = self.uniformity

        def agreed(value: Poly) -> bool:
            return uniformity.same_in_warps(value) or known.settle(value, uniformity.same_in_warps)

        for guard in guards:
            for value in conjuncts(self.algebra, guard.condition.value):
                if not agreed(value) and not implied(self.algebra, value, guard.condition, conditions, agreed):
                    yield _Part(guard, value)

    def _of_warps(self, guards: Sequence[Guard]) -> Iterator[Condition]:
        """What keeps whole warps away."""
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

    # --- masks

    def _constant(self, mask: Poly) -> int | None:
        number = self.algebra.number(mask)
        return None if number is None else number & FULL

    def _named_by(self, mask: Poly) -> Named | None:
        """Where a computed mask comes from, seen through conversions."""
        atoms = self.algebra.atoms_of(mask)
        if len(atoms) != 1 or mask != generator(atoms[0].index):
            return None
        if atoms[0].operator == "wrap":
            return self._named_by(atoms[0].operands[0])
        return self._named.get(atoms[0])

    def _covered(self, mask: Poly) -> Iterator[Poly]:
        """Conditions that every lane that the mask names is known to fulfil."""
        atoms = self.algebra.atoms_of(mask)
        if len(atoms) == 1 and atoms[0].operator == "&" and mask == generator(atoms[0].index):
            for operand in atoms[0].operands:
                yield from self._covered(operand)
        named = self._named_by(mask)
        if named is None:
            return
        for guard in named.guards:
            yield from conjuncts(self.algebra, guard.condition.value)
        if named.predicate is not None:
            yield from conjuncts(self.algebra, named.predicate)
        if named.mask is not None:
            yield from self._covered(named.mask)

    # --- lane by lane

    def _counted(self, mask: Poly, parts: list[_Part], of_warps: list[Condition]) -> Judgement:
        """Compare the lanes that the mask names with those that come, in every warp and iteration.

        `parts` are in the order in which lanes come to them: who is absent already leaves by no later exit.
        """
        assert self.uniformity.model is not None
        absent = [part for part in parts if not part.gone]
        self._why = f"the lanes that {self._names(mask)} are those that come, warp by warp"
        conditions = [*(part.condition for part in (*absent, *(part for part in parts if part.gone))), *of_warps]
        plan = enumerate_counters(self.algebra, (mask,), conditions, BANK, self.uniformity.model.exists.size)
        signatures = Signatures(self.algebra, self.uniformity.model, plan.arrays)
        lanes = _Lanes(self, signatures, plan)
        named = lanes.named(mask)
        if named is None:
            return self._unknown(absent, "whether the mask names just those that come is not followed")
        here = alive = lanes.existing()
        for condition in of_warps:
            comes = lanes.holds(condition)
            here = here if comes is None else here & comes
        unsure: list[tuple[_Part, NDArray[np.bool_]]] = []
        for part in parts:
            holds = lanes.holds(part.condition)
            if holds is not None:
                alive = alive & ~(here & ~holds) if part.gone else alive
                here = here & holds
            elif not part.gone:
                unsure.append((part, named & here))
        missing = lanes.waited_for(mask, named, here) & alive & ~here
        if missing.any():
            return self._missing(mask, absent, missing, here)
        strangers = here & ~named
        if strangers.any() and not unsure and self._constant(mask) is not None:
            return self._strangers(mask, absent or parts, strangers)
        return self._open(mask, unsure, [part for part in parts if part.gone], lanes)

    def _open(
        self, mask: Poly, parts: list[tuple[_Part, NDArray[np.bool_]]], gone: list[_Part], lanes: _Lanes
    ) -> Judgement:
        """Parts whose truth is not known, with who comes to each: fine where lanes that wait for one another agree."""
        splitting = [(part, here) for part, here in parts if not lanes.shared(part.value, mask, here)]
        if not splitting:
            return self._together(gone)
        parting = [(part, here) for part, here in splitting if not self.uniformity.unresolved(part.value, LANES)]
        if not parting:
            first = splitting[0][0]
            because = f"`{first.guard.condition.text}` could not be decided: {self.uniformity.reason(first.value)}"
            return Judgement(Verdict.UNKNOWN, because, notes(first.guard))
        wanted = parting[0][1]
        grouped = [(part.guard, [part.value]) for part, _ in parting]
        judged = self.uniformity.parted(grouped, WHO, lambda value: lanes.shared(value, mask, wanted))
        because = f"of the lanes that {self._names(mask)} some may be elsewhere: {judged.because}"
        return replace(judged, because=because)

    def _missing(
        self, mask: Poly, absent: list[_Part], missing: NDArray[np.bool_], here: NDArray[np.bool_]
    ) -> Judgement:
        row = np.argwhere(missing.any(axis=-1))[0]
        lost, come = (_ranges(np.flatnonzero(lanes[tuple(row)])) for lanes in (missing, here))
        guard = absent[0].guard
        who = "lane" if lost.isdigit() else "lanes"
        said = self.uniformity.words(guard, WHO)
        because = f"{self._names(mask)} {who} {lost} of warp {row[1]}, but only {come} of it come here, since {said}"
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
        bits = self._constant(mask)
        return "its mask" if bits is None else f"the mask 0x{bits:x}"


class _Lanes:
    """The lanes of every warp, for each combination of the counters that a plan enumerates."""

    def __init__(self, masks: Masks, signatures: Signatures, plan: Plan) -> None:
        self.masks = masks
        self.signatures = signatures
        self.plan = plan
        self.shape = (plan.combinations, *signatures.model.exists.shape[1:])

    def existing(self) -> NDArray[np.bool_]:
        """The lanes that there are."""
        return np.broadcast_to(self.signatures.model.exists, self.shape)

    def holds(self, condition: Condition) -> NDArray[np.bool_] | None:
        """Which lanes fulfil a condition; None where that is not known."""
        number = self.signatures.number(condition.value)
        if number is None:
            return None
        return self.plan.follow(np.broadcast_to(np.not_equal(number, 0), self.shape), condition.over)

    def named(self, mask: Poly) -> NDArray[np.bool_] | None:
        """Which lanes a mask names, of those that hold it; None where that is not known."""
        constant = self.masks._constant(mask)  # of which more bits may be written than a mask has
        number = self.signatures.number(mask) if constant is None else constant
        if number is not None:
            lane = np.arange(self.shape[-1])
            return np.broadcast_to((number >> lane) & 1 == 1, self.shape)
        named = self.masks._named_by(mask)
        if named is None or named.some:
            return None
        found = self.existing() if named.mask is None else self.named(named.mask)
        if found is None:
            return None
        for guard in named.guards:
            for value in conjuncts(self.masks.algebra, guard.condition.value):
                if self.masks.uniformity.same_in_warps(value):
                    continue
                holds = self.holds(Condition(value, "", guard.condition.over))
                if holds is None:
                    return None
                found = found & holds
        if named.predicate is not None and not self.masks.uniformity.same_in_warps(named.predicate):
            holds = self.holds(Condition(named.predicate, ""))
            if holds is None:
                return None
            found = found & holds
        return found

    def waited_for(self, mask: Poly, named: NDArray[np.bool_], here: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The lanes that are in the mask of a lane that comes."""
        number = self.signatures.number(mask)
        if number is None:  # one mask for the warp
            return named & here.any(axis=-1, keepdims=True)
        bits = np.where(here, np.broadcast_to(number & FULL, self.shape), 0)
        together = np.bitwise_or.reduce(bits, axis=-1, keepdims=True)
        return np.asarray((together >> np.arange(self.shape[-1])) & 1 == 1)

    def shared(self, value: Poly, mask: Poly, wanted: NDArray[np.bool_]) -> bool:
        """Whether lanes of a warp that wait for one another, having the same mask, agree on a value."""
        parts = self.signatures.of(value)
        if parts is None:
            return bool((wanted.sum(axis=-1) <= 1).all())
        first = self._first(mask, wanted)
        for part in parts:
            mine = np.broadcast_to(part, self.shape)
            if (wanted & (mine != np.take_along_axis(mine, first, axis=-1))).any():
                return False
        return True

    def _first(self, mask: Poly, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each lane the first of those that its mask names and that are wanted."""
        number = self.signatures.number(mask)
        first = np.broadcast_to(np.argmax(wanted, axis=-1, keepdims=True), self.shape).astype(np.int64)
        for lane in reversed(range(self.shape[-1] if number is not None else 0)):
            assert number is not None
            first = np.where((number >> lane) & 1 & wanted[..., lane : lane + 1] == 1, lane, first)
        return first


def _ranges(lanes: NDArray[np.intp]) -> str:
    """Lane numbers in words: `0-3, 8`."""
    runs = []
    for _, run in groupby(enumerate(lanes.tolist()), key=lambda pair: pair[1] - pair[0]):
        numbers = [lane for _, lane in run]
        runs.append(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
    return ", ".join(runs)
