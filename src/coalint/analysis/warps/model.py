"""The 32 lanes of each warp: which byte offsets an access touches, under which guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from math import gcd, prod
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import TOO_LARGE
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.portable.exporter import Basis
from coalint.analysis.warps import periods
from coalint.analysis.warps.enumeration import BANK, LINE, MAX_CELLS, SECTOR, Plan, enumerate_given
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Undecided, same_in_warp
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.lanes.permuted import fills_aligned_ranges, permutations
from coalint.analysis.warps.quantities import OPEN, given_numbers
from coalint.core.facts.lanes import Lanes
from coalint.core.lazy import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

LANES = 32
MAX_ALTERNATIVES = 4  # of open uniform conditions inside an address


@dataclass(frozen=True, slots=True)
class LaneResult:
    """What could be said of one address: its lanes, or the reason why not."""

    lanes: Lanes | None
    exact: bool = False
    assumed: tuple[str, ...] = ()
    symbolic: tuple[str, ...] = ()
    unknown: str | None = None
    data_dependent: bool = False
    permuted: bool = False  # the lanes of a warp are these, but in an order that is not known
    index_load: str = ""  # what was read from memory to make the address
    basis: Basis | None = None


@lru_cache(maxsize=64)
def thread_arrays(
    block: tuple[int, int, int],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """threadIdx.x, .y, .z and existence of each lane, shape (1, W, 32); lanes count linear thread ids (guide, 2.2).

    Lanes that the last warp lacks stand where its last one does, so that they differ from no other.
    """
    x, y, z = block
    threads = x * y * z
    lanes = np.arange(-(-threads // LANES) * LANES, dtype=np.int64).reshape(1, -1, LANES)
    linear = np.minimum(lanes, threads - 1)
    return linear % x, linear // x % y, linear // (x * y), lanes < threads


class WarpModel:
    """Evaluates addresses and conditions for every warp of one block shape.

    `given` are numbers for uniform quantities, by their printed names: addresses are evaluated with them.
    """

    def __init__(
        self,
        algebra: Algebra,
        block: tuple[int, int, int],
        threads: Sequence[Poly],
        given: Mapping[str, int] | None = None,
    ) -> None:
        self.algebra = algebra
        self.given = given or {}
        self.printer = Printer(algebra)
        self.block = block
        x, y, z, self.exists = thread_arrays(block)
        self.threads = {
            algebra.atoms_of(atom)[0].index: array
            for atom, array in zip(threads, (x, y, z), strict=True)
            if algebra.atoms_of(atom)
        }
        self.forget()

    def forget(self) -> None:
        """Forget values: atoms that they were about may be gone."""
        self._certain = LaneEvaluator(self.algebra, dict(self.threads), strict=True)
        self._agreed: dict[int, bool] = {}  # by atom

    # --- conditions

    def always(self, condition: Poly) -> bool | None:
        """Whether the condition holds for every thread of the block (True), for none (False), or neither is certain."""
        try:
            number = self._certain.number(condition)
        except Undecided:
            return None
        if number is None:
            return None
        truth = np.broadcast_to(np.not_equal(number, 0), self.exists.shape)[self.exists]
        return True if truth.all() else None if truth.any() else False

    def same_for_block(self, value: Poly) -> bool:
        """Whether all threads of the block hold the same value."""
        return self.algebra.level(value) is Level.UNIFORM or self._every_way(value, self._same_in_block)

    def _same_in_block(self, lane: LaneValue) -> bool:
        for key, number in lane.items():
            if any(self._varies_by_warp(self.algebra.atoms[index]) for index, _ in key):
                return False
            cells = np.broadcast_to(number, self.exists.shape)[self.exists]
            if not (cells == cells[0]).all():
                return False
        return True

    def same_for_warps(self, value: Poly) -> bool:
        """Whether the lanes of each warp hold the same value."""
        if self.algebra.level(value) is Level.UNIFORM:
            return True
        if self._every_way(value, lambda lane: all(same_in_warp(number) for number in lane.values())):
            return True
        return all(map(self._agrees, self.algebra.atoms_of(value)))

    def _agrees(self, atom: Atom) -> bool:
        """Whether the lanes of each warp agree on an atom since they do on all that it is made of."""
        if atom.level is Level.UNIFORM or atom.agreed:
            return True
        found = self._agreed.get(atom.index)
        if found is None:
            found = False
            if atom.index in self.threads:
                found = same_in_warp(self.threads[atom.index])
            elif atom.operands and atom.kind in (AtomKind.OPERATION, AtomKind.LOAD):
                inner = (atom for operand in atom.operands for atom in self.algebra.atoms_of(operand))
                found = self._computed_alike(atom) or all(map(self._agrees, inner))
            self._agreed[atom.index] = found
        return found

    def _computed_alike(self, atom: Atom) -> bool:
        with suppress(Undecided):
            lane = self._certain.value(generator(atom.index))
            return all(same_in_warp(number) for number in lane.values())
        return False

    def _every_way(self, value: Poly, test: Callable[[LaneValue], bool]) -> bool:
        """Whether the lanes pass a test, whichever way the open uniform conditions inside of the value are decided."""
        with suppress(Undecided):
            return test(self._certain.value(value))
        pending: list[dict[int, int]] = [{}]
        for _ in range(MAX_ALTERNATIVES):
            choices = pending.pop()
            evaluator = LaneEvaluator(self.algebra, dict(self.threads), choices)
            try:
                lane = evaluator.value(value)
            except Undecided:
                return False
            if evaluator.supposed or evaluator.assumed or not test(lane):
                return False
            decided = dict(choices)
            for index in evaluator.open_choices:
                pending.append({**decided, index: 0})
                decided[index] = 1
            if not pending:
                return True
        return False

    def _varies_by_warp(self, atom: Atom) -> bool:
        return atom.level is not Level.UNIFORM

    def known(self, value: Poly) -> bool:
        """Whether the number that each thread holds is known, but for loop counters and block indices."""
        counters = {atom.index: 0 for atom in self.algebra.closure(value) if atom.kind is AtomKind.COUNTER}
        try:
            return LaneEvaluator(self.algebra, {**self.threads, **counters}, strict=True).number(value) is not None
        except Undecided:
            return False

    def maximum(self, value: Poly) -> int | None:
        """The largest number that any thread holds in any block and iteration, when all are known."""
        counters = [atom for atom in self.algebra.closure(value) if atom.kind is AtomKind.COUNTER]
        if any(atom.trips is None for atom in counters):
            return None
        trips = [atom.trips or 0 for atom in counters]
        if prod(trips) * self.exists.size > MAX_CELLS:
            return None
        axes = np.indices(trips, dtype=np.int64).reshape(len(trips), prod(trips), 1, 1)
        known = {atom.index: axis for atom, axis in zip(counters, axes, strict=True)}
        evaluator = LaneEvaluator(self.algebra, {**self.threads, **known})
        try:
            number = evaluator.number(value)
        except Undecided:
            return None
        if number is None or evaluator.open_choices or evaluator.assumed:
            return None
        numbers = np.broadcast_to(number, (prod(trips), *self.exists.shape[1:]))
        return int(np.max(numbers[:, self.exists[0]])) if numbers.size else None

    # --- addresses

    def lanes(self, address: Poly, guards: Sequence[Condition], *, sectors: bool) -> list[LaneResult]:
        """The lanes of an access; more than one result where a uniform condition chooses between address patterns.

        `sectors` says that the access is counted in sectors, so that the base's residue modulo 32 bytes matters;
        banks are rotated alike by any base.
        """
        results: list[LaneResult] = []
        pending: list[dict[int, int]] = [{}]
        while pending and len(results) < MAX_ALTERNATIVES:
            choices = pending.pop(0)
            try:
                result, opened = self._lanes(address, guards, sectors, choices)
            except OverflowError:
                return [LaneResult(None, unknown=TOO_LARGE)]
            decided = dict(choices)
            for index in opened:
                pending.append({**decided, index: 0})
                decided[index] = 1
            if decided:
                result = replace(result, exact=False, assumed=(*result.assumed, *self._chosen(decided)))
                if result.basis is not None:
                    chosen = [(self.algebra.atoms[index].operands[0], holds) for index, holds in decided.items()]
                    result = replace(result, basis=replace(result.basis, choices=tuple(chosen)))
            nobody = result.lanes is not None and not result.lanes.active.any()
            if not (nobody and decided) and not any(_same(result, other) for other in results):
                results.append(result)
        return results

    def _chosen(self, choices: dict[int, int]) -> list[str]:
        """The uniform conditions that an alternative rests on, as text."""
        texts = []
        for index, holds in choices.items():
            condition = self.algebra.atoms[index].operands[0]
            if any(condition == 1 - generator(atom.index) for atom in self.algebra.atoms_of(condition)):
                condition, holds = 1 - condition, 1 - holds
            texts.append(f"{self.printer.text(condition)} {'holds' if holds else 'does not hold'}")
        return texts

    def _lanes(
        self, address: Poly, guards: Sequence[Condition], sectors: bool, choices: dict[int, int]
    ) -> tuple[LaneResult, list[int]]:
        granularity = SECTOR if sectors else BANK
        fixed = given_numbers(self.algebra, self.given, (address,), guards)
        plan = enumerate_given(self.algebra, (address,), guards, granularity, self.exists.size, fixed)
        permutable = permutations(self.algebra, address)
        known = {**self.threads, **fixed, **plan.arrays}
        evaluator = LaneEvaluator(self.algebra, known, choices, permutable)
        try:
            lane = evaluator.value(address)
        except Undecided as undecided:
            loaded = undecided.data_dependent or self.algebra.rests_on_memory(address)
            return LaneResult(None, unknown=undecided.reason, data_dependent=loaded, index_load=undecided.loaded), []
        shape = (plan.combinations, *self.exists.shape[1:])
        active = np.broadcast_to(self.exists, shape).copy()
        exact = not plan.sampled
        assumed = dict(plan.assumed)
        parts: list[tuple[Poly, Condition, bool]] = []
        for guard in guards:
            exact &= self._restrict(guard, evaluator, active, assumed, plan, fixed, parts)
        for index in evaluator.permuted:
            if not fills_aligned_ranges(self.algebra, address, index, evaluator, active, sectors):
                return LaneResult(None, unknown="`^` of a thread-dependent value and an unknown one"), []
        offsets = np.ascontiguousarray(np.broadcast_to(lane.get(CONSTANT, 0), shape), dtype=np.int64)
        alignment, groups, symbolic = self._split(lane, shape, plan.averaged)
        if sectors and alignment % SECTOR and not symbolic:
            assumed[f"the uniform offset `{self._uniform_text(lane, plan.averaged)}` is a multiple of 32 bytes"] = None
            exact = exact and not self._only_counted(lane, plan.averaged)
            exact = exact and not any(self.algebra.atoms[i].kind is AtomKind.OPAQUE for key in lane for i, _ in key)
        assumed.update(evaluator.assumed)
        exact = exact and not symbolic and not evaluator.approximate
        weights = np.ones(plan.combinations, dtype=np.int64)
        lanes = Lanes(offsets, active, weights, alignment, groups, self._counters(plan))
        basis = Basis(plan, tuple(parts), evaluator.shares)
        result = LaneResult(lanes, exact, tuple(assumed), symbolic, permuted=bool(evaluator.permuted), basis=basis)
        return result, evaluator.open_choices

    def pair(
        self, source: Poly, target: Poly, guards: Sequence[Condition], *, by_lines: bool
    ) -> tuple[LaneResult, LaneResult] | None:
        """The lanes of both ends of a copy, row by row of the same iterations; None where either is not known.

        Of a copy that goes `by_lines`, an unknown pitch of the source is taken for a multiple of a line. Elsewhere the
        banks that its rows begin in depend on it.
        """
        fixed = given_numbers(self.algebra, self.given, (source, target), guards)
        plan = enumerate_given(self.algebra, (source, target), guards, LINE, self.exists.size, fixed)
        evaluator = LaneEvaluator(self.algebra, {**self.threads, **fixed, **plan.arrays})
        try:
            ends = [evaluator.value(address) for address in (source, target)]
        except (OverflowError, Undecided):
            return None
        shape = (plan.combinations, *self.exists.shape[1:])
        active = np.broadcast_to(self.exists, shape).copy()
        assumed = dict(plan.assumed)
        parts: list[tuple[Poly, Condition, bool]] = []
        exact = [self._restrict(guard, evaluator, active, assumed, plan, fixed, parts) for guard in guards]
        basis = Basis(plan, tuple(parts), evaluator.shares)
        results = []
        pitch: tuple[str, ...] = ()
        for lane in ends:
            alignment, groups, symbolic = self._split(lane, shape, plan.averaged)
            if symbolic and (lane is ends[1] or not by_lines):
                return None
            pitch = pitch or symbolic  # what one end lies at decides what the other costs
            offsets = np.ascontiguousarray(np.broadcast_to(lane.get(CONSTANT, 0), shape), dtype=np.int64)
            weights = np.ones(plan.combinations, dtype=np.int64)
            lanes = Lanes(offsets, active, weights, alignment, groups, self._counters(plan))
            text, torn = (self._uniform_text(lane, plan.averaged, LINE, torn=t) for t in (False, True))
            told = {f"the uniform offset `{text}`": alignment % LINE, f"the pitch `{torn}`": torn}
            aligned = tuple(f"{what} is a multiple of {LINE} bytes" for what, needed in told.items() if needed)
            known = all(exact) and not plan.sampled and not evaluator.approximate and not aligned and not pitch
            results.append(LaneResult(lanes, known, (*assumed, *evaluator.assumed, *aligned), pitch, basis=basis))
        return None if evaluator.open_choices else (results[0], results[1])

    def _counters(self, plan: Plan) -> tuple[tuple[str, NDArray[np.int64]], ...]:
        return tuple((self.algebra.atoms[index].name, array.reshape(-1)) for index, array in plan.arrays.items())

    def _split(
        self, lane: LaneValue, shape: tuple[int, ...], averaged: frozenset[int]
    ) -> tuple[int, NDArray[np.int64] | None, tuple[str, ...]]:
        """The alignment of what all lanes of a warp share, and groups of lanes that an unknown pitch tears apart."""
        alignment = 1 << 12
        groups: NDArray[np.int64] | None = None
        symbolic: dict[str, None] = {}
        for key, number in lane.items():
            if key == CONSTANT:
                continue
            if same_in_warp(number):
                if not all(index in averaged for index, _ in key):
                    alignment = gcd(alignment, int(np.gcd.reduce(np.ravel(np.asarray(number)))))
                continue
            _, labels = np.unique(np.broadcast_to(number, shape), return_inverse=True)
            labels = labels.reshape(shape).astype(np.int64)
            groups = labels if groups is None else groups * (int(labels.max()) + 1) + labels
            symbolic.update(dict.fromkeys(self.printer.atom(self.algebra.atoms[index]) for index, _ in key))
        return max(1, alignment), groups, tuple(symbolic)

    def _only_counted(self, lane: LaneValue, averaged: frozenset[int]) -> bool:
        """Whether a part that should be a multiple of 32 bytes is made of numbers of blocks and iterations alone."""
        return any(
            key != CONSTANT
            and all(self.algebra.atoms[i].kind is AtomKind.COUNTER and i not in averaged for i, _ in key)
            and same_in_warp(number)
            and np.any(np.mod(number, SECTOR) != 0)
            for key, number in lane.items()
        )

    def _uniform_text(
        self, lane: LaneValue, averaged: frozenset[int], multiple: int = SECTOR, *, torn: bool = False
    ) -> str:
        """What all lanes of a warp share, or what tears them apart, unless that is by such multiples."""
        parts = []
        for key, number in lane.items():
            if key == CONSTANT or same_in_warp(number) == torn:
                continue
            coefficient = int(np.gcd.reduce(np.ravel(np.asarray(number))))
            if coefficient % multiple and (torn or not all(index in averaged for index, _ in key)):
                names = "*".join(self.printer.atom(self.algebra.atoms[i]) for i, e in key for _ in range(e))
                shown = self.printer.multiple(coefficient, key)
                parts.append(names if shown == 1 else f"{shown}*{names}")
        return " + ".join(parts)

    def _restrict(
        self,
        guard: Condition,
        evaluator: LaneEvaluator,
        active: NDArray[np.bool_],
        assumed: dict[str, None],
        plan: Plan,
        fixed: Mapping[int, int],
        parts: list[tuple[Poly, Condition, bool]],
    ) -> bool:
        """Take the lanes that fail the guard out of `active`; False when what is left is only an upper bound.

        The guard's parts are added to `parts`, each with whether its lanes were taken out.
        """
        exact = True
        for part in conjuncts(self.algebra, guard.value):
            atoms = self.algebra.closure(part)
            permuted = any(atom.index in evaluator.permuted for atom in atoms)
            sampled = [atom.index for atom in atoms if atom.index in plan.residues]
            sampled = [i for i in sampled if not periods.unchanged(self.algebra, part, i, plan.counts[i])]
            open_ = self.algebra.level(part) is Level.UNIFORM and any(
                atom.kind in OPEN and atom.index not in fixed for atom in atoms
            )
            try:
                value = None if permuted or sampled or open_ else evaluator.value(part)
            except Undecided:
                value = None
            if value is not None and set(value) <= {CONSTANT}:
                holds = np.broadcast_to(np.not_equal(value.get(CONSTANT, 0), 0), active.shape)
                followed = plan.follow(holds, guard.over)
                if followed is not None:
                    active &= followed
                    parts.append((part, guard, True))
                    continue
            parts.append((part, guard, False))
            if self.algebra.level(part) is Level.UNIFORM:
                # A bound that is not known is passed by most blocks and iterations, a known one perhaps by few.
                exact = exact and not (sampled and not any(atom.kind is AtomKind.UNIFORM for atom in atoms))
                continue
            if not guard.over and self._single_lane(part, evaluator, active):
                assumed[f"one lane passes `{guard.text}`"] = None
            else:
                assumed[f"every lane passes `{guard.text}`"] = None
                exact = exact and not self._loaded(part) and self._bounded(part) and not self._mixes(part)
        return exact

    def _bounded(self, value: Poly) -> bool:
        """Whether a condition compares with a size that is not known, so that most threads should pass it."""
        return any(
            atom.kind is AtomKind.UNIFORM or (atom.trips is None and atom.is_block_index)
            for atom in self.algebra.closure(value)
        )

    def _mixes(self, value: Poly) -> bool:
        """Whether a condition mixes the bits of threads with others, so that lanes pass it here and there."""
        return any(atom.operator == "^" and atom.level is not Level.UNIFORM for atom in self.algebra.closure(value))

    def _loaded(self, value: Poly) -> bool:
        return any(
            atom.level is not Level.UNIFORM and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE)
            for atom in self.algebra.closure(value)
        )

    def _single_lane(self, part: Poly, evaluator: LaneEvaluator, active: NDArray[np.bool_]) -> bool:
        """threadIdx.x == unknown: at most the threads that share one value pass; take those of the first thread."""
        atoms = self.algebra.atoms_of(part)
        if len(atoms) != 1 or atoms[0].operator != "==" or part != generator(atoms[0].index):
            return False
        try:
            difference = evaluator.value(atoms[0].operands[0])
        except Undecided:
            return False
        if not all(same_in_warp(n) for key, n in difference.items() if key != CONSTANT):
            return False
        lane = np.broadcast_to(difference.get(CONSTANT, 0), active.shape)
        active &= lane == lane[:, :1, :1]
        return True


def _same(a: LaneResult, b: LaneResult) -> bool:
    if a.lanes is None or b.lanes is None:
        return a.lanes is b.lanes and a.unknown == b.unknown
    if a.lanes.offsets.shape != b.lanes.offsets.shape or not (a.lanes.active == b.lanes.active).all():
        return False
    shift = a.lanes.offsets - b.lanes.offsets
    return bool((shift == shift.flat[0]).all()) and int(shift.flat[0]) % 128 == 0
