"""Verdicts on barriers and warp primitives: many small kernels in one file, one verdict per barrier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.domain.algebra import atom_table
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Severity
from coalint.engine.check.file import check_file
from coalint.engine.check.records import CheckedKernel, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

LETTERS = {"U": Verdict.UNIFORM, "D": Verdict.DIVERGENT, "X": Verdict.AFTER_EXIT, "?": Verdict.UNKNOWN}

BEFORE = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#define SYNC __syncthreads()
#define FULL 0xffffffffu
#define HALVE(low, high, to) while (low < high) { int m = (low + high) / 2; if (p[m] > to) high = m; else low = m + 1; }
#define DOWN(mask) v += __shfl_down_sync(mask, v, 1)
#define WARP_TILE(size) auto w = cg::tiled_partition<size>(cg::this_thread_block());
#define GRID_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)
__device__ void unless(bool leave) { if (leave) return; SYNC; }
__device__ void quit(bool leave) { if (leave) asm volatile("exit;"); }
__device__ void give_up() { printf("no"); __trap(); }
__device__ int log_of(int x) { int r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(x)); return r; }
__device__ void meet(int name, int threads) { asm volatile("barrier.sync %0, %1;" : : "r"(name), "r"(threads)); }
template <typename F> __device__ void apply(F f) { f(); }
struct Guarded { int value; __device__ void go() { if (value) SYNC; } };
"""

