"""Lambdas that an object holds see what they captured, through the object's methods too."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
template <typename F> struct Moved {{
    F f;
    __device__ explicit Moved(F&& g) : f(static_cast<F&&>(g)) {{}}
    __device__ auto operator[](int i) const {{ return f(i); }}
}};
template <typename F> struct Copied {{
    F f;
    __device__ Copied(F g) : f(g) {{}}
    __device__ auto operator[](int i) const {{ return f(i); }}
}};
template <typename F> struct Second {{ int before; F f; __device__ auto operator[](int i) const {{ return f(i); }} }};
template <typename F> __device__ Second<F> second(F f) {{ return {{1, f}}; }}
__global__ void k(float *out) {{
    __shared__ float s[4096];
    float *part = s + threadIdx.x / 32 * 512;
    auto rows = {made};
    rows[1][threadIdx.x % 32 * 4] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}}
void run(float *a) {{ k<<<8, 256>>>(a); }}
"""
LAMBDA = "[=](int i) { return part + 128 * i; }"


@pytest.mark.parametrize("made", ["Moved({})", "Copied({})", "second({})"])
def test_a_pointer_that_a_lambda_captured_stays_what_it_is(project: Project, made: str) -> None:
    project.put("k.cu", KERNEL.format(made=made.format(LAMBDA)))
    (found,) = project.lint("k.cu", "--show-info").report["diagnostics"]
    assert (found["code"], found["accesses"][0]["space"], found["cost"]["count"]) == ("COA202", "shared", 4)
