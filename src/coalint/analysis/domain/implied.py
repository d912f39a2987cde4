"""What conditions around an access decide of the choices in its address."""

from __future__ import annotations

from collections.abc import Iterable

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, conjuncts

MOST = 8  # choices of one address that are looked at


def resolved(algebra: Algebra, value: Poly, guards: Iterable[Condition]) -> Poly:
    """Return the value where the guards hold: of `n > 0 ? a : b` under the guard `n > 1` only `a` is left."""
    choices = [atom for atom in algebra.closure(value) if atom.operator == "?:"]
    if not choices:
        return value
    facts = [part for guard in guards if not guard.over for part in conjuncts(algebra, guard.value)]
    for atom in choices[:MOST] if facts else ():
        condition, a, b = atom.operands
        if all(_follows(algebra, part, facts) for part in conjuncts(algebra, condition)):
            value = Substitution(algebra, atom, a).of(value)
        elif all(_follows(algebra, part, facts) for part in conjuncts(algebra, 1 - condition)):
            value = Substitution(algebra, atom, b).of(value)
    return value


def _follows(algebra: Algebra, part: Poly, facts: Iterable[Poly]) -> bool:
    """Whether a condition holds where the facts do, each by itself."""
    below = below_zero(algebra, part)
    for fact in facts:
        if fact == part:
            return True
        known = None if below is None else below_zero(algebra, fact)
        if below is not None and known is not None:
            apart = algebra.number(below - known)
            if apart is not None and apart <= 0:
                return True
    return False


def below_zero(algebra: Algebra, part: Poly) -> Poly | None:
    """Return what is negative where the condition holds, and only there; None for what is no comparison of sizes."""
    atoms = algebra.atoms_of(part)
    if len(atoms) != 1 or atoms[0].kind is not AtomKind.OPERATION or atoms[0].operator != "<":
        return None
    (difference,) = atoms[0].operands
    alone = generator(atoms[0].index)
    if part == alone:
        return difference
    return -difference - 1 if part == 1 - alone else None