# Bodies of kernels (p: pointer, n: unknown number, t: threadIdx.x, i: the index in the grid), by their verdicts.
BLOCK: dict[str, Sequence[str]] = {
    "control dependence": [
        "D int x = 0; if (t < 5) x = 1; if (x) SYNC;",
        "U int x = 0; if (n < 5) x = 1; if (x) SYNC;",
        "D int x = 0; for (int k = 0; k < t; k++) x = 1; if (x) SYNC;",
        "U int x = n; for (int k = 0; k < t; k++) x = n; if (x > 3) SYNC;",
        "D int x = 0; for (int k = 0; k < n; k++) { if (p[t + k]) break; x = 7; } if (x) SYNC;",
        "D int x = 0; switch (t & 3) { case 0: x = 1; break; case 1: x = 2; } if (x == 1) SYNC;",
        "D int x = 0; (t < 3) && (x = 1); if (x) SYNC;",
        "U int x = t < 3 ? 1 : 1; if (x) SYNC;",
        "D int x = t < 3 ? 1 : 2; if (x == 2) SYNC;",
        "D int x = 0; int *q = &x; if (t < 4) *q = 1; if (x) SYNC;",
        "D int k = 0; while (p[t + k] > 0) k++; for (int j = 0; j < k; j++) SYNC;",
        "D int low = 0, high = n; HALVE(low, high, t) if (low < 4) SYNC;",
        "U int low = 0, high = n; HALVE(low, high, n) if (low < 4) SYNC;",
    ],
    "loops and jumps": [
        "U for (int k = t; k < 1024; k += blockDim.x) SYNC;",
        "D for (int k = t; k < 1000; k += blockDim.x) SYNC;",
        "U for (int k = t; k < n * 256; k += blockDim.x) SYNC;",
        "U for (int base = 0; base < n; base += blockDim.x) SYNC;",
        "D GRID_LOOP(k, n) SYNC;",
        "U if (i < max(i, 1024)) SYNC;",
        "D if (i < max(i, 1000)) SYNC;",
        "U int k = t; do { k += blockDim.x; SYNC; } while (k < 1024);",
        "D int k = t; do { k += blockDim.x; SYNC; } while (k < 1000);",
        "U for (int k = 0; k < 10; k++) { if (t == k) continue; p[k] = 1; } SYNC;",
        "U for (int k = 0; k < 10; k++) { if (t == k) break; p[k] = 1; } SYNC;",
        "X for (int k = 0; k < 10; k++) { if (t == k) return; SYNC; }",
        "D bool done = false; while (!done) { if (p[t] > 3) done = true; SYNC; }",
        "UU bool done = false; while (!done) { done = __syncthreads_and(p[t] > 3); SYNC; }",
        "D while (true) { if (p[t]) break; SYNC; }",
        "U while (true) { SYNC; if (p[blockIdx.x]) break; }",
        "UD __syncthreads_or(t < 4 && __syncthreads_or(n));",
        "U unsigned all = blockDim.x * gridDim.x, up = n / all * all; for (unsigned k = i; k < up; k += all) SYNC;",
    ],
    "goto": [
        "U if (t == 3) goto end; p[t] = 2; end: SYNC;",
        "D if (t == 3) goto end; SYNC; end: p[t] = 2;",
        "U if (n == 3) goto end; SYNC; end: p[t] = 2;",
        "DU for (int k = 0; k < n; k++) { if (p[t + k]) goto found; SYNC; } found: SYNC;",
        "U for (int k = 0; k < n; k++) { for (int j = 0; j < n; j++) if (p[t + j]) goto next; next: SYNC; }",
        "D int x = 0; if (t == 3) goto end; x = 1; end: if (x) SYNC;",
        "UU if (n) { if (t == 3) goto end; p[t] = 2; end: SYNC; } SYNC;",
        "X if (t == 3) goto end; if (t == 4) return; end: SYNC;",
    ],
    "ranges": [
        "U if (t < blockDim.x) SYNC;",
        "U if (t / 256 == 0) SYNC;",
        "U if (n > 3 && t < 1000) SYNC;",
        "U if (t < 4 || t >= 4) SYNC;",
        "D if ((n + threadIdx.x) / 256 == 0) SYNC;",
        "D if (i < n) SYNC;",
    ],
    "memory": [
        "U if (p[blockIdx.x]) SYNC;",
        "D if (p[t]) SYNC;",
        "D if (p[p[t]] > 3) SYNC;",
        "D if ((p[t] >> 16) != -1) SYNC;",
        "D if (p[t] / 8 < 0) SYNC;",
        "D int k; while (((k = p[i]) >> 16) != -1) { SYNC; p[i] = k - 1; }",
        "D if (atomicAdd(p, 1) == n) SYNC;",
        "UU __shared__ int f; if (t == 0) f = p[0]; SYNC; if (f) SYNC;",
        "D __shared__ int f; if (t == 0) f = p[0]; if (f) SYNC;",
        "U __shared__ int f; f = n; if (f) SYNC;",
        "UU __shared__ int f; if (n) { if (t == 0) f = 1; SYNC; } else { if (f) SYNC; }",
        "UU __shared__ int f; while (true) { if (t == 0) f = p[0]; SYNC; if (f > 3) break; SYNC; }",
    ],
    "other lanes' values": [
        "? if (__ballot_sync(FULL, t < n)) SYNC;",
        "? int v = p[t]; for (int o = 16; o; o /= 2) v += __shfl_xor_sync(FULL, v, o); if (v > 3) SYNC;",
        "? float v = p[t]; for (int o = 16; o; o /= 2) v += __shfl_xor_sync(FULL, v, o); if (v > 3) SYNC;",
    ],
    "forms": [
        "D if (t < 32) cg::this_thread_block().sync();",
        "D auto b = cg::this_thread_block(); if (b.thread_rank() < 32) cg::sync(b);",
        "D if (t < 32) cg::this_grid().sync();",
        "U auto tile = cg::tiled_partition<64>(cg::this_thread_block()); if (t < 64) tile.sync();",
        "D auto tile = cg::tiled_partition<64>(cg::this_thread_block()); if (t < 32) tile.sync();",
        'D if (t < 64) asm volatile("bar.sync 0;");',
        'U if (t < 64) asm volatile("bar.sync 1, 64;"); SYNC;',
        'D if (t < 64) asm volatile("bar.sync %0, %1;" : : "r"(1), "r"(256));',
        "U if (t < 64) meet(2, 64); SYNC;",
        "D if (t < 64) __barrier_sync(0); if (t < 64) __barrier_sync_count(1, 64);",
        "U for (int k = 0; k < log_of(n); k++) SYNC;",
        'D int lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); if (lane < 4) SYNC;',
        "D if (t < 4) apply([&] { SYNC; });",
        "D Guarded guarded{t}; guarded.go();",
        "DD if (t < 32) { SYNC; } else { SYNC; }",
    ],
    "exits": [
        "U if (n > 64) { if (i >= v) return; p[i] = 1; return; } SYNC;",
        "X if (n > 64) { if (i >= v) return; p[i] = 1; } SYNC;",
        "X if (t > 64) { if (i >= n) return; p[i] = 1; return; } SYNC;",
        "U if (n > 64) { if (i >= v) return; if (v < 0 || v > 9 || i < n) return; p[i] = 1; return; } SYNC;",
        "X if (n > 64) { if (i >= v) return; if (v < 0 || v > 9 || i < n) return; p[i] = 1; } SYNC;",
        "U if (n > 64) { if (i < v) { p[i] = 1; return; } } if (n > 64 && i >= v) return; SYNC;",
        "U if (n > 3 && i < v) return; if (n > 3 && i >= v) return; SYNC;",
        "X if (n > 3 && i < v) return; if (n > 4 && i >= v) return; SYNC;",
        "U if (n > 64) { for (int k = 0; k < 12; k++) { if (t + k > v) return; p[i + k] = 1; } return; } SYNC;",
        "U if (n > 64) { for (int k = 0; k < v; k++) { if (t + k > n) return; p[i + k] = 1; } return; } SYNC;",
        "X if (n > 64) { for (int k = 0; k < 12; k++) { if (t + k > v) return; p[i + k] = 1; } } SYNC;",
        "U if (n > 64 && i >= v) return; if (n <= 64) SYNC;",
        "X if (n > 64 && i >= n) return; if (n > 32) SYNC;",
        "X if (t >= 64) return; SYNC;",
        "U if (t >= 64) __trap(); SYNC;",
        "U if (t >= 64) { give_up(); SYNC; } SYNC;",
        "U int x = 0; if (t >= 64) { x = 1; give_up(); } if (x == 0) SYNC;",
        'X if (t >= 64) asm volatile("exit;"); SYNC;',
        "X quit(t >= n); SYNC;",
        'X asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p exit; }" : : "r"((int)(t >= 64))); SYNC;',
        "X unless(t >= n); p[t] = 1;",
        "DU unless(t >= n); SYNC;",
        "D for (int k = 0; k < n; k++) unless(t >= n);",
    ],
}

