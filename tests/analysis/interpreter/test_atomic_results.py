"""Whether the old value of an atomic is used: nvcc adds up the lanes of a warp where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import check

BOX = "struct Box { int v; };\n"


@pytest.mark.parametrize(
    ("body", "wavefronts"),
    [
        ("atomicAdd(&bins[t % 8], 1);", 1),
        ("int old = atomicAdd(&bins[t % 8], 1); (void)old;", 1),
        ("Box old = {(int)atomicAdd(&bins[t % 8], 1)}; (void)old.v;", 1),
        ("struct { int v; } old = {atomicAdd(&bins[t % 8], 1)};", 1),
        ("int old = atomicAdd(&bins[t % 8], 1); out[t] = old;", 4),
        ("Box old = {atomicAdd(&bins[t % 8], 1)}; out[t] = old.v;", 4),
        ("Box olds[2] = {{atomicAdd(&bins[t % 8], 1)}, {2}}; out[t] = olds[t & 1].v;", 4),
    ],
)
def test_an_old_value_counts_where_it_is_read(tmp_path: Path, body: str, wavefronts: float) -> None:
    source = f"""{BOX}__global__ void k(int *out) {{
    __shared__ int bins[64]; int t = threadIdx.x; bins[t & 63] = 0; __syncthreads();
    {body}
}}
void run(int *out) {{ k<<<1, 256>>>(out); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    costs = zip(kernel.analysis.accesses, kernel.traffics, strict=True)
    (cost,) = [cost for access, cost in costs if access.op.value == "atomic"]
    assert cost is not None
    assert cost.count == wavefronts
