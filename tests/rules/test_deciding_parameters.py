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


def test_lanes_that_part_for_any_size_of_a_warp_have_no_such_value(project: Project) -> None:
    """A lane number is what the parameter is to give, so that half of the lanes stay away."""
    project.put("k.cu", SOURCE.format(body=f"if (threadIdx.x % size < 16) {SHUFFLE}"))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert (finding["severity"], "unless" in finding["message"]) == ("warning", False)
