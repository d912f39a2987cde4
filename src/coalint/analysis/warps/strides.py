"""How an address moves from thread to thread, and what of it all threads share."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import term
from coalint.analysis.domain.algebra.printing import Printer


def stride(algebra: Algebra, offset: Poly, thread: Poly) -> Poly | None:
    """The forward difference in one thread index; None where the address is no polynomial in it."""
    atoms = algebra.atoms_of(thread)
    if not atoms:
        return algebra.zero
    for atom in algebra.atoms_of(offset):
        if atom.operands and any(inner is atoms[0] for operand in atom.operands for inner in algebra.closure(operand)):
            return None
        if atom.level is not Level.UNIFORM and atom.kind in (AtomKind.LOAD, AtomKind.OPAQUE, AtomKind.TABLE):
            return None
    return algebra.difference(offset, atoms[0])


def common(algebra: Algebra, printer: Printer, offset: Poly) -> str:
    """The unknown part of an offset that all threads of the block share, as text."""
    shared = algebra.zero
    for monomial, coefficient in offset.items():
        alone = term(monomial, coefficient)
        if monomial and algebra.level(alone) is Level.UNIFORM:
            shared += alone
    return printer.text(shared) if shared != 0 else ""
