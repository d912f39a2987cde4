"""Texts with gaps that a reader is to fill in: what is no C++ there is no fault of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core import ir
from coalint.frontend.cuda.load import load

KERNEL = "__global__ void k(float *p, int n) {{\n{body}\n}}\n"


def problems(folder: Path, text: str) -> tuple[ir.Problem, ...]:
    file = folder / "k.cu"
    file.write_text(text)
    return tuple(load(str(file), (), shared_headers()).problems)


@pytest.mark.parametrize("mark", ["FIXME", "TODO", "FILL_ME_IN", "YOUR_CODE_HERE", "____", "???"])
@pytest.mark.parametrize(
    "body", ["int i = {} // the index\nif (i < n)\n  p[i] = 0;", "for (int i = 0; i < n; ++i)\n  {}  // the sum"]
)
def test_a_gap_in_a_kernel_is_said_to_be_one(mark: str, body: str, tmp_path: Path) -> None:
    found = [problem for problem in problems(tmp_path, KERNEL.format(body=body.format(mark))) if problem.kernel]
    assert [problem.severe for problem in found] == [False]
    assert found[0].message.startswith(f"the text has gaps to fill in, {mark} marks one: ")
    assert found[0].in_part == ("k",)


def test_a_gap_in_a_launch_is_said_to_be_one(tmp_path: Path) -> None:
    found = problems(
        tmp_path, f"{KERNEL.format(body='p[threadIdx.x] = n;')}void run(float *x) {{ k<<<FIXME>>>(x, 1); }}\n"
    )
    assert not any(problem.severe for problem in found)
    assert any(problem.message.startswith("the text has gaps to fill in, FIXME marks one: ") for problem in found)


@pytest.mark.parametrize(
    "body",
    [
        "int i = ;  // TODO: the index",
        "/* FIXME */ int i = ;",
        "int TODO_COUNT = ;",
        "int i = threadIdx.x, FIXME = 1;\np[i] = FIXME;\np[i + 1] = 2;\np[i + 2] = 3;\np[i + 3] = ;",
    ],
)
def test_marks_in_comments_other_words_and_far_away_are_no_gaps(body: str, tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, KERNEL.format(body=body))
    assert problem.severe
    assert "gaps" not in problem.message
