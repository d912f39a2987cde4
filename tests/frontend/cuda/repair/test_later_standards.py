"""Files that are written in a later standard of C++ than the default."""

from __future__ import annotations

from pathlib import Path

from outcomes import accesses, check, outcome
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

CONCEPT = """
template <class T> concept Small = sizeof(T) <= 4;
template <Small T> __global__ void k(T *out) { out[threadIdx.x] = 0; }
template <class T> __global__ void r(T *out) requires(sizeof(T) == 4) { out[2 * threadIdx.x] = 0; }
"""


def test_a_file_written_in_a_later_standard_is_read_in_that(tmp_path: Path) -> None:
    result = check(tmp_path, CONCEPT)
    assert {access.expression: outcome(access) for access in accesses(result)} == {
        "out[threadIdx.x]": "4",
        "out[2 * threadIdx.x]": "8",
    }
    assert not result.problems


def test_a_file_whose_kernels_come_from_a_header_in_a_later_standard_is_read_in_that(tmp_path: Path) -> None:
    header = """
#pragma once
template <class T> concept number = true;
template <number T> __global__ void k(T *p) { p[2 * threadIdx.x] = 0; }
template <class T> void run(T *p) { k<T><<<1, 64>>>(p); }
"""
    result = check(tmp_path, '#include "kernels.h"\ntemplate void run<float>(float *);\n', kernels=header)
    assert [outcome(access) for access in accesses(result)] == ["8"]
    assert not result.problems


def test_a_standard_that_is_asked_for_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(CONCEPT)
    result = check_file(
        Source(str(file), ("-std=c++14",)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    assert result.problems
