"""Kernels in headers that no unit of a run gave are named and counted; so are those that a condition switches off."""

from __future__ import annotations

import pytest
from project import Project

LOST = "template <typename T> __global__ void lost(T *a) { a[threadIdx.x] = 1; }\n"
OTHER = "__global__ void other(float *a) { a[threadIdx.x] = 1; }\nvoid f(float *a) { other<<<1, 64>>>(a); }\n"


@pytest.mark.parametrize("suffix", [".h", ".hpp", ".hxx", ".inc", ".inl"])
def test_a_kernel_of_a_header_that_nothing_includes_is_named_and_counted(project: Project, suffix: str) -> None:
    project.put("k.cu", OTHER)
    project.put(f"detail/lost{suffix}", LOST)
    report = project.lint("--show-info", ".").report
    (found,) = report["diagnostics"]
    assert (found["code"], found["kernel"], found["file"]) == ("COA903", "lost", f"detail/lost{suffix}")
    assert (report["coverage"]["kernels"], report["coverage"]["analysed"]) == (2, 1)


def test_a_kernel_of_a_header_that_a_unit_reads_is_not(project: Project) -> None:
    project.put("k.cu", '#include "detail/lost.hpp"\n' + OTHER + "void g(float *a) { lost<float><<<1, 64>>>(a); }\n")
    project.put("detail/lost.hpp", LOST)
    assert project.lint("--show-info", ".").report["diagnostics"] == []


def test_headers_beside_a_named_file_are_not_searched(project: Project) -> None:
    project.put("k.cu", OTHER)
    project.put("lost.hpp", LOST)
    assert project.lint("--show-info", "k.cu").report["diagnostics"] == []


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("#if defined(HAVE_X) && VERSION > 3", "`#if defined(HAVE_X) && VERSION > 3` in line 1 does not hold"),
        ("#if 0", "`#if 0` in line 1 does not hold"),
        ("#if 1\n#else", "`#else of #if 1` in line 2 does not hold"),
    ],
)
def test_the_condition_that_switches_a_kernel_off_is_named(project: Project, before: str, why: str) -> None:
    project.put("k.cu", f"{before}\n{LOST}#endif\n{OTHER}")
    (found,) = project.lint("--show-info", "k.cu").report["diagnostics"]
    assert found["code"] == "COA903"
    assert why in found["message"]


def test_the_guard_of_a_header_is_no_such_condition(project: Project) -> None:
    project.put("k.cuh", f"#ifndef K_H\n#define K_H\n#if 0\n{LOST}#endif\n#endif\n")
    (found,) = project.lint("--show-info", "k.cuh").report["diagnostics"]
    assert "K_H" not in found["message"]
