"""Values that are not followed at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly, Sharing
from coalint.analysis.domain.algebra.polynomial import generator

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra


def as_opaque(algebra: Algebra, value: Poly) -> tuple[Level, str, Sharing] | None:
    """Return what is known of a value that is not followed at all; None for any other."""
    atoms = algebra.atoms_of(value)
    if len(atoms) != 1 or value != generator(atoms[0].index) or atoms[0].kind is not AtomKind.OPAQUE:
        return None
    atom = atoms[0]
    if atom.operands or atom.is_float:
        return None
    return atom.level, atom.reason, Sharing(atom.varies, atom.warp_divergent, atom.warp_uniform)
