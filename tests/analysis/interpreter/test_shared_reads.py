"""What functions want of the elements that they read: found once for all kernels of a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from project import shared_headers

from coalint.analysis.domain.wants import Want
from coalint.analysis.interpreter.effects.narrowed_reads import NarrowedReads, Wants
from coalint.core import ir
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

KERNEL = "__global__ void k{0}(int *out, const long long *in) {{ out[threadIdx.x] = {1}(in + {0}, threadIdx.x); }}"
LOW = "__device__ int low(const long long *p, int n) { return (int)p[n]; }"
TURNS = (
    "__device__ int odd(const long long *p, int n); "
    "__device__ int even(const long long *p, int n) { return n ? odd(p, n - 1) : (int)p[n]; } "
    "__device__ int odd(const long long *p, int n) { return n ? even(p, n - 1) : (int)p[n]; }"
)


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a function's body was read for what it wants, by its name."""
    counts = Counter[str]()
    fill = NarrowedReads._fill

    def counted(reads: NarrowedReads, wants: Wants, function: ir.Function, returned: Want) -> None:
        counts[function.name] += 1
        fill(reads, wants, function, returned)

    monkeypatch.setattr(NarrowedReads, "_fill", counted)
    return counts


def loads(folder: Path, source: str) -> list[set[int]]:
    """The bytes that each kernel's loads read."""
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    analyses = [kernel.analysis for kernel in result.checked if kernel.analysis is not None]
    return [{access.bytes for access in analysis.accesses if access.op.value == "load"} for analysis in analyses]


@replaces_what_is_compiled
def test_a_helper_is_read_once_for_all_kernels_that_call_it(tmp_path: Path, filled: Counter[str]) -> None:
    kernels = [KERNEL.format(number, "low") for number in range(4)]
    assert loads(tmp_path, "\n".join([LOW, *kernels])) == [{4}] * 4
    assert filled["low"] == 1
    assert loads(tmp_path, "\n".join([LOW.replace("(int)p[n]", "p[n] > 3"), *kernels])) == [{8}] * 4
    assert filled["low"] == 2


@replaces_what_is_compiled
def test_what_rests_on_the_function_asked_for_first_is_not_shared(tmp_path: Path, filled: Counter[str]) -> None:
    """What functions that call each other want depends on which of them is asked first."""
    kernels = [KERNEL.format(number, name) for number, name in enumerate(["even", "odd", "even"])]
    together = loads(tmp_path, "\n".join([TURNS, *kernels]))
    assert filled["even"] >= 3
    assert together == [loads(tmp_path, f"{TURNS}\n{kernel}")[0] for kernel in kernels]
