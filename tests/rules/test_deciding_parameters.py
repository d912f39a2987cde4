"""Barriers that only some threads reach for some values of parameters: which values those are, and how bad that is."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
struct Sizes {{ int rows; int bits; }};
__constant__ Sizes sizes;
__global__ void k(float *out, int n, int bits, int size) {{
    float v = out[threadIdx.x];
    {body}
    out[threadIdx.x] = v;
}}
void run(float *x, int n, int bits, int size) {{ k<<<4, 64>>>(x, n, bits, size); }}
"""
SHUFFLE = "v += __shfl_xor_sync(0xffffffffu, v, 1);"


@pytest.mark.parametrize(
    ("body", "severity", "fact"),
    [
        (
            "for (int i = threadIdx.x; i < n; i += blockDim.x) __syncthreads(); __syncthreads();",
            "warning",
            "n % 64 == 0",
        ),
        (
            "for (int i = threadIdx.x; i < sizes.rows; i += blockDim.x) __syncthreads(); __syncthreads();",
            "warning",
            "sizes.rows % 64 == 0",
        ),
        (f"if (threadIdx.x < n) {SHUFFLE}", "warning", "n % 32 == 0"),
        (f"if (threadIdx.x >> bits == 0) {SHUFFLE}", "info", "bits == 5"),
        (f"if (threadIdx.x >> sizes.bits == 0) {SHUFFLE}", "info", "sizes.bits == 5"),
        (f"if (threadIdx.x / size == 0) {SHUFFLE}", "info", "size == 32"),
    ],
)
def test_the_finding_says_for_which_values_no_thread_stays_away(
    project: Project, body: str, severity: str, fact: str
) -> None:
    project.put("k.cu", SOURCE.format(body=body))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["severity"] == severity
    assert f" unless `{fact}`" in finding["message"]
    assert f"assume({fact})" in finding["help"]
    if "%" in fact:
        assert finding["code"] not in project.lint("k.cu", "--assume", fact).codes


@pytest.mark.parametrize(
    ("start", "fact"),
    [
        ("threadIdx.x + blockIdx.x * 64", "p.size % 64 == 0"),
        ("8 * (threadIdx.x + blockIdx.x * 64)", "p.size % 512 == 0"),
        ("8 * threadIdx.x + blockIdx.x * p.row", "p.row % 512 == 0 && p.size % 512 == 0"),
    ],
)
def test_the_values_may_be_of_several_fields_and_of_elements_that_a_thread_takes_at_once(
    project: Project, start: str, fact: str
) -> None:
    loop = f"for (int i = {start}; i < p.size; i += 512 * gridDim.x) {{ __syncthreads(); out[i] = 0; }}"
    head = "struct P { int size, row; };\n__global__ void k(float *out, P p) {"
    run = "void run(float *x, int n, P p) { k<<<n, 64>>>(x, p); }"
    project.put("k.cu", f"{head} {loop} __syncthreads(); out[0] = 1; }}\n{run}\n")
    (finding,) = [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA301"]
    assert f" unless `{fact}`" in finding["message"]
    assert "COA301" not in project.lint("k.cu", "--assume", fact).codes


def test_lanes_that_part_for_any_size_of_a_warp_have_no_such_value(project: Project) -> None:
    """A lane number is what the parameter is to give, so that half of the lanes stay away."""
    project.put("k.cu", SOURCE.format(body=f"if (threadIdx.x % size < 16) {SHUFFLE}"))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert (finding["severity"], "unless" in finding["message"]) == ("warning", False)


@pytest.mark.parametrize(
    ("condition", "severity"),
    [("threadIdx.x + i >= n", "warning"), ("threadIdx.x == 3 + i", "error"), ("out[threadIdx.x] > i", "error")],
)
def test_values_that_a_loop_leaves_part_lanes_for_certain_where_no_parameter_decides(
    project: Project, condition: str, severity: str
) -> None:
    loop = f"bool got = false; for (int i = 0; i < 4; ++i) {{ out[i] = 0; if ({condition}) {{ got = true; break; }} }}"
    project.put("k.cu", SOURCE.format(body=f"{loop} if (got) {SHUFFLE}"))
    found = [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA303"]
    assert [one["severity"] for one in found] == [severity]
