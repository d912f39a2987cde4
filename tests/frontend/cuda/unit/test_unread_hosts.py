"""Host functions whose launches cannot be lowered are reported, and cost nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled

from coalint.analysis.launches import host_launches
from coalint.core import ir
from coalint.core.facts.launch import LaunchSource
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.frontend.cuda.load import load
from coalint.frontend.cuda.lowering.unit import Lowering
from coalint.machine.architecture import architecture

SOURCE = (
    "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"
    "void good(float *a) { k<<<1, 64>>>(a); }\n"
    "void bad(float *a) { k<<<1, 128>>>(a); }\n"
)


@replaces_what_is_compiled
def test_a_host_function_that_cannot_be_lowered_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)
    lowered = Lowering.lower_function

    def failing(self: Lowering, cursor: object, *rest: object) -> ir.Function:
        if getattr(cursor, "spelling", "") == "bad":
            raise ValueError("an unknown cursor")
        return lowered(self, cursor, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Lowering, "lower_function", failing)
    module = load(str(file))
    (problem,) = module.problems
    assert (problem.kind, problem.severe, problem.span.line) == (ir.ProblemKind.NOT_ANALYSED, False, 3)
    assert problem.message == "the launches in bad could not be read: ValueError: an unknown cursor"
    assert [host.name for host in module.hosts] == ["good"]
    assert [kernel.name for kernel in module.kernels] == ["k"]


def test_an_error_while_launches_are_read_costs_the_launches_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(SOURCE)

    def failing(*_: object, **__: object) -> None:
        raise ValueError("no such value")

    monkeypatch.setattr(host_launches, "launch_records", failing)
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), ()))
    (failure,) = result.failures
    assert "ValueError" in failure.message
    assert "while its launches were read" in failure.message
    (kernel,) = result.checked
    assert kernel.specialization.source is LaunchSource.ASSUMED
