"""What an instance of a template costs for any size is no warning where the host takes it by that size."""

from __future__ import annotations

import pytest
from project import Project

HEAD = """\
template <int THREADS> __global__ void k(float *out, const float *in, int size, int rows) {
    int row = blockIdx.x * (256 / THREADS) + threadIdx.x / THREADS;
    int at = row * size + threadIdx.x % THREADS;
"""
USE = "    if (row < rows) out[at] = 2 * in[at];\n}\n"
NARROW, WIDE = "k<4><<<n / 64, 256>>>(p, p, size, n);", "k<32><<<n / 8, 256>>>(p, p, size, n);"


@pytest.mark.parametrize(
    ("kernel", "launches", "severities"),
    [
        (USE, f"if (size <= 4) {NARROW} else {WIDE}", {"info"}),
        (USE, f"int threads = size + 3; threads /= 4; if (threads < 4) {NARROW} else {WIDE}", {"info"}),
        (USE, f"int l = 0; while ((1 << l) < size) ++l; if (l < 3) {NARROW} else {WIDE}", {"info"}),
        (USE, f"int l = 0; for (int v = size; v >>= 1;) ++l; if (l < 3) {NARROW} else {WIDE}", {"info"}),
        (
            USE,
            f"int l = 0; while ((1 << l) < n) ++l; if (l < 3) {NARROW} else {WIDE}",
            {"warning"},
        ),  # by something else
        (USE, f"if (size <= 4) {NARROW}", {"warning"}),  # no other instance
        (USE, f"{NARROW} {WIDE}", {"warning"}),  # both of them in any case
        (USE, f"if (n <= 4) {NARROW} else {WIDE}", {"warning"}),  # by something else
        (USE.replace("row < rows", "THREADS == 4"), f"if (size <= 4) {NARROW} else {WIDE}", {"warning"}),
        (USE.replace("out[at]", "out[2 * at]"), f"if (size <= 4) {NARROW} else {WIDE}", {"info", "warning"}),
    ],
)
def test_an_instance_that_is_taken_by_a_size_costs_what_it_does_for_that_size(
    project: Project, kernel: str, launches: str, severities: set[str]
) -> None:
    project.put("k.cu", f"{HEAD}{kernel}void run(float *p, int size, int n) {{ {launches} }}\n")
    found = project.lint("k.cu").report["diagnostics"]
    assert {at["severity"] for one in found for at in one["places"]} == severities
