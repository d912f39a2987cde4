"""Clamps and wrap-arounds at an edge that is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, accesses, barriers, count, sectors

from coalint.core.facts.synchronization import Verdict

THREAD = "int x = blockIdx.x * blockDim.x + threadIdx.x;"

INSIDE = "no lane is clamped at an edge"


@pytest.mark.parametrize(
    ("index", "offset"),
    [
        ("min(x, w - 1)", 0),
        ("max(x - 3, 0)", -3),
        ("max(0, min(x + 1, w - 1))", 1),
        ("x < w ? x : w - 1", 0),
        ("x >= w ? x - w : x", 0),
        ("x >= w ? 2 * w - x - 1 : x", 0),
        ("(x >= 0 && x < w) ? x : 0", 0),
        ("x + 1 == w ? 0 : x + 1", 1),
    ],
)
def test_a_clamp_is_supposed_to_leave_the_lanes_alone(tmp_path: Path, index: str, offset: int) -> None:
    found = access(tmp_path, f"{THREAD} out[{index}] = 0;", parameters="int w")
    assert found[0].result.assumed == (INSIDE,)
    assert count(found) == sectors([64 + 4 * (offset + lane) for lane in range(32)])


def test_a_variable_that_a_branch_clamps(tmp_path: Path) -> None:
    body = f"{THREAD} int y = x; if (y >= w) y = w - 1; out[2 * y] = 0;"
    found = access(tmp_path, body, parameters="int w")
    assert found[0].result.assumed == (INSIDE,)
    assert count(found) == 8


def test_a_row_that_is_clamped_for_whole_warps(tmp_path: Path) -> None:
    body = "int y = blockIdx.y * 8 + threadIdx.x / 32; if (y >= h) y = h - 1; out[y * 1024 + threadIdx.x % 32] = 0;"
    found = access(tmp_path, body, parameters="int h")
    assert found[0].result.assumed == (INSIDE,)
    assert found[0].result.exact
    assert count(found) == 4


def test_a_clamp_at_a_known_edge_is_counted(tmp_path: Path) -> None:
    found = access(tmp_path, "out[min(8 * (int)threadIdx.x, 100)] = 0;", 32)
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert count(found) == sectors([4 * min(8 * lane, 100) for lane in range(32)])


@pytest.mark.parametrize(
    "index",
    [
        "x == w ? x : 0",  # one lane does
        "in[x] > 0 ? x : 0",  # data
        "(x + w) / 3 % 2 < 1 ? x : 2 * x",  # lanes here and there
    ],
)
def test_other_choices_between_lanes_stay_unknown(tmp_path: Path, index: str) -> None:
    *_, (found, _) = accesses(tmp_path, f"{THREAD} int i = {index}; out[i] = 0;", parameters="int w")
    assert found.result.unknown is not None


@pytest.mark.parametrize(("index", "costs"), [("x < w ? x : 2 * x", [4, 8]), ("x < w && v ? 0 : 32 * x", [1, 32])])
def test_a_bound_parts_few_warps(tmp_path: Path, index: str, costs: list[int]) -> None:
    found = accesses(tmp_path, f"{THREAD} int i = {index}; out[i] = 0;", parameters="int w, bool v")
    assert [count(item) for item in found] == costs
    assert all(
        not item.result.exact and any("the same side of" in text for text in item.result.assumed) for item, _ in found
    )


def test_a_clamp_decides_no_barrier(tmp_path: Path) -> None:
    (barrier,) = barriers(tmp_path, "int x = threadIdx.x; if (max(x, n) - x == 0) __syncthreads();")
    assert barrier.verdict is not Verdict.UNIFORM
