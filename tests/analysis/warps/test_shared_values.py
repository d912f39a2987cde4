"""Lanes whose values evaluations share are those that each of them finds alone, with all that it supposes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from amounts import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_trees import NAMES, Case, Tree, build, numbers, quantities, trees

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.lanes.shared_values import MOST_ITERATIONS, SharedValues, ValuesByIterations
from coalint.analysis.warps.threads import thread_arrays

NOUGHT = dict.fromkeys(NAMES, 0)


def evaluator(case: Case, shared: SharedValues | None, choices: Mapping[int, int] | None = None) -> LaneEvaluator:
    x, y, _, _ = thread_arrays((32, 8, 1))
    at = [case.algebra.atoms_of(case.atoms[name])[0].index for name in ("threadIdx.x", "threadIdx.y")]
    return LaneEvaluator(case.algebra, dict(zip(at, (x, y), strict=True)), dict(choices or {}), shared=shared)


Told = tuple[object, list[str], bool, bool, list[int]]


def told(case: Case, value: Poly, shared: SharedValues | None, choices: Mapping[int, int] | None = None) -> Told:
    """What an evaluation says of a value, what it supposed, two flags, and the choices that it left open."""
    lanes = evaluator(case, shared, choices)
    try:
        found: object = sorted((key, np.asarray(number).tolist()) for key, number in lanes.value(value).items())
    except Undecided as undecided:
        found = undecided.reason, undecided.data_dependent, undecided.loaded
    return found, list(lanes.assumed), lanes.approximate, lanes.supposed, lanes.open_choices


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(trees, min_size=2, max_size=4), numbers)
def test_each_evaluation_says_what_it_says_alone(several: list[Tree], given_numbers: dict[str, int]) -> None:
    case, shared = quantities(given_numbers), SharedValues()
    values = [build(case, tree)[0] for tree in several]
    for value in (*values, *values):
        assert told(case, value, shared) == told(case, value, None)


CHOSEN: Tree = ("?:", ("<", ("name", "n"), ("name", "m")), ("name", "threadIdx.x"), ("number", 4))
OTHER: Tree = ("?:", ("<", ("name", "m"), ("number", 7)), CHOSEN, ("name", "threadIdx.y"))
OPPOSITE: Tree = ("?:", (">=", ("name", "n"), ("name", "m")), ("name", "threadIdx.y"), CHOSEN)


@given(st.sampled_from([CHOSEN, ("*", CHOSEN, ("number", 8)), ("/", CHOSEN, ("number", 2))]))
def test_what_a_choice_decides_is_shared_by_the_side(tree: Tree) -> None:
    case, shared = quantities(NOUGHT), SharedValues()
    value, _ = build(case, tree)
    (opened,) = told(case, value, shared)[-1]
    for side in (0, 1, 0):
        choices = {opened: side}
        assert told(case, value, shared, choices) == told(case, value, None, choices)
    assert told(case, value, shared, {opened: 0}) != told(case, value, shared, {opened: 1})


def in_parts(whole: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    chosen = st.sampled_from([CHOSEN, OTHER, OPPOSITE])
    return st.one_of(chosen, st.tuples(st.sampled_from(["+", "*", "/", "<", "&"]), chosen, whole | chosen))


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(in_parts(trees), min_size=1, max_size=3))
def test_each_alternative_says_what_it_says_alone(several: list[Tree]) -> None:
    case, shared = quantities(NOUGHT), SharedValues()
    values = [build(case, tree)[0] for tree in several]
    pending: list[dict[int, int]] = [{}]
    for choices in pending:  # grows, as conditions are met that are still open
        opened: list[int] = []
        for value in (*values, *values):
            found = told(case, value, shared, choices)
            assert found == told(case, value, None, choices)
            opened += found[-1]
        decided = dict(choices)
        for index in dict.fromkeys(opened):
            if len(pending) < 12:
                pending.append({**decided, index: 0})
            decided[index] = 1


def test_an_index_that_is_given_anew_names_another_value() -> None:
    case, shared = quantities(NOUGHT), SharedValues()
    mark = case.algebra.mark()
    results = []
    for divisor in (2, 4):
        value = case.algebra.operation("/", case.atoms["threadIdx.x"], case.algebra.constant(divisor))
        (lane,) = [number for key, number in evaluator(case, shared).value(value).items() if key == CONSTANT]
        results.append(int(np.max(lane)))
        assert case.algebra.atoms_of(value)[0].index == mark
        case.algebra.forget(mark)
    assert results == [15, 7]


def test_what_is_supposed_is_told_to_each_that_takes_a_value() -> None:
    case, shared = quantities(NOUGHT), SharedValues()
    data = case.algebra.atom(AtomKind.UNIFORM, "width", Level.UNIFORM, low=1)
    value = case.algebra.operation("/", case.atoms["threadIdx.x"], data)
    first, second = (told(case, value, shared) for _ in range(2))
    assert first == second
    _, assumed, approximate, _, _ = first
    assert assumed
    assert approximate


def test_only_the_iterations_that_came_last_are_kept() -> None:
    values = ValuesByIterations()
    counters = [{7: np.arange(n).reshape(-1, 1, 1)} for n in range(1, MOST_ITERATIONS + 2)]
    first = values.of({}, counters[0])
    assert values.of({}, {7: np.arange(1).reshape(-1, 1, 1)}) is first
    assert values.of({3: 1}, counters[0]) is not first
    for counted in counters:
        values.of({}, counted)
    assert values.of({}, counters[0]) is not first
