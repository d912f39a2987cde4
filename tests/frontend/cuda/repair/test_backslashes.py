r"""Includes as compilers of Windows take them: `#include "geometry\mesh.cuh"`."""

from __future__ import annotations

import pytest
from project import Project

MESH = "#pragma once\n#include <geometry\\point.h>\n"
POINT = "struct Point { float x, y, z, w; };\n"


@pytest.mark.parametrize("include", [r'"..\geometry\mesh.cuh"', r'"geometry\mesh.cuh"', r"<geometry\mesh.cuh>"])
def test_an_include_with_backslashes_is_found(project: Project, include: str) -> None:
    """In the file, in a header and by name in the repository; places stay where they are."""
    project.put(".git/HEAD", "ref: refs/heads/main\n")
    project.put("geometry/mesh.cuh", MESH)
    project.put("geometry/point.h", POINT)
    project.put("src/k.cu", f"#include {include}\n__global__ void k(Point *p) {{ p[threadIdx.x].x = 0; }}\n")
    (found,) = project.lint("src").report["diagnostics"]
    assert (found["code"], found["line"], found["column"], found["cost"]["count"]) == ("COA102", 2, 31, 16)


def test_what_is_not_there_is_said(project: Project) -> None:
    project.put("k.cu", '#include "none\\mesh.cuh"\n__global__ void k(float *p) { p[threadIdx.x] = 0; }\n')
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert (found["code"], found["line"]) == ("COA902", 1)
    assert "mesh.cuh' file not found" in found["message"]


def test_a_header_with_backslashes_is_part_of_what_a_result_rests_on(project: Project) -> None:
    """A change to it asks for a new result."""
    project.put(".git/HEAD", "ref: refs/heads/main\n")
    project.put("geometry/point.h", POINT)
    project.put("k.cu", '#include "geometry\\point.h"\n__global__ void k(Point *p) { p[threadIdx.x].x = 0; }\n')
    first = project.lint("k.cu").report["diagnostics"][0]["cost"]["count"]
    project.put("geometry/point.h", POINT.replace("z, w", "z, w, v, u, s, t"))
    second = project.lint("k.cu").report["diagnostics"][0]["cost"]["count"]
    assert (first, second) == (16, 32)
