"""What a value is made of in each thread: threads that agree in all of it hold the same value, whatever is unknown."""

from __future__ import annotations

from functools import reduce
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from coalint.analysis.arithmetic import Number
from coalint.analysis.atoms import Atom, Kind, Level, Poly
from coalint.analysis.lanenumbers import CONSTANT, LaneValue, Monomial, Undecided, same_in_warp
from coalint.analysis.lanevalue import LaneEvaluator
from coalint.analysis.symbolic import Algebra

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from coalint.analysis.warp import WarpModel

LANES = 32


class Signatures:
    """The signatures of one kernel's values for one block shape; `known` gives numbers to counters."""

    def __init__(
        self, algebra: Algebra, model: WarpModel, known: Mapping[int, NDArray[np.int64]] | None = None
    ) -> None:
        self.algebra = algebra
        self.model = model
        self.known = {**model.threads, **(known or {})}

    def same(self, value: Poly, size: int) -> bool:
        """Whether every run of `size` consecutive threads of the block holds one value."""
        parts = self.of(value)
        if parts is None:
            return False
        exists = self.model.exists.reshape(-1)
        threads = int(exists.sum())
        first = np.arange(threads) // size * size
        for part in parts:
            shape = np.broadcast_shapes(part.shape, self.model.exists.shape)
            cells = np.broadcast_to(part, shape).reshape(shape[0], -1)[:, :threads]
            if not (cells == cells[:, first]).all():
                return False
        return True

    def of(self, value: Poly) -> list[NDArray[np.int64]] | None:
        """Numbers per thread that decide the value; None where it rests on what is not followed or on other lanes."""
        lane = self.evaluated(value)
        if lane is None:
            return self._atoms({atom.index for atom in self.algebra.atoms_of(value)})
        parts = self._atoms({index for key in lane for index, _ in key})
        return None if parts is None else [*parts, *(np.asarray(number) for number in lane.values())]

    def evaluated(self, value: Poly) -> LaneValue | None:
        """The value of each lane, where nothing had to be supposed for it."""
        evaluator = LaneEvaluator(self.algebra, dict(self.known))
        try:
            lane = evaluator.value(value)
        except (Undecided, OverflowError):
            return None
        return None if evaluator.supposed or evaluator.assumed or evaluator.open_choices else lane

    def number(self, value: Poly) -> NDArray[np.int64] | None:
        """The number that each lane holds, where it is known."""
        lane = self.evaluated(value)
        if lane is None or set(lane) - {CONSTANT}:
            return None
        return np.asarray(lane.get(CONSTANT, 0))

    def _atom(self, atom: Atom) -> list[NDArray[np.int64]] | None:
        if atom.level is Level.UNIFORM:
            return []
        if atom.index in self.known:
            return [np.asarray(self.known[atom.index])]
        if atom.together or (atom.kind is Kind.LOAD and not atom.operands):  # what a warp agreed on
            return [np.arange(self.model.exists.size).reshape(self.model.exists.shape) // LANES]
        if atom.lanes is not None and self.algebra.level(atom.operands[0]) is Level.UNIFORM:
            return list(atom.lanes)
        if all(self.algebra.level(operand) is Level.UNIFORM for operand in atom.operands):
            return None
        if atom.operator in ("<", "=="):
            return self._sign(atom)
        found = [self.of(operand) for operand in atom.operands]
        return None if None in found else [part for parts in found if parts is not None for part in parts]

    def _sign(self, atom: Atom) -> list[NDArray[np.int64]] | None:
        """U + v < 0 for an unknown U that is a multiple of d: only floor(v / d) matters, and for == 0 whether d | v."""
        (difference,) = atom.operands
        lane = self.evaluated(difference)
        unknown = {} if lane is None else {key: number for key, number in lane.items() if key != CONSTANT}
        if lane is None or not unknown or not all(same_in_warp(number) for number in unknown.values()):
            return self.of(difference)
        step = reduce(gcd, (self._step(key, number) for key, number in unknown.items()))
        if step < 2:
            return self.of(difference)
        parts = self._atoms({index for key in unknown for index, _ in key})
        if parts is None:
            return None
        constant = np.asarray(lane.get(CONSTANT, 0))
        floor = np.floor_divide(constant, step)
        if atom.operator == "==":
            floor = np.where(np.mod(constant, step) == 0, floor, int(np.min(floor)) - 1)
        return [*parts, floor, *(np.asarray(number) for number in unknown.values())]

    def _step(self, key: Monomial, number: Number) -> int:
        """What a term with an unknown factor is a multiple of: wrapped around, a multiple of 256 is still one."""
        step = int(np.gcd.reduce(np.ravel(np.asarray(number))))
        for index, exponent in key:
            atom = self.algebra.atoms[index]
            if atom.operator == "wrap":
                inside = (coefficient for coefficient, _ in self.algebra.terms(atom.operands[0]))
                step *= reduce(gcd, inside, 1 << atom.bits) ** exponent
        return step

    def _atoms(self, indices: Iterable[int]) -> list[NDArray[np.int64]] | None:
        parts: list[NDArray[np.int64]] = []
        for index in indices:
            inner = self._atom(self.algebra.atoms[index])
            if inner is None:
                return None
            parts += inner
        return parts
