"""The launches that are found in a source text."""

from __future__ import annotations

from pathlib import Path

from project import shared_headers

from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.machine.architecture import architecture

PLAIN = "__global__ void k(float *p, int n) { p[threadIdx.x * n] = 0; }\n"

SIZE = "template <int N> __global__ void k(float *p) { p[threadIdx.x * N] = 0; }\n"

TWO = """
__global__ void a(float *p) { p[threadIdx.x] = 0; }
__global__ void b(float *p) { p[threadIdx.x] = 0; }
"""


def check(folder: Path, source: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    return result


def specializations(folder: Path, source: str) -> list[Specialization]:
    result = check(folder, source)
    assert not result.problems, result.problems
    return [kernel.specialization for kernel in result.checked]


def launched(folder: Path, source: str) -> set[tuple[str, tuple[str, ...], tuple[int, int, int]]]:
    """Kernel, template arguments and block of every specialization, all of which launches must have given."""
    found = specializations(folder, source)
    assert {s.source for s in found} == {LaunchSource.LAUNCH}
    assert not any(s.guessed for s in found)
    return {(s.kernel, s.template_arguments, s.block) for s in found}
