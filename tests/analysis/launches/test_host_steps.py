"""Host functions that are too long to be followed to their ends: what was found before is kept, and nothing fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from compiled_analysis import replaces_what_is_compiled
from project import shared_headers

from coalint.analysis.interpreter.interpreter import Interpreter
from coalint.analysis.launches import host_launches
from coalint.core import ir
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

STEPS = host_launches.HostSteps
WORK = " + ".join(["argc * 3"] * 200)
PROGRAM = """\
int threads = 64;
__global__ void k(float *a) { a[threadIdx.x] = 0; }
int main(int argc, char **argv) {
    float *a = 0;
    k<<<1, 128>>>(a);
    if (argc > 1) threads = argv[1][0];
    k<<<1, threads>>>(a);
}
"""


@pytest.mark.parametrize("left", [*range(40), 1000])
def test_a_program_without_steps_left_has_the_launches_up_to_there(
    left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host_launches, "HostSteps", lambda: STEPS(left))
    path = tmp_path / "k.cu"
    path.write_text(PROGRAM)
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), headers=shared_headers()))
    assert not result.failures
    blocks = {checked.specialization.block[0] for checked in result.checked}
    assert blocks == ({64, 128} if left == 1000 else blocks & {64, 128, 256})


@replaces_what_is_compiled
@pytest.mark.parametrize(
    ("code", "read", "told"),
    [
        ("", {128}, "the host code of its file takes more steps than are followed: 2 launches not read"),
        ("deep(argc);", {96, 128}, "its calls or expressions are nested too deeply: a launch not read"),
    ],
)
def test_launches_that_are_not_come_to_are_reported(
    code: str, read: set[int], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if code:  # what recursion costs depends on how deep the caller of the analysis is
        called = Interpreter.called

        def too_deep(interpreter: Interpreter, e: ir.Call, *rest: Any) -> object:
            if e.name == "deep":
                raise RecursionError
            return called(interpreter, e, *rest)

        monkeypatch.setattr(Interpreter, "called", too_deep)
    else:
        monkeypatch.setattr(host_launches, "HostSteps", lambda: STEPS(200))
    path = tmp_path / "k.cu"
    path.write_text(
        f"""__global__ void k(float *a) {{ a[threadIdx.x] = 0; }}
void deep(int);
void other(float *a) {{ k<<<1, 96>>>(a); }}
int main(int argc, char **argv) {{
    float *a = 0;
    k<<<1, 128>>>(a);
    {code}
    int b = {WORK};
    k<<<1, 64>>>(a);
    other(a);
}}
"""
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), headers=shared_headers()))
    assert not result.failures
    assert {checked.specialization.block[0] for checked in result.checked} == read
    (problem,) = result.problems
    assert (problem.code, problem.span.line) == ("COA903", 3 if len(read) == 1 else 9)
    assert problem.message == f"the host function main was not followed to its end, since {told}"


def test_a_host_function_that_loses_no_launch_is_not_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_launches, "HostSteps", lambda: STEPS(200))
    path = tmp_path / "k.cu"
    path.write_text(
        f"""__global__ void k(float *a) {{ a[threadIdx.x] = 0; }}
int main(int argc, char **argv) {{ float *a = 0; k<<<1, 128>>>(a); int b = {WORK}; }}
"""
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), headers=shared_headers()))
    assert not result.problems
    assert not result.failures
    assert [checked.specialization.block[0] for checked in result.checked] == [128]
