"""What a launch passes on the ways through its conditions is what each way by itself says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from launch_checks import launched

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


@pytest.mark.parametrize(
    ("operator", "offset", "value"),
    [("==", 3, 1), ("==", 4, 0), ("<", 3, 0), ("<", 4, 1)],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_sum_that_is_known_decides_other_conditions_on_it(operator: str, offset: int, value: int, sign: int) -> None:
    total = 5 * NAMES[0] + NAMES[1]
    holds = ALGEBRA.compare("==", sign * total, ALGEBRA.constant(sign * 3))
    asked = ALGEBRA.compare(operator, total, ALGEBRA.constant(offset))
    hinge = ALGEBRA.select(asked, ALGEBRA.one, ALGEBRA.zero)
    assert [way.number(hinge) for way in ways(ALGEBRA, [hinge], [holds])] == [value]


KINDS = 40


@pytest.mark.parametrize("subject", ["i", "5 * i + j"])
def test_a_switch_decides_what_an_earlier_one_over_the_same_value_has_chosen(subject: str, tmp_path: Path) -> None:
    """Each case of the first has a condition of its own, so that without the second there are too many ways."""
    kernels = "".join(f"__global__ void k{n}(float *p) {{ p[threadIdx.x] = {n}; }}\n" for n in range(KINDS))
    cases = "".join(f"case {n}: w = {n + 1}; if (flags[{n}] < 128) w *= 2; break;\n" for n in range(KINDS))
    launches = "".join(f"case {n}: k{n}<<<1, w>>>(p); break;\n" for n in range(KINDS))
    host = f"int w = 32; switch (kind) {{\n{cases}}}\nswitch (kind) {{\n{launches}}}"
    source = f"{kernels}void run(float *p, int i, int j, int *flags) {{ int kind = {subject}; {host} }}\n"
    blocks = {(f"k{n}", (), (w, 1, 1)) for n in range(KINDS) for w in (n + 1, 2 * n + 2)}
    assert launched(tmp_path, source) == blocks
