"""Guards as values: which condition must hold, and over which iterations of a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.core.records import record

MOST_CLAUSES = 64  # that are held against one another
MOST_ALTERNATIVES = 8  # of one clause

Clause = frozenset[Poly]
"""Values of which at least one is not 0."""


class When(Enum):
    """For which iterations of a loop a condition must hold, for a thread to be here in iteration k."""

    UNTIL = "until"  # 0..k: the loop's own condition
    BEFORE = "before"  # 0..k-1: that it has not left by break
    EVER = "ever"  # all: that it has not returned from inside of a loop that is over


@record(frozen=True, slots=True)
class Condition:
    """A guard: the value that must not be 0, and the text that the user wrote for it.

    `over` pairs loops (their counter's atom index, innermost first) with the iterations in which the value must not be
    0; a loop that is not named counts in the current iteration alone.
    """

    value: Poly
    text: str
    over: tuple[tuple[int, When], ...] = ()


def conjuncts(algebra: Algebra, condition: Poly) -> list[Poly]:
    """Return the condition as parts that must all hold: `a && b`, and `!(a || b)`."""
    atoms = algebra.atoms_of(condition)
    if len(atoms) == 1 and atoms[0].kind is AtomKind.OPERATION:
        alone = generator(atoms[0].index)
        if atoms[0].operator == "&&" and condition == alone:
            return [part for operand in atoms[0].operands for part in conjuncts(algebra, operand)]
        if atoms[0].operator == "||" and condition == 1 - alone:
            return [part for operand in atoms[0].operands for part in conjuncts(algebra, 1 - operand)]
    return [condition]


def leaves(algebra: Algebra, condition: Poly) -> Iterator[Poly]:
    """Yield the comparisons and other values that decide a condition, whichever way `&&`, `||` and `!` join them."""
    atoms = algebra.atoms_of(condition)
    if len(atoms) == 1 and atoms[0].operator in ("&&", "||"):
        for operand in atoms[0].operands:
            yield from leaves(algebra, operand)
    else:
        yield condition


def disjuncts(algebra: Algebra, condition: Poly) -> list[Poly]:
    """Return the condition as parts of which one must hold: `a || b`, and `!(a && b)`."""
    return [1 - part for part in conjuncts(algebra, 1 - condition)]


def implied(
    algebra: Algebra, part: Poly, condition: Condition, others: Iterable[Condition], agreed: Callable[[Poly], bool]
) -> bool:
    """Whether a part of a condition parts nobody, by what other conditions leave of its alternatives.

    Either another condition holds some of them already; or all together leave alternatives that are agreed on, as
    `n || i < m` and `n || i >= m` leave `n`.
    """
    alternatives = frozenset(disjuncts(algebra, part))
    if len(alternatives) < 2:
        return False
    held: list[Clause] = [alternatives]
    for other in others:
        if other is condition or not _holds_where(algebra, other, condition):
            continue
        for one in conjuncts(algebra, other.value):
            known = frozenset(disjuncts(algebra, one))
            if known < alternatives:
                return True
            held.append(known)
    return any(clause <= alternatives and all(map(agreed, clause)) for clause in _resolved(algebra, held))


def _holds_where(algebra: Algebra, other: Condition, condition: Condition) -> bool:
    """Whether a condition holds in all iterations that another one speaks of: the same, or as it does not change."""
    if other.over == condition.over:
        return True
    if other.over or any(when is not When.EVER for _, when in condition.over):
        return False
    counters = {index for index, _ in condition.over}
    return all(atom.index not in counters for atom in algebra.closure(other.value))


def _resolved(algebra: Algebra, held: Iterable[Clause]) -> Iterator[Clause]:
    """Yield what follows from alternatives that all hold, by resolution: of `x || a` and `!x || b`, that `a || b`."""
    known: dict[Clause, None] = {}
    pending = list(dict.fromkeys(held))
    while pending and len(known) < MOST_CLAUSES:
        clause = pending.pop(0)
        if clause in known:
            continue
        yield clause
        for other in known:
            left = [*_resolvents(algebra, clause, other), *_resolvents(algebra, other, clause)]
            pending += (rest for rest in left if len(rest) <= MOST_ALTERNATIVES)
        known[clause] = None


def _resolvents(algebra: Algebra, clause: Clause, other: Clause) -> Iterator[Clause]:
    for one in clause:
        opposite = frozenset(disjuncts(algebra, 1 - one))
        if opposite <= other:
            yield (clause - {one}) | (other - opposite)