WARP: Sequence[str] = [
    "U int f = max(0, n), e = (p[0] - f + 7) / 8 * 8 + f; for (int k = f + t / 4; k < e; k += 64) DOWN(FULL);",
    "D int f = max(0, n), e = (p[0] - f + 7) / 4 * 4 + f; for (int k = f + t / 4; k < e; k += 64) DOWN(FULL);",
    "D if (t % 32 < 16) DOWN(FULL);",
    "U if (t % 32 < 16) DOWN(0xffff);",
    "U if (t < 64) DOWN(FULL);",
    "U long long c = p[0], w = t / 32, e = min(c * (w + 1), c + n); for (long long k = c * w; k < e; ++k) DOWN(FULL);",
    "D long long c = p[0], w = t / 16, e = min(c * (w + 1), c + n); for (long long k = c * w; k < e; ++k) DOWN(FULL);",
    "U int w = t / 32, e = max(p[w] * w, n) % 7; if (e * n > p[e]) DOWN(FULL);",
    "D int w = t / 32, e = max(p[t] * w, n) % 7; if (e * n > p[e]) DOWN(FULL);",
    "D if (t / 32 == 1 && t % 32 < 16) DOWN(FULL);",
    "D if (i < n) DOWN(FULL);",
    "UU unsigned m = __ballot_sync(FULL, i < n); if (i < n) DOWN(m);",
    "UUU unsigned m = __ballot_sync(FULL, v > 0); if (v > 0 && n) { m = __ballot_sync(m, v > 5); if (v > 5) DOWN(m); }",
    "U if (v > 3) DOWN(__activemask());",
    "D unsigned m = __activemask(); if (v > 3) DOWN(m);",
    "UU unsigned m = __match_any_sync(FULL, v); __syncwarp(m);",
    "U? unsigned m = __match_any_sync(FULL, v); if (v > 3) __syncwarp(m);",
    "? if (t % 32 < 16) DOWN(n);",
    "U if (t < 64) DOWN(n);",
    "U if (t == 0) __syncwarp(1);",
    "D __syncwarp(0xff);",
    "D for (int k = t; k < 1000; k += 256) DOWN(FULL);",
    "U for (int k = t; k < 1024; k += 256) DOWN(FULL);",
    "D for (int k = t; k < n; k += 256) DOWN(FULL);",
    "X if (t >= 40) return; DOWN(FULL);",
    "X if (i >= n) return; if (i < n) DOWN(FULL);",
    "D if (v > 3) p[n] = 1; else { if (t > 0) return; DOWN(FULL); }",
    "D if (t < 16) p[n] = 1; else { if (t > 20) return; DOWN(FULL); }",
    "U if (t < 40) p[n] = 1; else { if (t < 64) return; DOWN(FULL); }",
    "U if (t < 40) p[n] = 1; else if (t >= 64) DOWN(FULL);",
    "D if (i < n) { if (i >= n) return; DOWN(FULL); }",
    "UU while (__any_sync(FULL, v > 0)) { v--; DOWN(FULL); }",
    "D while (p[v] > 0) { v--; __syncwarp(); }",
    "UU int d = t / 32 * 8, j = d; while (d >= j) { if (__all_sync(FULL, p[t + d] > 0)) d++; else d--; __syncwarp(); }",
    "D int d = t / 32 * 8, j = d; while (d >= j) { if (p[t + d] > 0) d++; else d--; __syncwarp(); }",
    "U for (int r = t / 32; r < n; r += 8) for (int j = p[r]; j < p[r + 1]; j++) DOWN(FULL);",
    "D for (int r = t / 16; r < n; r += 16) for (int j = p[r]; j < p[r + 1]; j++) DOWN(FULL);",
    "U auto tile = cg::tiled_partition<16>(cg::this_thread_block()); if (t / 16 == 1) v += tile.shfl_down(v, 1);",
    "D auto tile = cg::tiled_partition<32>(cg::this_thread_block()); if (t / 16 == 1) v += tile.shfl_down(v, 1);",
    "U auto tile = cg::tiled_partition<16>(cg::this_thread_block()); if (p[t / 16] > n) tile.sync();",
    "UU WARP_TILE(32) if (cg::reduce(w, v, cg::plus<int>()) > n) w.sync();",
    "UU WARP_TILE(16) if (cg::reduce(w, v, cg::plus<int>()) > n) w.sync();",
    "U? WARP_TILE(16) if (cg::reduce(w, v, cg::plus<int>()) > n) DOWN(FULL);",
    "D auto tile = cg::tiled_partition<16>(cg::this_thread_block()); if (p[t / 8] > n) tile.sync();",
    "U auto tile = cg::tiled_partition(cg::this_thread_block(), 16); if (t < 16) tile.sync();",
    "D auto tile = cg::tiled_partition<8>(cg::this_thread_block()); if (t < 4) v = cg::inclusive_scan(tile, v);",
    "U if (v > 3) { auto group = cg::coalesced_threads(); group.sync(); }",
    "D auto group = cg::coalesced_threads(); if (v > 3) group.sync();",
    'D if (t % 32 < 8) asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=r"(v) : "r"(v));',
    'U if (t % 32 < 8) asm volatile("bar.warp.sync 0xff;");',
]

