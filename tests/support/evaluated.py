"""A kernel from its body: what the analysis says of its accesses and barriers; sectors and wavefronts by hand."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.interpreter.loops.evaluation import LoopEvaluation
from coalint.core.facts.access import Access
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.synchronization import Barrier
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.nvcc.instructions import MachineInstruction
from coalint.machine.traffic import Traffic

Costed = tuple[Access, Traffic | None]


def evaluated(folder: Path, source: str) -> tuple[Analysis, list[Costed]]:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return kernel.analysis, list(zip(kernel.analysis.accesses, kernel.traffics, strict=True))


def instructions(folder: Path, source: str) -> tuple[MachineInstruction, ...]:
    """The machine instructions for sm_90 of the file's only kernel."""
    file = folder / "k.cu"
    file.write_text(source, encoding="utf-8")
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(file)), job).checked
    return kernel.instructions


def said(folder: Path, source: str) -> list[str]:
    """What is said of each access, each barrier and each race, as text."""
    analysis, costs = evaluated(folder, source)
    return [*map(repr, costs), *map(repr, analysis.barriers), *map(repr, analysis.races)]


def count_runs(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Count from now on how often the body of a loop is run, by the column where the loop begins."""
    runs = Counter[int]()
    body = LoopEvaluation.body

    def counted(loop: LoopEvaluation, mark: int) -> bool:
        runs[loop.statement.span.column] += 1
        return body(loop, mark)

    monkeypatch.setattr(LoopEvaluation, "body", counted)
    return runs


def accesses(folder: Path, body: str, threads: int = 256, parameters: str = "int n", before: str = "") -> list[Costed]:
    bounds = f"__launch_bounds__({threads})"
    source = f"{before}\n__global__ void {bounds} k(float *out, const float *in, {parameters}) {{ {body} }}\n"
    return evaluated(folder, source)[1]


def access(folder: Path, body: str, threads: int = 256, parameters: str = "int n", before: str = "") -> Costed:
    (only,) = accesses(folder, body, threads, parameters, before)
    return only


def barriers(folder: Path, body: str) -> list[Barrier]:
    source = f"__global__ void __launch_bounds__(256) k(float *out, unsigned mask, int n) {{ int v = 1; {body} }}\n"
    return list(evaluated(folder, source)[0].barriers)


def count(costed: Costed) -> float:
    found, cost = costed
    assert found.result.unknown is None, found.result.unknown
    assert cost is not None
    return cost.count


def sectors(addresses: list[int], size: int = 4) -> int:
    return len({byte // 32 for address in addresses for byte in (address, address + size - 1)})


def wavefronts(addresses: list[int]) -> int:
    words = {address // 4 for address in addresses}
    return max(sum(word % 32 == bank for word in words) for bank in range(32))
