"""The 32 lanes of each warp: the byte offsets that an access touches, under its guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.arithmetic import TOO_LARGE
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.block_values import BlockValues
from coalint.analysis.warps.counters.enumeration import enumerate_given
from coalint.analysis.warps.counters.plan import BANK, LINE, SECTOR, Plan
from coalint.analysis.warps.counters.stretches import Block
from coalint.analysis.warps.guard_parts import GuardParts
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.lanes.permuted import fills_aligned_ranges, permutations
from coalint.analysis.warps.passing_lanes import PassingLanes
from coalint.analysis.warps.quantities import given_numbers
from coalint.analysis.warps.results import Basis, WarpResult, same_lanes
from coalint.analysis.warps.setting import Setting
from coalint.analysis.warps.spread import spread_of
from coalint.analysis.warps.uniform_parts import UniformParts, is_same_in_block, uniform_parts, uniform_text
from coalint.core.arrays import spread
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray


MAX_ALTERNATIVES = 4  # of open uniform conditions inside an address


class WarpModel(BlockValues):
    """Evaluates addresses for every warp of one block shape."""

    def lanes(self, address: Poly, guards: Sequence[Condition], *, sectors: bool, width: int = 0) -> list[WarpResult]:
        """Return the lanes of an access, one result for each pattern that an open uniform condition chooses between.

        `sectors` says that the access is counted in sectors, so that the residue of the base modulo 32 bytes matters;
        banks are rotated alike by any base. `width` is what each lane moves, in bytes; 0 where that does not matter.
        """
        results: list[WarpResult] = []
        pending: list[dict[int, int]] = [{}]
        setting: Setting | None = None
        while pending and len(results) < MAX_ALTERNATIVES:
            choices = pending.pop(0)
            try:
                setting = setting or self._setting(address, guards, SECTOR if sectors else BANK)
                result, opened = self._lanes(address, guards, sectors, choices, width, setting)
            except OverflowError:
                return [WarpResult(None, unknown=TOO_LARGE)]
            decided = dict(choices)
            for index in opened:
                pending.append({**decided, index: 0})
                decided[index] = 1
            if decided:
                told = self._chosen(decided)
                result = replace(result, exact=False, aligned_if="", assumed=(*result.assumed, *told))
                if result.basis is not None:
                    chosen = [(self.algebra.atoms[index].operands[0], holds) for index, holds in decided.items()]
                    opposite = [(1 - condition, 1 - holds) for condition, holds in chosen]
                    chosen += [(condition, holds) for condition, holds in opposite if self.algebra.selects(condition)]
                    result = replace(result, basis=replace(result.basis, choices=tuple(chosen)))
            nobody = result.lanes is not None and not result.lanes.active.any()
            if not (nobody and decided) and not any(same_lanes(result, other) for other in results):
                results.append(result)
        if all(result.exact or not _may_be_lone(result) for result in results):
            return results
        lone = self.lone_lane(guards, width)
        return results if lone is None else [lone]

    def lone_lane(self, guards: Sequence[Condition], width: int) -> WarpResult | None:
        """Return the lanes of an access that at most one lane of each warp makes, at whatever address; else None.

        A lane moves `width` bytes, a power of two, from a multiple of that on: one sector or one wavefront whatever the
        address is. So the offset 0 stands for it.
        """
        if not 0 < width <= SECTOR or width & (width - 1):
            return None
        fixed = given_numbers(self.algebra, self.given, (), guards)
        plan = enumerate_given(self.algebra, (), guards, SECTOR, self._block, fixed)
        evaluator = self._evaluator(fixed, plan)
        passing, _ = self._passing(evaluator, plan, fixed, guards)
        if plan.sampled or passing.narrowed or evaluator.permuted or evaluator.open_choices:
            return None
        if int(passing.active.sum(axis=2).max(initial=0)) != 1:
            return None
        parts = uniform_parts(self.printer, {}, passing.active.shape, plan.averaged)
        basis = Basis(plan, tuple(passing.parts), evaluator.shares, numbers=passing.numbers)
        return WarpResult(self._made({}, passing.active, plan, parts), exact=True, basis=basis)

    def _chosen(self, choices: dict[int, int]) -> list[Supposition]:
        """Return the uniform conditions that an alternative rests on."""
        told = []
        for index, holds in choices.items():
            condition = self.algebra.atoms[index].operands[0]
            if any(condition == 1 - generator(atom.index) for atom in self.algebra.atoms_of(condition)):
                condition, holds = 1 - condition, 1 - holds
            text = self.printer.text(condition)
            sides = f"{text} does not hold", f"{text} holds"
            told.append(Supposition(sides[holds], Supposed.CHOICE, opposite=sides[1 - holds]))
        return told

    def _setting(self, address: Poly, guards: Sequence[Condition], granularity: int) -> Setting:
        fixed = given_numbers(self.algebra, self.given, (address,), guards)
        plan = enumerate_given(self.algebra, (address,), guards, granularity, self._block, fixed)
        return Setting(fixed, plan, permutations(self.algebra, address), GuardParts(self.algebra, plan, fixed))

    def _lanes(
        self,
        address: Poly,
        guards: Sequence[Condition],
        sectors: bool,
        choices: dict[int, int],
        width: int,
        setting: Setting,
    ) -> tuple[WarpResult, list[int]]:
        """Return the lanes of an address with open conditions decided as in `choices`, and those still open."""
        fixed, plan = setting.fixed, setting.plan
        evaluator = self._evaluator(fixed, plan, choices, setting.permutable)
        try:
            lane = evaluator.value(address)
        except Undecided as undecided:
            loaded = undecided.data_dependent or self.algebra.rests_on_memory(address)
            spread = spread_of(self.algebra, address, width) if loaded else None
            told, loaded_index = undecided.reason, undecided.loaded
            return WarpResult(None, unknown=told, data_dependent=loaded, index_load=loaded_index, spread=spread), []
        passing, exact = self._passing(evaluator, plan, fixed, guards, setting.tested)
        for index, x in evaluator.permuted.items():
            if not fills_aligned_ranges(evaluator, address, index, x, passing.active, sectors):
                return WarpResult(None, unknown="`^` of a thread-dependent value and an unknown one"), []
        parts = uniform_parts(self.printer, lane, passing.active.shape, plan.averaged)
        suppositions = passing.suppositions
        lanes = self._made(lane, passing.active, plan, parts)
        aligned_if = ""
        if sectors and parts.alignment % SECTOR and not parts.symbolic:
            text = f"the uniform offset `{uniform_text(self.printer, lane, plan.averaged)}` is a multiple of 32 bytes"
            aligned_if = "" if setting.same_wherever_it_begins(lanes, width) else text
            if aligned_if:
                suppositions[Supposition(text, Supposed.ALIGNMENT)] = None
        suppositions.update(evaluator.assumed)
        known = exact and not plan.sampled and not parts.symbolic and not evaluator.approximate
        result = WarpResult(
            lanes=lanes,
            exact=known and not aligned_if,
            aligned_if=aligned_if if known else "",
            assumed=tuple(suppositions),
            symbolic=parts.symbolic,
            permuted=bool(evaluator.permuted),
            few_lanes=passing.few_lanes,
            has_one_base=is_same_in_block(self.algebra, lane, passing.active.shape),
            basis=Basis(plan, tuple(passing.parts), evaluator.shares, numbers=passing.numbers),
        )
        return result, evaluator.open_choices

    def pair(
        self, source: Poly, target: Poly, guards: Sequence[Condition], *, by_lines: bool, filled: bool = False
    ) -> tuple[WarpResult, WarpResult] | None:
        """Return the lanes of both ends of a copy, row by row of the same iterations; None where either is not known.

        Of a copy that goes `by_lines`, an unknown pitch of the source is supposed to be a multiple of a line. Elsewhere
        the banks that its rows begin in depend on it. Of one that is `filled` with zeros the last guard says which
        lanes read: the source has those alone.
        """
        fixed = given_numbers(self.algebra, self.given, (source, target), guards)
        plan = enumerate_given(self.algebra, (source, target), guards, LINE, self._block, fixed)
        evaluator = self._evaluator(fixed, plan)
        try:
            ends = [evaluator.value(address) for address in (source, target)]
        except (OverflowError, Undecided):
            return None
        passing, exact = self._passing(evaluator, plan, fixed, guards)
        exact = exact and not plan.sampled and not evaluator.approximate
        basis = Basis(plan, tuple(passing.parts), evaluator.shares, numbers=passing.numbers)
        sides = (basis, passing.active), (basis, passing.active)
        idle: tuple[Supposition, ...] = ()
        if filled:
            present = self._passing(evaluator, plan, fixed, guards[:-1])[0]
            reading = tuple(part for part in passing.parts if part not in present.parts)
            sides = sides[0], (replace(basis, parts=tuple(present.parts), reading=reading), present.active)
            if (present.active.any(axis=2) & ~passing.active.any(axis=2)).any():
                idle = (Supposition("warps that only fill in zeros are not counted", Supposed.GUARD),)
        results = []
        pitch: tuple[str, ...] = ()
        for lane, (own, active) in zip(ends, sides, strict=True):
            parts = uniform_parts(self.printer, lane, active.shape, plan.averaged)
            if parts.symbolic and (lane is ends[1] or not by_lines):
                return None
            pitch = pitch or parts.symbolic  # the place of one end decides what the other costs
            lanes = self._made(lane, active, plan, parts)
            text, torn = (uniform_text(self.printer, lane, plan.averaged, LINE, torn=t) for t in (False, True))
            told = {f"the uniform offset `{text}`": parts.alignment % LINE, f"the pitch `{torn}`": torn}
            texts = (f"{what} is a multiple of {LINE} bytes" for what, needed in told.items() if needed)
            aligned = tuple(Supposition(text, Supposed.ALIGNMENT) for text in texts)
            suppositions = (*passing.suppositions, *evaluator.assumed, *aligned, *idle)
            known = exact and not aligned and not pitch and not idle
            idle = ()  # they store, if through L1
            results.append(WarpResult(lanes, exact=known, assumed=suppositions, symbolic=pitch, basis=own))
        return None if evaluator.open_choices else (results[0], results[1])

    @property
    def _block(self) -> Block:
        return Block(self.threads, self.exists)

    def _evaluator(
        self,
        fixed: dict[int, int],
        plan: Plan,
        choices: dict[int, int] | None = None,
        permutable: frozenset[int] = frozenset(),
    ) -> LaneEvaluator:
        """Return an evaluator of the iterations of a plan, which shares what others have found of these."""
        known = {**self.threads, **fixed, **plan.arrays}
        shared = self.values.of(fixed, plan.arrays)
        return LaneEvaluator(self.algebra, known, choices, permutable, shared=shared)

    def _passing(
        self,
        evaluator: LaneEvaluator,
        plan: Plan,
        fixed: Mapping[int, int],
        guards: Sequence[Condition],
        tested: GuardParts | None = None,
    ) -> tuple[PassingLanes, bool]:
        """Return the lanes that pass the guards, and whether these are exactly those that take part."""
        shape = (plan.combinations, *self.exists.shape[1:])
        active = np.empty(shape, dtype=np.bool_)
        active[...] = self.exists
        passing = PassingLanes(self.algebra, evaluator, plan, fixed, active, tested)
        exact = [passing.restrict(guard) for guard in guards]
        return passing, passing.jointly() and all(exact)

    def _made(self, lane: LaneValue, active: NDArray[np.bool_], plan: Plan, parts: UniformParts) -> Lanes:
        offsets = np.ascontiguousarray(spread(np.asarray(lane.get(CONSTANT, 0)), active.shape), dtype=np.int64)
        return Lanes(
            offsets=offsets,
            active=active,
            weights=plan.row_weights(),
            alignment=parts.alignment,
            groups=parts.groups,
            counters=self._counters(plan),
        )

    def _counters(self, plan: Plan) -> tuple[tuple[str, NDArray[np.int64]], ...]:
        return tuple((self.algebra.atoms[index].name, array.reshape(-1)) for index, array in plan.arrays.items())


def _may_be_lone(result: WarpResult) -> bool:
    """Whether each warp has one active lane at most, as far as lanes are known."""
    return result.lanes is None or int(result.lanes.active.sum(axis=2).max(initial=0)) == 1
