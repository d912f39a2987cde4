"""What a repository has of other projects is no warning, nor an error."""

from __future__ import annotations

import pytest
from project import Project

SLOW = "p[32 * (blockIdx.x * 256 + threadIdx.x)] = 1;"
PARTED = "if (threadIdx.x < 7) __syncthreads(); p[blockIdx.x * 256 + threadIdx.x] = 1;"


@pytest.mark.parametrize(
    ("path", "body", "severity"),
    [
        ("third_party/lib/k.cu", SLOW, "info"),
        ("src/thirdparty/k.cu", PARTED, "info"),
        ("external/lib/src/k.cu", PARTED, "info"),
        ("src/k.cu", PARTED, "error"),
        ("src/externally/k.cu", SLOW, "warning"),
        ("src/vendor.cu", SLOW, "warning"),
    ],
)
def test_what_stands_in_a_copy_of_another_project_is_an_info(
    project: Project, path: str, body: str, severity: str
) -> None:
    project.put(path, f"__global__ void k(float *p) {{ {body} }}\nvoid run(float *p) {{ k<<<64, 256>>>(p); }}\n")
    (finding,) = project.lint(".").report["diagnostics"]
    assert finding["severity"] == severity
