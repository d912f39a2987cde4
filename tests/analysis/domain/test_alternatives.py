"""Ways through conditions that are not known."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.alternatives import ways
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly

ALGEBRA = Algebra()
N, M, K = (ALGEBRA.atom(AtomKind.UNIFORM, name, Level.UNIFORM, key=(name,)) for name in "nmk")


def less(a: Poly, b: int) -> Poly:
    return ALGEBRA.compare("<", a, ALGEBRA.constant(b))


def numbers(value: Poly, *conditions: Poly) -> set[int | None]:
    return {way.number(value) for way in ways(ALGEBRA, [value], conditions)}


def test_each_side_is_a_way() -> None:
    value = ALGEBRA.select(less(N, 5), ALGEBRA.constant(64), ALGEBRA.constant(128))
    assert numbers(value) == {64, 128}
    assert numbers(value, less(N, 5)) == {64}


def test_a_condition_that_is_a_choice_of_conditions_and_holds_is_known() -> None:
    condition = ALGEBRA.select(less(M, 9), less(K, 3), less(N, 7))
    value = ALGEBRA.select(condition, ALGEBRA.constant(64), ALGEBRA.constant(128))
    assert numbers(value, condition) == {64}
    assert numbers(value, 1 - condition) == {128}


def test_what_a_minimum_comes_to_may_stay_unknown() -> None:
    least = ALGEBRA.operation("min", N, ALGEBRA.constant(8))
    value = ALGEBRA.select(less(least, 4), ALGEBRA.constant(64), ALGEBRA.constant(128))
    assert numbers(value) == {64, 128}
    assert numbers(value + least) == {136, None}
