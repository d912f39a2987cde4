"""Conditions of loops that are linear in the number of the iteration, and how many iterations these allow."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import generator

Linear = tuple[str, Poly, int]


def linear_in(algebra: Algebra, part: Poly, counter: Poly) -> Linear | None:
    """Return a condition as d0 + d1*k < 0, or as d0 + d1*k != 0 (the operator is `==` then)."""
    atoms = algebra.atoms_of(part)
    if len(atoms) != 1 or atoms[0].operator not in ("<", "=="):
        return None
    alone = generator(atoms[0].index)
    (difference,) = atoms[0].operands
    index = algebra.atoms_of(counter)[0].index
    d1 = algebra.number(difference.derivative(index)) if difference != 0 else None
    if not d1:
        return None
    d0 = difference - generator(index) * d1
    if algebra.depends(d0, index):
        return None
    positive = part == alone
    if not positive and part != 1 - alone:
        return None
    if atoms[0].operator == "==":
        return None if positive else ("==", d0, d1)
    if not positive:  # !(d0 + d1*k < 0), that is -d0 - d1*k - 1 < 0 for integers
        d0, d1 = -d0 - 1, -d1
    return "<", d0, d1


def total(algebra: Algebra, linear: Linear) -> Poly | None:
    """Return the number of iterations for which d0 + d1*k < 0 holds from k = 0 on, as each thread has it."""
    operator, d0, d1 = linear
    if operator == "==" or d1 < 0:
        return None
    some = algebra.compare("<", d0, algebra.zero)
    return algebra.select(some, algebra.divide(d1 - 1 - d0, algebra.constant(d1)), algebra.zero)


def equation(algebra: Algebra, part: Poly) -> bool:
    """Whether a condition is about being equal, so that a thread for which it fails may pass it again."""
    return any(atom.operator == "==" for atom in algebra.atoms_of(part))
