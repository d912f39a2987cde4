"""Tails: no more lanes are counted than a remainder lets pass, whatever the size is."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


@pytest.mark.parametrize(
    ("body", "lanes"),
    [
        ("if (i >= n / 4 * 4 && i < n) y[i] = 0;", 3),
        ("int n4 = n >> 2; if (i >= n4 << 2 && i < n) y[i] = 0;", 3),
        ("if (i >= (n & ~7) && i < n) y[i] = 0;", 7),
        ("if (i >= n - n % 8 && i < n) y[i] = 0;", 7),
        ("int j = n / 4 * 4 + i; if (j < n) y[j] = 0;", 3),
        ("if (threadIdx.x < n % 5) y[i] = 0;", 4),
        ("for (int k = n / 4 * 4 + threadIdx.x; k < n; k += blockDim.x) y[k] = 0;", 3),
        ("if (i >= (n + 3) / 4 * 4 - 4 && i < n) y[i] = 0;", 4),
        ("if (i < n / 4) y[i] = 0;", 32),
        ("if (i >= m / 4 * 4 && i < n) y[i] = 0;", 32),  # another size
        ("if (threadIdx.x < n % 64) y[i] = 0;", 32),
        ("if (i * 4 < n && i * 4 + 4 > n) y[i] = 0;", 1),
    ],
)
def test_the_lanes_of_a_tail_are_no_more_than_a_remainder(body: str, lanes: int, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    launch = "void run(float *y, int n, int m) { k<<<(n + 255) / 256, 256>>>(y, n, m); }"
    path.write_text(f"__global__ void k(float *y, int n, int m) {{ {INDEX} {body} }}\n{launch}\n")
    (kernel,) = check_file(
        Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    ).checked
    assert kernel.analysis is not None
    (access,) = kernel.analysis.accesses
    found = access.result.lanes
    assert found is not None
    assert int(found.active.sum(axis=2).max()) == lanes
    assert lanes == 32 or not access.result.exact
