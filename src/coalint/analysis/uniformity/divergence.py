"""Whether every thread of a block reaches a statement together, and why not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.conditions import Condition, conjuncts, implied
from coalint.analysis.domain.divisors import Divisors
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.uniformity.choices import agreed_either_way
from coalint.analysis.uniformity.judgements import Judgement, gone_back, notes, ways_out
from coalint.analysis.uniformity.reasons import alike, besides, parts_ways
from coalint.analysis.uniformity.settling_facts import settling
from coalint.analysis.uniformity.uniform_values import UniformValues
from coalint.analysis.uniformity.wrapping import agreed_unless_too_large
from coalint.analysis.warps.model import WarpModel
from coalint.core.facts.synchronization import Verdict
from coalint.core.source.spans import Span


class Uniformity(UniformValues):
    """Judges guards, too; `parameters` are the names of the kernel's parameters.

    `last_branches` are the places of the conditions after whose branches the kernel does nothing, `last_barriers` those
    after which no barrier of the block follows.
    """

    def __init__(self, algebra: Algebra, model: WarpModel | None) -> None:
        super().__init__(algebra, model)
        self.parameters: Collection[str] = ()
        self.divisors: Mapping[str, int] = {}
        self.multiples: Mapping[str, int] = {}
        self.lost: Collection[str] = ()
        self.launch = "every launch"
        self.last_branches: Container[Span] = frozenset()
        self.last_barriers: Container[Span] = frozenset()
        self._assertions: list[tuple[tuple[Guard, ...], Condition]] = []

    def forget_from(self, first: int) -> None:
        """Forget decisions about atoms from an index on, which are gone."""
        super().forget_from(first)
        self._assertions = [
            (guards, condition)
            for guards, condition in self._assertions
            if all(each.value.lies_below(first) for each in (condition, *(guard.condition for guard in guards)))
        ]

    def judge(self, guards: Sequence[Guard], scope: str = "block", size: int | None = None) -> Judgement:
        """Return the verdict for a barrier of the block, or of runs of `size` threads, under these guards."""
        unknown: Guard | None = None
        maybe_exited: Guard | None = None
        exited: list[tuple[Guard, list[Poly]]] = []
        parting: list[tuple[Guard, list[Poly]]] = []
        conditions = [guard.condition for guard in guards]
        known = self.facts(guards)

        def plainly(value: Poly, divisors: Divisors) -> bool:
            return self.same(value, size) or divisors.settle(value, lambda changed: self.same(changed, size))

        def in_case(value: Poly, facts: tuple[Poly, ...]) -> bool:
            return plainly(value, self.facts(guards, facts))

        def agreed(value: Poly) -> bool:
            return (
                plainly(value, known)
                or agreed_either_way(self.algebra, value, in_case, self.forget)
                or agreed_unless_too_large(self.algebra, value, lambda exact: plainly(exact, known), self.forget)
            )

        alone: list[Guard] = []  # the conditions that part nobody by themselves
        weighed: list[Guard] = []  # those that part nobody together
        for guard in guards:
            apart = [part for part in conjuncts(self.algebra, guard.condition.value) if not agreed(part)]
            parts = [part for part in apart if not implied(self.algebra, part, guard.condition, conditions, agreed)]
            if not parts:
                (weighed if apart else alone).append(guard)
                continue
            if not all(self.unresolved(part, size) for part in parts):
                (exited if self.is_end(guard, parts) else parting).append((guard, parts))
            elif guard.kind is GuardKind.RETURN:
                maybe_exited = maybe_exited or guard
            else:
                unknown = unknown or guard
        who = f"threads of the {scope}"
        if parting:
            last = self.last_barriers if scope == "block" else self.last_branches
            return self.parted(parting, who, agreed, last)
        if unknown is None and exited:
            return self.after(exited, who)
        unknown = unknown or maybe_exited
        if unknown is not None:
            because = f"`{unknown.condition.text}` could not be decided: {self.reason(unknown.condition.value)}"
            return Judgement(Verdict.UNKNOWN, because, notes(unknown))
        because = f"every thread of the {scope} reaches it together, since {alike(alone, weighed)}{known.words()}"
        return Judgement(Verdict.UNIFORM, because)

    def asserted(self, guards: Sequence[Guard], condition: Condition) -> None:
        """Remember what the program asserts under these guards: it holds wherever these do, later on."""
        if (tuple(guards), condition) not in self._assertions:
            self._assertions.append((tuple(guards), condition))

    def facts(self, guards: Sequence[Guard], others: Iterable[Poly] = (), *, of_warps: bool = False) -> Divisors:
        """Return what divides quantities, by the launch and by conditions that hold, under these guards and others.

        With `of_warps`, also what divides quantities that the lanes of each warp agree on: it is no more than for them.
        """
        asserted = [condition for outer, condition in self._assertions if all(guard in guards for guard in outer)]
        held = [*(guard.condition for guard in guards), *asserted, *(Condition(other, "") for other in others)]
        agree = self.same_in_warps if of_warps else None
        return Divisors(self.algebra, held, self.divisors, self.launch, self.forget, agree, self.multiples)

    def after(self, exited: Sequence[tuple[Guard, list[Poly]]], who: str) -> Judgement:
        """Return the verdict where threads have left the kernel.

        First by what numbers alone decide, last by parameters.
        """

        def doubt(part: Poly) -> int:
            if self.model is not None and self.model.known(part):
                return 0
            return 2 if self.deciding_parameters(part) else 1

        ordered = sorted(exited, key=lambda some: max(map(doubt, some[1])))
        first, *others = [guard for guard, _ in ordered]
        because = self.words(first, who) + besides(first, others)
        if first.kind is not GuardKind.RETURN:
            because += "; those for which it is not true come to the kernel's end"
        return Judgement(Verdict.AFTER_EXIT, because, notes(first), fork=(first.span, first.condition.text))

    def parted(
        self,
        parting: Sequence[tuple[Guard, list[Poly]]],
        who: str,
        agreed: Callable[[Poly], bool],
        last: Container[Span] | None = None,
    ) -> Judgement:
        """Return the verdict where threads part at guards; one that no parameter can repair speaks for all.

        `last` are places of branches after which whole warps come to the kernel's end; `last_branches` if not given.
        Of a warp that parts, lanes that go on behind the branch wait there for the others, who wait at the barrier.
        Who has gone back to a caller may have come to the kernel's end: that speaks only where nothing else does.
        """
        staying = [(guard, parts) for guard, parts in parting if guard.kind is not GuardKind.LEAVE]
        if any(not self._deciding(parts) for _, parts in staying):
            parting = staying
        deciding = [self._deciding(parts) for _, parts in parting]
        certain = next((index for index, names in enumerate(deciding) if not names), None)
        guard = parting[certain or 0][0]
        judgement = Judgement(
            Verdict.DIVERGENT,
            self.words(guard, who) + besides(guard, [other for other, _ in parting]),
            notes(guard),
            fork=(guard.span, guard.condition.text),
            back=gone_back(some for some, _ in parting),
            ways=ways_out([some for some, _ in parting]),
            skipped={some.kind for some, _ in parting} in ({GuardKind.CONTINUE}, {GuardKind.CONTINUE, GuardKind.LOOP}),
        )
        if certain is not None:
            sure = [some for some, names in zip(parting, deciding, strict=True) if not names]
            whole_warps = all(self.same_in_warps(part) for _, parts in sure for part in parts)
            return replace(
                judgement,
                by_data=all(all(map(self.is_read, parts)) for _, parts in sure),
                at_end=all(self._is_last(guard) or (whole_warps and self._is_last(guard, last)) for guard, _ in sure),
                whole_warps=whole_warps,
            )
        names = tuple(dict.fromkeys(name for some in deciding for name in some))
        lost = next((name for name in names if name in self.lost), None)
        if lost is not None:
            because = (
                f"`{guard.condition.text}` could not be decided: what a launch passes for `{lost}` is not followed"
            )
            return Judgement(Verdict.UNKNOWN, because, notes(guard))
        assert self.model is not None
        conditions = [part for _, parts in parting for part in parts]

        def settled(condition: Poly) -> bool:
            self.forget()  # the atoms of the fact tried before are gone
            return agreed(condition)

        fact = settling(self.algebra, self.model.block, conditions, self.parameters, settled)
        self.forget()
        return replace(judgement, deciding_parameters=names, settled=fact.text, settled_by_warp_size=fact.is_warp_size)

    def is_end(self, guard: Guard, parts: Sequence[Poly], *, loops: bool = False) -> bool:
        """Whether threads for which these parts of a guard do not hold have left the kernel.

        They have by a `return`. They do where a parameter keeps threads from the kernel's last branch, as in
        `if (i < n)` around all of it: nvcc makes an `EXIT` of both. What numbers alone decide is reported as it stands.
        With `loops`, so do those that leave the kernel's last loop.
        """
        if guard.kind is GuardKind.RETURN:
            return True
        is_last = self._is_last(guard) or (loops and guard.kind is GuardKind.LOOP and guard.span in self.last_branches)
        return is_last and bool(self._deciding(parts))

    def _is_last(self, guard: Guard, last: Container[Span] | None = None) -> bool:
        """Whether the kernel ends with the branch of a guard."""
        return guard.kind is GuardKind.BRANCH and guard.span in (self.last_branches if last is None else last)

    def _deciding(self, parts: Sequence[Poly]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for part in parts for name in self.deciding_parameters(part)))

    def words(self, guard: Guard, who: str) -> str:
        """Return how threads part at a guard."""
        return parts_ways(guard, self.sources(guard.condition.value), who)
