"""Accesses that a few rows of the whole grid make, as at the border of an image: true, and of little weight."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k(float *out, int w, int h, int n, int pitch) {{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    {body}
}}
void run(float *p, int w, int h, int n, int pitch) {{ k<<<{grid}, dim3(32, 8)>>>(p, w, h, n, pitch); }}
"""
STORE = "out[y * pitch + 7 * x] = 0;"


def found(project: Project, body: str, grid: str = "dim3(w / 32, h / 8)") -> tuple[str, list[str]]:
    """The severity of the only finding, and its notes."""
    project.put("k.cu", KERNEL.format(body=body, grid=grid))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    return finding["severity"], [note["message"] for note in finding["notes"]]


@pytest.mark.parametrize(
    ("guard", "rows"),
    [
        ("y < 1 || y >= h - 1", 2),
        ("y == 0 || y == h - 1", 2),
        ("!(y >= 2 && y < h - 2)", 4),
        ("y < 2 || (y > h - 4 && x != 5)", 5),
        ("y < 3", 3),
        ("h - 2 < y", 1),
        ("n <= y && y < n + 6", 6),
    ],
)
def test_few_rows_of_a_grid_of_any_size_are_an_info(project: Project, guard: str, rows: int) -> None:
    severity, notes = found(project, f"if ({guard}) {STORE}")
    assert severity == "info"
    said = "1 row of threads of the whole grid comes here" if rows == 1 else f"{rows} rows of threads of the whole grid"
    assert any(said in note for note in notes)


@pytest.mark.parametrize(
    "guard",
    ["y < n", "y < 17", "y > 1", "y >= n - 1", "y % 2 == 0", "blockIdx.y == 0", "threadIdx.y == 0", "y < 1 || n"],
)
def test_what_may_be_many_rows_is_a_warning(project: Project, guard: str) -> None:
    severity, notes = found(project, f"if ({guard}) {STORE}")
    assert severity == "warning"
    assert not any("of the whole grid" in note for note in notes)


def test_rows_of_a_grid_that_is_known_may_be_all_of_it(project: Project) -> None:
    assert found(project, f"if (y < 8) {STORE}", "dim3(4, 1)")[0] == "warning"


@pytest.mark.parametrize(
    ("loop", "severity"),
    [
        ("for (int j = 0; j < 4; ++j) out[y * pitch + 4 * x + j] = 0;", "info"),
        ("for (int j = 4 * x; j < min(4 * x + 4, w); ++j) out[y * pitch + j] = 0;", "info"),
        ("for (int j = 0; j < n; ++j) out[(y + j) * pitch + 7 * x] = 0;", "warning"),
    ],
)
def test_a_row_of_threads_that_walks_far_is_a_warning(project: Project, loop: str, severity: str) -> None:
    assert found(project, f"if (y < 1 || y >= h - 1) {{ {loop} }}")[0] == severity
