"""Missing barriers: random kernels against a count of what every thread does, and kernels as people write them."""

from __future__ import annotations

import os
from functools import cache

import pytest
from amounts import first
from checked_races import checked
from racing_kernels import UNKNOWN, Event, Kernel, conflict, program

from coalint.core.facts.synchronization import Race
from coalint.engine.check.records import CheckedKernel

KERNELS_PER_FILE = 40
FILES = 6 + int(os.environ.get("COALINT_RANDOM_KERNELS", "0")) // KERNELS_PER_FILE


# --- random kernels


@cache
def random_races(file: int) -> list[tuple[Kernel, list[list[Event]], tuple[Race, ...]]]:
    text, kernels = program(range(file * KERNELS_PER_FILE, (file + 1) * KERNELS_PER_FILE))
    by_name = {kernel.kernel: kernel for kernel in checked(text).checked}
    found = []
    for kernel in kernels:
        analysis = by_name[kernel.name].analysis
        assert analysis is not None
        found.append((kernel, [kernel.events(n) for n in UNKNOWN], analysis.races))
    return found


def _is_real(race: Race, events: list[Event]) -> bool:
    sides = [
        [e for e in events if (e.line, e.thread, e.kind) == (p.span.line, p.thread[0], p.operation.value)]
        for p in (race.first, race.second)
    ]
    return any(conflict(a, b) and f"s[{a.element}]" == race.element for a in sides[0] for b in sides[1])


@pytest.mark.slow
@pytest.mark.parametrize("file", first(range(FILES), 2))
def test_what_is_reported_are_threads_that_race(file: int) -> None:
    wrong = [
        "\n".join([f"{race.first}\n{race.second}\n{race.element}", *kernel.lines])
        for kernel, events, races in random_races(file)
        for race in races
        if not any(_is_real(race, run) for run in events)
    ]
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.slow
def test_most_kernels_whose_warps_race_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    racing = reported = 0
    for file in range(2):
        for _, events, races in random_races(file):
            if _warps_race(events[0]):
                racing += 1
                reported += any(not race.same_warp for race in races)
    with capsys.disabled():
        print(f" {reported} of {racing}", end="")
    assert racing > 15
    assert reported >= 0.9 * racing


def _warps_race(events: list[Event]) -> bool:
    places: dict[tuple[int, int], list[Event]] = {}
    for event in events:
        places.setdefault((event.blocks, event.element), []).append(event)
    return any(
        a.thread // 32 != b.thread // 32 and conflict(a, b)
        for at in places.values()
        for i, a in enumerate(at)
        for b in at[:i]
    )


# --- kernels as people write them

BEFORE = """
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
#define SYNC __syncthreads()
#define SET(to) s[t] = in[t]; to; x = s[255 - t];
__device__ int unknown(int);
__device__ void meet() { SYNC; }
"""

