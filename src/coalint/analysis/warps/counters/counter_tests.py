"""Which conditions tell the values of counters apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.conditions import Condition, conjuncts
from coalint.analysis.domain.inequalities import slack, split
from coalint.analysis.warps.counters.choices import decided, decisions
from coalint.analysis.warps.quantities import OPEN
from coalint.core.records import record


@record(frozen=True, slots=True)
class CounterTest:
    """A comparison of counters with threads: what it says rests on `common + own`, and how that compares with 0.

    `counters` are the atoms of those in `common`, which all threads share; `own` rests on threads alone. Where no
    thread tells anything there is no `own`, and each value of `common` counts.
    """

    counters: tuple[int, ...]
    common: Poly
    own: Poly | None


def counter_tests(
    algebra: Algebra,
    guards: Sequence[Condition],
    addresses: Sequence[Poly],
    ranges: Collection[int],
    fixed: Mapping[int, int],
) -> tuple[list[CounterTest], dict[int, list[Poly]], set[int]]:
    """Return the comparisons that rest on counters, other values by the counters in them, and those that are followed.

    Comparisons are those of guards, and those by which an address is one value or another: `min(x, n - 1)`.

    The last are counters of which guards follow each value, in order.

    Args:
        algebra: The atoms.
        guards: What lanes must pass.
        addresses: Those of the access.
        ranges: The counters that have values, by the indices of their atoms.
        fixed: Numbers of open quantities, likewise.
    """
    decisive: list[tuple[Poly, Poly | None]] = []
    followed: set[int] = set()
    parts = [(part, guard) for guard in guards for part in conjuncts(algebra, guard.value)]
    unknown = [_unknown(algebra, part, fixed) for part, _ in parts]
    for number, (part, guard) in enumerate(parts):
        followed.update(index for index, _ in guard.over)
        alone = all(unknown[number].isdisjoint(found) for other, found in enumerate(unknown) if other != number)
        if unknown[number] and alone and _bounds_by(algebra, part, unknown[number]):
            continue
        decisive += decided(algebra, part)
    for atom in algebra.closure(*addresses):
        decisive += decisions(algebra, atom)
    tests: list[CounterTest] = []
    mixed: dict[int, list[Poly]] = {}
    for value, compared in decisive:
        counters = tuple(sorted(atom.index for atom in algebra.closure(value) if atom.index in ranges))
        if counters:
            test = _test(algebra, value, compared, counters)
            if test is not None:
                tests.append(test)
            for index in counters if test is None else ():
                mixed.setdefault(index, []).append(value)
    return tests, mixed, followed


def _test(algebra: Algebra, value: Poly, compared: Poly | None, counters: tuple[int, ...]) -> CounterTest | None:
    """Return what of a value rests on counters; None where threads are mixed with these otherwise than in a sum."""
    sides = None if compared is None else split(algebra, compared, counters)
    if sides is not None:
        return CounterTest(counters, *sides)
    told = algebra.level(value) is Level.UNIFORM and all(a.kind is not AtomKind.THREAD for a in algebra.closure(value))
    return CounterTest(counters, value, None) if told else None


def _unknown(algebra: Algebra, part: Poly, fixed: Mapping[int, int]) -> set[int]:
    """Return the quantities without a number that a condition rests on, by the indices of their atoms."""
    return {atom.index for atom in algebra.closure(part) if atom.kind in OPEN and atom.index not in fixed}


def _bounds_by(algebra: Algebra, part: Poly, unknown: Collection[int]) -> bool:
    """Whether a condition compares with sums of uniform quantities that are not known: which lanes pass is open.

    Nothing else may speak of these, and no iteration without a number of them be in it: then it tells no values apart.
    """
    room = slack(algebra, part)
    if room is None or any(algebra.atoms[index].kind is not AtomKind.UNIFORM for index in unknown):
        return False
    plain = {monomial[0][0] for _, monomial in algebra.terms(room) if len(monomial) == 1 and monomial[0][1] == 1}
    return plain >= set(unknown) and all(
        (atom.kind is not AtomKind.COUNTER or atom.trips is not None)
        and not any(inner.index in unknown for operand in atom.operands for inner in algebra.closure(operand))
        for atom in algebra.closure(room)
    )
