"""The fragments of instructions for matrices: four lanes have half a sector of each row."""

from __future__ import annotations

import pytest
from project import Project
from severities import severities

SOURCE = """\
__global__ void k(int *out, int n, int ld) {{
    int lane = threadIdx.x % 32, row = lane / {lanes}, column = lane % {lanes};
    int *tile = out + blockIdx.x * 1024;
    {body}
}}
void run(int *x, int n, int ld) {{ k<<<4, 128>>>(x, n, ld); }}
"""
NEXT = "for (int j = 0; j < n; ++j) tile[row * ld + 4 * j + column] = j;"


@pytest.mark.parametrize(
    ("lanes", "body", "severity"),
    [
        (4, NEXT, "info"),
        (4, "tile[row * 64 + column] = 1; tile[row * 64 + column + 4] = 2;", "info"),
        (4, "tile[row * 64 + column] = 1;", "warning"),
        (4, "tile[row * 64 + column] = 1; tile[row * 64 + column + 8] = 2;", "warning"),
        (4, "for (int j = 0; j < n; ++j) tile[row * ld + 8 * j + column] = j;", "warning"),
        (2, "for (int j = 0; j < n; ++j) tile[row * ld + 2 * j + column] = j;", "warning"),
    ],
)
def test_a_fragment_is_an_info_where_the_next_one_has_the_rest_of_its_sectors(
    project: Project, lanes: int, body: str, severity: str
) -> None:
    assert severities(project, SOURCE.format(lanes=lanes, body=body))[4] == severity
