"""Copies of one kernel in files of one name give one finding, with all places."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k(float *a, const float *b) {{
    int i = blockIdx.x * 256 + threadIdx.x;
    a[i] = b[{step} * i];
}}
void run(float *a, int n) {{ k<<<n, 256>>>(a, a); }}
"""


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"one/k.cu": 8, "two/k.cu": 8, "three/k.cu": 8}, [3]),
        ({"one/k.cu": 8, "two/k.cu": 9}, [1, 1]),
        ({"one/k.cu": 8, "two/other.cu": 8}, [1, 1]),
    ],
)
def test_copies_of_a_kernel_are_one_finding(project: Project, files: dict[str, int], found: list[int]) -> None:
    for name, step in files.items():
        project.put(name, KERNEL.format(step=step))
    report = [one for one in project.lint(".").report["diagnostics"] if one["severity"] == "warning"]
    assert [len(one["places"]) for one in report] == found
    assert {at["file"] for one in report for at in one["places"]} == {*files}


def test_two_findings_of_one_file_are_no_copies_of_each_other(project: Project) -> None:
    branch = "if (threadIdx.x < 7) __syncthreads(); a[i] = b[i];"
    for name in ("one/k.cu", "two/k.cu"):
        project.put(name, KERNEL.format(step=1).replace("a[i] = b[1 * i];", f"{branch}\n    {branch}"))
    report = [one for one in project.lint(".").report["diagnostics"] if one["code"] == "COA301"]
    places = [[(at["file"], at["line"]) for at in one["places"]] for one in report]
    assert sorted(places) == [[("one/k.cu", line), ("two/k.cu", line)] for line in (3, 4)]


MACRO = """\
#define KERNEL(name, value) \\
    __global__ void name(float *out, const float *in, int n) { \\
        int i = blockIdx.x * blockDim.x + threadIdx.x; \\
        if (i < n) { float x = in[4 * i]; out[i] = value; } \\
    }
KERNEL(negated, -x)
KERNEL(doubled, x + x)
void run(float *a, int n) { negated<<<n, 256>>>(a, a, n); doubled<<<n, 256>>>(a, a, n); }
"""


def test_kernels_that_one_macro_makes_are_one_finding_about_the_access(project: Project) -> None:
    project.put("k.cu", MACRO)
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["message"].startswith("the load of `in[4 * i]` takes ")
    assert [(at["line"], at["kernel"]) for at in found["places"]] == [(6, "negated"), (7, "doubled")]
