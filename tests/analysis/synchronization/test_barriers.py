"""Verdicts on barriers and warp primitives: many small kernels in one file, one verdict per barrier."""

from __future__ import annotations

from pathlib import Path

import pytest
from barrier_kernels import CASES, WARP, checked, disagreements, found
from project import shared_headers

from coalint.analysis.domain.algebra import atom_table
from coalint.core.facts.synchronization import Verdict
from coalint.core.findings import Severity
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture


@pytest.mark.slow
def test_block_barriers_have_the_verdict_that_follows_from_the_language(tmp_path: Path) -> None:
    assert disagreements(checked(tmp_path, CASES), CASES, "block") == []


@pytest.mark.slow
def test_warp_primitives_have_the_verdict_that_follows_from_their_masks(tmp_path: Path) -> None:
    assert disagreements(checked(tmp_path, WARP), WARP, "warp") == []


def test_of_a_mask_its_32_bits_count(tmp_path: Path) -> None:
    least = "-9223372036854775807LL - 1"  # a number whose half is no mask's
    cases = [f"D DOWN({least});", f"U DOWN({least} + 0xffffffffLL);"]
    assert disagreements(checked(tmp_path, cases), cases, "warp") == []


def test_lanes_that_the_last_warp_lacks_part_nobody(tmp_path: Path) -> None:
    cases = [
        "U DOWN(FULL);",
        "U if (t / 32 == 0) DOWN(FULL);",
        "U if (t >= 32) DOWN(FULL);",
        "D if (t < 40) DOWN(FULL);",
    ]
    assert disagreements(checked(tmp_path, cases, "48"), cases, "warp") == []


def test_a_block_of_one_warp_agrees_on_what_its_warp_votes(tmp_path: Path) -> None:
    cases = ["U if (__any_sync(FULL, p[t])) SYNC;", "D if (p[t]) SYNC;"]
    assert disagreements(checked(tmp_path, cases, "32"), cases, "block") == []


@pytest.mark.slow
def test_what_threads_agree_on_is_known_in_a_kernel_with_too_many_quantities(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atom_table, "MOST", atom_table.RESERVED + 200)
    many = " ".join(f"v = p[t + {k}];" for k in range(200))
    votes = "while (__any_sync(FULL, p[v])) { v = p[v + 1]; DOWN(FULL); }"
    cases = [f"UU {many} if (p[n] > 5) SYNC; if (p[v] > n) SYNC;", f"UU {many} {votes}", f"? {many} if (v) DOWN(FULL);"]
    kernels = checked(tmp_path, cases)
    assert disagreements(kernels[1:], cases[1:], "warp") == []
    uniform, unknown = found(kernels[0], "block")
    assert (uniform.verdict, unknown.verdict) == (Verdict.UNIFORM, Verdict.UNKNOWN)


def test_a_barrier_in_the_other_arm_does_not_count(tmp_path: Path) -> None:
    (kernel,) = checked(tmp_path, ["DD if (t < 32) { SYNC; }\nelse { SYNC; }"])
    first, second = [some.finding for some in kernel.findings if some.finding.code == "COA301"]
    assert f"the rest waits at another barrier, at line {second.span.line}" in first.message
    assert f"at line {first.span.line}, which is not this one" in second.message
    assert {first.severity, second.severity} == {Severity.WARNING}  # an H200 ends it, and hangs with `t < 16`
    (kernel,) = checked(tmp_path, ["DD if (t < 16) { SYNC; }\nelse { SYNC; } p[t] = 1;"])
    assert {some.finding.severity for some in kernel.findings if some.finding.code == "COA301"} == {Severity.ERROR}


def test_only_primitives_with_a_mask_are_reported(tmp_path: Path) -> None:
    cases = ["D if (t < 16) v += __shfl_down(v, 1);", "D if (t < 16) DOWN(FULL);"]
    old, new = checked(tmp_path, cases)
    assert [barrier.verdict for barrier in found(old, "warp")] == [Verdict.DIVERGENT]
    assert [some.finding.code for some in old.findings if some.finding.code == "COA303"] == []
    assert [some.finding.code for some in new.findings if some.finding.code == "COA303"] == ["COA303"]


def test_what_only_an_assumed_block_shape_parts_is_unknown(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    body = "int t = threadIdx.y * blockDim.x + threadIdx.x;"
    file.write_text(
        f"__global__ void k(int *p) {{ {body} if (threadIdx.y == 0) __syncwarp(); if (threadIdx.x < 4) __syncwarp();"
        " p[t] = 1; }"
    )
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    by_row, by_lane = found(result.checked[0], "warp")
    assert by_row.verdict is Verdict.UNKNOWN or by_row.verdict is Verdict.UNIFORM
    assert by_lane.verdict is Verdict.DIVERGENT
