"""Findings of kernels that nothing launches: a warning only where every block shape gives the same number."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.findings import Confidence, Finding, Severity
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.engine.check.shapes import OTHERS
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture
from coalint.rule import Block

RULES = load_rules().rules


def findings(folder: Path, body: str, parameters: str = "float *out, const float *in, int n") -> list[Finding]:
    file = folder / "k.cu"
    file.write_text(f"__global__ void k({parameters}) {{ {body} }}\n")
    job = Job((), architecture("sm_90"), RULES, headers=shared_headers())
    return [found.finding for kernel in check_file(Source(str(file)), job).checked for found in kernel.findings]


def test_a_stride_costs_the_same_in_every_block(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, "int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = in[2 * i];")
    assert (found.severity, found.confidence) == (Severity.WARNING, Confidence.MEDIUM)
    assert ("block_shape", "256") in found.rests_on


def test_what_is_true_of_one_block_shape_alone_is_no_warning(tmp_path: Path) -> None:
    body = "int x = threadIdx.x, y = threadIdx.y; out[x * 1024 + y] = 0;"
    (found, *_) = findings(tmp_path, body)
    assert (found.severity, found.confidence) == (Severity.INFO, Confidence.LOW)
    assert any(note.message.startswith("with blocks of 16x16 threads: ") for note in found.notes)


@pytest.mark.parametrize(
    ("block", "severity", "shape"),
    [
        ("dim3(32, n)", Severity.WARNING, "32x8"),  # rows of whole warps, however many there are
        ("dim3(n, 8)", Severity.INFO, "32x8"),
        ("dim3(256, n)", Severity.WARNING, "256x1"),
    ],
)
def test_what_a_launch_gives_of_a_block_holds_in_its_other_shapes(
    tmp_path: Path, block: str, severity: Severity, shape: str
) -> None:
    file = tmp_path / "k.cu"
    kernel = "__global__ void k(float *out) { out[threadIdx.x * 1024 + threadIdx.y] = 0; }"
    file.write_text(f"{kernel}\nvoid launch(float *out, int n) {{ k<<<1, {block}>>>(out); }}\n")
    job = Job((), architecture("sm_90"), RULES, headers=shared_headers())
    (checked,) = check_file(Source(str(file)), job).checked
    assert "x".join(map(str, checked.specialization.block[:2])) == shape
    assert {item.finding.severity for item in checked.findings if item.finding.code == "COA101"} == {severity}


@pytest.mark.parametrize(
    ("known", "block", "others"),
    [
        ((None, None, None), (256, 1, 1), [(128, 1, 1), (512, 1, 1)]),
        ((32, None, 1), (32, 8, 1), [(32, 16, 1), (32, 4, 1)]),
        ((256, None, 1), (256, 1, 1), [(256, 4, 1)]),
        ((None, 1, 1), (256, 1, 1), [(128, 1, 1), (512, 1, 1)]),
        ((32, 8, None), (32, 8, 1), [(32, 8, 2), (32, 8, 4)]),
        ((1024, None, None), (1024, 1, 1), []),
    ],
)
def test_other_shapes_keep_the_extents_that_a_launch_gives(
    known: tuple[int | None, int | None, int | None], block: Block, others: list[Block]
) -> None:
    specialization = Specialization("k", (), block, LaunchSource.ASSUMED, known=known)
    assert specialization.other_shapes(OTHERS[specialization.axes]) == others


@pytest.mark.parametrize(("block", "is_spread"), [("dim3(32, n)", False), ("dim3(n, m)", True)])
def test_a_declared_number_of_threads_gives_the_one_extent_that_a_launch_leaves_open(
    tmp_path: Path, block: str, is_spread: bool
) -> None:
    file = tmp_path / "k.cu"
    kernel = "__global__ __launch_bounds__(512) void k(float *out) { out[threadIdx.x + 32 * threadIdx.y] = 0; }"
    file.write_text(f"{kernel}\nvoid launch(float *out, int n, int m) {{ k<<<1, {block}>>>(out); }}\n")
    job = Job((), architecture("sm_90"), RULES, keep=True, headers=shared_headers())
    (checked,) = check_file(Source(str(file)), job).checked
    assert (checked.specialization.block, checked.specialization.spread) == ((32, 16, 1), is_spread)
    assert checked.analysis is not None
    assert [access.result.exact for access in checked.analysis.accesses] == [not is_spread]


@pytest.mark.parametrize(("index", "exact"), [("threadIdx.x", True), ("threadIdx.y * 64 + threadIdx.x", False)])
def test_nothing_is_exact_that_rests_on_the_width_of_an_assumed_block(tmp_path: Path, index: str, exact: bool) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *out) {{ out[{index}] = 0; }}\n")
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(file)), job).checked
    assert kernel.analysis is not None
    assert [access.result.exact for access in kernel.analysis.accesses] == [exact]


@pytest.mark.parametrize("index", ["(i / n) * 8 + i", "8 * (i >> n)", "8 * (i & n)"])
def test_a_guessed_divisor_shift_or_mask_is_no_warning(tmp_path: Path, index: str) -> None:
    body = f"int i = threadIdx.x; out[8 * ({index})] = 0;"
    assert all(found.severity is Severity.INFO for found in findings(tmp_path, body))


def test_a_race_that_every_block_has_is_a_warning(tmp_path: Path) -> None:
    body = "__shared__ float s[1024]; s[threadIdx.x] = in[threadIdx.x]; out[threadIdx.x] = s[threadIdx.x ^ 32];"
    races = [found for found in findings(tmp_path, body) if found.code == "COA304"]
    assert [found.severity for found in races] == [Severity.WARNING]


def test_only_what_is_looked_for_in_other_shapes_is_said_not_to_be_there(tmp_path: Path) -> None:
    body = (
        "int b = blockIdx.x * blockDim.x + threadIdx.x; float v = in[at[b]];"
        " for (int j = 0; j < 12; j++) out[12 * b + j] = v;"
    )
    found = findings(tmp_path, body, "float *out, const float *in, const int *at")
    assert {"COA104", "COA106"} <= {finding.code for finding in found}
    assert not any("no such finding" in note.message for finding in found for note in finding.notes)


@pytest.mark.parametrize(
    ("bounds", "store", "severity"),
    [
        (256, "out[1024 * threadIdx.x + threadIdx.y] = 0;", Severity.INFO),
        (256, "out[64 * (threadIdx.y * blockDim.x + threadIdx.x)] = 0;", Severity.WARNING),
        (256, "out[8 * (threadIdx.x % 8) + 1024 * threadIdx.y + threadIdx.z] = 0;", Severity.INFO),
        (96, "out[1024 * threadIdx.x + threadIdx.y] = 0;", Severity.INFO),
    ],
)
def test_a_declared_number_of_threads_says_nothing_of_their_shape(
    tmp_path: Path, bounds: int, store: str, severity: Severity
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void __launch_bounds__({bounds}) k(float *out) {{ {store} }}\n")
    job = Job((), architecture("sm_90"), RULES, keep=True, headers=shared_headers())
    (kernel,) = check_file(Source(str(file)), job).checked
    assert kernel.analysis is not None
    assert prod(kernel.specialization.block) == bounds
    assert not any(access.result.exact for access in kernel.analysis.accesses)
    assert {found.finding.severity for found in kernel.findings} == {severity}


@pytest.mark.parametrize(("columns", "severities"), [(4, set()), (32, {Severity.WARNING})])
def test_a_guessed_block_that_leaves_the_rows_of_its_tile_shows_no_race(
    tmp_path: Path, columns: int, severities: set[Severity]
) -> None:
    body = f"__shared__ float s[64][{columns}]; int x = threadIdx.x, y = threadIdx.y; s[y][x] = in[y * n + x]; "
    body += "if (y > 0) out[y * n + x] = s[y - 1][x];"
    found = [one for one in findings(tmp_path, body) if one.code == "COA304"]
    assert {one.severity for one in found} == severities
