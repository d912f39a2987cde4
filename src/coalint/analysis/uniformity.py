"""Whether every thread of a block reaches a statement together, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coalint.analysis.access import Verdict
from coalint.analysis.atoms import Kind, Level, Poly
from coalint.analysis.conditions import conjuncts
from coalint.analysis.symbolic import Algebra
from coalint.analysis.values import Guard, GuardKind, provenance
from coalint.analysis.warp import WarpModel
from coalint.diagnostics import Note

_WORDS = {
    GuardKind.BRANCH: "`{0}` can differ between {1}",
    GuardKind.LOOP: "the loop's condition `{0}` can differ between {1}, so some leave it earlier",
    GuardKind.BREAK: "{2} leave the loop by `break` under `{0}`, which can differ between {1}",
    GuardKind.CONTINUE: "{2} skip ahead by `continue` under `{0}`, which can differ between {1}",
    GuardKind.RETURN: "{2} return early by `{0}`, which can differ between {1}",
}

_MASK = "whether the mask names just the lanes that arrive is not followed"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the reason in words, the chain from threadIdx, and the parameters that a divergence hinges on."""

    verdict: Verdict
    because: str
    notes: tuple[Note, ...] = ()
    hinges: tuple[str, ...] = ()


class Uniformity:
    """Judges guards for one block shape."""

    def __init__(self, algebra: Algebra, model: WarpModel | None) -> None:
        self.algebra = algebra
        self.model = model
        self._cache: dict[Poly, bool] = {}

    def uniform(self, value: Poly) -> bool:
        """Whether all threads of the block hold the same value."""
        found = self._cache.get(value)
        if found is None:
            found = self.algebra.level(value) is Level.UNIFORM or (
                self.model is not None and self.model.same_for_block(value)
            )
            self._cache[value] = found
        return found

    def forget(self) -> None:
        """Forget decisions: atoms that they were about may be gone."""
        self._cache.clear()

    def judge(self, guards: Sequence[Guard], scope: str, *, masked: bool = False) -> Judgement:
        """The verdict for a barrier under these guards; `masked` if it waits for the lanes of a mask, not for all."""
        judged = self._judge(guards, scope)
        if masked and judged.verdict in (Verdict.DIVERGENT, Verdict.AFTER_EXIT):
            return Judgement(Verdict.UNKNOWN, f"{judged.because}, and {_MASK}", judged.notes)
        return judged

    def _judge(self, guards: Sequence[Guard], scope: str) -> Judgement:
        unknown: Guard | None = None
        exited: Guard | None = None
        for guard in guards:
            condition = guard.condition.value
            if all(self.uniform(part) for part in conjuncts(self.algebra, condition)):
                continue
            if scope == "warp" and self.same_in_warps(condition):
                continue
            if self._unresolved(condition):
                unknown = unknown or guard
            elif guard.kind is GuardKind.RETURN:
                exited = exited or guard
            else:
                return Judgement(
                    Verdict.DIVERGENT, self._words(guard, scope), self._notes(guard), self._hinges(condition)
                )
        if unknown is not None:
            reason = self._reason(unknown)
            because = f"`{unknown.condition.text}` could not be decided: {reason}"
            return Judgement(Verdict.UNKNOWN, because, self._notes(unknown))
        if exited is not None:
            return Judgement(Verdict.AFTER_EXIT, self._words(exited, scope), self._notes(exited))
        whole = "every thread of the block" if scope == "block" else "every lane of the warp"
        return Judgement(Verdict.UNIFORM, f"{whole} reaches it together")

    def _hinges(self, condition: Poly) -> tuple[str, ...]:
        """The parameters whose values decide whether threads part: none where they part in any case."""
        atoms = self.algebra.closure(condition)
        if self.model is not None and self.model.known(condition):
            return ()
        if any(atom.level is not Level.UNIFORM and atom.kind in (Kind.LOAD, Kind.OPAQUE) for atom in atoms):
            return ()
        return tuple(dict.fromkeys(atom.name for atom in atoms if atom.kind is Kind.UNIFORM))

    def same_in_warps(self, value: Poly) -> bool:
        """Whether the lanes of each warp agree."""
        return self.model is not None and self.model.same_for_warps(value)

    def _unresolved(self, condition: Poly) -> bool:
        """Whether the condition differs between threads only as far as the analysis did not follow something."""
        divergent = [atom for atom in self.algebra.closure(condition) if atom.level is not Level.UNIFORM]
        sources = [atom for atom in divergent if atom.kind is not Kind.OPERATION]
        return all(atom.reason for atom in sources)

    def _reason(self, guard: Guard) -> str:
        atoms = self.algebra.closure(guard.condition.value)
        return next((atom.reason for atom in atoms if atom.reason), "its value is not known")

    @staticmethod
    def _words(guard: Guard, scope: str) -> str:
        text = guard.condition.text
        if guard.kind not in (GuardKind.BRANCH, GuardKind.LOOP):
            text = text.removeprefix("!(").removesuffix(")")
        who = "threads of the block" if scope == "block" else "lanes of the warp"
        return _WORDS[guard.kind].format(text, who, who.split()[0])

    @staticmethod
    def _notes(guard: Guard) -> tuple[Note, ...]:
        return (*provenance(guard.trace), Note("the condition is here", guard.span))
