"""What conditions around an access decide of the choices in its address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.conditions import Condition, conjuncts

MOST = 8  # choices of one address that are looked at


def resolved(algebra: Algebra, value: Poly, guards: Iterable[Condition]) -> Poly:
    """Return the value where the guards hold.

    Of `n > 0 ? a : b` under the guard `n > 1` only `a` is left, and `i * n` is `5 * i` under the guard `n == 5`.
    """
    choices: list[Atom] = []
    open_: list[Atom] = []
    for atom in algebra.closure(value):
        if atom.operator == "?:":
            choices.append(atom)
        elif atom.kind is AtomKind.UNIFORM and not atom.is_block_index:
            open_.append(atom)
    if not choices and not open_:
        return value
    facts = [part for guard in guards if not guard.over for part in conjuncts(algebra, guard.value)]
    for atom, number in _numbers(algebra, facts) if open_ else ():
        if atom in open_:
            value = Substitution(algebra, atom, algebra.constant(number)).of(value)
    for atom in choices[:MOST] if facts else ():
        condition, a, b = atom.operands
        if all(_follows(algebra, part, facts) for part in conjuncts(algebra, condition)):
            value = Substitution(algebra, atom, a).of(value)
        elif all(_follows(algebra, part, facts) for part in conjuncts(algebra, 1 - condition)):
            value = Substitution(algebra, atom, b).of(value)
    return value


def _numbers(algebra: Algebra, facts: Iterable[Poly]) -> Iterator[tuple[Atom, int]]:
    """Yield the uniform values that are one number where the facts hold: n and 5 of `n == 5`."""
    for fact in facts:
        atoms = algebra.atoms_of(fact)
        if len(atoms) != 1 or atoms[0].operator != "==" or fact != generator(atoms[0].index):
            continue
        (difference,) = atoms[0].operands
        inside = algebra.atoms_of(difference)
        if len(inside) != 1 or inside[0].kind is not AtomKind.UNIFORM:
            continue
        factor = difference.coefficient(((inside[0].index, 1),))
        rest = algebra.number(difference - generator(inside[0].index) * factor)
        if factor and rest is not None and rest % factor == 0:
            yield inside[0], -rest // factor


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
