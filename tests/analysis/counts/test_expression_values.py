"""Values of expressions in plain fractions are sympy's."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy.codegen.cfunctions import log2

from coalint.analysis.counts.forms.expression_values import value_at

N, M = sympy.symbols("n m", integer=True, nonnegative=True)


def _expressions() -> st.SearchStrategy[sympy.Expr]:
    leaves = st.one_of(st.sampled_from([N, M]), st.fractions(-9, 9, max_denominator=40).map(sympy.Rational))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map(lambda two: two[0] + two[1]),
            st.tuples(inner, inner).map(lambda two: two[0] * two[1]),
            st.tuples(inner, inner).map(lambda two: sympy.Max(*two)),
            st.tuples(inner, inner).map(lambda two: sympy.Min(*two)),
            inner.map(sympy.floor),
            inner.map(sympy.ceiling),
            inner.map(lambda one: one**2),
        ),
        max_leaves=6,
    )


@given(_expressions(), st.integers(0, 300), st.integers(0, 300))
def test_values_are_those_of_sympy(expression: sympy.Expr, n: int, m: int) -> None:
    values = {N: n, M: m}
    assert sympy.Rational(value_at(expression)(values)) == expression.subs(values)


@pytest.mark.slow
@given(st.integers(0, 300), st.integers(0, 300))
def test_relations_hold_where_sympy_says_so(n: int, m: int) -> None:
    for relation in (N < M, N <= M, sympy.ceiling(N / 32) > M, 2 * N >= M, sympy.true, sympy.false):
        assert bool(value_at(relation)({N: n, M: m})) == bool(relation.subs({N: n, M: m}))


@given(st.integers(1, 1 << 40))
def test_logarithms_are_rounded_exactly(n: int) -> None:
    assert value_at(sympy.floor(log2(N)))({N: n}) == n.bit_length() - 1
    assert value_at(sympy.ceiling(log2(N)))({N: n}) == (n - 1).bit_length()
    thirds = value_at(sympy.floor(log2(N / 3) / 2))({N: n})
    assert Fraction(4) ** thirds <= Fraction(n, 3) < Fraction(4) ** (thirds + 1)
    above = value_at(sympy.ceiling(log2(N / 3) / 2))({N: n})
    assert Fraction(4) ** (above - 1) < Fraction(n, 3) <= Fraction(4) ** above
