"""Warp primitives in the loop that a kernel ends with: lanes that leave it have left the kernel.

nvcc makes an `EXIT` of the loop's end for sm_80 and sm_90, and `compute-sanitizer --tool synccheck` on an H200 reports
none of them. What a shuffle reads of such a lane is undefined, though.
"""

from __future__ import annotations

import pytest
from project import Project

SOURCE = """\
__device__ void body(float *x, int n) {{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; {condition}; i += blockDim.x * gridDim.x) {{ {call} }}
}}
__global__ void k(float *x, int n) {{ {calls} }}
void run(float *x, int n) {{ k<<<4, 128>>>(x, n); }}
"""
VOTE = "x[i] = __all_sync(0xffffffff, x[i] > 0);"
PTX_SHUFFLE = (
    'float v = x[i]; asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(v) : "f"(v)); x[i] = v;'
)


@pytest.mark.parametrize(
    ("call", "calls", "condition", "is_found"),
    [
        (VOTE, "body(x, n);", "i < n", False),
        ("x[i] += 1; __syncwarp();", "body(x, n);", "i < n", False),
        ("x[i] = __reduce_add_sync(0xffffffff, (int)x[i]);", "body(x, n);", "i < n", False),
        (VOTE, "body(x, n); x[n] = 1;", "i < n", True),
        (VOTE, "body(x, n); body(x, n);", "i < n", True),
        (VOTE, "body(x, n);", "i < 1000", True),
        ("x[i] = __shfl_xor_sync(0xffffffff, x[i], 1);", "body(x, n);", "i < n", True),
        (PTX_SHUFFLE, "body(x, n);", "i < n", True),
    ],
)
def test_lanes_that_leave_the_last_loop_are_waited_for_where_their_values_are_read(
    project: Project, call: str, calls: str, condition: str, is_found: bool
) -> None:
    project.put("k.cu", SOURCE.format(call=call, calls=calls, condition=condition))
    found = [d for d in project.lint("k.cu").report["diagnostics"] if d["code"] == "COA303"]
    assert len(found) == is_found
    is_read = "shfl" in call
    assert not found or ("may read a lane that has left the kernel" in found[0]["message"]) == is_read
