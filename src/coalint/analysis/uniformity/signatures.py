"""What a value is made of in each thread: threads that agree in all of it hold the same value, whatever is unknown."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import Number
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, Monomial, Undecided, same_in_warp
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.arrays import spread
from coalint.core.lazy import np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from coalint.analysis.warps.model import WarpModel

LANES = 32
SHIFTED = 62
"""Bits by which a quotient is shifted at most."""
_LARGEST = (1 << 62) - 1  # of the numbers that numpy is handed


class Signatures:
    """The signatures of one kernel's values for one block shape; `known` gives numbers to counters."""

    def __init__(
        self, algebra: Algebra, model: WarpModel, known: Mapping[int, NDArray[np.int64]] | None = None
    ) -> None:
        self.algebra = algebra
        self.model = model
        self.known = {**model.threads, **(known or {})}
        self._evaluator = LaneEvaluator(algebra, dict(self.known), strict=True, choosing=False)
        self._evaluated: dict[Poly, LaneValue | None] = {}

    def forget_from(self, first: int) -> None:
        """Forget what atoms from an index on were evaluated to, which are gone."""
        self._evaluated = {value: lane for value, lane in self._evaluated.items() if value.lies_below(first)}
        self._evaluator.forget_from(first)

    def same(self, value: Poly, size: int) -> bool:
        """Whether every run of `size` consecutive threads of the block holds one value."""
        parts = self.of(value)
        if parts is None:
            return False
        exists = self.model.exists.reshape(-1)
        threads = int(exists.sum())
        first = np.arange(threads) // size * size
        for part in parts:
            if part.size == 1:
                continue
            shape = np.broadcast(part, self.model.exists).shape
            cells = spread(part, shape).reshape(shape[0], -1)[:, :threads]
            if not (cells == cells[:, first]).all():
                return False
        return True

    def of(self, value: Poly) -> list[NDArray[np.int64]] | None:
        """Return numbers per thread that decide the value.

        None where it rests on what is not followed or on other lanes.
        """
        if any(self._lost(atom) for atom in self.algebra.closure(value)):
            return None
        parts: list[NDArray[np.int64]] = []
        self._collect(value, parts, set())
        return parts

    def _lost(self, atom: Atom) -> bool:
        """Whether an atom differs between threads in a way that no numbers tell."""
        if atom.level is Level.UNIFORM or atom.index in self.known or atom.agreed or atom.lanes is not None:
            return False
        is_fraction = atom.is_float and bool(atom.operands)  # of which the numerator tells all
        return (atom.kind is AtomKind.OPAQUE and not is_fraction) or all(
            self.algebra.level(operand) is Level.UNIFORM for operand in atom.operands
        )

    def _collect(self, value: Poly, parts: list[NDArray[np.int64]], seen: set[int]) -> None:
        lane = self.evaluated(value)
        if lane is None:
            self._collect_atoms((atom.index for atom in self.algebra.atoms_of(value)), parts, seen)
        else:
            self._collect_atoms((index for key in lane for index, _ in key), parts, seen)
            parts += (np.asarray(number) for number in lane.values())

    def _collect_atoms(self, indices: Iterable[int], parts: list[NDArray[np.int64]], seen: set[int]) -> None:
        for index in indices:
            atom = self.algebra.atoms[index]
            if atom.level is Level.UNIFORM or index in seen:
                continue
            seen.add(index)
            if index in self.known:
                parts.append(np.asarray(self.known[index]))
            elif atom.agreed:
                parts.append(np.arange(self.model.exists.size).reshape(self.model.exists.shape) // LANES)
            elif atom.operator in ("<", "=="):
                self._sign(atom, parts, seen)
            elif atom.kind is AtomKind.OPERATION and (lane := self._known_value(index)) is not None:
                self._collect_atoms((inner for key in lane for inner, _ in key), parts, seen)
                parts += (np.asarray(number) for number in lane.values())
            elif atom.operator in ("/", ">>") and (quotient := self._quotient(atom)) is not None:
                terms, floor = quotient
                self._collect_atoms((inner for key, _ in terms for inner, _ in key), parts, seen)
                parts += (floor, *(np.asarray(number) for _, number in terms))
            else:
                parts += () if atom.lanes is None else list(atom.lanes)
                for operand in atom.operands:
                    self._collect(operand, parts, seen)

    def _known_value(self, index: int) -> LaneValue | None:
        """Return the value of an atom in each lane, where it is known by itself, if not in what it is a part of."""
        lane = self.evaluated(generator(index))
        return None if lane is None or any(inner == index for key in lane for inner, _ in key) else lane

    def evaluated(self, value: Poly) -> LaneValue | None:
        """Return the value of each lane, where nothing had to be supposed for it."""
        if value not in self._evaluated:
            self._evaluated[value] = self._evaluate(value)
        return self._evaluated[value]

    def _evaluate(self, value: Poly) -> LaneValue | None:
        try:
            lane = self._evaluator.value(value)
        except (Undecided, OverflowError):
            return None
        if any(isinstance(number, int) and abs(number) > _LARGEST for number in lane.values()):
            return None
        return lane

    def number(self, value: Poly) -> NDArray[np.int64] | None:
        """Return the number that each lane holds, where it is known."""
        lane = self.evaluated(value)
        if lane is None or set(lane) - {CONSTANT}:
            return None
        return np.asarray(lane.get(CONSTANT, 0))

    def _sign(self, atom: Atom, parts: list[NDArray[np.int64]], seen: set[int]) -> None:
        """Handle U + v < 0 for an unknown U that is a multiple of d.

        Only floor(v / d) matters, and for == 0 whether d | v.
        """
        (difference,) = atom.operands
        lane = self.evaluated(difference)
        unknown = {} if lane is None else {key: number for key, number in lane.items() if key != CONSTANT}
        step = reduce(gcd, (self._step(key, number) for key, number in unknown.items()), 0)
        if lane is None or not 2 <= step <= _LARGEST or not all(same_in_warp(number) for number in unknown.values()):
            self._collect(difference, parts, seen)
            return
        self._collect_atoms((index for key in unknown for index, _ in key), parts, seen)
        constant = np.asarray(lane.get(CONSTANT, 0))
        floor = np.floor_divide(constant, step)
        if atom.operator == "==":
            floor = np.where(np.mod(constant, step) == 0, floor, int(np.min(floor)) - 1)
        parts += (floor, *(np.asarray(number) for number in unknown.values()))

    def _quotient(self, atom: Atom) -> tuple[list[tuple[Monomial, Number]], NDArray[np.int64]] | None:
        """Handle (U + v) / w of at least 0 for unknown multiples U and w of d, where only floor(v / d) matters.

        Return the terms of U and w, and those floors; None where d is 1.
        """
        value, by = atom.operands
        lane, divisor = self.evaluated(value), self.evaluated(by)
        if lane is None or divisor is None or not self.algebra.nonnegative(value):
            return None
        if atom.operator == ">>":
            shift = self.number(by)
            if shift is None or not ((shift >= 0) & (shift < SHIFTED)).all():
                return None
            divisor = {CONSTANT: 1 << shift}
        terms = [*((key, number) for key, number in lane.items() if key != CONSTANT), *divisor.items()]
        step = reduce(gcd, (self._step(key, number) for key, number in terms), 0)
        return (terms, np.floor_divide(np.asarray(lane.get(CONSTANT, 0)), step)) if 2 <= step <= _LARGEST else None

    def _step(self, key: Monomial, number: Number) -> int:
        """Return what a term with an unknown factor is a multiple of.

        Wrapped around, a multiple of 256 is still one.
        """
        step = int(np.gcd.reduce(np.ravel(np.asarray(number))))
        for index, exponent in key:
            atom = self.algebra.atoms[index]
            if atom.operator == "wrap":
                inside = (coefficient for coefficient, _ in self.algebra.terms(atom.operands[0]))
                step *= reduce(gcd, inside, 1 << atom.bits) ** exponent
        return step
