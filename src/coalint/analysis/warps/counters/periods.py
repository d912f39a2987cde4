"""After how many blocks or iterations an access's pattern comes back, where their number is not known."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.counters.choices import alternatives, is_one_for_all
from coalint.analysis.warps.quantities import OPEN

MAX_PERIOD = 256
MAX_KNOWN_PERIOD = 1024  # of a counter whose values have a number
MAX_MULTIPLE = 1 << 20
MOST_MOVES = 16  # of an address, by the alternatives that its parts have


def period(algebra: Algebra, address: Poly, index: int, granularity: int) -> int | None:
    """Return the least p for which the counter's next p values move all lanes alike, by multiples of `granularity`."""
    multiple = _multiple(algebra, (address,), index, granularity)
    for candidate in range(1, min(multiple, MAX_PERIOD) + 1 if multiple <= MAX_MULTIPLE else 0):
        if multiple % candidate == 0 and _comes_back(algebra, address, index, candidate, granularity, choosing=False):
            return candidate
    return None


def common_period(
    algebra: Algebra, addresses: Sequence[Poly], values: Sequence[Poly], index: int, granularity: int
) -> int | None:
    """Return after how many values of a counter all addresses come back, as `period` says, and all values are the same.

    None where that is not known, or more than `MAX_KNOWN_PERIOD`, where some may wrap around, or where an address has a
    multiple of an unknown pitch: how such rows are aligned is told from all values.
    """
    inside = algebra.closure(*addresses, *values)
    if any(atom.operator == "wrap" and _inside(algebra, atom, index) for atom in inside):
        return None
    if any(_times_unknown(algebra, address, index) for address in addresses):
        return None
    multiple = _multiple(algebra, (*addresses, *values), index, granularity)
    for candidate in range(1, min(multiple, MAX_KNOWN_PERIOD) + 1 if multiple <= MAX_MULTIPLE else 0):
        if (
            multiple % candidate == 0
            and all(_comes_back(algebra, one, index, candidate, granularity, choosing=True) for one in addresses)
            and all(unchanged(algebra, value, index, candidate) for value in values)
        ):
            return candidate
    return None


def unchanged(algebra: Algebra, value: Poly, index: int, by: int) -> bool:
    """Whether a value is the same `by` values of the counter later."""
    return _change(algebra, value, index, by) == 0


def _times_unknown(algebra: Algebra, address: Poly, index: int) -> bool:
    """Whether a counter, or what is made of it, is multiplied by a quantity that has no number."""
    factors = ([algebra.atoms[i] for i, _ in monomial] for _, monomial in algebra.terms(address))
    return any(
        any(atom.index == index or _inside(algebra, atom, index) for atom in atoms)
        and any(inner.kind in OPEN for inner in algebra.closure(*(generator(atom.index) for atom in atoms)))
        for atoms in factors
    )


def _multiple(algebra: Algebra, values: Sequence[Poly], index: int, granularity: int) -> int:
    """Return what a period divides; more than `MAX_MULTIPLE` where none is looked for."""
    multiple = granularity
    for atom in algebra.closure(*values):
        if atom.operator in ("/", ">>", "&", "|", "^") and _inside(algebra, atom, index):
            scale = _scale(algebra, atom)
            multiple = lcm(multiple, scale) if scale else MAX_MULTIPLE + 1
            if multiple > MAX_MULTIPLE:
                break
    return multiple


def _comes_back(algebra: Algebra, address: Poly, index: int, by: int, granularity: int, *, choosing: bool) -> bool:
    """Whether values of a counter that are `by` apart move all lanes alike, by a multiple of `granularity`.

    `choosing`: all lanes take the same alternatives for both, where the address has some.
    """
    moves = _moves(algebra, address, index, by, granularity, choosing)
    return moves is not None and all(move % granularity == 0 for move in moves)


def _moves(
    algebra: Algebra, address: Poly, index: int, by: int, granularity: int, choosing: bool
) -> frozenset[int] | None:
    """Return the bytes by which an address may move, for any alternatives; None where that is not known."""
    totals = frozenset({0})
    for coefficient, monomial in algebra.terms(address):
        atoms = [algebra.atoms[i] for i, _ in monomial]
        if not any(atom.index == index or _inside(algebra, atom, index) for atom in atoms):
            continue
        if len(monomial) == 1 and monomial[0][1] == 1:
            changes = _changes_of(algebra, atoms[0], index, by, granularity, choosing)
            if changes is None or len(totals) * len(changes) > MOST_MOVES:
                return None
            totals = frozenset(total + coefficient * change for total in totals for change in changes)
        elif all(atom.kind is AtomKind.COUNTER for atom in atoms):
            if coefficient * by % granularity:
                return None
        elif any(atom.level is not Level.UNIFORM for atom in atoms):
            return None
    return totals


def _changes_of(
    algebra: Algebra, atom: Atom, index: int, by: int, granularity: int, choosing: bool
) -> frozenset[int] | None:
    its = alternatives(atom) if choosing else ()
    if not its:
        change = _change_of(algebra, atom, index, by)
        return None if change is None else frozenset({change})
    changes: frozenset[int] = frozenset()
    for value in its:
        moves = _moves(algebra, value, index, by, granularity, choosing)
        if moves is None:
            return None
        changes |= moves
    return changes if len(changes) == 1 or is_one_for_all(algebra, atom, algebra.atoms[index]) else None


def _change(algebra: Algebra, value: Poly, index: int, by: int) -> int | None:
    total = 0
    for coefficient, monomial in algebra.terms(value):
        atoms = [algebra.atoms[i] for i, _ in monomial]
        if any(atom.index == index or _inside(algebra, atom, index) for atom in atoms):
            change = _change_of(algebra, atoms[0], index, by) if len(atoms) == 1 and monomial[0][1] == 1 else None
            if change is None:
                return None
            total += coefficient * change
    return total


def _change_of(algebra: Algebra, atom: Atom, index: int, by: int) -> int | None:
    if atom.index == index:
        return by
    if atom.operator == "==" or atom.operator == "<" or atom.operator == "<=":
        return 0 if _change(algebra, atom.operands[0], index, by) == 0 else None
    if atom.operator == "wrap":  # an index is supposed not to wrap around
        return _change(algebra, atom.operands[0], index, by) if atom.bits >= 32 else None
    scale = _scale(algebra, atom)
    if not scale:
        return None
    changed = [_change(algebra, operand, index, by) for operand in atom.operands]
    moved = next((change for change in changed if change != 0), 0)
    if moved is None or moved % scale:
        return None
    return moved // scale if atom.operator in ("/", ">>") else 0 if atom.operator == "&" else moved


def _scale(algebra: Algebra, atom: Atom) -> int:
    """Return what the varying operand may move by so that a quotient, or what bits are taken from, moves evenly.

    0 if none.
    """
    if len(atom.operands) != 2:
        return 0
    numbers = [algebra.number(operand) for operand in atom.operands]
    if atom.operator in ("/", ">>"):
        right = numbers[1]
        if right is None or right <= 0 or (atom.operator == ">>" and right > 20):
            return 0
        return right if atom.operator == "/" else 1 << right
    if atom.operator in ("&", "|", "^"):
        mask = next((number for number in numbers if number is not None), None)
        return 1 << mask.bit_length() if mask is not None and mask >= 0 else 0
    return 0


def _inside(algebra: Algebra, atom: Atom, index: int) -> bool:
    return any(algebra.depends(operand, index) for operand in atom.operands)
