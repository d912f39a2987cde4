"""Kernels whose accesses `coalint show` draws, and what it draws of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from coalint.cli.main import main

KERNELS = """\
__global__ void strided(const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[2 * i];
}

__global__ void pitched(float *a, int pitch, int n) {
    extern __shared__ float s[];
    if (threadIdx.x < n)
        a[threadIdx.x * pitch] = 1.0f;
    s[threadIdx.x * pitch] = 2.0f;
}

__global__ void looped(float *a) {
    __shared__ float s[64][32];
    for (int i = 0; i < 8; ++i)
        s[threadIdx.x][i] = 0.0f;
    for (int step = 1; step < 32; step *= 2)
        if (threadIdx.x % (2 * step) == 0)
            s[0][threadIdx.x] += s[0][threadIdx.x + step];
    __syncthreads();
    a[threadIdx.x] = s[0][0];
}

__global__ void gathered(const int *index, float *a) {
    a[index[threadIdx.x]] = 1.0f;
}

template <typename T>
__global__ void filled(T *a) {
    a[threadIdx.x] = T(0);
}

struct Rows {
    float *data;
    int pitch;
};

__global__ void member(Rows rows) {
    rows.data[threadIdx.x * rows.pitch] = 0.0f;
}

void launch(float *a, double *d, int *index, int n) {
    strided<<<4, 64>>>(a, a);
    pitched<<<1, 64, 8192>>>(a, n, n);
    looped<<<1, 32>>>(a);
    gathered<<<1, 32>>>(index, a);
    filled<<<1, 32>>>(a);
    filled<<<1, 64>>>(d);
}
"""


def line(text: str) -> int:
    return next(number for number, source in enumerate(KERNELS.splitlines(), 1) if text in source)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["show", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def maps(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(shown(capsys, *arguments, "--output-format", "json"))["maps"]
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["show", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err
