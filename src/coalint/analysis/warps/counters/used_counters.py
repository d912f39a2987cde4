"""On which loop counters and block indices the pattern of an access depends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import Condition, When, conjuncts
from coalint.core.records import record


@record(frozen=True, slots=True)
class UsedCounters:
    """The counters that addresses and guards use, by atom index.

    `linear` are those that an address adds a multiple of, with the greatest common divisor of the factors and of the
    granularity, in bytes. `entangled` are those of which every value matters to an address, `tested` to a guard.
    """

    linear: dict[int, int]
    entangled: set[int]
    tested: set[int]


def used_counters(
    algebra: Algebra, addresses: Sequence[Poly], guards: Sequence[Condition], granularity: int
) -> UsedCounters:
    """Return the counters that addresses and guards use. To move an address by `granularity` bytes changes nothing."""
    used = UsedCounters({}, set(), set())
    for coefficient, monomial in (term for address in addresses for term in algebra.terms(address)):
        alone = len(monomial) == 1 and monomial[0][1] == 1
        for index, _ in monomial:
            atom = algebra.atoms[index]
            if atom.kind is AtomKind.COUNTER and alone:
                used.linear[index] = gcd(used.linear.get(index, 0), coefficient, granularity)
            elif atom.kind is AtomKind.COUNTER:
                factors = [algebra.atoms[other] for other, _ in monomial]
                if any(factor.level is not Level.UNIFORM for factor in factors) or all(
                    factor.kind is AtomKind.COUNTER for factor in factors
                ):
                    used.entangled.add(index)
            elif atom.operands and (alone or atom.level is not Level.UNIFORM or atom.kind is AtomKind.TABLE):
                inner = algebra.closure(*atom.operands)
                used.entangled.update(other.index for other in inner if other.kind is AtomKind.COUNTER)
    for guard in guards:
        used.tested.update(_tested_counters(algebra, guard))
    return used


def _tested_counters(algebra: Algebra, guard: Condition) -> Iterator[int]:
    """Yield the counters of a guard's parts that rest on threads, or on numbers of blocks and iterations alone."""
    before = [algebra.atoms[index] for index, when in guard.over if when is When.BEFORE]
    for part in conjuncts(algebra, guard.value):
        inside = [*algebra.closure(part), *before]
        if any(atom.kind is AtomKind.THREAD for atom in inside) or all(
            atom.kind in (AtomKind.COUNTER, AtomKind.OPERATION, AtomKind.TABLE) for atom in inside
        ):
            yield from (atom.index for atom in inside if atom.kind is AtomKind.COUNTER)
