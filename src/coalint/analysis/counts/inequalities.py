"""Guards as linear inequalities: what bounds a loop, and what closed forms are made of."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.polynomial import generator


def slack(algebra: Algebra, part: Poly) -> Poly | None:
    """Return a value that is positive exactly where the condition holds; None where it is no comparison of integers.

    `a < b` gives `b - a`, its negation `a - b + 1`.
    """
    for atom in algebra.atoms_of(part):
        if atom.operator != "<" or len(atom.operands) != 2:
            continue
        left, right = atom.operands
        if part == generator(atom.index):
            return right - left
        if part == 1 - generator(atom.index):
            return left - right + 1
    return None


def bounds_counter(algebra: Algebra, part: Poly, counter: Atom) -> bool:
    """Whether the condition, once it fails for one value of a counter, fails for all that are larger."""
    room = slack(algebra, part)
    if room is None:
        return False
    step = algebra.number(algebra.difference(room, counter))
    return step is not None and step < 0
