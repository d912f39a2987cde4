"""What the alternatives of one access share says what each of them finds alone."""

from __future__ import annotations

import numpy as np
from amounts import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from symbolic_trees import NAMES, Case, Tree, build, quantities, trees

from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.counters.enumeration import enumerate_counters
from coalint.analysis.warps.counters.plan import SECTOR
from coalint.analysis.warps.guard_parts import GuardParts
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.analysis.warps.passing_lanes import PassingLanes
from coalint.analysis.warps.setting import Setting
from coalint.analysis.warps.threads import thread_arrays
from coalint.core.facts.lanes import Lanes
from coalint.machine.global_memory.anywhere import same_wherever_it_begins

NOUGHT = dict.fromkeys(NAMES, 0)
CHOSEN: Tree = ("?:", ("<", ("name", "n"), ("name", "m")), ("name", "threadIdx.x"), ("number", 4))

compared = st.tuples(st.sampled_from(["<", "==", ">="]), st.just(CHOSEN) | trees, trees)
joined = compared | st.tuples(st.sampled_from(["&&", "||"]), compared, compared)


def passed(case: Case, guards: list[Condition], setting: Setting, choices: dict[int, int], shared: bool) -> object:
    """All that the guards leave, and say, where open conditions are decided in some way."""
    x, y, _, exists = thread_arrays((32, 2, 1))
    at = [case.algebra.atoms_of(case.atoms[name])[0].index for name in ("threadIdx.x", "threadIdx.y")]
    known = dict(zip(at, (x, y), strict=True)) | setting.plan.arrays
    evaluator = LaneEvaluator(case.algebra, known, choices)
    active = np.broadcast_to(exists, (setting.plan.combinations, *exists.shape[1:])).copy()
    parts = setting.tested if shared else None
    passing = PassingLanes(case.algebra, evaluator, setting.plan, setting.fixed, active, parts)
    exact = [passing.restrict(guard) for guard in guards]
    joint = passing.jointly()
    return exact, joint, active.tolist(), list(passing.suppositions), passing.parts, evaluator.open_choices


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(joined, min_size=1, max_size=3), st.booleans())
def test_guards_leave_the_lanes_that_they_leave_alone(several: list[Tree], is_given: bool) -> None:
    case = quantities(NOUGHT)
    guards = [Condition(build(case, tree)[0], f"guard {n}") for n, tree in enumerate(several)]
    opened = build(case, CHOSEN)[0].indices[0]
    plan = enumerate_counters(case.algebra, (), guards, SECTOR, 64)
    fixed = {case.atoms["n"].indices[0]: 3} if is_given else {}
    setting = Setting(fixed, plan, frozenset(), GuardParts(case.algebra, plan, fixed))
    for side in (0, 1, 0):
        alone, shared = (passed(case, guards, setting, {opened: side}, shared) for shared in (False, True))
        assert shared == alone


offsets = st.lists(st.integers(0, 40).map(lambda n: 2 * n), min_size=32, max_size=32)
lanes_of = st.builds(
    lambda at, active, alignment, apart: Lanes(
        np.array(at, dtype=np.int64).reshape(1, 1, 32),
        np.arange(32).reshape(1, 1, 32) < active,
        np.ones(1, dtype=np.int64),
        alignment,
        np.arange(32).reshape(1, 32) // 16 if apart else None,
    ),
    offsets | st.just([4 * n for n in range(32)]),
    st.sampled_from([1, 16, 32]),
    st.sampled_from([1, 2, 4, 16, 32]),
    st.booleans(),
)


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(lanes_of, min_size=1, max_size=6), st.sampled_from([2, 4, 8]))
def test_lanes_cost_the_same_anywhere_as_they_do_alone(several: list[Lanes], width: int) -> None:
    algebra = quantities(NOUGHT).algebra
    plan = enumerate_counters(algebra, (), (), SECTOR, 32)
    setting = Setting({}, plan, frozenset(), GuardParts(algebra, plan, {}))
    for lanes in (*several, *several):
        assert setting.same_wherever_it_begins(lanes, width) == same_wherever_it_begins(lanes, width)
