"""Stores that are overwritten, what loops with calls keep, loads of what some threads hold, as an H200 counted them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from evaluated import evaluated
from measured_files import compared

from coalint.core.facts.access import Operation
from coalint.engine.verification.comparison.records import Comparison

SUPPORT = Path(__file__).resolve().parents[2] / "support"
Kind = tuple[str, str, str]


def by_kernel(file: str) -> dict[Kind, list[Comparison]]:
    """The compared lines of each kernel, memory and operation: what leaves a loop has the line of the loop."""
    found: dict[Kind, list[Comparison]] = {}
    for kernel, one in compared(SUPPORT / file):
        found.setdefault((kernel, one.space.value, one.operation.value), []).append(one)
    return found


def wrong(file: str) -> dict[Kind, tuple[float, int]]:
    """What was counted and predicted of warp instructions, where all are predicted and the two differ."""
    differing = {}
    for kind, lines in by_kernel(file).items():
        counted = round(sum(one.requests for one in lines), 3)  # of predicated ones the mean of lanes tells them
        predicted = [one.predicted_executed for one in lines if one.accesses]
        if None not in predicted and counted != sum(filter(None, predicted)):
            differing[kind] = counted, sum(filter(None, predicted))
    return differing


@pytest.mark.parametrize("file", ["overwritten.cu", "loops_with_calls.cu", "distances.cu"])
def test_what_is_predicted_is_what_was_counted(file: str) -> None:
    assert wrong(file) == {}


@pytest.mark.parametrize(
    ("file", "open_kinds"),
    [
        # Two stores of one place become one, and a thread loads what it does not hold.
        ("overwritten.cu", {("set_in_branch", "global", "store"), ("loaded_on_one_way", "global", "load")}),
        # What is left after four copies of the loop's body loads again what the loop has stored.
        ("distances.cu", {("in_loop", "global", "load")}),
        (
            "loops_with_calls.cu",  # copies of the body keep values over what lanes exchange, and a branch decides
            {
                (kernel, "shared", operation)
                for kernel in ("exchange", "votes", "times")
                for operation in ("load", "store")
            }
            | {("branch_inside", "shared", "load"), ("open_in_exchange", "global", "load")}
            | {("branch_of_all_iterations", "global", "load")},
        ),
    ],
)
def test_nothing_else_is_open(file: str, open_kinds: set[Kind]) -> None:
    is_open = {
        kind
        for kind, lines in by_kernel(file).items()
        if any(one.predicted_executed is None for one in lines if one.accesses)
    }
    assert is_open == open_kinds


def test_a_store_that_is_overwritten_is_executed_by_no_warp() -> None:
    left_out = Counter(kernel for kernel, one in compared(SUPPORT / "overwritten.cu") if one.predicted_executed == 0)
    assert left_out["others_stored_between"] == 2  # both first stores
    assert left_out["loaded_between"] == left_out["branch_between"] == 0


@pytest.mark.parametrize(
    ("body", "stores"),
    [
        ("o[t] = 1; o[t] = 2;", [0, 1]),
        ("o[t] = 1; if (t < n) o[t + 64] = 2; o[t] = 3;", [1, 1, 1]),  # nvcc looks no further than the branch
        ("if (t < n) o[t] = 1; o[t] = 3;", [1, 1]),
        ("if (t < n) { o[t] = 1; o[t] = 3; }", [0, 1]),
        ("o[t] = 1; __syncthreads(); o[t] = 3;", [1, 1]),
        ("o[t] = 1; atomicAdd(&o[t + 64], 1.0f); o[t] = 3;", [0, 1]),
        ("o[t] = 1; atomicAdd(&o[n], 1.0f); o[t] = 3;", [1, 1]),
        ("volatile float *v = o; v[t] = 1; v[t] = 3;", [1, 1]),
        ("for (int k = 0; k < 4; k++) o[t] = k;", [1]),
        ("for (int k = 0; k < 4; k++) o[t] = sqrtf(o[t]) / 3;", [1]),
        ("for (int k = 0; k < 4; k++) o[t] = o[t] > 1 ? o[t] / 2 : o[t] + 1;", [1]),
        ("o[t] = 1; o[t] = fmodf(n, 3);", [0, 1]),
    ],
)
def test_which_stores_are_left(tmp_path: Path, body: str, stores: list[int]) -> None:
    text = f"__global__ void k(float *o, int n) {{ int t = threadIdx.x; {body} }}\n"
    text += "void run(float *o) { k<<<1, 32>>>(o, 7); }\n"
    found = [one.executions for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.STORE]
    assert [None if one is None else one.warps for one in found] == stores


@pytest.mark.parametrize(
    ("body", "is_open"),
    [
        ("for (int k = 0; k < 4; k++) o[t] = sinf(o[t]);", True),  # an H200 counts a store in each iteration
        ("for (int k = 0; k < 4; k++) o[t] = sqrtf(o[t]);", False),
        ("for (int k = 0; k < 4; k++) { float a = 0; for (int j = 0; j < 9; j++) a += cosf(j * n); o[t] += a; }", True),
        ("__shared__ float s[32]; float v = n; for (int k = 0; k < 4; k++) s[t] = v = sinf(v); o[t] = s[t];", False),
        ("o[t] = 1; o[t] = cosf(n);", True),
        ("o[t] = 1; o[t] = expf(n);", False),
    ],
)
def test_what_a_sine_keeps_in_memory_is_open(tmp_path: Path, body: str, is_open: bool) -> None:
    """It reads a table, which the compiler does not tell from what the kernel stores."""
    text = f"__global__ void k(float *o, int n) {{ int t = threadIdx.x; {body} }}\n"
    text += "void run(float *o) { k<<<1, 32>>>(o, 7); }\n"
    found = [one.executions for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.STORE]
    assert any(one is not None and one.assumed for one in found) is is_open
