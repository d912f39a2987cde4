"""Whether every thread of a block reaches a statement together, and why not."""

from __future__ import annotations

from coalint.analysis.access import Verdict
from coalint.analysis.conditions import conjuncts
from coalint.analysis.symbolic import Algebra, Kind, Level, Poly
from coalint.analysis.values import Guard, GuardKind, provenance
from coalint.analysis.warp import WarpModel
from coalint.diagnostics import Note

_WORDS = {
    GuardKind.BRANCH: "`{}` can differ between threads of the block",
    GuardKind.LOOP: "the loop's condition `{}` can differ between threads of the block, so some leave it earlier",
    GuardKind.BREAK: "threads leave the loop by `break` under `{}`, which can differ between threads of the block",
    GuardKind.CONTINUE: "threads skip ahead by `continue` under `{}`, which can differ between threads of the block",
    GuardKind.RETURN: "threads return early by `{}`, which can differ between threads of the block",
}


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

    def judge(self, guards: tuple[Guard, ...], scope: str) -> tuple[Verdict, str, tuple[Note, ...]]:
        """The verdict for a barrier under these guards, the reason in words, and the chain from threadIdx."""
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
                return Verdict.DIVERGENT, self._words(guard), self._notes(guard)
        if unknown is not None:
            reason = self._reason(unknown)
            return Verdict.UNKNOWN, f"`{unknown.condition.text}` could not be decided: {reason}", self._notes(unknown)
        if exited is not None:
            return Verdict.AFTER_EXIT, self._words(exited), self._notes(exited)
        return (
            Verdict.UNIFORM,
            "every thread of the block reaches it together"
            if scope == "block"
            else ("every lane of the warp reaches it together"),
            (),
        )

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
    def _words(guard: Guard) -> str:
        text = guard.condition.text
        if guard.kind not in (GuardKind.BRANCH, GuardKind.LOOP):
            text = text.removeprefix("!(").removesuffix(")")
        return _WORDS[guard.kind].format(text)

    @staticmethod
    def _notes(guard: Guard) -> tuple[Note, ...]:
        return (*provenance(guard.trace), Note("the condition is here", guard.span))
