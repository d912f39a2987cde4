"""Lane values held against plain Python, lane by lane, with numbers in place of unknown quantities.

The lanes are compared as differences to the first lane of their warp, since what all lanes share is left as it is.
Where the evaluator says that it supposes something, or cannot decide, there is nothing to hold it against.
"""

from __future__ import annotations

import numpy as np
import pytest
from amounts import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from symbolic_trees import Case, Tree, build, evaluate, numbers, quantities, trees

from coalint.analysis.domain.algebra.arithmetic import times
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.threads import thread_arrays

BLOCKS = [(32, 8, 1), (8, 8, 1), (16, 4, 1), (32, 1, 1), (4, 8, 1)]
COUNTED = ("blockIdx.x", "k")


def index_of(case: Case, name: str) -> int:
    return case.algebra.atoms_of(case.atoms[name])[0].index


def lanes_by_hand(
    case: Case, value: Poly, block: tuple[int, int, int]
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    x, y, _, _ = thread_arrays(block)
    found = np.zeros(x.shape, dtype=np.int64)
    for position in np.ndindex(*x.shape):
        environment = case.environment
        environment[index_of(case, "threadIdx.x")] = int(x[position])
        environment[index_of(case, "threadIdx.y")] = int(y[position])
        found[position] = evaluate(case.algebra, value, environment)
    return found


def check(tree: Tree, given_numbers: dict[str, int], block: tuple[int, int, int], counters: bool) -> None:
    case = quantities(given_numbers)
    value, _ = build(case, tree)
    assume(case.algebra.level(value) is Level.DIVERGENT)
    x, y, _, exists = thread_arrays(block)
    known: dict[int, object] = {index_of(case, "threadIdx.x"): x, index_of(case, "threadIdx.y"): y}
    if counters:
        known |= {index_of(case, name): given_numbers[name] for name in COUNTED}
    evaluator = LaneEvaluator(case.algebra, known)
    try:
        lane = evaluator.value(value)
    except (Undecided, OverflowError):
        return
    if evaluator.assumed or evaluator.open_choices or evaluator.approximate:
        return
    keys = {index for key in lane for index, _ in key}
    assume(all(case.algebra.atoms[index].level is Level.UNIFORM for index in keys))
    want = lanes_by_hand(case, value, block)
    assume(np.abs(want).max() < 1 << 40)
    got = np.zeros(x.shape, dtype=np.int64)
    for key, number in lane.items():
        factor = 1
        for index, exponent in key:
            factor *= evaluate(case.algebra, generator(index), case.environment) ** exponent
        assume(abs(factor) < 1 << 30)
        got = got + np.broadcast_to(number, x.shape) * factor
    alive = np.asarray(exists.any(axis=2))[0]
    apart = np.not_equal(got - got[..., :1], want - want[..., :1]) & exists
    assert not apart[:, alive].any()


@settings(max_examples=examples(300), deadline=None)
@given(trees, numbers)
def test_one_number_for_all_lanes_is_one_of_pythons(tree: Tree, given_numbers: dict[str, int]) -> None:
    """NumPy's own numbers have neither `bit_length` nor more than 64 bits."""
    case = quantities(given_numbers)
    value, _ = build(case, tree)
    evaluator = LaneEvaluator(case.algebra, dict(case.environment), strict=True)
    for each in (value, case.algebra.select(case.atoms["n"], value, case.atoms["m"])):
        try:
            number = evaluator.number(each)
        except (Undecided, OverflowError):
            continue
        assert number is None or type(number) is int
        assert number in (None, evaluate(case.algebra, each, case.environment))


@pytest.mark.slow
@settings(max_examples=examples(250), deadline=None)
@given(trees, numbers, st.sampled_from(BLOCKS), st.booleans())
def test_lanes_are_as_far_apart_as_in_plain_integers(
    tree: Tree, given_numbers: dict[str, int], block: tuple[int, int, int], counters: bool
) -> None:
    check(tree, given_numbers, block, counters)


@pytest.mark.parametrize("operator", ["^", "|", "&", "/", ">>"])
@settings(max_examples=examples(80), deadline=None)
@given(
    st.integers(0, 7), st.sampled_from([1, 3, 8, 24, 32, 64, 96, 128]), st.integers(0, 40), st.integers(0, 4), numbers
)
def test_a_multiple_of_an_unknown_keeps_apart_from_low_bits(
    operator: str, shift: int, factor: int, constant: int, lanes: int, given_numbers: dict[str, int]
) -> None:
    by = 1 << shift if operator == "/" else shift if operator == ">>" else constant
    lane: Tree = ("+", ("*", ("name", "threadIdx.x"), ("number", lanes)), ("number", constant))
    tree: Tree = (operator, ("+", ("*", ("name", "n"), ("number", factor)), lane), ("number", by))
    check(tree, given_numbers, (32, 1, 1), counters=True)


def test_a_product_beyond_64_bits_is_refused() -> None:
    """A loop that squares would else double the length of its number in every iteration."""
    assert times(2**32 - 1, 2**32 + 1) == 2**64 - 1
    assert times(-(2**31), 2**32) == -(2**63)
    for factors in ((2**32, 2**32), (3, 2**63), (-(2**40), 2**30)):
        with pytest.raises(OverflowError):
            times(*factors)
