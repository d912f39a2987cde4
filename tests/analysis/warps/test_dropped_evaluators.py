"""What an analysis made goes with it, without a collection."""

from __future__ import annotations

import gc
import weakref

from compiled_analysis import watches_what_is_compiled

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import AtomKind, Level
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator


def reason(evaluator: LaneEvaluator) -> str:
    value = evaluator.algebra.atom(AtomKind.OPAQUE, "x", Level.DIVERGENT, key=("x",), reason="`x` is open")
    try:
        evaluator.value(value)
    except Undecided as undecided:  # not pytest.raises, which holds the frames itself
        return undecided.reason
    return ""


@watches_what_is_compiled
def test_an_evaluator_that_could_not_decide_is_freed_where_it_is_dropped() -> None:
    evaluator = LaneEvaluator(Algebra(), {})
    assert [reason(evaluator) for _ in range(2)] == ["`x` is open"] * 2  # the second is the stored answer
    dropped = weakref.ref(evaluator)
    gc.disable()
    try:
        del evaluator
        assert dropped() is None
    finally:
        gc.enable()
