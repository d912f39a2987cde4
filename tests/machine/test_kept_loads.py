"""What a loop loads that a loop before has loaded, as nvcc 13.2 compiles it for sm_90."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import instructions

from coalint.core.facts.access import Operation, Space

KERNEL = """\
__global__ void k(float *o, float m, int n) {{
    __shared__ float s[{trips} * 32], r[{trips} * 32];
    int t = threadIdx.x;
    for (int k = 0; k < {trips}; ++k) r[k * 32 + t] = s[k * 32 + t] = o[k * 32 + t];
    __syncthreads();
    float q = 0, l = 0;
    {before}
    {between}
    {pragma}
    for (int y = 0; y < {trips}; ++y) {{
        s[{trips} * t + y] = __expf(s[{trips} * t + y] - q);
        l += s[{trips} * t + y];
    }}
    __syncthreads();
    o[t] = l + s[n] + r[n];
}}
void run(float *o) {{ k<<<1, 32>>>(o, 1, 2); }}
"""
LARGEST = "for (int y = 0; y < {trips}; ++y) q = fmaxf(q, s[{trips} * t + y]);"


@pytest.mark.parametrize(
    ("trips", "before", "between", "pragma", "is_kept"),
    [
        (8, LARGEST, "", "", True),
        (16, LARGEST, "", "", True),
        (32, LARGEST, "", "", True),
        (8, "q = s[8 * t]; for (int y = 1; y < 8; ++y) q = fmaxf(q, s[8 * t + y]);", "", "", True),
        (64, LARGEST, "", "", False),
        (32, "", "", "", False),
        (32, LARGEST, "__syncthreads();", "", False),
        (32, LARGEST, "__syncwarp();", "", False),
        (32, LARGEST, "s[n] = 1;", "", False),
        (32, LARGEST, "", "#pragma unroll 1", False),
        (32, LARGEST.replace("s[", "r["), "", "", False),
        (32, "for (int y = 0; y < 16; ++y) q = fmaxf(q, s[32 * t + y]);", "", "", False),
    ],
)
def test_a_store_after_such_loads_may_be_a_vector(
    tmp_path: Path, trips: int, before: str, between: str, pragma: str, is_kept: bool
) -> None:
    text = before.format(trips=trips)
    source = KERNEL.format(trips=trips, before=text, between=between, pragma=pragma)
    made = [one for one in instructions(tmp_path, source) if one.written.span.line == 11]
    assert {one.written.op.value for one in made} == {"load", "store"}
    assert {one.written.space for one in made} == {Space.SHARED}
    assert {(one.access.bytes, one.access.result.exact) for one in made} == {(4, not is_kept)}
    said = {str(text) for one in made for text in one.access.result.assumed}
    assert said == ({"the compiler loads again what the loop over `y` before has loaded"} if is_kept else set())


def test_a_store_after_such_loads_and_an_exact_quotient_is_none(tmp_path: Path) -> None:
    source = KERNEL.format(trips=32, before=LARGEST.format(trips=32), between="", pragma="")
    source = source.replace("__expf(s[32 * t + y] - q)", "s[32 * t + y] / q")
    made = [one for one in instructions(tmp_path, source) if one.written.span.line == 11]
    (store,) = (one for one in made if one.written.op is Operation.STORE)
    assert (store.access.bytes, store.access.result.exact) == (4, True)
