"""The algebra held against C on plain integers: whatever is folded, simplified or bounded, its value is C's.

Parameters are sizes here, not negative, as `Algebra.nonnegative` documents; where it takes a difference with a size in
it for non-negative too (`n - m`), draws in which that does not hold are left out.
"""

from __future__ import annotations

import pytest
from amounts import examples
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from symbolic_trees import NAMES, TESTS, C, Tree, build, evaluate, leaves, numbers, quantities, trees

NOUGHT = dict.fromkeys(NAMES, 0)


@pytest.mark.slow
@settings(max_examples=examples(600), deadline=None)
@example(("unsigned", ("+", ("name", "blockIdx.x"), ("unsigned", ("number", -33)))), {**NOUGHT, "blockIdx.x": 33})
@given(trees, numbers)
def test_the_value_is_that_of_c(tree: Tree, given_numbers: dict[str, int]) -> None:
    case = quantities(given_numbers)
    value, number = build(case, tree)
    assert evaluate(case.algebra, value, case.environment) == number


signs = st.sampled_from(TESTS)
small = st.integers(-2, 2).map(lambda n: ("number", n))


@pytest.mark.slow
@settings(max_examples=examples(500), deadline=None)
@given(st.sampled_from(NAMES), leaves, signs, signs, small, small, st.booleans(), numbers)
def test_a_comparison_with_a_clamp_of_the_same_value_is_that_of_c(
    name: str, bound: Tree, clamp: str, sign: str, more: Tree, less: Tree, turned: bool, given_numbers: dict[str, int]
) -> None:
    case = quantities(given_numbers)
    value: Tree = ("name", name)
    sides: tuple[Tree, Tree] = (("+", value, more), ("+", bound, less))
    chosen: Tree = ("?:", (clamp, value, bound), *(sides[::-1] if turned else sides))
    for tree in ((sign, value, chosen), (sign, chosen, value)):
        poly, number = build(case, tree)
        assert evaluate(case.algebra, poly, case.environment) == number


dividends = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(-70, 70)), max_size=3)


@settings(max_examples=examples(500), deadline=None)
@given(dividends, st.integers(-300, 300), st.integers(1, 64), numbers, st.sampled_from(["/", "%", "&", "|", ">>"]))
def test_sums_are_divided_and_masked_as_in_c(
    terms: list[tuple[str, int]], constant: int, divisor: int, given_numbers: dict[str, int], operator: str
) -> None:
    case = quantities(given_numbers)
    tree: Tree = ("number", constant)
    for name, factor in terms:
        tree = ("+", tree, ("*", ("name", name), ("number", factor)))
    by = divisor % 8 if operator == ">>" else (1 << divisor % 8) - 1 if operator in "&|" and divisor % 2 else divisor
    value, number = build(case, (operator, tree, ("number", by)))
    assert evaluate(case.algebra, value, case.environment) == number


@settings(max_examples=examples(300), deadline=None)
@given(trees, trees, numbers, st.sampled_from(TESTS))
def test_unsigned_comparisons_put_negative_values_last(
    left: Tree, right: Tree, given_numbers: dict[str, int], operator: str
) -> None:
    case = quantities(given_numbers)
    (a, x), (b, y) = build(case, left), build(case, right)
    value = case.algebra.compare_unsigned(operator, a, b)
    modulus = 1 << 64
    assert evaluate(case.algebra, value, case.environment) == C[operator](x % modulus, y % modulus)


@settings(max_examples=examples(200), deadline=None)
@example(("%", ("unsigned", ("number", -33)), ("name", "threadIdx.x")), {**NOUGHT, "threadIdx.x": 1})
@example(("unsigned", ("<<", ("name", "threadIdx.x"), ("name", "threadIdx.x"))), {**NOUGHT, "threadIdx.x": 28})
@given(trees, numbers)
def test_an_unsigned_value_converts_back_to_what_it_was(tree: Tree, given_numbers: dict[str, int]) -> None:
    case = quantities(given_numbers)
    value, number = build(case, tree)
    assume(-(1 << 31) <= number < 1 << 31)
    back = case.algebra.signed(case.algebra.unsigned(value, 32), 32)
    assert evaluate(case.algebra, back, case.environment) == number
