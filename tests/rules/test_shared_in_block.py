"""Loads of which the other warps of the block use the rest of the sectors: an info each, and stores are not."""

from __future__ import annotations

import pytest
from project import Project
from severities import severities


def rows(body: str, block: str) -> str:
    return f"""\
__global__ void k(float *out, const float *in, int n) {{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
    {body}
}}
void run(float *x, int n) {{ k<<<4, dim3({block})>>>(x, x, n); }}
"""


@pytest.mark.parametrize(
    ("body", "block", "severity"),
    [
        ("out[y * n + x] = in[3 * x + y];", "64, 3", "info"),
        ("out[y * n + x] = in[3 * x + y];", "64, 1", "warning"),
        ("out[y * n + x] = in[3 * x + y];", "64, 2", "info"),  # two thirds
        ("out[y * n + x] = in[4 * x + y];", "64, 2", "warning"),
        ("out[y * n + x] = in[3 * x + y % 3] + in[n + 3 * x + y / 3];", "64, 9", "info"),
        ("out[y * n + x] = in[3 * x + y / 9];", "64, 9", "warning"),  # all rows load the same component
        ("if (y < 2) out[y * n + x] = in[4 * x + y];", "64, 4", "warning"),
        ("out[y * n + x] = in[24 * x + y];", "64, 16", "warning"),  # too far apart for the cache to hold
        ("out[y * n + x] = in[n * y + 3 * x + y];", "64, 3", "warning"),  # rows that may be far apart
        ("out[y * n + x] = in[(y + n) / 2 * 2 + 4 * x + y];", "64, 4", "warning"),
        ("out[y * n + x] = in[n + n / 2 + 4 * x + y];", "64, 4", "info"),
        ("out[3 * x + y] = in[y * n + x];", "64, 3", "warning"),
        ("out[3 * x + y] += 1;", "64, 3", "warning"),
    ],
)
def test_loads_whose_sectors_the_other_rows_of_the_block_use_are_an_info(
    project: Project, body: str, block: str, severity: str
) -> None:
    assert severities(project, rows(body, block))[3] == severity, body


def test_warps_of_a_block_may_take_the_components_by_turns(project: Project) -> None:
    body = "const int lane = threadIdx.x % 32, warp = threadIdx.x / 32; out[x] = in[n + 4 * lane + warp];"
    assert severities(project, rows(body, "128"))[3] == "info"
    assert severities(project, rows(body.replace("4 * lane", "8 * lane"), "128"))[3] == "warning"
