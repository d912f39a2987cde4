"""Values that are one of two by a condition, as indices that are clamped: `x < 0 ? 0 : x`, `min(x, n - 1)`."""

from __future__ import annotations

from collections.abc import Iterator

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.conditions import leaves
from coalint.analysis.domain.inequalities import slack, split


def alternatives(atom: Atom) -> tuple[Poly, ...]:
    """Return the values of which an atom is one; none where it is no choice."""
    if atom.operator == "?:":
        return atom.operands[1:]
    return atom.operands if atom.operator in ("min", "max") else ()


def decisions(algebra: Algebra, atom: Atom) -> Iterator[tuple[Poly, Poly | None]]:
    """Yield what decides which of its alternatives a choice is, as `decided` gives it."""
    if atom.operator == "?:":
        yield from decided(algebra, atom.operands[0])
    elif alternatives(atom):
        first, second = alternatives(atom)
        yield first - second, first - second


def decided(algebra: Algebra, condition: Poly) -> Iterator[tuple[Poly, Poly | None]]:
    """Yield the values that decide a condition, each with what compares with 0; None where it compares no integers."""
    for leaf in leaves(algebra, condition):
        atoms, room = algebra.atoms_of(leaf), slack(algebra, leaf)
        is_equality = len(atoms) == 1 and atoms[0].operator == "==" and len(atoms[0].operands) == 1
        yield leaf, atoms[0].operands[0] if room is None and is_equality else room


def is_one_for_all(algebra: Algebra, choice: Atom, counter: Atom) -> bool:
    """Whether all threads take one alternative, for values of a counter that are not told apart by what decides it.

    So it is where each comparison grows with the counter: those of its values that part threads are told from all
    others.
    """
    for value, compared in decisions(algebra, choice):
        if algebra.level(value) is Level.UNIFORM:
            continue
        sides = None if compared is None else split(algebra, compared, (counter.index,))
        if sides is None or any(
            algebra.depends(operand, counter.index)
            for atom in algebra.closure(sides[0])
            if atom is not counter
            for operand in atom.operands
        ):
            return False
        if not algebra.number(algebra.difference(sides[0], counter)):
            return False
    return True
