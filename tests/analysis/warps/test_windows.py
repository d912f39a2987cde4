"""Guards that together let few lanes pass, held against trying every value of what is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access

LANES = range(256)


def most(passes: str, values: range) -> int:
    """The most lanes of a warp that pass for one value of n, over all warps and values."""
    condition = compile(passes, "guard", "eval")
    return max(
        sum(bool(eval(condition, {"x": x, "n": n})) for x in range(first, first + 32))
        for n in values
        for first in range(0, len(LANES), 32)
    )


@pytest.mark.parametrize(
    ("guard", "passes"),
    [
        ("!(4 * x + 3 < n) && 4 * x < n", "4 * x + 3 >= n and 4 * x < n"),
        ("x >= n - 5 && x < n", "n - 5 <= x < n"),
        ("x > n && x <= n + 3", "n < x <= n + 3"),
        ("n - x <= 7 && n - x > 0", "0 < n - x <= 7"),
        ("x < 2 * n && x >= 2 * n - 3", "2 * n - 3 <= x < 2 * n"),
        ("3 * x < n && 3 * x + 14 > n", "3 * x < n < 3 * x + 14"),
        ("!(4 * x >= 4 && 4 * x + 7 < n) && 4 * x < n", "not (4 * x >= 4 and 4 * x + 7 < n) and 4 * x < n"),
        ("(x < 2 || x >= n - 3) && x < n && x > 0", "(x < 2 or x >= n - 3) and 0 < x < n"),
        ("(x == n || x == n + 5) && x < n + 4", "(x == n or x == n + 5) and x < n + 4"),
        ("(x < n - 5 || x > n + 5) && x < n + 9", "(x < n - 5 or x > n + 5) and x < n + 9"),
        ("x == 0 || x == n - 1", "x == n - 1"),
        ("x < n", "x < n"),
        ("x < n && x < m", "x < n"),
        ("x < n && n - x <= 7 && x > m", "n - 7 <= x < n"),
        ("x % 2 == 0 && x < n", "x % 2 == 0 and x < n"),
    ],
)
def test_no_more_lanes_than_any_value_lets_pass(tmp_path: Path, guard: str, passes: str) -> None:
    found, _ = access(tmp_path, f"int x = threadIdx.x; if ({guard}) out[x * 8] = 0;", len(LANES), "int n, int m")
    assert found.result.lanes is not None
    assert int(found.result.lanes.active.sum(axis=2).max()) == most(passes, range(-8, 300))


def test_a_loop_over_what_a_vector_leaves_is_run_by_one_lane(tmp_path: Path) -> None:
    loop = "int x4 = 4 * threadIdx.x; if (x4 + 3 >= n) for (int x = x4; x < n; ++x) out[x] = 0;"
    found, cost = access(tmp_path, loop, threads=64)
    assert cost is not None
    assert cost.count == 1
    assert not found.result.exact


def test_an_alternative_that_is_not_known_is_said_not_to_hold(tmp_path: Path) -> None:
    found, cost = access(tmp_path, "if (threadIdx.x % 32 == 31 || n == 7) out[8 * threadIdx.x] = 0;", threads=64)
    assert cost is not None
    assert cost.count == 1
    assert any("does not hold" in text for text in found.result.assumed)
    assert not found.result.exact


def test_the_ends_of_a_row_are_few_lanes_of_the_blocks_that_hold_them(tmp_path: Path) -> None:
    ends = "int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x); if (!(x >= 4 && x + 7 < n) && x < n) out[x] = 0;"
    found, cost = access(tmp_path, ends, threads=64)
    assert cost is not None
    assert cost.count <= 2
    assert not found.result.exact
