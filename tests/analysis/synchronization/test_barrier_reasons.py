"""What is said of a barrier: the reason for its verdict, the facts that would settle it, the lanes that are missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from barrier_kernels import BEFORE, LETTERS, checked, found
from project import shared_headers

from coalint.core.facts.synchronization import Verdict
from coalint.core.findings import Severity
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture


def test_a_reason_quotes_the_definition_and_what_it_goes_back_to(tmp_path: Path) -> None:
    (kernel,) = checked(tmp_path, ["D int warp = t / 32; int row = blockIdx.x * 8 + warp; if (row < n) SYNC;"])
    (barrier,) = found(kernel, "block")
    assert barrier.because.startswith(
        "`row < n` can differ between threads of the block: `int row = blockIdx.x * 8 + warp`"
    )
    assert "which is computed from `int t = threadIdx.x" in barrier.because


def test_a_reason_names_the_users_call_for_what_bundled_headers_do(tmp_path: Path) -> None:
    tile = "auto w = cg::tiled_partition<32>(cg::this_thread_block());"
    cases = [
        f"D {tile} int row = w.meta_group_rank(); if (row < n) SYNC;",
        "D int rank = cg::this_thread_block().thread_rank(); if (rank < n) SYNC;",
        "D int2 two = make_int2(threadIdx.x, 1); if (two.x < n) SYNC;",
    ]
    wanted = ["`int row = w.meta_group_rank()`", "`int rank = cg::this", "`threadIdx.x` differs"]
    for kernel, text in zip(checked(tmp_path, cases), wanted, strict=True):
        (barrier,) = found(kernel, "block")
        assert text in barrier.because
        places = [note.span for note in barrier.provenance if note.span is not None]
        assert {Path(place.file).name for place in places} == {"k.cu"}
        assert not set(barrier.because.split()) & {place.file for place in places}


def test_a_group_is_not_called_a_mask(tmp_path: Path) -> None:
    (kernel,) = checked(tmp_path, ["D auto w = cg::tiled_partition<16>(cg::this_thread_block()); if (t % 2) w.sync();"])
    (barrier,) = found(kernel, "warp")
    assert "the group holds lanes 0, 2" in barrier.because


def test_a_missing_lane_is_named(tmp_path: Path) -> None:
    (kernel,) = checked(tmp_path, ["D if (t % 32 < 16) DOWN(FULL);"])
    (barrier,) = found(kernel, "warp")
    assert "the mask 0xffffffff names lanes 16-31 of warp 0, but only 0-15 of the warp reach it" in barrier.because


@pytest.mark.parametrize(
    ("case", "because"),
    [
        ("D DOWN(0x7fffffff);", "lane 31 of warp 0 calls it, but the mask 0x7fffffff does not name it"),
        ("D if (t % 32 < 16) DOWN(0xff);", "lanes 8-15 of warp 0 call it, but the mask 0xff does not name them"),
        ("D DOWN(0x55555555);", "lanes 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31 of warp 0 call it"),
        ("D __syncwarp(0xff);", "lanes 8-31 of warp 0 call it, but the mask 0xff does not name them"),
    ],
)
def test_a_caller_that_its_mask_does_not_name_is_told_from_a_missing_lane(
    tmp_path: Path, case: str, because: str
) -> None:
    for kernel, unnamed in zip(checked(tmp_path, [case, "D if (t % 32 < 16) DOWN(FULL);"]), (True, False), strict=True):
        (barrier,) = found(kernel, "warp")
        (finding,) = [some.finding for some in kernel.findings if some.finding.code == "COA303"]
        said = f"{finding.message} {finding.help} {[note.message for note in finding.notes]}"
        assert (barrier.verdict, barrier.unnamed, finding.severity) == (Verdict.DIVERGENT, unnamed, Severity.ERROR)
        assert ("is called by a lane that is not in its own mask" in said) == unnamed
        assert ("must have its own bit set in the mask" in said) == unnamed
        assert ("set the bit of every lane that calls it" in said) == unnamed
        assert ("waits for a lane that may not reach it" in said) == (not unnamed)
        assert ("__ballot_sync" in said) == (not unnamed)
        assert (because in barrier.because) == unnamed


def test_a_shape_with_which_the_mask_names_all_callers_is_said_so(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(int *p) { if (threadIdx.y == 0) __syncwarp(0xffff); p[threadIdx.x + blockDim.x] = 1; }"
    )
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (barrier,) = found(result.checked[0], "warp")
    assert (barrier.verdict, barrier.unnamed) == (Verdict.UNKNOWN, False)
    assert "with 16x16 threads its mask names all that call it" in barrier.because


def test_every_exit_that_parts_threads_is_named_the_surest_first(tmp_path: Path) -> None:
    (kernel,) = checked(tmp_path, ["X if (i >= n) return; if (v < n) return; if (t >= 64) return; SYNC;"])
    (barrier,) = found(kernel, "block")
    assert barrier.verdict is Verdict.AFTER_EXIT
    assert barrier.because.startswith("threads return early when `t >= 64`")
    assert barrier.because.endswith("; so can `v < n` and `i >= n`")


@pytest.mark.parametrize(
    ("case", "scope", "because"),
    [
        ("U SYNC;", "block", "together, since no condition before it can separate them"),
        ("U if (n > 3) SYNC;", "block", "together, since `n > 3` is the same for all of them"),
        ("U if (n > 3) { if (p[n]) SYNC; }", "block", "since `p[n]` and `n > 3` are the same for all of them"),
        ("U if (n > 3 && i < v) return; if (n > 3) return; SYNC;", "block", "`n > 3` is the same for all of them"),
        (
            "U if (n > 3 && i < v) return; if (n > 3 && i >= v) return; SYNC;",
            "block",
            "`n > 3 && i >= v` and `n > 3 && i < v` together let all of them pass or none",
        ),
        ("U n *= 256; if (i < n) SYNC;", "block", "since `i < n` is the same for all of them"),
        ("U if (n % 256) return; if (i < n) SYNC;", "block", "of them, given that `!(n % 256)` holds here"),
        ("U DOWN(FULL);", "warp", "since no condition before it can separate them"),
        ("U if (t < 64) DOWN(n);", "warp", "since `t < 64` is the same for all of them"),
        (
            "U if (t % 32 < 16) DOWN(0xffff);",
            "warp",
            "since the lanes that the mask 0xffff names are those that reach it",
        ),
        ("U if (v > 3) DOWN(__activemask());", "warp", "since its mask names only lanes for which `v > 3`"),
        ("D GRID_LOOP(k, n) SYNC; SYNC;", "block", "the loop's condition `GRID_LOOP(k, n)` can differ"),
        (
            "D if (i < n) { if (p[t]) SYNC; }",
            "block",
            "`p[t]` can differ between threads of the block: `int t = threadIdx.x`; so can `i < n`",
        ),
    ],
)
def test_a_verdict_says_why_in_the_words_of_the_source(tmp_path: Path, case: str, scope: str, because: str) -> None:
    (kernel,) = checked(tmp_path, [case])
    barrier = found(kernel, scope)[0]
    assert barrier.verdict is LETTERS[case[0]]
    assert because in re.sub(r" at line \d+", "", barrier.because)


@pytest.mark.parametrize(
    ("call", "body", "letter"),
    [
        ("k<<<g, 256>>>(p, n * 256)", "if (i < n) SYNC;", "U"),
        ("k<<<g, 256>>>(p, n * 128)", "if (i < n) SYNC;", "D"),
        ("k<<<g, 256>>>(p, n * 256); k<<<g, 256>>>(p, n * 48)", "if (i < n) SYNC;", "D"),
        ("if (n % 256 == 0) k<<<g, 256>>>(p, n)", "if (i < n) SYNC;", "U"),
        ("if ((n & 255) == 0) k<<<g, 256>>>(p, g * n)", "if (i < n) SYNC;", "U"),
        ("if (n % 256) k<<<g, 256>>>(p, n)", "if (i < n) SYNC;", "D"),
        ("int b = n > 0 ? 64 : 256; k<<<g, b>>>(p, g * b)", "if (i < n) SYNC;", "U"),
        ("k<<<g, n>>>(p, g * n)", "GRID_LOOP(k, n) SYNC;", "U"),
        ("k<<<g, n>>>(p, 4096)", "GRID_LOOP(k, n) SYNC;", "U"),
        ("k<<<g, n>>>(p, g)", "GRID_LOOP(k, n) SYNC;", "D"),
        ("switch (n) { case 64: k<<<g, 64>>>(p, g * n); }", "if (i < n) SYNC;", "U"),
        ("k<<<g, 256>>>(p, n)", "if (n % 256 == 0) { if (i < n) SYNC; }", "U"),
        ("k<<<g, 256>>>(p, n)", "if (n % 256) return; if (i < n) SYNC;", "U"),
        ("k<<<g, 256>>>(p, n)", "if (n % 128 == 0) { if (i < n) SYNC; }", "D"),
        ("k<<<g, 256>>>(p, n)", "if (n % 32) return; if (i < n) __syncwarp();", "U"),
    ],
)
def test_what_divides_a_parameter_may_settle_that_threads_agree(
    tmp_path: Path, call: str, body: str, letter: str
) -> None:
    file = tmp_path / "k.cu"
    start = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    file.write_text(
        f"{BEFORE} __global__ void k(int *p, int n) {{ {start} {body} p[i] = 1; }}\n"
        f"void launch(int *p, int n, int g) {{ {call}; }}\n"
    )
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    barriers = [b for kernel in result.checked for scope in ("block", "warp") for b in found(kernel, scope)]
    assert max((b.verdict for b in barriers), key=list(Verdict).index) is LETTERS[letter]
    if letter == "U" and "4096" not in call:
        assert re.search(r"(launch at line \d+|every launch) passes a multiple of|holds here", barriers[0].because)


@pytest.mark.parametrize(
    ("case", "scope", "fact"),
    [
        ("D if (i < n) SYNC;", "block", "n % 256 == 0"),
        ("D int warp = t / 32; if (blockIdx.x * 8 + warp < n) SYNC;", "block", "n % 8 == 0"),
        ("D if (i < n) DOWN(FULL);", "warp", "n % 32 == 0"),
        ("D if (t % 16 < n) SYNC;", "block", "n % 16 == 0"),
        ("D if (t + p[n] < 100) SYNC;", "block", ""),
        ("D if (i < max(i, n)) SYNC;", "block", "n % 256 == 0"),
        ("D int end = max(i, n); for (int k = i; k < end; k += blockDim.x * gridDim.x) SYNC; SYNC;", "block", ""),
        ("D if (max(i, n) - t > 3) SYNC;", "block", ""),
    ],
)
def test_the_weakest_fact_that_settles_a_divergence_is_offered_and_settles_it(
    tmp_path: Path, case: str, scope: str, fact: str
) -> None:
    (kernel,) = checked(tmp_path, [case])
    barrier = found(kernel, scope)[0]
    assert barrier.settled == fact
    (finding,) = [some.finding for some in kernel.findings if some.finding.code.startswith("COA30")]
    assert finding.severity is Severity.WARNING
    if fact:
        assert fact in (finding.help or "")
        source = (tmp_path / "k.cu").read_text().replace("__global__", f"// coalint: assume({fact})\n__global__")
        (tmp_path / "k.cu").write_text(source)
        again = check_file(
            Source(str(tmp_path / "k.cu")), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
        )
        assert {barrier.verdict for barrier in found(again.checked[0], scope)} == {Verdict.UNIFORM}


@pytest.mark.parametrize(
    ("instruction", "verdict"),
    [
        ("shfl.sync.bfly.b32 %0, %1, 1, 31, 0xffff;", Verdict.DIVERGENT),
        ("shfl.sync.bfly.b32 %0, %1, 1, 31;", Verdict.UNIFORM),
        ("redux.sync.add.s32 %0, %1, 0xffff;", Verdict.DIVERGENT),
        ("redux.sync.add.s32 %0, 0xffff;", Verdict.UNIFORM),
    ],
)
def test_an_instruction_without_its_mask_takes_no_other_operand_for_it(
    tmp_path: Path, instruction: str, verdict: Verdict
) -> None:
    (kernel,) = checked(tmp_path, [f'D asm volatile("{instruction}" : "=r"(v) : "r"(v));'])
    (barrier,) = found(kernel, "warp")
    assert barrier.verdict is verdict


def test_the_condition_that_keeps_a_missing_lane_away_is_the_reason(tmp_path: Path) -> None:
    """The mask names none of the lanes that the other condition keeps away."""
    (kernel,) = checked(tmp_path, ["D if (t % 32 < 8) if (t % 32 != 3) DOWN(0xff);"])
    (barrier,) = found(kernel, "warp")
    assert barrier.because.startswith("the mask 0xff names lane 3 of warp 0, but only 0-2, 4-7 of the warp reach it")
    assert "since `t % 32 != 3` can differ" in barrier.because