CASES = [case for cases in BLOCK.values() for case in cases]


def checked(folder: Path, cases: Sequence[str], block: str = "256") -> list[CheckedKernel]:
    """Every case as a kernel of one file, in order."""
    start = "int t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x, v = p[t];"
    bodies = [case.partition(" ")[2] for case in cases]
    kernels = [f"__global__ void k{k}(int *p, int n) {{ {start} {body} p[i] = v; }}" for k, body in enumerate(bodies)]
    launches = " ".join(f"k{k}<<<n, {block}>>>(p, n);" for k in range(len(bodies)))
    file = folder / "k.cu"
    file.write_text("\n".join((BEFORE, *kernels, f"void launch(int *p, int n) {{ {launches} }}")))
    result = check_file(
        Source(str(file)), Job((), architecture("sm_90"), load_rules().rules, keep=True, headers=shared_headers())
    )
    assert not result.failures
    assert [kernel.kernel for kernel in result.checked] == [f"k{k}" for k in range(len(cases))]
    return list(result.checked)


def found(kernel: CheckedKernel, scope: str) -> list[Barrier]:
    assert kernel.analysis is not None
    return [barrier for barrier in kernel.analysis.barriers if barrier.scope == scope]


def disagreements(kernels: Sequence[CheckedKernel], cases: Sequence[str], scope: str) -> list[str]:
    wrong = []
    for kernel, case in zip(kernels, cases, strict=True):
        letters, _, body = case.partition(" ")
        verdicts = [barrier.verdict for barrier in found(kernel, scope)]
        if sorted(v.value for v in verdicts) != sorted(LETTERS[letter].value for letter in letters):
            wrong.append(f"{body}: {[verdict.value for verdict in verdicts]}, not {letters}")
    return wrong


