"""COA107: blocks whose rows are shorter than a warp."""

from __future__ import annotations

import pytest
from project import Project

ROWS = """\
__global__ void scale(float *image, int width) {{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    image[row * width + col] = {value};
}}
void run(float *image) {{ scale<<<dim3(4, 4), {block}>>>(image, 1024); }}
"""


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ("dim3(4, 64)", "COA107"),
        ("dim3(4, 8, 8)", "COA107"),
        ("dim3(8, 32)", None),
        ("dim3(16, 16)", None),
        ("dim3(32, 8)", None),
        ("dim3(4, 63)", "COA101"),  # no rows of 32 come out even
        ("dim3(1, 256)", "COA101"),  # that is no row at all
    ],
)
def test_short_rows_are_held_against_rows_of_a_warp(project: Project, block: str, code: str | None) -> None:
    project.put("k.cu", ROWS.format(block=block, value="0"))
    assert project.lint("k.cu").codes == ([code] if code else [])


def test_short_rows_say_what_longer_ones_would_cost(project: Project) -> None:
    project.put("k.cu", ROWS.format(block="dim3(4, 64)", value="0"))
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["message"].endswith("8 sectors per request (ideal: 4); in rows of 32 threads it would cost 4")
    assert found["help"] == "launch with 32x8 threads and a grid to match"


def test_rows_whose_width_the_kernel_has_as_a_constant(project: Project) -> None:
    source = ROWS.replace("blockDim.x", "4").replace("blockDim.y", "64").format(block="dim3(4, 64)", value="0")
    project.put("k.cu", source)
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["help"].endswith("and change the kernel's own constants for the block width accordingly")


def test_a_shape_that_is_assumed_is_not_blamed(project: Project) -> None:
    project.put(
        "k.cu", ROWS.format(block="dim3(n, m)", value="0").replace("float *image) {", "float *image, int n, int m) {")
    )
    assert "COA107" not in project.lint("k.cu").codes


@pytest.mark.parametrize(
    ("block", "value", "severity"),
    [
        ("dim3(8, 32)", "image[row * width + col - 1]", "warning"),  # a copy
        ("dim3(8, 32)", "image[row * width + col - 1] + image[0] + image[1] + image[2] + image[3]", "warning"),
        ("dim3(16, 16)", "image[row * width + col - 1]", "info"),
        ("dim3(8, 32)", "image[row * width + col - 1] + image[col] + image[row * width] + image[width + col]", "info"),
        (
            "dim3(4, 64)",
            "image[row * width + col - 1] + image[col] + image[row * width] + image[width + col]",
            "warning",
        ),
    ],
)
def test_rows_of_8_threads_are_an_info_but_in_a_copy(project: Project, block: str, value: str, severity: str) -> None:
    """The times are measured by benchmarks/windows.cu."""
    project.put("k.cu", ROWS.format(block=block, value=value).replace("float *", "unsigned char *"))
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA107"]
    assert found["severity"] == severity
