"""Quantities that conditions say to be whole multiples of a number apart: `(end - start) % 32 == 0`."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.conditions import conjuncts
from coalint.core.records import record

LARGEST = 1 << 24  # more is some hash or mask, not a size


@record(frozen=True, slots=True)
class Tie:
    """A quantity is a multiple of `number` more than `base`, in which it does not stand."""

    atom: Atom
    base: Poly
    number: int


def tied(algebra: Algebra, condition: Poly) -> Iterator[Tie]:
    """Yield what a condition says of differences of quantities, or of one and a number: `(n - 1) % 32 == 0`."""
    for part in conjuncts(algebra, condition):
        for atom in algebra.atoms_of(part):
            if atom.operator == "==" and part == generator(atom.index):
                found = dividend(algebra, atom.operands[0])
                tie = None if found is None else _tie(algebra, *found)
                if tie is not None:
                    yield tie


def dividend(algebra: Algebra, remainder: Poly) -> tuple[Poly, int] | None:
    """Return x and the number d where a value is the remainder of x by d, or that negated; None elsewhere."""
    for atom in algebra.atoms_of(remainder):
        number = algebra.number(atom.operands[1]) if atom.operator == "/" else None
        if number is None or not 1 < number <= LARGEST:
            continue
        whole = atom.operands[0]
        rest = whole - number * generator(atom.index)
        if remainder in (rest, -rest):
            return whole, number
    return None


def _tie(algebra: Algebra, whole: Poly, number: int) -> Tie | None:
    """Return what follows for the last quantity that stands by itself in a multiple of a number, beside others."""
    for atom in reversed(algebra.atoms_of(whole)):
        alone = generator(atom.index)
        for base in (alone - whole, alone + whole):
            if atom not in algebra.closure(base):
                return Tie(atom, base, number)
    return None
