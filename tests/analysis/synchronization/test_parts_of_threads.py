"""Races that need a loop longer than the part of an array that a thread has, where its length is open."""

from __future__ import annotations

import pytest
from project import Project

COLUMNS = """\
template <int ROWS, int COLUMNS> __global__ void k(float *x, int n, int used) {
    extern __shared__ float all[];
    int tx = threadIdx.x, ty = threadIdx.y;
    float *s = all + ty * (ROWS + 1) * COLUMNS;
    for (int j = 0; j < COLUMNS; ++j) s[j * (ROWS + 1) + tx] = 0;
    if (tx < n) for (int j = 0; j < used; ++j) s[j * (ROWS + 1) + tx] = tx > j ? x[j * n + tx] : 0;
    x[tx] = s[tx];
}
void run(float *x, int n) { k<32, 1><<<9, dim3(32, 2)>>>(x, n, n); }
"""
ROWS = """\
template <int WIDTH> __global__ void k(float *x, int n) {
    __shared__ float s[WIDTH * WIDTH * 2];
    int tx = threadIdx.x;
    if (tx < n) for (int i = 0; i < n; ++i) s[i * WIDTH + tx] = x[i * n + tx];
    x[tx] = s[tx];
}
void run(float *x, int n) { k<8><<<9, 16>>>(x, n); }
"""
SLIDING = """\
__global__ void k(float *x, int n) {
    __shared__ float s[1024];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int i = 0; i < n; ++i) s[threadIdx.x] += s[threadIdx.x + i];
    x[threadIdx.x] = s[threadIdx.x];
}
void run(float *x, int n) { k<<<9, 256>>>(x, n); }
"""
REVERSED = """\
__global__ void k(float *x, int n) {
    __shared__ float s[4096];
    for (int i = 0; i < n; ++i) s[i * 256 + threadIdx.x] = x[threadIdx.x + i];
    x[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float *x, int n) { k<<<9, 256>>>(x, n); }
"""


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (COLUMNS, False),
        (ROWS, False),
        (ROWS.replace("i < n", "i < 16").replace("tx < n", "tx < 16"), True),
        (SLIDING, True),
        (REVERSED, True),
    ],
)
def test_a_race_is_none_where_a_thread_would_have_to_leave_its_part(
    project: Project, text: str, is_found: bool
) -> None:
    project.put("k.cu", text)
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA304"]
    assert bool(found) == is_found
