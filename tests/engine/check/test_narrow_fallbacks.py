"""What a narrow block costs is no warning where the same kernel is launched with a wide one too."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
template <int X, int Y> __global__ void k(float *out, const float *in, int rows, int planes) {
    int plane = blockIdx.x * X + threadIdx.x;
    for (int row = threadIdx.y; row < rows; row += Y)
        out[row * planes + plane] = 2 * in[row * planes + plane];
}
"""
WIDE, NARROW = "k<32, 8><<<n / 32, dim3(32, 8)>>>(p, p, m, n);", "k<4, 64><<<n / 4, dim3(4, 64)>>>(p, p, m, n);"
ONE = "k<1, 256><<<n, dim3(1, 256)>>>(p, p, m, n);"


@pytest.mark.parametrize(
    ("launches", "severities"),
    [
        (f"if (n % 32 == 0) {WIDE} else {NARROW}", {"info"}),
        (f"if (n % 32 == 0) {WIDE} else {ONE}", {"info"}),
        (ONE, {"warning"}),
        (NARROW, {"warning"}),
        (f"if (n % 4 == 0) {NARROW} else k<2, 64><<<n / 2, dim3(2, 64)>>>(p, p, m, n);", {"warning"}),
    ],
)
def test_a_wide_block_makes_the_narrow_one_a_fallback(project: Project, launches: str, severities: set[str]) -> None:
    project.put("k.cu", f"{KERNEL}void run(float *p, int m, int n) {{ {launches} }}\n")
    found = project.lint("k.cu").report["diagnostics"]
    assert {at["severity"] for one in found for at in one["places"]} == severities
