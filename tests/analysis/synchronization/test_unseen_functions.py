"""Barriers after functions whose bodies another file holds: what these give may be the same for all threads."""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
struct Vector {{
    float *values; int n;
    __device__ Vector &operator=(const Vector &other);
    __device__ float dot(const Vector &other) const;
}};
__global__ void k(Vector g, Vector h, float *x, int iterations) {{
    __shared__ float step;
    for (int i = 0; i < iterations; ++i) {{
        {body}
        __syncthreads();
        x[threadIdx.x] += 1;
    }}
    x[0] = g.n;
}}
void run(Vector g, float *x, int n) {{ k<<<1, 256>>>(g, g, x, n); }}
"""
ASSIGNED = "if (threadIdx.x == 0) g = h; __syncthreads();"


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        (f"{ASSIGNED} if (g.n > 4) break;", False),
        (f"{ASSIGNED} if (g.dot(g) < 1e-4f) break;", False),
        (f"{ASSIGNED} float q = g.dot(g); if (1 - 0.5f * q < 1e-4f) break;", False),
        (f"{ASSIGNED} float q = g.dot(g); if (q > 1) q = h.n > 2 ? q : 0; if (q == 0) break;", False),
        (f"{ASSIGNED} step = g.dot(g) > 1 ? 0 : 1; if (step == 0) break;", False),
        ("if (threadIdx.x == 0) g.n = h.n - 1; if (g.n > 4) break;", True),
        ("float q = threadIdx.x == 0 ? 1 : x[1]; if (q < 1e-4f) break;", True),
        ("float q = g.dot(g) + x[threadIdx.x]; if (q < 1e-4f) break;", True),
        ("step = x[threadIdx.x]; if (step == 0) break;", True),
    ],
)
def test_what_a_function_gives_that_is_not_seen_parts_no_threads(project: Project, body: str, is_found: bool) -> None:
    project.put("k.cu", SOURCE.format(body=body))
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301"]
    assert bool(found) == is_found
