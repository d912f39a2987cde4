"""Barriers of kernels that declare how many threads their blocks have, but not of which shape."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
__device__ void both(float *x) {{ x[threadIdx.x] = 1; __syncthreads(); x[threadIdx.x + 1] = 2; }}
__global__ void __launch_bounds__(128) k(float *x, int n) {{
    if ({condition}) both(x); else {{ __syncthreads(); x[threadIdx.x + threadIdx.y + {more}] = 3; }}
}}
"""


@pytest.mark.parametrize("more", ["0", "threadIdx.z"])
@pytest.mark.parametrize(
    ("condition", "severity"), [("threadIdx.y < 1", "warning"), ("threadIdx.x < 5", "error"), ("n > 1", None)]
)
def test_a_barrier_is_an_error_only_where_a_warp_parts_in_every_shape_of_as_many_threads(
    project: Project, condition: str, severity: str | None, more: str
) -> None:
    """Whole warps that wait at two barriers are let go by cards since compute capability 7.0."""
    project.put("k.cu", SOURCE.format(condition=condition, more=more))
    found = [d["severity"] for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301"]
    assert set(found) == ({severity} if severity else set())
