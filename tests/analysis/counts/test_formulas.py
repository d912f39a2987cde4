"""Formulas of executed instructions for the shapes of kernels that users write."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
ROW = "int y = blockIdx.y * blockDim.y + threadIdx.y;"


@pytest.mark.parametrize(
    ("body", "block", "formula"),
    [
        (f"{INDEX} if (i < n) a[i] = 0;", "256", "ceil(n/32)"),
        (f"{INDEX} for (; i < n; i += blockDim.x * gridDim.x) a[i] = 0;", "256", "ceil(n/32)"),
        (f"{INDEX} if (i < n / 4) a[i] = 0;", "256", "ceil(floor(n/4)/32)"),
        (f"{INDEX} if (i > 0 && i < n - 1) a[i] = 0;", "256", "ceil(n/32 - 1/32)"),
        ("if (threadIdx.x == 0) a[blockIdx.x] = 0;", "256", "gridDim.x"),
        ("for (int k = threadIdx.x; k < n; k += blockDim.x) a[blockIdx.x * n + k] = 0;", "64", "gridDim.x*ceil(n/32)"),
        (
            f"{INDEX} {ROW} if (i < n && y < n) for (int k = 0; k < n; k++) a[y * n + i + k] = 0;",
            "dim3(32, 8)",
            "n^2*ceil(n/32)",
        ),
        (f"{INDEX} {ROW} if (i < n && y < n) a[y * n + i] = 0;", "256", "n*ceil(n/32)"),  # rows of one thread
        (f"{INDEX} {ROW} if (i < n && 2 * y < n) a[y * n + i] = 0;", "256", "ceil(n/32)*ceil(n/2)"),
    ],
)
def test_open_sizes_give_a_formula(body: str, block: str, formula: str, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    launch = f"void run(float *a, int n, dim3 g) {{ k<<<g, {block}>>>(a, n); }}"
    path.write_text(f"__global__ void k(float *a, int n) {{ {body} }}\n{launch}\n")
    result = check_file(
        Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), forms=True)
    )
    assert not result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    (access,) = kernel.analysis.accesses
    assert access.executions is not None
    assert access.executions.formula == formula
