"""A loop that brings tiles of an open size through shared memory is long: what is made once beside it is little."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k(float *c, const float *a, const float *b, int n, int size) {
    __shared__ float s[16][64], t[16][64];
    int x = threadIdx.x % 16, y = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sums[4][4] = {};
    for (int tile = 0; tile < TILES; ++tile) {
        for (int i = 0; i < 4; ++i) {
            s[y][x + 16 * i] = a[(tile * 16 + y) * n + row + x + 16 * i];
            t[y][x + 16 * i] = b[(tile * 16 + y) * n + column + x + 16 * i];
        }
        __syncthreads();
        for (int j = 0; j < 16; ++j)
            for (int p = 0; p < 4; ++p)
                for (int q = 0; q < 4; ++q)
                    sums[p][q] += s[j][16 * p + y] * t[j][16 * q + x];
        __syncthreads();
    }
    for (int p = 0; p < 4; ++p)
        for (int q = 0; q < 4; ++q)
            c[(column + 16 * q + x) * n + row + 16 * p + y] = sums[p][q];
}
void run(float *p, int n, int size) { k<<<dim3(n / 64, n / 64), 256>>>(p, p, p, n, size); }
"""


@pytest.mark.parametrize(
    ("tiles", "severity"),
    [("size / 16", "info"), ("(size + 15) / 16", "info"), ("size", "info"), ("2", "warning"), ("8", "warning")],
)
def test_a_result_that_is_stored_after_the_loop_over_tiles(project: Project, tiles: str, severity: str) -> None:
    project.put("k.cu", KERNEL.replace("TILES", tiles))
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["line"] == 19]
    assert [one["severity"] for one in found] == [severity]


def test_a_loop_without_shared_memory_may_be_short(project: Project) -> None:
    text = """\
__global__ void k(float *out, const float *in, int n, int pitch) {
    int i = blockIdx.x * 256 + threadIdx.x;
    float sum = 0;
    for (int j = 0; j < n; ++j)
        sum += in[j * pitch + i];
    out[i * pitch] = sum;
}
void run(float *p, int n, int pitch) { k<<<n, 256>>>(p, p, n, pitch); }
"""
    project.put("k.cu", text)
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["line"] == 6]
    assert [one["severity"] for one in found] == ["warning"]
