"""Loops that shared variables bound, which one thread sets before them: all threads make as many iterations."""

from __future__ import annotations

import pytest
from project import Project

SETTING = "if (threadIdx.x == 0) { low = in[0]; high = in[1]; step = in[2]; }\n    __syncthreads();"
LOOP = """
    for (int i = low + own; i < high + own; i += step) {
        __syncthreads();
        row[0] = sum;
        __syncthreads();
        sum += tile[0];
    }"""


def barriers(project: Project, body: str, before: str = "") -> list[str]:
    """The severities of what is said of barriers."""
    project.put(
        "k.cu",
        f"""
{before}
__global__ void k(float *out, const int *in, int n, int width) {{
    extern __shared__ float tile[];
    __shared__ int low, high, step;
    int own = threadIdx.x % width;
    float *row = tile + own, sum = 0;
    {body}
    out[threadIdx.x] = sum;
}}
""",
    )
    return [d["severity"] for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA301"]


@pytest.mark.parametrize(
    "body",
    [
        SETTING + LOOP,
        f"{SETTING} int end = high; for (int j = 0; j < n; j++) {{ {LOOP} }}",
        SETTING + LOOP.replace("i += step", "i += width").replace("sum +=", "if (n > step) sum +="),
        f"{SETTING} {{ {LOOP} }} {LOOP}",
        "if (n > 9) { low = n; high = 2 * n; } step = n; __syncthreads();" + LOOP,
    ],
)
def test_all_threads_leave_such_a_loop_together(project: Project, body: str) -> None:
    assert barriers(project, body) == []


@pytest.mark.parametrize(
    "body",
    [
        SETTING.replace("\n    __syncthreads();", "") + LOOP,  # no barrier
        SETTING + LOOP.replace("row[0] = sum;", "row[0] = sum; if (threadIdx.x == 0) step = in[i];"),
        SETTING + LOOP.replace("row[0] = sum;", "row[0] = sum; if (threadIdx.x == 0) step++;"),
        SETTING + LOOP.replace("row[0] = sum;", "row[0] = sum; set(step);"),
        SETTING + LOOP.replace("row[0] = sum;", "row[0] = sum; *there = n;"),
        SETTING + LOOP.replace("row[0] = sum;", "row[0] = sum; same = n;"),
        SETTING + LOOP.replace("+ own;", "+ 2 * own;", 1),
    ],
)
def test_it_is_said_where_they_may_not(project: Project, body: str) -> None:
    body = body.replace("for (", "int *there = &step; for (", 1) if "there" in body else body
    body = body.replace("for (", "int &same = step; for (", 1) if "same" in body else body
    assert barriers(project, body, "__device__ void set(int &place) { place = 7; }")
