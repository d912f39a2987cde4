"""Conditions that say the same: what nvcc joins, holds and loads again, held against what an H200 counted of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import evaluated, instructions
from measured_files import compared

from coalint.core.facts.access import Operation, Space
from coalint.engine.verification.comparison.records import Comparison

FILE = Path(__file__).resolve().parents[1] / "support" / "repeated_conditions.cu"


@pytest.fixture(scope="module")
def counted() -> list[tuple[str, Comparison]]:
    return compared(FILE)


def is_exact(comparison: Comparison) -> bool:
    return all(access.result.exact for access in comparison.accesses)


def test_no_exact_number_is_another_than_what_was_counted(counted: list[tuple[str, Comparison]]) -> None:
    exact = [(kernel, one) for kernel, one in counted if is_exact(one) and one.executed]
    assert len(exact) > 100
    assert not [(kernel, one.line) for kernel, one in exact if one.predicted != pytest.approx(one.counted)]
    assert not [(kernel, one.line) for kernel, one in exact if one.is_executed_as_predicted is False]


def test_what_ends_the_first_of_two_may_be_one_store(counted: list[tuple[str, Comparison]]) -> None:
    stores = [
        (kernel, access)
        for kernel, one in counted
        for access in one.accesses
        if access.op is Operation.STORE and access.space is Space.SHARED and access.expression == "s[2 * t]"
    ]
    symbolic = {kernel for kernel, access in stores if not access.result.exact}
    one_instruction = {"directly", "spelled", "of_two", "three", "in_a_loop", "of_the_launch", "one_store"}
    assert symbolic == one_instruction
    assert {kernel for kernel, _ in stores} - symbolic == {
        *("alone", "store_between", "barrier_between", "other_conditions", "opposite", "stores_parted"),
    }


def test_the_second_of_two_conditions_loads_again(counted: list[tuple[str, Comparison]]) -> None:
    loads = [(kernel, one) for kernel, one in counted if any(a.expression in ("in[i]", "p[i]") for a in one.accesses)]
    again = {
        *("loaded_again", "load_between", "after_a_loop", "chosen", "by_function", "by_early_return"),
        *("said_otherwise", "by_switch"),
    }
    told = {(kernel, one.line): one.is_executed_as_predicted for kernel, one in loads if kernel in again}
    assert set(told.values()) == {True}
    assert sum(one.executed for kernel, one in loads if kernel == "by_function") == 64  # 32 warps, twice


def test_where_nothing_stands_between_it_is_open_whether_the_second_loads(
    counted: list[tuple[str, Comparison]],
) -> None:
    loads = [(kernel, a) for kernel, one in counted for a in one.accesses if a.expression == "in[i]"]
    open_ = {kernel for kernel, access in loads if access.executions is not None and access.executions.assumed}
    assert open_ == {"numbers_between", "one_behind_the_other", "else_between", "after_a_return"}


def test_branches_are_one_vector_only_where_nothing_stands_between_them(counted: list[tuple[str, Comparison]]) -> None:
    pairs = ("s[2 * t]", "s[2 * t + 1]", "points[i].x", "points[i].y")
    made = [
        (kernel, access)
        for kernel, one in counted
        for access in one.accesses
        if access.expression in pairs and kernel.split("_")[0] in ("vector", "stores", "fields")
    ]
    assert {(kernel, access.bytes) for kernel, access in made if access.result.exact} == {
        *(("vector_in_one", 8), ("vector_parted", 4), ("vector_chosen", 4)),
        *(("stores_parted", 4), ("fields_in_one", 8), ("fields_parted", 4)),
    }
    assert {kernel for kernel, access in made if not access.result.exact} == {"vector_of_two"}


HELD = """\
__global__ void k(float *__restrict__ out, const float *__restrict__ in, const float *__restrict__ more, int n) {{
    int t = threadIdx.x;
    float v = in[t];
    {between}
    switch (n) {{
        case 0: v = in[t] - more[t]; break;
        default: v = in[t];
    }}
    out[t] = v;
}}
void run(float *p, int n) {{ k<<<1, 256>>>(p, p + 512, p + 1024, n); }}
"""


@pytest.mark.parametrize(("between", "is_held"), [("", False), ("out[t + 256] = v;", True)])
def test_what_may_be_loaded_later_holds_nothing(tmp_path: Path, between: str, *, is_held: bool) -> None:
    # nvcc leaves out the first load where nobody uses it, and loads on each side.
    accesses = [access for access, _ in evaluated(tmp_path, HELD.format(between=between))[1]]
    inside = [one for one in accesses if one.expression == "in[t]"][1:]
    assert len(inside) == 2
    held = [one.executions is not None and one.executions.warps == 0 and not one.executions.assumed for one in inside]
    assert held == [is_held, is_held]


CHOICE = """\
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int m) {
    __shared__ float a[512], b[512];
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = in[t + 256];
    __syncthreads();
    float *p = blockIdx.x > 3 ? a : b;
    float v = p[2 * t];
    out[t + 1000] = m;
    out[t] = v + p[2 * t + 1];
}
void run(float *p) { k<<<8, 256>>>(p, p + 8192, 6); }
"""


def test_the_choice_of_a_pointer_is_no_branch(tmp_path: Path) -> None:
    loads = [one.access for one in instructions(tmp_path, CHOICE) if one.written.expression.startswith("p[2")]
    assert len(loads) == 4  # nvcc makes one LDS.64 of them
    assert {(one.bytes, one.result.exact) for one in loads} == {(8, True)}


ELSE_BETWEEN = """\
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 256] = in[t + 256];
    __syncthreads();
    float v = 0, w = 1;
    if (t < n)
        v = s[2 * t];
    else
        out[t + 2000] = 3;
    if (t < n)
        w = s[2 * t + 1];
    out[t] = v * w;
}
void run(float *p) { k<<<8, 256>>>(p, p + 8192, 77); }
"""


def test_what_the_other_side_does_stands_between_no_two_branches(tmp_path: Path) -> None:
    loads = [one.access for one in instructions(tmp_path, ELSE_BETWEEN) if one.written.expression.startswith("s[2")]
    assert [(one.bytes, one.result.exact) for one in loads] == [(8, False), (8, False)]  # nvcc makes one LDS.64


BY_MACRO = """\
#define TAKE(to, from)      \\
    do {                    \\
        if (i > n)          \\
            continue;       \\
        to = (from);        \\
    } while (0)
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
    int i = threadIdx.x;
    float v = 0, w = 1;
    TAKE(v, in[i]);
    out[i + 5000] = v;
    TAKE(w, in[i]);
    out[i] = v * w;
}
void run(float *p) { k<<<8, 256>>>(p, p + 8192, 100); }
"""


def test_what_a_macro_does_once_is_a_branch_and_no_loop(tmp_path: Path) -> None:
    loads = [access for access, _ in evaluated(tmp_path, BY_MACRO)[1] if access.op is Operation.LOAD]
    assert all(access.result.exact for access in loads)
    told = [access.executions for access in loads]
    warps = [one.warps or 0 for one in told if one is not None and not one.assumed]
    assert sum(warps) == 64  # 4 of 8 warps in each of 8 blocks, twice
