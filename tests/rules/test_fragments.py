"""The fragments of instructions for matrices: four lanes have half a sector of each row.

On an H200 loads of such take no longer than those of whole sectors, and stores 1.6 to 3 times as long
(benchmarks/fragments.cu).
"""

from __future__ import annotations

import pytest
from project import Project
from severities import severities

SOURCE = """\
__global__ void k(int *out, int n, int ld) {{
    int lane = threadIdx.x % 32, row = lane / {lanes}, column = lane % {lanes};
    int *tile = out + blockIdx.x * 1024;
    int sum = 0;
    {body}
    out[threadIdx.x] = sum;
}}
void run(int *x, int n, int ld) {{ k<<<4, 128>>>(x, n, ld); }}
"""
EACH = "for (int j = 0; j < n; ++j)"


@pytest.mark.parametrize(
    ("lanes", "body", "severity"),
    [
        (4, f"{EACH} sum += tile[row * ld + 4 * j + column];", "info"),
        (4, "sum = tile[row * 64 + column] + tile[row * 64 + column + 4];", "info"),
        (4, "sum = tile[row * 64 + column];", "warning"),
        (4, "sum = tile[row * 64 + column] + tile[row * 64 + column + 8];", "warning"),
        (4, f"{EACH} sum += tile[row * ld + 8 * j + column];", "warning"),
        (4, f"{EACH} tile[row * ld + 4 * j + column] = j;", "warning"),
    ],
)
def test_loads_of_a_fragment_are_an_info_where_the_next_one_has_the_rest_of_its_sectors(
    project: Project, lanes: int, body: str, severity: str
) -> None:
    assert severities(project, SOURCE.format(lanes=lanes, body=body))[5] == severity


def test_the_help_for_stores_of_a_fragment_says_how_lanes_come_to_whole_sectors(project: Project) -> None:
    body = f"{EACH} tile[row * ld + 4 * j + column] = j;"
    project.put("k.cu", SOURCE.format(lanes=4, body=body))
    (found,) = [d for d in project.lint("k.cu").report["diagnostics"] if d["line"] == 5]
    assert found["help"].startswith("exchange values between the lanes of each four first")
