"""Polynomials held against sympy's rings."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from sympy import ZZ
from sympy.polys.rings import PolyRing

from coalint.analysis.domain.algebra.polynomial import Polynomial, constant, generator

SIZE = 4
RING = PolyRing([f"a{i}" for i in range(SIZE)], ZZ)

Pair = tuple[Polynomial, Any]
"""A polynomial, and the same in sympy's ring."""


def same(ours: Polynomial, theirs: Any) -> bool:
    dense = {tuple(dict(monomial).get(i, 0) for i in range(SIZE)): c for monomial, c in ours.items()}
    return dense == {monomial: int(c) for monomial, c in theirs.items()}


def _combined(inner: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: (p[0][0] + p[1][0], p[0][1] + p[1][1])),
        pairs.map(lambda p: (p[0][0] - p[1][0], p[0][1] - p[1][1])),
        pairs.map(lambda p: (p[0][0] * p[1][0], p[0][1] * p[1][1])),
        inner.map(lambda p: (-p[0], -p[1])),
        st.tuples(inner, st.integers(-9, 9)).map(lambda p: (p[1] - 2 * p[0][0] + p[1], p[1] - 2 * p[0][1] + p[1])),
        st.tuples(inner, st.integers(0, 2)).map(lambda p: (p[0][0] ** p[1], p[0][1] ** p[1] if p[1] else RING.one)),
    )


polynomials: st.SearchStrategy[Pair] = st.recursive(
    st.one_of(
        st.integers(-9, 9).map(lambda n: (constant(n), RING.ground_new(n))),
        st.integers(0, SIZE - 1).map(lambda i: (generator(i), RING.gens[i])),
    ),
    _combined,
    max_leaves=6,
)


@given(polynomials)
def test_arithmetic_is_that_of_sympys_rings(pair: Pair) -> None:
    ours, theirs = pair
    assert same(ours, theirs)
    assert len(ours) == len(theirs)
    assert all(coefficient for coefficient, _ in ours.terms)
    used = [i for i in range(SIZE) if any(monomial[i] for monomial in theirs)]
    assert list(ours.indices) == used
    assert ours.number == (None if used else int(theirs.coeff(1)))


@given(polynomials, polynomials)
def test_what_is_equal_is_equal_however_it_came_about(a: Pair, b: Pair) -> None:
    assert (a[0] == b[0]) == (a[1] == b[1])
    assert a[0] + b[0] == b[0] + a[0]
    assert hash(a[0] * b[0]) == hash(b[0] * a[0])
    if a[0].number is not None:
        assert a[0] == a[0].number
        assert hash(a[0]) == hash(a[0].number)


@given(polynomials, polynomials, polynomials)
def test_substitution_is_that_of_sympys_rings(value: Pair, a: Pair, b: Pair) -> None:
    ours = value[0].substituted([(0, a[0]), (2, b[0])])
    assert same(ours, value[1].compose([(RING.gens[0], a[1]), (RING.gens[2], b[1])]))


@given(polynomials, st.integers(0, SIZE - 1))
def test_the_derivative_is_that_of_sympys_rings(value: Pair, index: int) -> None:
    assert same(value[0].derivative(index), value[1].diff(RING.gens[index]))
