"""What kernels of examples cost is no warning where most of a repository's kernels stand elsewhere."""

from __future__ import annotations

import pytest
from project import Project

SLOW = "__global__ void {0}(float *p) {{ p[32 * (blockIdx.x * 256 + threadIdx.x)] = 1; }}\n"
LAUNCH = "void run_{0}(float *p) {{ {0}<<<64, 256>>>(p); }}\n"


@pytest.mark.parametrize(
    ("paths", "severity"),
    [
        (("demo/k.cu", "src/a.cu", "src/b.cu"), "info"),
        (("lib/Examples/one/k.cu", "src/a.cu", "src/b.cu"), "info"),
        (("benchmarks/k.cu", "src/a.cu", "src/b.cu"), "info"),
        (("demo/k.cu", "src/a.cu"), "warning"),
        (("samples/k.cu", "samples/a.cu", "src/b.cu"), "warning"),
        (("demonstrations/k.cu", "src/a.cu", "src/b.cu"), "warning"),
    ],
)
def test_what_an_example_costs(project: Project, paths: tuple[str, ...], severity: str) -> None:
    for path in paths:
        name = path.rpartition("/")[2].removesuffix(".cu")
        project.put(path, SLOW.format(name) + LAUNCH.format(name))
    (found,) = (one for one in project.lint(".").report["diagnostics"] if one["file"] == paths[0])
    assert found["severity"] == severity
