"""Kernels of headers anywhere in the repository, launched by functions that the including unit alone can define."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = "__global__ void k(float *a) { a[2 * threadIdx.x] = 1; }\n"
RUN = "run(float *a) { k<<<1, 256>>>(a); }\n"


def kernels(project: Project, run: str, source: str = '#include "../inc/k.hpp"\n') -> list[str]:
    """The kernels that are analysed where a header launches them, included by a file of another folder."""
    project.put("inc/k.hpp", KERNEL + run)
    project.put("src/w.cu", source)
    return [found["kernel"] for found in project.lint(".").report["diagnostics"] if found["code"] == "COA101"]


@pytest.mark.parametrize(
    "run",
    [
        f"void {RUN}",
        f"namespace of {{ void {RUN} }}",
        f'extern "C" {{ void {RUN} }}',
        f"struct S {{ void run(float *a); }}; void S::{RUN}",
        "void run(float *a) { void *given[] = {&a}; cudaLaunchKernel((void *)k, dim3(1), dim3(256), given, 0, 0); }",
    ],
)
def test_a_function_that_one_unit_alone_can_define_launches_for_it(project: Project, run: str) -> None:
    assert kernels(project, run) == ["k"]


def test_so_does_one_of_a_header_that_is_included_within_a_namespace(project: Project) -> None:
    assert kernels(project, f"void {RUN}", 'namespace version {\n#include "../inc/k.hpp"\n}\n') == ["k"]


@pytest.mark.parametrize("run", [f"inline void {RUN}", f"static void {RUN}", f"struct S {{ void {RUN} }};"])
def test_a_function_that_every_unit_may_have_counts_where_it_is_called(project: Project, run: str) -> None:
    assert kernels(project, run) == []
    call = "S().run(a);" if "struct" in run else "run(a);"
    assert kernels(project, run, f'#include "../inc/k.hpp"\nvoid go(float *a) {{ {call} }}\n') == ["k"]
