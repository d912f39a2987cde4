"""A question about one line: the kernels whose code holds it are analysed, and no others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.lines import Line
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

TEXT = """\
__device__ float twice(const float *a, int i) {
    return 2 * a[8 * i];
}
__global__ void first(float *a) {
    a[threadIdx.x] = twice(a, threadIdx.x);
}
__global__ void second(float *a) {
    a[2 * threadIdx.x] = twice(a, 1);
}
__global__ void third(float *a) {
    a[threadIdx.x] = 0;
}
"""


@pytest.mark.parametrize(
    ("line", "kernels"), [(0, ["first", "second", "third"]), (2, ["first", "second"]), (8, ["second"]), (13, [])]
)
def test_the_kernels_that_reach_a_line_are_analysed(line: int, kernels: list[str], tmp_path: Path) -> None:
    path = str(tmp_path / "k.cu")
    Path(path).write_text(TEXT)
    asked = Line(os.path.realpath(path), line) if line else None
    job = Job(assume=(), arch=architecture("sm_80"), rules=(), keep=True, headers=shared_headers(), line=asked)
    result = check_file(Source(path), job)
    assert [kernel.kernel for kernel in result.checked] == kernels
    assert not result.problems
    assert not result.failures
