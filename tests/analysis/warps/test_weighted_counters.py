"""Launches of too many blocks and iterations to try each: what some of them stand for, held against trying all."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from amounts import examples
from evaluated import Costed, accesses, evaluated
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from measured_files import compared
from numpy.typing import NDArray

from coalint.engine.verification.comparison.records import Outcome

MANY = Path(__file__).resolve().parents[2] / "support" / "many_blocks.cu"

KERNEL = """\
#define pick(condition, one, other) ((condition) ? (one) : (other))
__global__ void k(float *out, int n, int m) {{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int j = 0; j < {trips}; ++j)
        if ({guard}) out[{index}] = 0;
}}
void run(float *out) {{ k<<<dim3({grid[0]}, {grid[1]}), dim3({block[0]}, {block[1]})>>>(out, {n}, {m}); }}
"""
Extents = tuple[int, int]


def costed(
    folder: Path, grid: Extents, block: Extents, trips: int, guard: str, index: str, n: int, m: int
) -> Costed | None:
    """The store; None where no lane reaches it."""
    source = KERNEL.format(grid=grid, block=block, trips=trips, guard=guard, index=index, n=n, m=m)
    return next(iter(evaluated(folder, source)[1]), None)


def mean_sectors(grid: Extents, block: Extents, trips: int, guard: str, index: str, n: int, m: int) -> float | None:
    """Sectors per request over all warps, blocks and iterations; None where no lane takes part in any."""
    warps = -(-block[0] * block[1] // 32)
    by, bx, j, lane = np.indices((grid[1], grid[0], trips, warps * 32))
    tx, ty = lane % block[0], lane // block[0]
    values: dict[str, Any] = {"x": bx * block[0] + tx, "y": by * block[1] + ty, "j": j, "n": n, "m": m}
    values |= {"min": np.minimum, "max": np.maximum, "pick": np.where}
    values |= {"threadIdx": SimpleNamespace(x=tx, y=ty), "blockIdx": SimpleNamespace(x=bx, y=by)}
    active = np.asarray(eval(_numpy(guard), {}, values)) & (lane < block[0] * block[1])
    places = np.broadcast_to(np.asarray(eval(_numpy(index), {}, values)), active.shape)
    return _mean(places.reshape(-1, 32) // 8, active.reshape(-1, 32))


def _numpy(expression: str) -> str:
    return expression.replace("&&", "&").replace("||", "|").replace("!(", "~(").replace("/", "//")


def _mean(sectors: NDArray[np.int64], active: NDArray[np.bool_]) -> float | None:
    ordered = np.sort(np.where(active, sectors, -1), axis=1)
    first = np.ones_like(active)
    first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    counts = (first & (ordered >= 0)).sum(axis=1)
    return float(counts.sum() / active.any(axis=1).sum()) if active.any() else None


_CLAMPED_X, _CLAMPED_Y = "min(max(x + j - 2, 0), n - 1)", "min(max(y + j - 2, 0), m - 1)"
CASES = [
    ((3000, 1), (64, 1), 1, "x < n", "x + 3", 3000 * 64 - 37, 0),
    ((3000, 1), (64, 1), 1, "x < n", "3 * x", 3000 * 64 - 37, 0),
    ((1500, 1), (64, 1), 1, "(x >= 5) && (x < n - 5)", "x - 5", 1500 * 64 - 1, 0),
    ((1500, 1), (64, 1), 1, "!((x >= 3) && (x < n - 3))", "x", 1500 * 64 - 5, 0),
    ((1500, 1), (64, 1), 1, "(blockIdx.x == 7) || (threadIdx.x < 3)", "x", 0, 0),
    ((1500, 1), (64, 1), 1, "(blockIdx.x % 5 == 2) && (x < n)", "x", 1500 * 64 - 40, 0),
    ((300, 1), (64, 1), 9, "x + 300 * 64 * j < n", "x + 300 * 64 * j", 8 * 300 * 64 + 777, 0),
    ((48, 40), (16, 8), 1, "(x < n) && (y < m)", "y * n + x", 48 * 16 - 9, 40 * 8 - 3),
    ((48, 40), (8, 8), 5, "(x < n) && (y < m)", "(y + j) * (n + 4) + x + j", 48 * 8 - 3, 40 * 8 - 1),
    ((48, 40), (16, 16), 1, "(x > 0) && (x < n - 1) && (y > 0) && (y < m - 1)", "y * n + x", 48 * 16, 40 * 16),
    ((48, 40), (32, 4), 3, "(x + j < n) && (y < x)", "y * n + x + j", 48 * 32, 0),
    ((3000, 1), (64, 1), 1, "x < n", "min(max(x - 3, 0), n - 7)", 3000 * 64 - 37, 0),
    ((1500, 1), (64, 1), 5, "x < n", "min(max(x + j - 2, 0), n - 1)", 1500 * 64 - 40, 0),
    ((48, 40), (16, 8), 5, "(x < n) && (y < m)", f"{_CLAMPED_Y} * n + {_CLAMPED_X}", 48 * 16 - 3, 40 * 8 - 2),
    ((48, 40), (16, 3), 3, "x < n", "y * n + pick((x + j < 4) || (x + j >= n), m, x + j)", 48 * 16 - 5, 5),
    ((48, 40), (16, 3), 3, "x < n", "y * n + pick(x + j < 1, n - 1, pick(x + j > n, 0, x + j - 1))", 48 * 16 - 3, 0),
]


@pytest.mark.parametrize(("grid", "block", "trips", "guard", "index", "n", "m"), CASES)
def test_the_mean_is_that_of_all_blocks_and_iterations(
    tmp_path: Path, grid: Extents, block: Extents, trips: int, guard: str, index: str, n: int, m: int
) -> None:
    made = costed(tmp_path, grid, block, trips, guard, index, n, m)
    assert made is not None
    found, cost = made
    assert cost is not None
    assert cost.count == pytest.approx(mean_sectors(grid, block, trips, guard, index, n, m), rel=1e-12)
    assert found.result.exact, found.result.assumed
    assert found.result.lanes is not None
    assert len(found.result.lanes.weights) <= 4096
    assert int(found.result.lanes.weights.sum()) * trips >= grid[0] * grid[1]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    grid=st.tuples(st.integers(20, 60), st.integers(20, 60)),
    block=st.sampled_from([(8, 8), (16, 4), (32, 2), (20, 3)]),
    trips=st.integers(1, 4),
    bound=st.sampled_from(
        [
            "x < n",
            "x + j < n",
            "(x < n) && (y < m)",
            "x + y < n",
            "!((x < n) && (y < m))",
            "x - y < 3",
            "x == y + j",
            "x / 3 % 2 == 0",
        ]
    ),
    index=st.sampled_from(
        [
            "y * n + x",
            "x + 5 * y + j",
            "y * 64 + 2 * x + j * n",
            "x * m + y",
            "x / 20 * 32 + x % 20 + y * 640",
            "y % 3 * n + x",
            f"{_CLAMPED_Y} * n + {_CLAMPED_X}",
            "min(x + j, n - 3) + min(y, 5) * 16",
            "min(x, y) + max(x, 3 * y)",
            "pick(x + j < 9, 2 * x, y + x)",
            "pick(x < y, n, y * n + x)",
            "pick(x % 16 < 5, 0, pick(y > 3, 4 * x, x))",
            "pick(threadIdx.x < 5, 3 * y, 5 * y) + x",
            "pick(x + j < n - 4, x + j, x) + y",
            "min(x / 4, n / 5) * 4 + y * m",
        ]
    ),
    less=st.integers(0, 40),
)
def test_exact_numbers_of_random_launches_are_those_of_all_blocks(
    tmp_path: Path, grid: Extents, block: Extents, trips: int, bound: str, index: str, less: int
) -> None:
    n, m = grid[0] * block[0] - less, grid[1] * block[1] - less // 2
    made = costed(tmp_path, grid, block, trips, bound, index, n, m)
    expected = mean_sectors(grid, block, trips, bound, index, n, m)
    if made is None or made[1] is None:
        assert expected is None
    elif made[0].result.exact:
        assert made[1].count == pytest.approx(expected, rel=1e-12)


def test_a_bound_that_is_not_known_tells_no_blocks_apart(tmp_path: Path) -> None:
    source = "__global__ void k(float *o, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) o[i + 1] = 0; }\n"
    launch = "void run(float *o, int n) { k<<<5000, 64>>>(o, n); }\n"
    ((found, cost),) = evaluated(tmp_path, source + launch)[1]
    assert cost is not None
    assert cost.count == 5
    assert [str(one) for one in found.result.assumed] == ["every lane passes `i < n`"]


@pytest.mark.parametrize(
    ("bound", "is_exact"), [("n", True), ("1000", True), ("64", True), ("20", False), ("1", False)]
)
def test_a_bound_that_no_whole_warp_can_pass_makes_no_exact_numbers(tmp_path: Path, bound: str, is_exact: bool) -> None:
    source = "__global__ void k(float *o, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < n) o[i] = 0; }\n"
    launch = f"void run(float *o, int blocks, int n) {{ k<<<blocks, 64>>>(o, {bound}); }}\n"
    ((found, _),) = evaluated(tmp_path, source + launch)[1]
    assert found.result.exact == is_exact


@pytest.mark.parametrize("row", ["y", "y / 4", "y % 3"])
def test_rows_of_an_unknown_pitch_are_aligned_as_the_next_row_is(tmp_path: Path, row: str) -> None:
    body = f"int y = blockIdx.y; if (y < 1496) o[{row} * pitch + threadIdx.x] = 0;"
    source = f"__global__ void k(float *o, int pitch) {{ {body} }}\n"
    launch = "void run(float *o, int pitch) { k<<<dim3(1, 1500), 64>>>(o, pitch); }\n"
    ((found, _),) = evaluated(tmp_path, source + launch)[1]
    assert not found.result.exact
    assert "the uniform offset `4*pitch` is a multiple of 32 bytes" in [str(one) for one in found.result.assumed]


@pytest.mark.parametrize(
    ("index", "mean"),
    [
        ("i / 96 * 128 + i % 96", 4),  # blocks of 64 threads come back after three of them
        ("i / 100 * 128 + i % 100", None),
        ("(i & 255) * 3 + i / 256 * 1000", 12),
    ],
)
def test_quotients_and_remainders_come_back_after_some_blocks(tmp_path: Path, index: str, mean: float | None) -> None:
    source = f"__global__ void k(float *o) {{ int i = blockIdx.x * 64 + threadIdx.x; o[{index}] = 0; }}\n"
    ((found, cost),) = evaluated(tmp_path, source + "void run(float *o) { k<<<2222, 64>>>(o); }\n")[1]
    i = np.arange(2222 * 64)
    expected = _mean(
        eval(index.replace("/", "//"), {}, {"i": i}).reshape(-1, 32) // 8, np.ones((4444, 32), dtype=np.bool_)
    )
    assert cost is not None
    assert found.result.exact, found.result.assumed
    assert cost.count == pytest.approx(expected, rel=1e-12)
    assert mean is None or cost.count == mean


def test_two_bounds_on_one_unknown_number_are_tried_in_each_block(tmp_path: Path) -> None:
    guard = "if (i < n && i >= n - 5)"
    body = f"int i = blockIdx.x * 64 + threadIdx.x; {guard} out[i] = 0;"
    ((found, _),) = accesses(tmp_path, body, 64)
    assert found.result.lanes is not None
    assert int(found.result.lanes.active.sum(axis=2).max()) == 5


def test_what_an_h200_counted_of_many_blocks_is_what_some_of_them_give() -> None:
    comparisons = [one for _, one in compared(MANY)]
    assert len(comparisons) == 18
    assert [(one.line, one.predicted, one.counted) for one in comparisons if one.outcome is not Outcome.EQUAL] == []
    assert {access.result.exact for one in comparisons for access in one.accesses} == {True}
