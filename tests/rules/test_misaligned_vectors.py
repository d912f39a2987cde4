"""Where a vector access is said to be misaligned for sure, and where it rests on how the array begins."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
struct __attribute__((packed)) Packed {{ char kind; float value; }};
struct Odd {{ float x, y, z; }};
__device__ float table[1024];
__global__ void k(float *out, const float *in, int n) {{
    extern __shared__ float pool[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {statement}
}}
void run(float *a, int n) {{ k<<<4, 128, 4096>>>(a, a, n); }}
"""

CASES = [
    ("((float4 *)out)[i] = *(const float4 *)(in + i);", "high"),
    ("((float2 *)out)[i] = *(const float2 *)(in + 3 * i);", "high"),
    ("out[i] = *(const double *)(in + i);", "high"),
    ("*(short *)((char *)out + 3 * i) = 1;", "high"),
    ("((float4 *)out)[i] = ((const float4 *)(in + 2))[i];", "medium"),
    ("((float4 *)out)[i] = ((const float4 *)(pool + 2))[threadIdx.x];", "high"),
    ("((float4 *)out)[i] = ((const float4 *)(in + n * i))[0];", None),  # n may be 4
    ("((float4 *)out)[i] = ((const float4 *)(in + n))[i];", None),
    ("((float4 *)out)[i] = ((const float4 *)(in + 4 * n))[i];", None),
    ("((float4 *)out)[i] = ((const float4 *)(in + 4))[i];", None),
    ("if (i % 4 == 0) ((float4 *)out)[i] = *(const float4 *)(in + i);", None),
    ("if (in[i] > 0) ((float4 *)out)[i] = *(const float4 *)(in + i);", None),  # perhaps only lanes where it is right
    ("if ((size_t)(in + i) % 16 == 0) ((float4 *)out)[i] = *(const float4 *)(in + i);", None),
    ("if ((i + n) % 4 == 0) ((float4 *)out)[i] = *(const float4 *)(in + i + n);", None),
    ("if (i < n) ((float4 *)out)[i] = *(const float4 *)(in + i);", "high"),
    ("out[i] = ((const Packed *)in)[i].value;", None),  # read in bytes
    ("out[i] = ((const Odd *)in)[i].y;", None),
    ("out[i] = ((const float4 *)(in + 1))[i].y;", None),  # of which only the four bytes are read
]


@pytest.mark.parametrize(("statement", "confidence"), CASES)
def test_only_what_is_certain_is_reported(project: Project, statement: str, confidence: str | None) -> None:
    project.put("k.cu", KERNEL.format(statement=statement))
    found = project.lint("--select", "COA402", "k.cu").report["diagnostics"]
    assert [(d["severity"], d["confidence"]) for d in found] == ([("error", confidence)] if confidence else [])


def test_a_fault_is_all_that_is_said_of_an_access(project: Project) -> None:
    project.put("k.cu", KERNEL.format(statement="((float4 *)out)[i] = ((const float4 *)(in + 1))[2 * i];"))
    assert project.lint("k.cu").codes == ["COA402"]
