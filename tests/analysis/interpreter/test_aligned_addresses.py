"""Addresses that integer arithmetic rounds to multiples of a power of two."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import check

KERNEL = """\
#include <cstdint>
extern __shared__ char raw[];
__global__ void k(float *a, unsigned n) {{
    float *p = (float *)({address});
    p[{index}] = 1;
}}
void run(float *a, unsigned n) {{ k<<<1, dim3(32, 4), 4096>>>(a{shift}, n); }}
"""


@pytest.mark.parametrize(
    ("address", "index", "shift", "count"),
    [
        ("((uintptr_t)a + 127) & ~(uintptr_t)127", "threadIdx.x", " + 1", 4.0),
        ("((uintptr_t)a + 15) & ~(uintptr_t)15", "threadIdx.x", " + 1", 5.0),
        ("(size_t)(a + 50 * threadIdx.y + 3) & ~(size_t)31", "threadIdx.x", "", 4.0),
        ("(reinterpret_cast<uintptr_t>(raw) + 1023) & ~uintptr_t(1023)", "2 * threadIdx.x", "", 2.0),
        ("((uintptr_t)raw + 15) & ~(uintptr_t)15", "2 * threadIdx.x", "", 2.0),
        ("((uintptr_t)a + 8191) & ~(uintptr_t)8191", "threadIdx.x", "", None),  # more than an allocation promises
        ("(uintptr_t)(raw + 4 * threadIdx.x) & ~(uintptr_t)127", "0", "", None),  # where the lanes part is open
        ("(uintptr_t)a & (uintptr_t)n", "threadIdx.x", "", None),
    ],
)
def test_what_an_address_is_rounded_down_to(
    tmp_path: Path, address: str, index: str, shift: str, count: float | None
) -> None:
    (kernel,) = check(tmp_path, KERNEL.format(address=address, index=index, shift=shift)).checked
    (traffic,) = kernel.traffics
    assert (None if traffic is None else traffic.count) == count
