"""Lanes that load parts of numbers which lie side by side, through a pointer that the user has cast."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k({type} *b, int *out, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = {load};
}}
void run({type} *b, int *out, int n) {{ k<<<n / 256, 256>>>(b, out, n); }}
"""


@pytest.mark.parametrize(
    ("type", "load", "severity"),
    [
        ("double", "((int *)b)[2 * i + 1]", "info"),
        ("long long", "*((int *)&b[i])", "info"),
        ("int", "b[2 * i]", "warning"),
        ("double", "((int *)b)[4 * i]", "warning"),
        ("float2", "((int *)b)[2 * i]", "warning"),
    ],
)
def test_a_part_of_each_number_is_an_info(project: Project, type: str, load: str, severity: str) -> None:
    project.put("k.cu", KERNEL.format(type=type, load=load))
    found = [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] in ("COA101", "COA102")]
    assert [one["severity"] for one in found] == [severity]