# Bodies of kernels of 256 threads (s: 512 shared floats, t: threadIdx.x, n: unknown), and how many races they hold.
BODIES: tuple[tuple[int, str], ...] = (
    (1, "SET()"),
    (1, "for (int b = 0; b < n / 8; b += 256) { if (b + t < n / 8) s[t] = in[b + t]; SYNC; x += s[255 - t]; }"),
    (0, "for (int b = 0; b < n / 8; b += 256) { if (b + t < n / 8) s[t] = in[b + t]; SYNC; x += s[255 - t]; SYNC; }"),
    (0, "for (int b = 0; b < n / 8; b += 256) { if (t < n / 8) s[t] = in[b + t]; SYNC; x += s[255 - t]; }"),
    (0, "SET(SYNC)"),
    (0, "SET(meet())"),
    (0, "SET(cg::this_thread_block().sync())"),
    (0, 'SET(asm volatile("bar.sync 0;"))'),
    (0, 's[t] = in[t]; asm volatile("bar.sync 1, 128;"); x = s[255 - t];'),
    (0, 'SET(asm volatile("mbarrier.try_wait.parity.shared.b64 p, [%0], 0;" :: "r"(n)))'),
    (1, 's[t] = in[t]; asm volatile("add.s32 %0, %0, 1;" : "+r"(n)); x = s[255 - t];'),
    (0, "SET(x = unknown(n))"),
    (0, "SET(__threadfence_block())"),
    (0, "SET(__pipeline_wait_prior(0))"),
    (0, "SET(while (atomicAdd(&ready, 0) < 8);)"),
    (0, "SET(for (int i = 0; i < n && !*(volatile int *)&ready; ++i);)"),
    (0, "int f = ready; SET(while (!f) f = *(volatile int *)&ready;)"),
    (0, "int f = ready; SET(for (int i = 0; i < n && !f; ++i) f = *(volatile int *)&ready;)"),
    (1, "int e = ((const int *)in)[n]; SET(for (int i = t; i < e; i += 256) n += in[i] > 3;)"),
    (1, "SET(__syncwarp())"),
    (0, "SET(if (n > 3) SYNC)"),
    (1, "s[t] = in[t]; x = s[t]; SYNC; s[t] = x; x = s[t + 1];"),
    (0, "s[t] = in[t]; x = s[t];"),
    (1, "x = s[t + 1]; s[t] = x;"),
    (1, "s[t] = s[t + 1];"),
    (0, "x = s[t + 1]; SYNC; s[t] = x;"),
    (1, "if (t == 0) s[0] = n; x = s[0];"),
    (0, "s[0] = n; x = s[0];"),
    (0, "s[0] = 1;"),
    (1, "((int *)s)[0] = t;"),
    (0, "if (in[t] > 0) s[t] = 1; x = s[255 - t];"),
    (1, "if (t < n) s[t] = 1; x = s[255 - t];"),
    (0, "if (n > 3) s[t] = 1; else x = s[255 - t];"),
    (0, "if (in[0] > 3) s[t] = 1; else x = s[255 - t];"),
    (1, "if (in[0] > 3) { s[t] = 1; x = s[255 - t]; }"),
    (1, "if (t < 128) s[t] = 1; else x = s[t - 128];"),
    (0, "if (t < 128) s[t] = 1; else x = s[t];"),
    (0, "switch (n) { case 0: s[t] = 1; break; case 1: x = s[255 - t]; }"),
    (1, "for (int k = 0; k < n; ++k) { s[t] = k; SYNC; x += s[255 - t]; }"),
    (0, "for (int k = 0; k < n; ++k) { s[t] = k; SYNC; x += s[255 - t]; SYNC; }"),
    (0, "for (int k = 0; k < n; ++k) { s[t + k % 2 * 256] = k; SYNC; x += s[255 - t + k % 2 * 256]; }"),
    (0, "int at = 0; for (int k = 0; k < n; ++k) { s[t + at] = k; SYNC; x += s[255 - t + at]; at ^= 256; }"),
    (0, "int at = 0; for (int k = 0; k < n; ++k) { s[t + at] = k; SYNC; x += s[255 - t + at]; at = in[k]; }"),
    (0, "for (int k = 0; k < 1; ++k) { s[t] = k; SYNC; x += s[255 - t]; }"),
    (1, "for (int k = 0; k < n; ++k) { SYNC; s[t] = k; } x = s[255 - t];"),
    (1, "s[t] = 1; for (int k = 0; k < n; ++k) x += s[(t + k) % 256];"),
    (1, "int k = 0; do { s[t] = x; SYNC; x += s[255 - t]; } while (++k < n);"),
    (0, "do { s[t] = x; SYNC; x += s[255 - t]; } while (x < n);"),
    (0, "while (true) { SYNC; s[t] = x; SYNC; x += s[255 - t]; if (x > n) break; }"),
    (1, "for (int k = 128; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; }"),
    (0, "for (int k = 128; k > 0; k /= 2) { if (t < k) s[t] += s[t + k]; SYNC; }"),
    (2, "if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; }"),
    (1, "if (t < 32) { s[t] += s[t + 32]; __syncwarp(); s[t] += s[t + 16]; __syncwarp(); s[t] += s[t + 8]; }"),
    (0, "if (t < 32) { x = s[t + 16]; __syncwarp(); s[t] += x; __syncwarp(); x = s[t + 8]; __syncwarp(); s[t] += x; }"),
    (1, "if (t < 32) { s[t] = 1; x = __shfl_down_sync(~0u, x, 1); x += s[31 - t]; }"),
    (1, "s[t] = 0; atomicAdd(&s[(int)in[t]], 1.0f);"),
    (0, "s[t] = 0; SYNC; atomicAdd(&s[(int)in[t]], 1.0f);"),
    (0, "s[t] = 0; atomicAdd(&s[t], 1.0f);"),
    (1, "atomicAdd(&s[(int)in[t]], 1.0f); x = s[t];"),
    (0, "if (s[0] < x) atomicAdd(&s[0], x);"),
    (0, "atomicAdd(&s[0], 1.0f); atomicAdd(&s[0], 2.0f);"),
    (0, "while (atomicCAS(&lock, 0, 1)); s[0] += 1; atomicExch(&lock, 0);"),
    (0, "volatile int *flag = &ready; if (t == 0) { s[0] = 1; *flag = 1; } else { while (!*flag); x = s[0]; }"),
    (1, "cg::thread_block_tile<32> w = cg::tiled_partition<32>(cg::this_thread_block()); SET(w.sync())"),
    (0, "s[2 * t] = 1; x = s[2 * t + 1];"),
    (1, "((double *)s)[t] = 1; x = s[(2 * t + 64) % 512];"),
    (0, "if (t >= n) return; s[t] = 1; SYNC; x = s[t ^ 32];"),
    (1, "s[0] = in[t];"),
    (2, "s[0] = 2 * in[t]; s[1] = in[t];"),
    (0, "s[0] = in[n];"),
    (1, "s[0] = 2 * in[t] + n;"),
    (1, "s[0] = n / (in[t] - 0.5f);"),
    (1, "s[0] = -sqrtf(in[t] * n);"),
    (1, "float v = in[t] * in[n]; s[0] = v;"),
    (1, "float v = n * 0.3f * t; s[0] = v;"),
    (1, "s[0] = (float)t;"),
    (1, "s[0] = t * 0.5f;"),
    (1, "s[t / 32] = t * 0.3f; SYNC; x = s[0];"),
    (1, "for (int k = 0; k < n; ++k) { s[k] = in[t] * k; }"),
    (0, "s[0] = in[t] * 0.0f;"),
    (0, "s[0] = (float)(t / 256);"),
    (0, "s[0] = in[n] * 2 + n;"),
    (0, "s[t] = 2 * in[t] + n;"),
    (0, "s[0] = fmaxf(in[t], 0.0f);"),
    (0, "s[0] = in[t] - in[t + n];"),
    (0, "s[0] = in[t] > 0 ? 1.0f : 1.0f;"),
    (0, "x = in[t]; for (int o = 16; o; o /= 2) x += __shfl_xor_sync(~0u, x, o); if (t < 32) s[0] = x * 2;"),
    (0, "float v = in[t]; if (n > 3) v = 1; s[0] = v * 2;"),
    (0, "s[t / 32] = 2 * in[t / 32];"),
    (0, "for (int k = 0; k < n; ++k) { SYNC; s[0] = in[k] * n; }"),
    (1, "s[t] = t; ((double *)s)[t] = 2.0;"),
    (0, "s[t] = in[t]; ((double *)s)[t] = 0.0;"),
    (0, "s[t] = 2.0f; ((int *)s)[t] = 0x40000000;"),
    (1, "s[0] = in[256 * blockIdx.x + t];"),
    (0, "s[0] = in[256 * blockIdx.x];"),
    (0, "s[t / 32] = in[t / 32];"),
    (0, "s[t / 32] = 2 * in[t / 32];"),
    (1, "s[t / 2] = in[t];"),
    (0, "s[t / 32] = in[t / 32]; x = s[t / 32];"),
    (0, "s[t / 32] = in[t / 32]; if (t % 32 == 0) x = s[t / 32];"),
    (0, "s[t / 32] = sqrtf(in[t / 32]) + n; x = s[t / 32];"),
    (0, "for (int k = 0; k < n; ++k) { __syncwarp(); s[t / 32] = in[t / 32 + k]; x += s[t / 32]; __syncwarp(); }"),
    (1, "for (int k = 0; k < n; ++k) { s[t / 32] = in[t / 32 + k]; x += s[t / 32]; }"),
    (1, "s[t / 32] = in[t / 32]; x = s[t / 32 ^ 1];"),
    (2, "s[t / 16 / 2] = in[t / 16]; x = s[t / 32];"),
    (1, "if (t % 32 < 9) s[t / 32] = in[t / 32]; x = s[t / 32];"),
    (1, "s[t / 32] = in[t / 32]; SYNC; s[t / 32] *= 2;"),
    (1, "s[t / 32] = in[t / 32]; x = s[t / 32]; s[t / 32] = in[t / 32 + 8];"),
    (1, "if (t < n) ((int *)s)[0] = ((const int *)in)[t] + 1;"),
    (1, "s[t] = t; ((float2 *)s)[t] = make_float2(1, 2);"),
    (1, "s[t] = 1; ((float2 *)s)[t] = make_float2(1, 2);"),
    (0, "s[t] = 1; ((float2 *)s)[t] = make_float2(1, 1);"),
    (0, "s[t] = t % 2 + 1; ((float2 *)s)[t] = make_float2(1, 2);"),
    (1, "((int4 *)s)[0] = make_int4(0, 1, 2, t);"),
    (0, "((int4 *)s)[0] = make_int4(0, 1, 2, 3);"),
    (1, "((int4 *)s)[t / 8] = make_int4(0, 1, 2, t / 8); ((int4 *)s)[t / 8] = int4{0, 1, 2, 3};"),
    (0, "((float4 *)s)[t / 2] = make_float4(0, 0, 0, 0); s[t] = 0;"),
    (1, "((float4 *)s)[t / 2] = make_float4(0, 0, 0, 0); ((int *)s)[t] = 1;"),
    (0, "((float4 *)s)[t / 64] = make_float4(in[n], 0, 0, 0); s[t / 32] = 0;"),
    (0, "((float4 *)s)[t / 2] = make_float4(0, 0, 0, 0); s[t] = in[t];"),
    (0, "if (in[t] > 3) s[0] = in[t];"),
    (0, "((short *)s)[t] = t;"),
    (1, "((short *)s)[t] = t; ((int *)s)[t] = t;"),
    (0, "((char *)s)[t] = 0; ((int *)s)[t] = 0;"),
    (0, "((char *)s)[t] = -1; ((int *)s)[t] = -1;"),
    (1, "((char *)s)[t] = 1; ((int *)s)[t] = 1;"),
    (0, "((char *)s)[t] = 1; ((int *)s)[t] = 0x01010101;"),
    (1, "((short *)s)[t] = ((const int *)in)[t]; ((int *)s)[t + 8] = ((const int *)in)[t];"),
    (1, "if (t < 64) ((float4 *)s)[t] = ((const float4 *)in)[t]; else s[t] = in[t];"),
    (0, "if (t < 64) ((float4 *)s)[t] = ((const float4 *)in)[t]; else s[t + 192] = in[t];"),
    (1, "*(int *)((char *)s + 2 * t) = t;"),
    (1, "if (t < 32) { x = s[t ^ 1]; s[t] = x; }"),
    (0, "if (t < 32) { x = s[t ^ 1]; __syncwarp(); s[t] = x; }"),
    (0, "if (t < 32) { x = __shfl_sync(~0u, s[t ^ 1], 0); s[t] = x; }"),
    (1, "if (t == 0) x = s[0]; atomicAdd(&s[0], 1.0f);"),
    (0, "if (t == 0) x = s[0]; SYNC; atomicAdd(&s[0], 1.0f);"),
    (1, "for (int k = 0; k < n; ++k) { atomicAdd(&s[0], 1.0f); SYNC; x += s[0]; }"),
    (0, "for (int k = 0; k < n; ++k) { atomicAdd(&s[0], 1.0f); SYNC; x += s[0]; SYNC; }"),
    (0, "for (int k = 0; k < n; ++k) { if (s[0] < k) atomicAdd(&s[0], 1.0f); }"),
    (0, "int old = lock, seen; do { seen = old; old = atomicCAS(&lock, seen, seen + t); } while (old != seen);"),
)


@cache
def bodies() -> dict[str, CheckedKernel]:
    kernels = [
        f"__global__ void k{i}(float *out, const float *in, int n) {{\n"
        "    __shared__ float s[512]; __shared__ int lock, ready; int t = threadIdx.x; float x = 0;\n"
        f"    {body}\n    out[t] = x;\n}}"
        for i, (_, body) in enumerate(BODIES)
    ]
    launches = "".join(f" k{i}<<<4, 256>>>(out, in, n);" for i in range(len(BODIES)))
    text = "\n".join([BEFORE, *kernels, f"void run(float *out, const float *in, int n) {{{launches} }}"])
    return {kernel.kernel: kernel for kernel in checked(text).checked}


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(BODIES)), ids=lambda index: BODIES[index][1])
def test_races_are_counted(index: int) -> None:
    found = [some.finding for some in bodies()[f"k{index}"].findings]
    assert len(found) == BODIES[index][0], [finding.message for finding in found]
