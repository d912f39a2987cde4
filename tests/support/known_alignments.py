"""Kernels with four neighbours in shared memory, and how wide nvcc 13.2 makes the instructions of them for sm_90."""

from __future__ import annotations

from collections.abc import Iterable

POOL = "extern __shared__ float pool[];\n"
ARRAY = "__shared__ float s[4096];"
LOADS = "out[t] = s[i] + 2 * s[i + 1] + 3 * s[i + 2] + 5 * s[i + 3];"
LINE = 7
"""The line of a kernel that the accesses stand in, from 0."""
CASES = [  # where the four begin, and the bytes per lane: 16 is one LDS.128, 8 two LDS.64, 4 four LDS
    # numbers that the launch passes
    ("int i = 4 * t + 4 * n;", 16),
    ("int i = 4 * t + 2 * n;", 8),
    ("int i = 4 * t + n;", 4),
    ("int i = 4 * t * n;", 16),
    ("int i = t * n;", 4),
    ("int i = 4 * (t << n);", 16),
    ("int i = 4 * t ^ 4 * n;", 16),
    ("int i = 4 * t & n;", 16),
    ("int i = 4 * t + (n & ~3);", 16),
    ("int i = 4 * (t % n) + 16 * (t / n);", 16),
    ("int i = 4 * min(t, n);", 16),
    ("int i = 4 * t + 4 * (n == 3);", 16),
    ("unsigned i = 4 * m + 4 * u;", 16),
    # choices by such a number
    ("int i = 4 * t + (n > 2 ? 4 : 8);", 16),
    ("int i = 4 * t + (n > 2 ? 4 : 6);", 8),
    ("int i = n > 2 ? 4 * t : 4 * t + 8;", 16),
    ("int i = 4 * (n > 2 ? t : 2 * t);", 16),
    ("int i = 4 * t + (t > 2 ? 4 : 5);", 4),
    # branches of which the launch takes one
    ("int i = 4 * t; if (n > 2) i += 4;", 16),
    ("int i = 4 * t; if (n > 2) i += 1;", 4),
    ("int i = 4 * t; if (n < 2) i += 1;", 4),
    ("int i = 4 * t; if (n < 2) { i += 4; out[t + 999] = 3; }", 16),
    ("int i = 4 * t; if (n == 4) i = n * t;", 4),
    ("int i = 4 * t; if (blockDim.x <= 64) i += 1;", 4),
    # remainders
    ("int i = (4 * u + 4 * n) % 512u;", 16),
    ("int i = (4 * u + 4 * m) % 500u;", 16),
    ("int i = (4 * u + 4 * m) % 502u;", 8),
    ("int i = (4 * t + 4 * n) % 512;", 4),
    ("int i = (4 * t) % 4096;", 4),
    ("int i = (4 * t) % 12;", 16),
    ("int i = 4 * t + (4 * n) % 512;", 4),
    ("int i = 4 * t + (4 * n) % 12;", 16),
    # the block, of which nothing is known
    ("int i = 4 * t + blockDim.x;", 4),
    ("int i = 4 * t + 2 * blockDim.x;", 8),
    ("int i = t / 32 * blockDim.x + 4 * (t % 32);", 4),
    ("int i = 4 * (t % blockDim.x);", 16),
    ("int i = 4 * t + 33 * threadIdx.y;", 4),
    ("int i = 4 * t + 36 * threadIdx.y;", 16),
    ("int i = 4 * t + gridDim.x;", 4),
    # products of 24 bits
    ("int i = __mul24(4, t);", 4),
    ("int i = __mul24(t, 4);", 4),
    ("int i = __umul24(4, u);", 16),
    ("int i = __mul24(4, t & 15);", 16),
    ("int i = __umul24(t, n) * 4;", 16),
]


def kernel(name: str, start: str, array: str = ARRAY, use: str = LOADS) -> str:
    """The text of a kernel whose accesses begin at an `i`."""
    return f"""\
__global__ void {name}(float *out, const float *in, int n, unsigned m) {{
    {array}
    int t = threadIdx.x;
    unsigned u = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    {start}
    {use}
}}
"""


def launches(names: Iterable[str], numbers: str = "3, 5") -> str:
    """A function that launches kernels, and passes numbers for `n` and `m`."""
    calls = "".join(f"    {name}<<<4, 128, 16384>>>(out, in, {numbers});\n" for name in names)
    return f"void host(float *out, const float *in, int a, unsigned b) {{\n{calls}}}\n"
