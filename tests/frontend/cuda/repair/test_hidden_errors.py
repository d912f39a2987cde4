"""A number is supposed for a constant also where the statement that lacks it hides what else is not declared."""

from __future__ import annotations

import pytest
from project import Project

ARRAY = """\
__global__ void k(const float *in, float *out) {
    float x[N_EXTRA + 2];
    for (int i = 0; i < N_EXTRA; ++i) x[i] = in[i];
    out[threadIdx.x * 8] = evaluated(x);
}
"""
TEMPLATE = """\
template <int N> struct Row { float values[N]; };
__global__ void k(const float *in, float *out) {
    Row<N_EXTRA + 2> x;
    for (int i = 0; i < N_EXTRA; ++i) x.values[i] = in[i];
    out[threadIdx.x * 8] = evaluated(x);
}
"""


@pytest.mark.parametrize("source", [ARRAY, TEMPLATE])
def test_the_kernel_is_read_and_no_error_follows_from_the_constant(source: str, project: Project) -> None:
    project.put("k.cu", source)
    found = [one for one in project.lint(".").report["diagnostics"] if one["code"] == "COA902"]
    assert sorted((one["severity"], one["message"]) for one in found) == [
        ("info", "N_EXTRA is not declared in any header found; supposed: N_EXTRA = 8"),
        ("info", "evaluated is not declared in any header found; what depends on it is unknown"),
    ]
    assert project.lint(".").report["coverage"]["kernels"] == 1
