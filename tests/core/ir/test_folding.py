"""A block shape is not chosen by what constants of a template leave unread."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
template <int X, int Y> __device__ int linear() {{ return ({condition} ? 0 : threadIdx.y * X) + threadIdx.x; }}
template <int X, int Y> __launch_bounds__(X * Y) __global__ void k(float *p) {{
    {body}
    p[8 * linear<X, Y>()] = 1;
}}
template __global__ void k<160, 1>(float *);
"""


@pytest.mark.parametrize(
    ("condition", "body", "block"),
    [
        ("Y == 1", "", [160, 1, 1]),
        ("!(Y > 1)", "", [160, 1, 1]),
        ("Y - 1 <= 0 || blockDim.x > 4", "", [160, 1, 1]),
        ("Y * 2 != 3 && X >= 160", "", [160, 1, 1]),
        ("Y == 1", "if (Y > 1) p[threadIdx.y] = 2;", [160, 1, 1]),
        ("Y == 2", "", [32, 5, 1]),
        ("X < Y", "", [32, 5, 1]),
        ("Y == 1", "if (Y + X > 100) p[threadIdx.y] = 2;", [32, 5, 1]),
        ("Y == 1 && blockDim.x > 4", "", [32, 5, 1]),
    ],
)
def test_the_shape_of_a_block_follows_the_indices_that_are_read(
    project: Project, condition: str, body: str, block: list[int]
) -> None:
    project.put("k.cu", KERNEL.format(condition=condition, body=body))
    found = project.lint("k.cu", "--show-info").report["diagnostics"]
    assert {tuple(one["launch"]["block"]) for one in found} == {tuple(block)}
