"""Many small kernels with barriers in one file, and the verdicts that follow from the language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from project import shared_headers

from coalint.core.facts.synchronization import Barrier, Verdict
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
        "DU int k = 0; while (p[t + k] > 0) k++; for (int j = 0; j < k; j++) SYNC; SYNC;",
        "D int low = 0, high = n; HALVE(low, high, t) if (low < 4) SYNC;",
        "U int low = 0, high = n; HALVE(low, high, n) if (low < 4) SYNC;",
    ],
    "loops and jumps": [
        "U for (int k = t; k < 1024; k += blockDim.x) SYNC;",
        "DU for (int k = t; k < 1000; k += blockDim.x) SYNC; SYNC;",
        "U for (int k = t; k < n * 256; k += blockDim.x) SYNC;",
        "U for (int base = 0; base < n; base += blockDim.x) SYNC;",
        "DU GRID_LOOP(k, n) SYNC; SYNC;",
        "XX GRID_LOOP(k, n) { SYNC; v += p[k]; SYNC; } return;",
        "DD GRID_LOOP(k, n) { SYNC; v += p[k]; SYNC; }",
        "XX for (int k = 0; k < n; k++) { SYNC; if (p[k + t]) break; SYNC; } return;",
        "X GRID_LOOP(k, n) for (int j = 0; j < n; j++) SYNC; return;",
        "D for (int j = 0; j < n; j++) GRID_LOOP(k, n) SYNC; return;",
        "D GRID_LOOP(k, n) for (int j = 0; j < n; j++) { if (p[t] > j) break; SYNC; } return;",
        "D if (i < n) { SYNC; p[i] = v; } return;",
        "U if (i < max(i, 1024)) SYNC;",
        "D if (i < max(i, 1000)) SYNC;",
        "U int k = t; do { k += blockDim.x; SYNC; } while (k < 1024);",
        "DU int k = t; do { k += blockDim.x; SYNC; } while (k < 1000); SYNC;",
        "U for (int k = 0; k < 10; k++) { if (t == k) continue; p[k] = 1; } SYNC;",
        "U for (int k = 0; k < 10; k++) { if (t == k) break; p[k] = 1; } SYNC;",
        "X for (int k = 0; k < 10; k++) { if (t == k) return; SYNC; }",
        "DU bool done = false; while (!done) { if (p[t] > 3) done = true; SYNC; } SYNC;",
        "UU bool done = false; while (!done) { done = __syncthreads_and(p[t] > 3); SYNC; }",
        "DU while (true) { if (p[t]) break; SYNC; } SYNC;",
        "U while (true) { SYNC; if (p[blockIdx.x]) break; }",
        "UD __syncthreads_or(t < 4 && __syncthreads_or(n));",
        "U unsigned all = blockDim.x * gridDim.x, up = n / all * all; for (unsigned k = i; k < up; k += all) SYNC;",
        "U int up = n & 255 ? (n & ~255) + 256 : n; for (int k = t; k < up; k += 256) SYNC;",
        "U int up = n; if (n % 256) up = n / 256 * 256 + 256; for (int k = t; k < up; k += blockDim.x) SYNC;",
        "U int m = p[0], up = m % 256 ? m / 256 * 256 + 256 : m; for (int k = t; k < up; k += 256) SYNC;",
        "DU int up = n & 255 ? (n & ~255) + 128 : n; for (int k = t; k < up; k += 256) SYNC; SYNC;",
        "DU int up = n % 128 ? n / 256 * 256 + 256 : n; for (int k = t; k < up; k += 256) SYNC; SYNC;",
        "DU int up = p[t] % 256 ? 512 : n; for (int k = t; k < up; k += 256) SYNC; SYNC;",
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
        "DU int k; while (((k = p[i]) >> 16) != -1) { SYNC; p[i] = k - 1; } SYNC;",
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
