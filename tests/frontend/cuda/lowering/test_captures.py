"""Lambdas see variables as these are, or as they were when the lambda was made."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

HEAD = "__global__ void k(int *out, int c) { int m = 3, n = 5; int &r = m;"


@pytest.mark.parametrize(
    ("captures", "value", "expected"),
    [
        ("[=]", "m + n", 8),
        ("[&]", "m + n", 30),
        ("[m, &n]", "m + n", 23),
        ("[=, &n]", "m + n", 23),
        ("[&, m]", "m + n", 23),
        ("[r]", "r", 3),
        ("[&r]", "r", 10),
        ("[=]", "[=] { return m; }()", 3),
        ("[&]", "[=] { return m; }()", 10),
        ("[=]", "[&] { return m; }()", 3),
    ],
)
def test_what_a_lambda_sees(tmp_path: Path, captures: str, value: str, expected: int) -> None:
    (tmp_path / "k.cu").write_text(
        f"{HEAD} auto f = {captures} {{ return {value}; }}; m = 10; n = 20; out[f() * threadIdx.x] = 1; }}\n"
    )
    result = check_file(
        Source(str(tmp_path / "k.cu")), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    )
    assert [a.stride for kernel in result.checked if kernel.analysis for a in kernel.analysis.accesses] == [
        str(4 * expected)
    ]


def test_a_mutable_lambda_changes_copies_of_its_own(tmp_path: Path) -> None:
    body = "auto f = [=]() mutable { return ++m; }; out[f() * threadIdx.x] = 1; out[f() * threadIdx.x] = 1;"
    (tmp_path / "k.cu").write_text(f"{HEAD} {body} out[m * threadIdx.x] = 1; }}\n")
    result = check_file(
        Source(str(tmp_path / "k.cu")), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    )
    found = [a.stride for kernel in result.checked if kernel.analysis for a in kernel.analysis.accesses]
    assert found == ["16", "20", "12"]


def test_a_pointer_whose_elements_a_call_may_change_stays(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "#include <c10/util/Half.h>\n"
        "template <class T> __global__ void k(T *in, int n) { T *out = in + 1;\n"
        "for (int i = 0; i < n; ++i) { *(out + threadIdx.x) = 0; mystery(out[i]); } }\n"
        "template __global__ void k<at::Half>(at::Half *, int);\n"
    )
    result = check_file(
        Source(str(tmp_path / "k.cu")), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    )
    analysis = result.checked[0].analysis
    assert analysis is not None
    assert not [access.result.unknown for access in analysis.accesses if access.result.unknown]
