"""Findings in a header that a kernel of another file calls: lines of the other file are said with its name."""

from __future__ import annotations

from project import Project

HEADER = """\
__device__ inline void sum(int *s) {
    s[threadIdx.x] += s[threadIdx.x ^ 1];
    __syncthreads();
}
"""
KERNEL = """\
#include "sum.cuh"
__global__ void k(int *out) {
    __shared__ int s[128];
    int part = threadIdx.x / 64;
    s[threadIdx.x] = part;
    __syncthreads();
    if (part == 0)
        sum(s);
    else
        __syncthreads();
    out[threadIdx.x] = s[0];
}
void run(int *out) { k<<<1, 128>>>(out); }
"""


def test_lines_of_another_file_have_its_name(project: Project) -> None:
    project.put("sum.cuh", HEADER)
    project.put("k.cu", KERNEL)
    report = project.lint("k.cu").report["diagnostics"]
    places = [place for one in report if one["code"] == "COA301" for place in one["places"]]
    (called,) = [place["message"] for place in places if place["file"].endswith("sum.cuh")]
    assert "`int part = threadIdx.x / 64` at line 4 (in k.cu)" in called
    assert "the rest waits at another barrier, at k.cu:10, which is not this one" in called


def test_a_launch_in_another_file_than_the_finding_has_its_name(project: Project) -> None:
    project.put("sum.cuh", HEADER)
    project.put("k.cu", KERNEL)
    for one in project.lint("k.cu").report["diagnostics"]:
        launch = "line 13" if one["file"] == "k.cu" else "k.cu:13"
        assert any(note["message"] == f"basis: 128 threads (launch at {launch})" for note in one["notes"])


def test_lines_of_the_same_file_have_no_name(project: Project) -> None:
    project.put("k.cu", HEADER + KERNEL.partition("\n")[2])
    report = project.lint("k.cu").report["diagnostics"]
    (found,) = [one for one in report if one["code"] == "COA301"]
    assert "`int part = threadIdx.x / 64` at line 7; the rest waits at another barrier, at line 13," in found["message"]
