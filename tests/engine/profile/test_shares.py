"""Shares of instructions in what their kernel moves: numbers, limits, and open where anything of the whole is."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from project import Project

TIED = """\
__global__ void k(float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[2 * i] = 0;
    b[8 * threadIdx.x + blockIdx.x * 2048] = 1;
}
void run(float *a, float *b, int n, int m) { k<<<GRID, 256>>>(a, b, n); }
"""


def _kernel(project: Project, source: str, *options: str) -> dict[str, Any]:
    project.put("k.cu", source)
    done = project.coalint("profile", "k.cu", "--output-format=json", *options)
    (kernel,) = json.loads(done.out)["kernels"]
    found: dict[str, Any] = kernel
    return found


@pytest.mark.parametrize(
    ("grid", "blocks"),
    [
        ("(n + 255) / 256", lambda n: (n + 255) // 256),
        ("(n - 1) / 256 + 1", lambda n: (n - 1) // 256 + 1),
        ("dim3((n + 511) / 512 * 2)", lambda n: (n + 511) // 512 * 2),
        ("n / 64", lambda n: n // 64),
        ("2 * n", lambda n: 2 * n),
    ],
)
def test_a_limit_is_of_as_many_blocks_as_the_launch_computes(grid: str, blocks: Any, project: Project) -> None:
    """The number of blocks does not grow by itself: with large sizes the shares are those of the limit."""
    source = TIED.replace("GRID", grid)
    limits = _kernel(project, source)["instructions"]
    large = 1 << 20
    numbers = _kernel(project, source, "--let", f"n={large}")
    assert numbers["grid"] == [blocks(large), 1, 1]
    for limit, known in zip(limits, numbers["instructions"], strict=True):
        assert limit["share_limit"] == pytest.approx(known["share"], abs=0.001)
        assert limit["traffic_share_limit"] == pytest.approx(known["traffic_share"], abs=0.001)


@pytest.mark.slow
def test_a_block_that_the_launch_divides_by_ties_them_too(project: Project) -> None:
    open_block = TIED.replace("int m", "int size").replace("<<<GRID, 256>>>", "<<<(n + size - 1) / size, size>>>")
    known = _kernel(project, TIED.replace("GRID", "(n + 255) / 256"))["instructions"]
    supposed = _kernel(project, open_block)["instructions"]
    assert [one["share_limit"] for one in supposed] == pytest.approx([one["share_limit"] for one in known])


@pytest.mark.parametrize("grid", ["m", "(m + 255) / 256", "(n + m) / 256"])
def test_blocks_that_rest_on_more_than_arguments_grow_as_other_sizes_do(grid: str, project: Project) -> None:
    kernel = _kernel(project, TIED.replace("GRID", grid))
    strided, own = kernel["instructions"]
    # Per element 4 sectors of 32 lanes beyond the ideal, per block 8 warps with 28 each.
    assert strided["share_limit"] == pytest.approx(4 / 32 / (4 / 32 + 8 * 28))
    assert own["share_limit"] == pytest.approx(1 - strided["share_limit"])
    assert _kernel(project, TIED.replace("GRID", grid), "--let", "n=1000")["grid"] is None


def test_what_the_user_states_of_the_grid_comes_before_what_the_launch_computes(project: Project) -> None:
    source = TIED.replace("GRID", "(n + 255) / 256")
    assert _kernel(project, source, "--let", "n=1000")["grid"] == [4, 1, 1]
    assert _kernel(project, source, "--let", "n=1000", "--let", "gridDim.x=9")["grid"] == [9, 1, 1]
    assert _kernel(project, source, "--let", "gridDim.x=9")["grid"] == [9, 1, 1]


OPEN = """\
__global__ void k(float *a, float *b, const int *stop, int n) {
    __shared__ float s[2048];
    a[2 * threadIdx.x] = 0;
    for (int i = 0; i < stop[0]; i++) b[2 * threadIdx.x + 64 * i] = s[0];
    for (int i = 0; i < n; i++) b[2 * threadIdx.x + i * 64] = 1;
    s[2 * threadIdx.x] = 1;
}
void run(float *a, float *b, const int *stop, int n) { k<<<1, 256>>>(a, b, stop, n); }
"""


@pytest.mark.parametrize("options", [(), ("--let", "n=10")])
def test_no_share_is_given_in_what_is_open(options: tuple[str, ...], project: Project) -> None:
    kernel = _kernel(project, OPEN, *options)
    of_global = [item for item in kernel["instructions"] if item["space"] == "global"]
    assert {item["line"] for item in of_global if item["executed"] is None and not item["executed_formula"]} == {4}
    for item in of_global:
        assert item["share"] is item["share_limit"] is item["traffic_share"] is item["traffic_share_limit"] is None
    (store,) = [item for item in kernel["instructions"] if item["space"] == "shared" and item["op"] == "store"]
    assert store["excess"] == 8  # two ways in each of 8 warps

    lines = project.coalint("profile", "k.cu", *options).out.splitlines()
    rows = [line for line in lines if re.search(r"^ +\d+:\d+ +(load|store) global", line)]
    assert len(rows) == len(of_global)
    assert all(line.count(" ? ") == 2 for line in rows)
    assert not any("%" in line for line in rows)
    page = project.coalint("profile", "k.cu", "--output-format=html", *options).out
    assert page.count('<td class="bars">?</td>') == 2 * len(kernel["instructions"])


BODIES = (
    "for (int i = 0; i < n; i++) a[threadIdx.x + 32 * i] = 0;",  # nothing is in excess
    "if (n > 5) a[2 * threadIdx.x] = 0; a[32 * threadIdx.x] = 0;",
    "for (int i = n; i > 0; i /= 2) a[2 * threadIdx.x + i] = 0; for (int i = 0; i < n; i++) a[2 * i] = 0;",
    "for (int i = n; i < n; i++) a[2 * threadIdx.x + i] = 0;",
    "for (int i = 0; i < n - n / 1; i++) a[2 * threadIdx.x + i] = 0;",
    "if (threadIdx.x < n && n < 0) a[2 * threadIdx.x] = 0;",
)


@pytest.mark.parametrize("form", ["text", "json", "html"])
@pytest.mark.parametrize("options", [(), ("--let", "n=7"), ("--let", "n=0")])
def test_each_share_is_a_number(form: str, options: tuple[str, ...], project: Project) -> None:
    kernels = "".join(f"__global__ void k{at}(float *a, int n) {{ {body} }}\n" for at, body in enumerate(BODIES))
    launches = " ".join(f"k{at}<<<1, 64>>>(a, n);" for at in range(len(BODIES)))
    project.put("k.cu", f"{kernels}void run(float *a, int n) {{ {launches} }}\n")
    out = project.coalint("profile", "k.cu", f"--output-format={form}", *options).out
    assert all(f"k{at}" in out for at in range(len(BODIES)))
    assert not re.search(r"\b(nan|inf|zoo|oo)\b", out, re.IGNORECASE)


HALVING = """\
__global__ void k(float *a, int n) {
    __shared__ float s[256];
    int t = threadIdx.x;
    for (int k = n / 2; k > 0; k >>= 1) {
        BODY
        __syncthreads();
    }
}
void run(float *a, int n) { k<<<1, 64>>>(a, n); }
"""


@pytest.mark.parametrize(
    ("body", "executed", "cost"),
    [
        ("s[2 * t] = k;", "2*floor(log2(n))", "4*floor(log2(n))"),
        ("a[2 * t + k] = 0;", "2*floor(log2(n))", None),
        ("if (t < k) s[t] = 0;", "floor(log2(n)) + Max(0, floor(log2(n/33)))", None),
        ("if (t < 5) s[4 * t] = k;", "floor(log2(n))", "floor(log2(n))"),
    ],
)
def test_a_cost_has_a_formula_if_a_request_costs_the_same_in_each_iteration(
    body: str, executed: str, cost: str | None, project: Project
) -> None:
    (store,) = _kernel(project, HALVING.replace("BODY", body))["instructions"]
    assert store["executed_formula"] == executed
    assert store["cost_formula"] == cost
    assert (store["excess_formula"] is None) is (cost is None)
    assert store["cost_per_request"] is not None
    text = project.coalint("profile", "k.cu").out
    assert (" each  " in text) is (cost is None)


TWICE = """\
__device__ float at(const float *s, int i) { return s[i]; }
__global__ void k(float *a, const float *s, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (t < 8) a[t + i * 64] = at(s, 2 * t);
        __syncthreads();
        if (t < 40) a[t + i * 64] = at(s, 2 * t);
        __syncthreads();
    }
}
void run(float *a, int n) { k<<<1, 64>>>(a, a, n); }
"""


def test_instructions_that_differ_in_lanes_alone_have_each_its_formula(project: Project) -> None:
    first, _, second, _ = _kernel(project, TWICE)["instructions"]
    assert (first["cost_formula"], second["cost_formula"]) == ("2*n", "10*n")
    assert "internal error" not in project.coalint("profile", "k.cu").err
