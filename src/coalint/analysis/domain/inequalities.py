"""Guards as linear inequalities: what bounds a loop, and what closed forms are made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator


def slack(algebra: Algebra, part: Poly) -> Poly | None:
    """Return a value that is positive exactly where the condition holds; None where it is no comparison of integers.

    `a < b` gives `b - a`, its negation `a - b + 1`.
    """
    for atom in algebra.atoms_of(part):
        if atom.operator != "<":  # its operand is less than 0
            continue
        if part == generator(atom.index):
            return -atom.operands[0]
        if part == 1 - generator(atom.index):
            return atom.operands[0] + 1
    return None


def parted(algebra: Algebra, part: Poly, counters: Collection[int]) -> tuple[Poly, Poly] | None:
    """Return what is positive where a condition holds as what all threads share and what rests on threads alone.

    None where it is no comparison of integers, or not such a sum. `counters` are those that threads must not be mixed
    with, by the indices of their atoms.
    """
    room = slack(algebra, part)
    return None if room is None else split(algebra, room, counters)


def split(algebra: Algebra, value: Poly, counters: Collection[int]) -> tuple[Poly, Poly] | None:
    """Return a sum as what all threads share and what rests on threads alone; None where counters are in that, too."""
    common, own = algebra.zero, algebra.zero
    for coefficient, monomial in algebra.terms(value):
        term = algebra.constant(coefficient)
        for index, power in monomial:
            term *= generator(index) ** power
        if algebra.level(term) is Level.UNIFORM:
            common += term
        elif any(atom.index in counters for atom in algebra.closure(term)):
            return None
        else:
            own += term
    return common, own


def bounds_counter(algebra: Algebra, part: Poly, counter: Atom, fixed: Mapping[int, int]) -> bool:
    """Whether the condition, once it fails for one value of a counter, fails for all that are larger.

    `fixed` are numbers of open quantities, by the indices of their atoms.
    """
    step = step_of(algebra, part, counter, fixed)
    return step is not None and step < 0


def step_of(algebra: Algebra, part: Poly, counter: Atom, fixed: Mapping[int, int]) -> int | None:
    """Return what the slack of a condition grows by with a counter; None where that is no number."""
    room = slack(algebra, part)
    if room is None:
        return None
    total = 0
    for coefficient, monomial in algebra.terms(algebra.difference(room, counter)):
        for index, power in monomial:
            if index not in fixed:
                return None
            coefficient *= fixed[index] ** power
        total += coefficient
    return total
