"""Loads of integers of which some bytes are all that is used: their widths against those of the compiler."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cuda_compiler import compile_to_cubin, disassemble, find_compiler
from evaluated import accesses
from expectations import Op, Space

from coalint.core.facts.access import Operation

PARAMETERS = (
    "const long long *__restrict__ p, int n, long long *q, const unsigned long long *u, const float *x, short *h, "
    "const int *__restrict__ w, const unsigned *__restrict__ y, unsigned char *b, int *o, "
    "const Pair *__restrict__ r, const unsigned short *__restrict__ t"
)
BEFORE = (
    "struct Pair { int a; long long b; }; "
    "template <class T> __device__ int narrow(T v) { return static_cast<int>(v); } "
    "__device__ long long wide(const long long *p) { return *p; } "
    "__device__ long long cached(const long long *p) { return __ldg(p); } "
    "__device__ long long twice(long long v) { return narrow(v) + v; } "
    "__device__ long long further(const long long *p) { return wide(p + 1) + 1; } "
    "struct Low { int v; __device__ Low(long long x) : v((int)x) {} };\n"
)
WRITTEN = "int i = blockIdx.x * blockDim.x + threadIdx.x; {body}"
KERNELS = {
    "out[i] = (int)p[i];": [4],
    "out[i] = (unsigned)u[i];": [4],
    "int j = p[i]; out[i] = j * 3 + j;": [4],
    "out[i] = *(p + i);": [8],  # an exact conversion to float needs all
    "out[i] = (int)*(p + i);": [4],
    "out[i] = x[(int)p[i]];": [4, 4],
    "q[i] = (int)p[i];": [4],
    "int s = 0; for (int k = 0; k < n; ++k) s += (int)p[i + k * 64]; out[i] = s;": [4],
    "long long v = p[i]; out[i] = (int)v + (v > 0 ? 1 : 2);": [8],
    "out[i] = p[i] == 3 ? 1 : (int)p[i];": [8],
    "out[i] = (int)p[2 * i] + (int)p[2 * i + 1];": [4, 4],
    "out[i] = (int)q[i]; q[i] = 0;": [4],
    "long long k = p[i]; o[i] = (int)k;": [4],
    "o[i] = (int)__ldg(&p[i]);": [4],
    "o[i] = (int)r[i].b;": [4],
    "o[i] = p[i] >> 32;": [4],
    "o[i] = (int)(p[i] >> 16);": [8],
    "o[i] = (int)(p[i] * 3 + n);": [4],
    "if (p[i] & 1) o[i] = 1;": [4],
    "o[i] = w[i] >> 24;": [4],
    "o[i] = __ldg(&w[i]) & 255;": [4],
    "o[i] = w[i] & 0xff00;": [4],
    "o[i] = (y[i] << 8) & 0xffff;": [4],
    "o[i] = (w[i] & 0xff) << 8 | 1;": [4],
    "o[i] = (y[i] & 255) | ((y[i] >> 8) & 255);": [4],
    "b[i] = w[i];": [4],
    "b[i] = w[i] & 255;": [4],
    "unsigned char k = w[i]; b[i] = k;": [4],
    "out[y[i] & 255] = 1;": [4],
    "out[(unsigned char)w[i]] = 1;": [4],
    "atomicAdd(&o[(y[i] >> 8) & 255], 1);": [4],
    "o[i] = narrow(p[i]);": [4],
    "o[i] = (int)wide(p + i);": [4],
    "o[i] = (int)cached(p + i);": [4],
    "o[i] = narrow(wide(p + i));": [4],
    "auto low = [](long long v) { return (int)v; }; o[i] = low(p[i]);": [4],
    "o[i] = Low(p[i]).v;": [4],
    "long long v = wide(p + i); int k = v; o[i] = k;": [4],
    "long long v = wide(p + i); o[i] = (int)(v + 1);": [4],
    "o[i] = (int)further(p + i);": [4],
    "q[i] = wide(p + i);": [8],
    "q[i] = twice(p[i]);": [8],
    "o[i] = narrow(p[i]) + (p[i] > n);": [8],
    "__shared__ int s[256]; s[i & 255] = n; __syncthreads(); o[i] = s[255 - (i & 255)] & 255;": [1],
    "__shared__ long long s[256]; s[i & 255] = n; __syncthreads(); o[i] = s[255 - (i & 255)];": [4],
}
BY_VERSION = {
    "h[i] = (short)p[i];": ([4], [2]),
    "out[i] = (short)p[i];": ([4], [2]),
    "o[i] = u[i] >> 48;": ([4], [2]),
    "out[i] = (unsigned char)p[i];": ([4], [1]),
    "o[i] = (p[i] >> 8) & 255;": ([4], [1]),
    "o[i] = w[i] & 255;": ([4], [1]),
    "int k = w[i]; o[i] = k & 255;": ([4], [1]),
    "o[i] = y[i] % 65536;": ([4], [2]),
    "o[i] = y[i] >> 24;": ([4], [1]),
    "o[i] = (w[i] >> 8) & 255;": ([4], [1]),
    "o[i] = (short)w[i];": ([4], [2]),
    "o[i] = r[i].a & 255;": ([4], [1]),
    "o[i] = (w[i] & 255) + (w[i + n] & 255);": ([4, 4], [1, 1]),
    "o[i] = t[i] & 255;": ([2], [1]),
    "b[i] = (w[i] & 255) + 1;": ([4], [1]),
    "b[i] = y[i] >> 24;": ([4], [1]),
    "h[i] = y[i] & 255;": ([4], [1]),
    "out[w[i] & 255] = 1;": ([4], [1]),
    "int k = y[i] & 255; out[k] = 1;": ([4], [1]),
}
"""What coalint says, the most that nvcc 13.0 loads, and what nvcc 13.2 loads."""


@pytest.mark.parametrize("body", [*KERNELS, *BY_VERSION])
def test_no_more_is_loaded_than_every_compiler_loads(tmp_path: Path, body: str) -> None:
    expected = KERNELS.get(body) or BY_VERSION[body][0]
    found = accesses(tmp_path, WRITTEN.format(body=body), parameters=PARAMETERS, before=BEFORE)
    loads = {(access.expression, access.bytes) for access, _ in found if access.op is Operation.LOAD}
    assert sorted(bytes for _, bytes in loads) == sorted(expected)


@pytest.mark.slow
def test_the_compiler_loads_as_much(tmp_path: Path) -> None:
    compiler = find_compiler()
    source, cubin = tmp_path / "k.cu", tmp_path / "k.cubin"
    texts = [
        f"__global__ void k{number}(float *out, {PARAMETERS}) {{ {WRITTEN.format(body=body)} }}"
        for number, body in enumerate([*KERNELS, *BY_VERSION])
    ]
    source.write_text(BEFORE + "\n".join(texts) + "\n")
    compile_to_cubin(compiler, source, cubin, options=())
    widths: dict[int, set[int]] = {}
    for instruction in disassemble(compiler, cubin, source):
        for space, op, bytes in instruction.accesses:
            if space in (Space.GLOBAL, Space.SHARED) and op is Op.LOAD:
                number = re.match(r"_Z\d+k(\d+)P", instruction.function)
                assert number is not None
                widths.setdefault(int(number[1]), set()).add(bytes)
    expected = [*KERNELS.values(), *(newer for _, newer in BY_VERSION.values())]
    assert widths == {line: set(bytes) for line, bytes in enumerate(expected)}
