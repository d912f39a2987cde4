"""Random kernels through the whole pipeline: what coalint calls exact is what their threads touch, one by one.

COALINT_RANDOM_KERNELS=5000 in the environment holds that many kernels beyond the fixed ones.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from amounts import first
from project import shared_headers
from random_kernels import Logged, Program, program, random_kernel

from coalint.core.facts.access import Access, Space
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic

KERNELS_PER_FILE = 40
FILES = 10 + int(os.environ.get("COALINT_RANDOM_KERNELS", "0")) // KERNELS_PER_FILE
UNKNOWN_FILES = 3 + (FILES - 10) // 4
LEAST_EXACT = 0.85  # of the accesses that some thread makes
ALIGNED = "is a multiple of 32 bytes"  # the parameters that the kernels do not know are multiples of 4096


def written(file: int, unknown: bool = False) -> Program:
    seeds = range(file * KERNELS_PER_FILE, (file + 1) * KERNELS_PER_FILE)
    return program([random_kernel(f"k{seed}", seed, unknown) for seed in seeds])


@cache
def verdicts(file: int, unknown: bool = False) -> tuple[Counter[str], list[str]]:
    """How many accesses are exact, inexact, unknown, and which are wrong."""
    made = written(file, unknown)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "random.cu"
        path.write_text(made.text)
        result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    idle = "reaches a memory access"  # what is launched with numbers that leave a kernel nothing to do
    assert not [problem for problem in result.problems if idle not in problem.message]
    assert not result.failures, "\n".join(failure.message for failure in result.failures)
    found: dict[tuple[int, str], list[tuple[Access, Traffic | None]]] = {}
    for kernel in result.checked:
        assert kernel.analysis is not None
        for made_of, cost in zip(kernel.instructions, kernel.traffics, strict=True):
            access = made_of.access  # as the instruction makes it: a vector of several iterations is no exact one
            if access.space in (Space.GLOBAL, Space.SHARED):
                found.setdefault((access.span.line, access.op.value), []).append((access, cost))
    counts: Counter[str] = Counter()
    wrong = []
    for (line, op), (logged, want) in made.costs.items():
        at = found.get((line, op), [])
        if want is None and (unknown or not at):
            continue  # dead code, with these parameters at least
        verdict = _verdict(at, want)
        counts[verdict] += 1
        if verdict == "wrong":
            wrong.append(_shown(made, line, op, logged, at, want))
    return counts, wrong


def _verdict(at: list[tuple[Access, Traffic | None]], want: tuple[Fraction, Fraction] | None) -> str:
    if not at:
        return "wrong"
    if any(access.result.lanes is None for access, _ in at):
        return "unknown"
    if not all(
        access.result.exact and all(text.endswith(ALIGNED) for text in access.result.assumed) for access, _ in at
    ):
        return "inexact"
    return "exact" if _same(_together(at), want) else "wrong"


def _together(at: list[tuple[Access, Traffic | None]]) -> Traffic | None:
    """The mean cost of a place; one of several records stands for some of the instructions."""
    if len(at) == 1 or any(cost is None for _, cost in at):
        return at[0][1]
    weights = [access.result.lanes.active.any(axis=-1).mean() for access, _ in at if access.result.lanes is not None]
    known = [cost for _, cost in at if cost is not None]
    count, ideal = (
        sum(weight * number for weight, number in zip(weights, numbers, strict=True)) / sum(weights)
        for numbers in ([cost.count for cost in known], [cost.ideal for cost in known])
    )
    return replace(known[0], count=count, ideal=ideal)


def _same(cost: Traffic | None, want: tuple[Fraction, Fraction] | None) -> bool:
    if cost is None or want is None:
        return cost is None and want is None
    return abs(cost.count - want[0]) < 1e-9 and abs(cost.ideal - want[1]) < 1e-9


def _shown(
    made: Program,
    line: int,
    op: str,
    logged: Logged,
    at: list[tuple[Access, Traffic | None]],
    want: tuple[Fraction, Fraction] | None,
) -> str:
    kernel = next(k for k in made.kernels if k.name == logged.mark.split(".")[0])
    got = [(cost.count, cost.ideal) if cost else None for _, cost in at] or "no such access"
    touched = None if want is None else (float(want[0]), float(want[1]))
    text = made.text.splitlines()[line - 1].strip()
    return (
        f"{text}\n    {op}: coalint says {got}, the threads touch {touched}\n"
        f"    block {kernel.block}, grid {kernel.grid}, {kernel.arguments}\n{kernel.cuda()}"
    )


@pytest.mark.slow
@pytest.mark.parametrize("file", first(range(FILES), 4))
def test_what_is_called_exact_is_what_the_threads_touch(file: int) -> None:
    _, wrong = verdicts(file)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
def test_most_accesses_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    total: Counter[str] = Counter()
    for file in range(4):
        total += verdicts(file)[0]
    with capsys.disabled():
        print(f" {dict(total)}", end="")
    assert total["exact"] >= LEAST_EXACT * total.total()


@pytest.mark.slow
@pytest.mark.parametrize("file", first(range(UNKNOWN_FILES), 1))
def test_parameters_that_are_not_known_leave_what_is_exact_exact(file: int) -> None:
    counts, wrong = verdicts(file, unknown=True)
    assert not wrong, "\n\n".join(wrong)
    assert counts["exact"] >= 0.5 * counts.total()
