"""What is predicted of a line, as a mean over its accesses."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import check

from coalint.core.facts.access import Operation
from coalint.engine.verification.comparison.predictions import Prediction, mean_costs, prediction_of

SOURCE = """\
__global__ void k(float *v, float *w) {
    int t = threadIdx.x;
    for (int j = 0; j < 3; ++j) { w[t + 32 * j] = v[2 * t + 64 * j]; }
    w[t + 96] = v[t] + v[4 * t + 512] + v[4 * t + 512];
}
void run(float *v, float *w) { k<<<1, 32>>>(v, w); }
"""


@pytest.fixture
def loads(tmp_path: Path) -> list[Prediction]:
    """Of sectors 8, executed three times, then 4 and 16, executed once, and 16, held in a register."""
    (kernel,) = check(tmp_path, SOURCE).checked
    assert kernel.analysis is not None
    accesses = kernel.analysis.accesses
    made = [prediction_of(one, accesses) for one in kernel.instructions]
    return [one for one in made if one.access.op is Operation.LOAD]


def test_accesses_count_as_often_as_they_are_executed_if_all_are_counted(loads: list[Prediction]) -> None:
    assert [one.executed for one in loads] == [3, 1, 1, 0]
    assert mean_costs(loads, 5) == ((3 * 8 + 4 + 16) / 5, 4.0, 32.0)


@pytest.mark.parametrize("executed", [0, 3, 6])
def test_else_they_count_alike(loads: list[Prediction], executed: int) -> None:
    assert mean_costs(loads, executed) == ((8 + 4 + 16 + 16) / 4, 4.0, 32.0)


def test_what_is_never_executed_keeps_its_cost(loads: list[Prediction]) -> None:
    assert mean_costs(loads[-1:], 0) == (16.0, 4.0, 32.0)