def test_block_barriers_have_the_verdict_that_follows_from_the_language(tmp_path: Path) -> None:
    assert disagreements(checked(tmp_path, CASES), CASES, "block") == []


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
        (finding,) = [some.finding for some in kernel.found if some.finding.code == "COA303"]
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
        ("D GRID_LOOP(k, n) SYNC;", "block", "the loop's condition `GRID_LOOP(k, n)` can differ"),
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
        ("D int end = max(i, n); for (int k = i; k < end; k += blockDim.x * gridDim.x) SYNC;", "block", ""),
        ("D if (max(i, n) - t > 3) SYNC;", "block", ""),
    ],
)
def test_the_weakest_fact_that_settles_a_divergence_is_offered_and_settles_it(
    tmp_path: Path, case: str, scope: str, fact: str
) -> None:
    (kernel,) = checked(tmp_path, [case])
    (barrier,) = found(kernel, scope)
    assert barrier.settled == fact
    (finding,) = [some.finding for some in kernel.found if some.finding.code.startswith("COA30")]
    assert finding.severity is Severity.WARNING
    if fact:
        assert fact in (finding.help or "")
        source = (tmp_path / "k.cu").read_text().replace("__global__", f"// coalint: assume({fact})\n__global__")
        (tmp_path / "k.cu").write_text(source)
        again = check_file(
            Source(str(tmp_path / "k.cu")), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
        )
        assert [barrier.verdict for barrier in found(again.checked[0], scope)] == [Verdict.UNIFORM]


def test_a_barrier_in_the_other_arm_does_not_count(tmp_path: Path) -> None:
    (kernel,) = checked(tmp_path, ["DD if (t < 32) { SYNC; }\nelse { SYNC; }"])
    first, second = [some.finding for some in kernel.found if some.finding.code == "COA301"]
    assert f"the rest waits at another barrier, at line {second.span.line}" in first.message
    assert f"at line {first.span.line}, which does not match this one" in second.message


def test_only_primitives_with_a_mask_are_reported(tmp_path: Path) -> None:
    cases = ["D if (t < 16) v += __shfl_down(v, 1);", "D if (t < 16) DOWN(FULL);"]
    old, new = checked(tmp_path, cases)
    assert [barrier.verdict for barrier in found(old, "warp")] == [Verdict.DIVERGENT]
    assert [some.finding.code for some in old.found if some.finding.code == "COA303"] == []
    assert [some.finding.code for some in new.found if some.finding.code == "COA303"] == ["COA303"]


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
