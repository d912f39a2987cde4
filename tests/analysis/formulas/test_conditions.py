"""Strides and conditions that sympy derives of open addresses, and where its answers come from a second time."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.formulas import solving
from coalint.analysis.formulas.formula import Answer, Formula, Requirement, Wanted
from coalint.core.facts.access import Access
from coalint.core.facts.good_if import GoodKind
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.execution.cache.stored_answers import StoredAnswers
from coalint.machine.architecture import architecture

INDEX = "int i = blockIdx.x * blockDim.x + threadIdx.x; extern __shared__ float s[];"


def accesses_of(body: str, folder: Path, *, answers: Path | None = None) -> list[Access]:
    path = folder / "k.cu"
    launch = "void run(float *a, double *d, int p, int q, int n, dim3 g) { k<<<g, 256, n>>>(a, d, p, q, n); }"
    path.write_text(f"__global__ void k(float *a, double *d, int p, int q, int n) {{ {INDEX} {body} }}\n{launch}\n")
    kept = None if answers is None else str(answers)
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), answers=kept)
    result = check_file(Source(str(path)), job)
    assert not result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return list(kernel.analysis.accesses)


@pytest.mark.parametrize(
    ("body", "stride", "condition"),
    [
        ("a[i * p] = 0;", "4*p", "coalesced if `p` is 1"),
        ("a[i * p * q] = 0;", "4*p*q", "coalesced if `p` is 1 and `q` is 1"),
        ("a[i * (p - q)] = 0;", "4*p - 4*q", "coalesced if `p == q + 1`"),
        ("a[i * (p + 1)] = 0;", "4*p + 4", "coalesced if `p` is 0"),
        ("a[i * 2 * p] = 0;", "8*p", ""),  # 2 * p is never 1
        ("a[i * p + n] = 0;", "4*p", "coalesced if `p` is 1"),
        ("s[threadIdx.x * p] = 0;", "4*p", "conflict-free if `p` is odd"),
        ("s[threadIdx.x * (p + 1)] = 0;", "4*p + 4", "conflict-free if `p` is even"),
        ("s[threadIdx.x * (p + q)] = 0;", "4*p + 4*q", "conflict-free if `(p + q) % 2 == 1`"),
        ("s[threadIdx.x * p * q] = 0;", "4*p*q", "conflict-free if `p` is odd and `q` is odd"),
        ("s[threadIdx.x * 4 * p] = 0;", "16*p", "least conflicts if `p` is odd"),
        ("a[i + p] = 0;", "4", "aligned if `p % 8 == 0`"),
        ("a[i + 3 * p + 1] = 0;", "4", "aligned if `p % 8 == 5`"),
        ("d[i + p] = 0;", "8", "aligned if `p % 4 == 0`"),
        ("a[i + p * n + q] = 0;", "4", "aligned if `(p*n + q) % 8 == 0`"),
        ("a[i + 8 * p] = 0;", "4", ""),  # it is, whatever p is
    ],
)
def test_the_condition_under_which_an_access_is_good(body: str, stride: str, condition: str, tmp_path: Path) -> None:
    (access,) = accesses_of(body, tmp_path)
    assert access.stride == stride
    assert [good.text for good in access.open.good_if] == ([condition] if condition else [])


def test_a_condition_that_the_lanes_of_the_block_do_not_bear_out_is_not_said(tmp_path: Path) -> None:
    """A warp of 16 x 2 threads has two rows, whose distance `q` says whether they meet in a bank."""
    body = "s[threadIdx.x % 16 * p + threadIdx.x / 16 * q] = 0;"
    (access,) = accesses_of(body, tmp_path)
    assert access.open.good_if == ()


def test_what_is_stored_is_not_asked_again(tmp_path: Path) -> None:
    first, second = (StoredAnswers(tmp_path / "answers", ("coalint",)) for _ in range(2))
    formula = Formula(((4, (("a0", 1), ("t0", 1))),), 4, (256, 1, 1), Wanted.COALESCED)
    answer = Answer((((4, (("a0", 1),)),), (), ()), GoodKind.COALESCED, (Requirement(((1, (("a0", 1),)),), 1),))
    assert first.find(formula) is None
    first.keep(formula, answer)
    assert second.find(formula) == answer
    (entry,) = (tmp_path / "answers").glob("*/*.json")
    entry.write_text(entry.read_text().replace("coalesced", "aligned"))
    assert StoredAnswers(tmp_path / "answers", ("coalint",)).find(formula) is None, "a damaged entry is no answer"


def test_names_do_not_matter_and_sympy_is_asked_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Formula] = []
    strides = solving.strides

    def counted(formula: Formula) -> object:
        asked.append(formula)
        return strides(formula)

    monkeypatch.setattr(solving, "strides", counted)
    found = accesses_of("a[i * p] = 0; a[i * q] = 1;", tmp_path, answers=tmp_path / "answers")
    assert [access.open.good_if[0].condition for access in found] == ["`p` is 1", "`q` is 1"]
    assert len(asked) == 1


def test_nothing_is_asked_where_nothing_is_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "strides", None)  # a question would fail
    assert len(accesses_of("a[i * 3] = s[threadIdx.x * 2];", tmp_path)) == 2
