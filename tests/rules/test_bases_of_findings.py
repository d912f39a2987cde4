"""What a finding rests on, and what its values are called."""

from __future__ import annotations

import re

import pytest
from project import Project

BOTH_WAYS = """\
__global__ void k(float *out, int n) {{
    int a = n < 0 ? 8 * threadIdx.x : threadIdx.x;
    int b = n >= 0 ? {otherwise} : 64 * threadIdx.x;
    out[a + b] = 0;
}}
void run(float *p, int n) {{ k<<<4, 256>>>(p, n); }}
"""


@pytest.mark.parametrize(
    ("otherwise", "basis"),
    [("0", ["(n < 0) holds"]), ("32 * threadIdx.x", [])],
    ids=["only where a condition holds", "whichever way it is decided"],
)
def test_a_condition_and_its_opposite_are_decided_together(project: Project, otherwise: str, basis: list[str]) -> None:
    project.put("k.cu", BOTH_WAYS.format(otherwise=otherwise))
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["cost"]["count"] == 32
    told = " ".join(project.coalint("lint", "k.cu", "--verbose").out.split())
    assert re.findall(r"\(n < 0\) (?:holds|does not hold)", told.partition("basis:")[2]) == basis


def test_what_a_macro_writes_is_called_by_its_names(project: Project) -> None:
    kernel = "__global__ void name(float *data) { data[(S) * threadIdx.x] = 0; }"
    project.put(
        "k.cu", f"#define KERNEL(name, S) {kernel}\nKERNEL(k, 16)\nvoid run(float *p) {{ k<<<1, 256>>>(p); }}\n"
    )
    told = project.coalint("lint", "k.cu", "--verbose").out
    assert "consecutive elements of `data`" in " ".join(told.split())
    assert "the index is computed from:" not in told, "nothing but the macro's use, which is quoted above"


def test_a_block_shape_that_may_be_chosen_by_the_row_length_makes_no_warning(project: Project) -> None:
    """With one thread in x the rows are one element long; a constant distance is what it is for each such shape."""
    project.put(
        "k.cu",
        """\
inline int threads_for(int dim, int most = 256) {
    if (dim == 0) return 1;
    int threads = most;
    while (threads > dim) threads = threads >> 1;
    return threads;
}
__global__ void k(float *out, int rows, int width) {
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < rows)
        for (int x = threadIdx.x; x < width; x += blockDim.x)
            out[y * width + x] = 1;
}
__global__ void l(float *out, int rows) {
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < rows) out[y * 8 + 5 * threadIdx.x] = 2;
}
void run(float *x, int rows, int width) {
    int nx = threads_for(width), ny = 256 / nx;
    k<<<dim3(4, rows), dim3(nx, ny)>>>(x, rows, width);
    l<<<dim3(4, rows), dim3(nx, ny)>>>(x, rows);
}
""",
    )
    severities = {at["line"]: at["severity"] for d in project.lint("k.cu").report["diagnostics"] for at in d["places"]}
    assert severities == {11: "info", 15: "warning"}
    (tied,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["line"] == 11]
    assert tied["notes"][0]["message"] == "the launch has other block shapes, too, and may choose them by `width`"
