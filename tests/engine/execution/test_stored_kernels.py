"""Results of kernels that are used again after an edit: the same as those of a check from scratch."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.launches import host_launches
from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord
from coalint.engine.check import kernel as kernel_checks
from coalint.engine.check import kernel_check
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.execution.cache import stored_kernels, stored_launches
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

HEADER = """\
struct Particle { float x, y, z, mass; };
__device__ inline float weight(const Particle *p, int i) { return p[i].mass; }
"""
TEXT = """\
#include "particles.h"
#define CHECK(call) check(call, __LINE__)
void check(int error, int line);

__constant__ float table[64];

__device__ int row_of(int i) {
    return i * 16;
}

__global__ void first(float *out, const float *in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[row_of(i)] + table[i % 64];
}

__global__ void second(float *out, const Particle *p) {
    out[threadIdx.x] = weight(p, threadIdx.x);
}

template <int Columns>
__global__ void third(float *out) {
    __shared__ float tile[32][Columns];
    tile[threadIdx.x][threadIdx.y] = 1;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void fourth(float *out, const float *in) {
    if (threadIdx.x < 7) __syncthreads();
    out[3 * threadIdx.x] = in[threadIdx.x];
}

void run(float *a, const Particle *p) {
    CHECK(0);
    for (int n = 512; n <= 1024; n *= 2)
        first<<<n / 256, 256>>>(a, a, n);
    second<<<4, 128>>>(a, p);
    third<32><<<1, dim3(32, 32)>>>(a);
    third<33><<<1, dim3(32, 8)>>>(a);
    fourth<<<2, 64>>>(a, a);
}
"""
KERNELS = {"first", "second", "third", "fourth"}
WITH_LINES = {"second", "fourth"}
"""Kernels whose findings name lines in words, so that they do not move."""
EDITS: dict[str, tuple[str, str, set[str]]] = {
    "a kernel": ("out[3 * threadIdx.x]", "out[5 * threadIdx.x]", {"fourth"}),
    "a kernel, with another line": ("    if (i < n)\n", "    if (i < n)\n\n", {"first", *WITH_LINES}),
    "a helper": ("return i * 16;", "return i * 8;", {"first"}),
    "a comment in a helper": ("return i * 16;", "return i * 16;  // far", {"first"}),
    "lines before all": ("#define CHECK", "\n\n// more\n#define CHECK", WITH_LINES),
    "lines between": ("template <int", "\n\ntemplate <int", {"fourth"}),
    "a launch": ("second<<<4, 128>>>", "second<<<4, 64>>>", {"second"}),
    "a template argument": ("third<33><<<", "third<34><<<", {"third"}),
    "a launch in a host loop": ("n / 256, 256", "n / 128, 128", {"first"}),
    "an array of constants": ("table[64]", "table[32]", {"first"}),
    "a name": ("int i = blockIdx", "int  i = blockIdx", {"first"}),
    "nothing": ("", "", set()),
}


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], tuple[FileResult, set[str]]]:
    """Checks a text with the stored results of a folder; tells the names of the kernels that were analysed too."""
    monkeypatch.setattr(stored_kernels, "LEAST", 0.0)
    monkeypatch.setattr(stored_launches, "LEAST", 0.0)
    (tmp_path / "particles.h").write_text(HEADER)
    source = tmp_path / "k.cu"
    plain = Job((), architecture("sm_90"), load_rules().rules, headers=shared_headers(), inputs=True)

    def checked(text: str, folder: str) -> tuple[FileResult, set[str]]:
        source.write_text(text)
        analysed: set[str] = set()
        real = kernel_checks.analyse_kernel

        def noted(path: str, module: ir.Module, kernel: ir.Kernel, *rest: object) -> object:
            analysed.add(kernel.name)
            return real(path, module, kernel, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(kernel_check, "analyse_kernel", noted)
        result = check_file(Source(str(source)), replace(plain, kernels=str(tmp_path / folder)))
        monkeypatch.setattr(kernel_check, "analyse_kernel", real)
        assert not result.failures
        return replace(result, inputs=None), analysed

    return checked


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_analyses_what_it_changed_and_gives_what_a_new_check_gives(
    edit: str, check: Callable[[str, str], tuple[FileResult, set[str]]]
) -> None:
    before, after, changed = EDITS[edit]
    text = TEXT.replace(before, after, 1) if before else TEXT
    assert check(TEXT, "kept")[1] == KERNELS
    result, analysed = check(text, "kept")
    assert analysed == changed
    assert result == check(text, "new")[0]


def test_a_member_that_a_header_moves_is_seen(
    tmp_path: Path, check: Callable[[str, str], tuple[FileResult, set[str]]]
) -> None:
    check(TEXT, "kept")
    (tmp_path / "particles.h").write_text(HEADER.replace("float x, y, z, mass", "float x, y, z, u, v, w, mass"))
    result, analysed = check(TEXT, "kept")
    assert analysed == {"second"}
    assert result == check(TEXT, "new")[0]


def test_lines_that_stand_in_words_are_right(
    tmp_path: Path, check: Callable[[str, str], tuple[FileResult, set[str]]]
) -> None:
    check(TEXT, "kept")
    (tmp_path / "particles.h").write_text("// one\n// two\n" + HEADER)
    result, _ = check(TEXT, "kept")
    assert result == check(TEXT, "new")[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_any_sequence_of_edits_gives_what_new_checks_give(
    seed: int, check: Callable[[str, str], tuple[FileResult, set[str]]]
) -> None:
    rng = random.Random(seed)
    text = TEXT
    check(text, "kept")
    for step in range(3):
        for before, after, _ in rng.sample(list(EDITS.values()), 2):
            text = text.replace(before, after, 1) if before else text
        lines = text.split("\n")
        lines.insert(rng.randrange(len(lines)), "")
        text = "\n".join(lines)
        assert check(text, "kept")[0] == check(text, f"new{step}")[0], text


def test_launches_are_found_anew_where_a_host_function_changed_alone(
    monkeypatch: pytest.MonkeyPatch, check: Callable[[str, str], tuple[FileResult, set[str]]]
) -> None:
    evaluated: list[ir.Module] = []
    real = host_launches.launch_records

    def noted(module: ir.Module, *, problems: list[ir.Problem]) -> dict[str, list[LaunchRecord]]:
        evaluated.append(module)
        return real(module, problems=problems)

    monkeypatch.setattr(host_launches, "launch_records", noted)
    for text, times in ((TEXT, 1), (TEXT.replace("i * 16", "i * 8"), 1), ("\n" + TEXT, 1), (TEXT + "//\n", 1)):
        check(text, "kept")
        assert len(evaluated) == times, text
    check(TEXT.replace("n / 256, 256", "n / 128, 128"), "kept")
    assert len(evaluated) == 2


def test_a_damaged_entry_is_none(tmp_path: Path, check: Callable[[str, str], tuple[FileResult, set[str]]]) -> None:
    right, _ = check(TEXT, "kept")
    for path in (tmp_path / "kept").glob("*/*"):
        path.write_text(path.read_text().replace("sectors", "secrets").replace("threadIdx", "blockIdx"))
    result, analysed = check(TEXT, "kept")
    assert (result, analysed) == (right, KERNELS)
