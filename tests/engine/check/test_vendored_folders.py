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
        ("src/cub-1.8.0/k.cu", PARTED, "info"),
        ("src/version-2/k.cu", SLOW, "warning"),
    ],
)
def test_what_stands_in_a_copy_of_another_project_is_an_info(
    project: Project, path: str, body: str, severity: str
) -> None:
    project.put(path, f"__global__ void k(float *p) {{ {body} }}\nvoid run(float *p) {{ k<<<64, 256>>>(p); }}\n")
    (finding,) = project.lint(".").report["diagnostics"]
    assert finding["severity"] == severity


@pytest.mark.parametrize(("path", "severity"), [("extern/lib/k.cu", "info"), ("src/k.cu", "warning")])
def test_text_that_is_no_code_in_a_copy_of_another_project_is_an_info(
    project: Project, path: str, severity: str
) -> None:
    project.put(path, "__global__ void k(float *p) { p[threadIdx.x] = ; }\n")
    (finding,) = project.lint(".").report["diagnostics"]
    assert (finding["code"], finding["severity"]) == ("COA902", severity)
