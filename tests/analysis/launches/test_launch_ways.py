"""What a launch passes on the ways through its conditions is what each way by itself says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.alternatives import ways
from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.divisors import divisor, stated
from coalint.analysis.interpreter.host.launch_ways import OnWays

ALGEBRA = Algebra()
NAMES = [ALGEBRA.atom(AtomKind.UNIFORM, name, Level.UNIFORM, low=0) for name in "abcd"]
CONDITIONS = [ALGEBRA.compare("<", name, ALGEBRA.constant(8)) for name in NAMES]

values = st.recursive(
    st.one_of(st.integers(0, 64).map(ALGEBRA.constant), st.sampled_from(NAMES)),
    lambda inner: st.one_of(
        st.builds(ALGEBRA.select, st.sampled_from(CONDITIONS), inner, inner),
        st.builds(lambda a, n: n * a, inner, st.sampled_from((2, 4, 12))),
        st.builds(lambda a, b: a + b, inner, inner),
    ),
    max_leaves=6,
)


@given(st.lists(values, min_size=1, max_size=4), st.lists(values, min_size=1, max_size=4))
def test_each_way_says_of_a_value_what_it_says_alone(hinges: list[Poly], passed: list[Poly]) -> None:
    conditions = [CONDITIONS[-1]]
    found = list(ways(ALGEBRA, hinges, conditions))
    multiples = stated(ALGEBRA, conditions)
    on_ways = OnWays(ALGEBRA, found, multiples)
    for value in passed * 2:
        for way in found:
            assert on_ways.number(value, way) == way.number(value)
            assert on_ways.divisor(value, way) == divisor(ALGEBRA, value, way, multiples)
