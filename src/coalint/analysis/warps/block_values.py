"""Values and conditions as all threads of one block shape hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from math import prod

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.warps.counters.enumeration import MAX_CELLS
from coalint.analysis.warps.lanes.lane_numbers import LaneValue, Undecided, same_in_warp
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.lanes.shared_values import ValuesByIterations
from coalint.analysis.warps.threads import thread_arrays
from coalint.core.lazy import np

MAX_ALTERNATIVES = 4  # of open uniform conditions inside an address


class BlockValues:
    """Evaluates values for every thread of one block shape.

    `given` are numbers for uniform quantities, by their printed names. `block` counts threads in x, y, z. `exists` says
    which lanes there are, shape (1, W, 32); `threads` are the components of threadIdx by the index of their atom.
    `values` are those that evaluations of several iterations share.
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
        self.axes = tuple(threads)
        self.printer = Printer(algebra)
        self.block = block
        x, y, z, self.exists = thread_arrays(block)
        self.threads = {
            algebra.atoms_of(atom)[0].index: array
            for atom, array in zip(threads, (x, y, z), strict=True)
            if algebra.atoms_of(atom)
        }
        self.values = ValuesByIterations()
        self.forget()

    def forget(self) -> None:
        """Forget results: atoms that they were about may be gone."""
        self._certain = LaneEvaluator(self.algebra, dict(self.threads), strict=True)
        self._agreed: dict[int, bool] = {}  # by atom

    def forget_from(self, first: int) -> None:
        """Forget results about atoms from an index on, which are gone."""
        self._certain.forget_from(first)
        self._agreed = {index: agrees for index, agrees in self._agreed.items() if index < first}

    def always(self, condition: Poly) -> bool | None:
        """Return True where the condition holds for every thread of the block, False where for none, else None."""
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
            if any(self.algebra.atoms[index].level is not Level.UNIFORM for index, _ in key):
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
        """Whether the lanes of each warp agree on all that an atom is made of, and so on the atom."""
        if atom.level is Level.UNIFORM or atom.agreed:
            return True
        agrees = self._agreed.get(atom.index)
        if agrees is None:
            agrees = False
            if atom.index in self.threads:
                agrees = same_in_warp(self.threads[atom.index])
            elif atom.operands and atom.kind in (AtomKind.OPERATION, AtomKind.LOAD):
                inner = (atom for operand in atom.operands for atom in self.algebra.atoms_of(operand))
                agrees = self._computed_alike(atom) or all(map(self._agrees, inner))
            self._agreed[atom.index] = agrees
        return agrees

    def _computed_alike(self, atom: Atom) -> bool:
        with suppress(Undecided):
            lane = self._certain.value(generator(atom.index))
            return all(same_in_warp(number) for number in lane.values())
        return False

    def _every_way(self, value: Poly, test: Callable[[LaneValue], bool]) -> bool:
        """Whether the lanes pass a test, whichever way the open uniform conditions inside the value are decided."""
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

    def known(self, value: Poly) -> bool:
        """Whether the number of each thread is known, but for loop counters and block indices."""
        counters = {atom.index: 0 for atom in self.algebra.closure(value) if atom.kind is AtomKind.COUNTER}
        try:
            return LaneEvaluator(self.algebra, {**self.threads, **counters}, strict=True).number(value) is not None
        except Undecided:
            return False

    def maximum(self, value: Poly) -> int | None:
        """Return the largest number of any thread in any block and iteration; None where not all are known."""
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
