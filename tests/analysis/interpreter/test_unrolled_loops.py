"""Short loops over local arrays are run one iteration after the other, few times."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from evaluated import access, accesses, count_runs

from coalint.analysis.interpreter.loops import unroll
from coalint.analysis.interpreter.state import State
from coalint.core import ir


@replaces_what_is_compiled
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_loops_in_loops_are_tried_once_for_each_loop_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    iterations = Counter[int]()
    iterate = unroll._iterate

    def counted(state: State, statement: ir.Loop) -> None:
        iterations[statement.span.column] += 1
        iterate(state, statement)

    monkeypatch.setattr(unroll, "_iterate", counted)
    heads = " ".join(f"for (int i{k} = 0; i{k} < 3; i{k}++)" for k in range(depth))
    found, _ = access(tmp_path, f"int a[3] = {{0, 0, 0}}; {heads} a[i0] += 1; out[a[0] * threadIdx.x] = 1;")
    assert found.result.exact
    assert found.result.lanes is not None
    first, second = found.result.lanes.offsets[0, 0, :2]
    assert second - first == 4 * 3 ** (depth - 1)
    assert max(iterations.values()) <= 3**depth * (depth + 1)


@replaces_what_is_compiled
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_a_trial_ends_with_the_first_access_to_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    """What stands after that access is not run for it: with each loop around it would be run twice as often."""
    runs = count_runs(monkeypatch)
    heads = " ".join(f"for (int i{k} = 0; i{k} < 4; i{k}++)" for k in range(depth))
    inner = "for (int j = 0; j < n; j++) s[(j + threadIdx.x) & 255] += x;"
    body = f"__shared__ float s[256]; int a[4] = {{0}}; float x = 0; {heads} {{ a[i0] += out[i1]; {inner} }}"
    accesses(tmp_path, body)
    assert set(runs.values()) == {1}
