"""Missing barriers: random kernels against a count of what every thread does, and kernels as people write them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from amounts import first
from project import shared_headers
from racing_kernels import UNKNOWN, Event, Kernel, conflict, program

from coalint.core.facts.synchronization import Race
from coalint.core.findings import Confidence
from coalint.engine.check.file import check_file
from coalint.engine.check.records import CheckedKernel, FileResult, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

KERNELS_PER_FILE = 40
FILES = 6 + int(os.environ.get("COALINT_RANDOM_KERNELS", "0")) // KERNELS_PER_FILE
RULES = tuple(rule for rule in load_rules().rules if rule.code == "COA304")


def checked(text: str, arch: str = "sm_90", assume: tuple[str, ...] = ()) -> FileResult:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(text)
        result = check_file(
            Source(str(path)), Job(assume, architecture(arch), RULES, keep=True, headers=shared_headers())
        )
    assert not result.failures, result.failures
    problems = [problem.message for problem in result.problems]
    assert all(message.endswith(": inline PTX is not analysed") for message in problems), problems
    return result


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


@pytest.mark.parametrize("file", first(range(FILES), 2))
def test_what_is_reported_are_threads_that_race(file: int) -> None:
    wrong = [
        "\n".join([f"{race.first}\n{race.second}\n{race.element}", *kernel.lines])
        for kernel, events, races in random_races(file)
        for race in races
        if not any(_is_real(race, run) for run in events)
    ]
    assert not wrong, "\n\n".join(wrong)


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


@pytest.mark.parametrize("index", range(len(BODIES)), ids=lambda index: BODIES[index][1])
def test_races_are_counted(index: int) -> None:
    found = [some.finding for some in bodies()[f"k{index}"].findings]
    assert len(found) == BODIES[index][0], [finding.message for finding in found]


# --- what is said of them

SHIFT = """__global__ void k(float *out, const float *in, int n) {
    __shared__ float s[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    if (x < n)
        s[y][x] = in[16 * y + x];
    out[16 * y + x] = s[x][y];
}
void run(float *out, const float *in, int n) { k<<<1, dim3(16, 16)>>>(out, in, n); }
"""


def test_a_finding_names_two_threads_and_their_element() -> None:
    (kernel,) = checked(SHIFT).checked
    (finding,) = [some.finding for some in kernel.findings]
    assert (finding.span.line, finding.span.column, finding.code) == (6, 23, "COA304")
    assert finding.message == (
        "thread (0, 2, 0) reads `s[0][2]`, which thread (2, 0, 0) writes at line 5, with no __syncthreads() between"
    )
    assert finding.confidence is Confidence.MEDIUM
    first, second, supposed = finding.notes
    assert first.span is not None
    assert second.span is not None
    assert (first.span.line, second.span.line) == (5, 6)
    assert supposed.message == "supposed: `x < n`, with large numbers for what the launch leaves open"
    assert "between line 5 and line 6" in finding.help


PIECES = """__global__ void k(float *out, const float *in, int n) {{
    __shared__ float memory[512];
    float *x = &memory[0], *y = &memory[100];
    for (int i = threadIdx.x; i < n; i += 64) {{
        x[i] = in[i];
        y[i] = {read} * 2;
    }}
    __syncthreads();
    out[threadIdx.x] = y[threadIdx.x] + x[threadIdx.x];
}}
void run(float *out, const float *in, int n) {{ k<<<1, 64>>>(out, in, {n}); }}
"""


@pytest.mark.parametrize(
    ("read", "n", "lines"),
    [
        ("x[i]", "n", []),  # n is at most 100, or the pieces overlap
        ("x[i]", "128", [6]),  # they do
        ("x[i + 1]", "n", [5, 6]),  # the next thread's, in the same piece
    ],
)
def test_no_size_is_so_large_that_pieces_of_an_array_overlap(read: str, n: str, lines: list[int]) -> None:
    (kernel,) = checked(PIECES.format(read=read, n=n)).checked
    assert sorted({some.finding.span.line for some in kernel.findings}) == lines


def test_where_every_guard_is_known_it_is_certain() -> None:
    (kernel,) = checked(SHIFT.replace("x < n", "x < 12")).checked
    (finding,) = [some.finding for some in kernel.findings]
    assert finding.confidence is Confidence.HIGH


def test_lanes_of_a_warp_ran_in_step_before_volta() -> None:
    text = "__global__ void k(float *p) { __shared__ float s[32]; s[threadIdx.x] = 1; p[0] = s[31 - threadIdx.x]; }\n"
    text += "void run(float *p) { k<<<1, 32>>>(p); }\n"
    (new,), (old,) = checked(text).checked, checked(text, "sm_61").checked
    assert [some.finding.help for some in new.findings] == [
        "do line 1 in two steps, with __syncwarp() between them, where the lanes of the warp reach it"
    ]
    assert not old.findings


def test_a_block_shape_that_is_assumed_must_not_matter() -> None:
    any_shape = (
        "__global__ void k(float *p) { extern __shared__ float s[]; s[threadIdx.x] = 1; p[0] = s[threadIdx.x + 1]; }"
    )
    one_shape = any_shape.replace("threadIdx.x + 1]", "threadIdx.x % 128]")
    assert [len(kernel.findings) for kernel in checked(any_shape).checked] == [1]
    assert [len(kernel.findings) for kernel in checked(one_shape).checked] == [0]


@pytest.mark.parametrize(
    "number", ["4 * threadIdx.y + threadIdx.x", "16 * threadIdx.z + 4 * threadIdx.y + threadIdx.x"]
)
def test_a_number_that_only_some_widths_give_every_thread_is_no_race(number: str) -> None:
    sums = "for (int i = 32; i > 0; i /= 2) { if (t < i) s[t] = s[t] + s[t + i]; __syncthreads(); } p[t] = s[0];"
    body = f"int t = {number}; s[t] = p[t]; __syncthreads(); {sums}"
    text = f"__global__ void k(float *p) {{ extern __shared__ float s[]; {body} }}"
    assert [len(kernel.findings) for kernel in checked(text).checked] == [0]


def test_a_count_of_warps_is_not_taken_for_more_than_the_block_has() -> None:
    text = """\
__global__ void k(float *p, int n) {
    extern __shared__ float s[];
    float *sums = s;
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = p[threadIdx.x];
    __syncthreads();
    float sum = threadIdx.x < COUNT ? sums[threadIdx.x] : 0;
    if (threadIdx.x == 0) sums[32] = sum;
    p[threadIdx.x] = sum;
}
void run(float *p, int n) { k<<<1, 256, 132>>>(p, n); }
"""
    (count,), (parameter,) = (checked(text.replace("COUNT", c)).checked for c in ("(n + 31) / 32", "n"))
    assert not count.findings
    assert len(parameter.findings) == 1


@pytest.mark.parametrize(
    ("update", "count"),
    [
        ("last = min(last, n - 1);", 0),
        ("last = max(last, n);", 0),
        ("last = last < n ? n + 1 : last;", 1),
        ("last = min(last + 1, n);", 1),
        ("last = min(other, n);", 0),  # nobody else writes it
        ("last = min(last, (int)p[threadIdx.x]);", 1),
    ],
)
def test_an_update_that_gives_the_same_when_it_is_made_again_is_no_race(update: str, count: int) -> None:
    text = f"""\
__global__ void k(float *p, int n) {{
    __shared__ int last, other;
    if (threadIdx.x == 0) last = other = n;
    __syncthreads();
    {update}
    __syncthreads();
    p[threadIdx.x] = last;
}}
void run(float *p, int n) {{ k<<<1, 256>>>(p, n); }}
"""
    (kernel,) = checked(text).checked
    assert len(kernel.findings) == count


def test_numbers_beyond_64_bits_are_not_known() -> None:
    text = """\
__global__ void k(unsigned long long *p) {
    __shared__ unsigned long long s[2];
    if (threadIdx.x == 0) s[0] = 0xffffffffffffffffull;
    if (threadIdx.x == 40) s[0] = 1;
    __syncthreads();
    p[threadIdx.x] = s[0];
}
void run(unsigned long long *p) { k<<<1, 64>>>(p); }
"""
    (kernel,) = checked(text).checked
    assert kernel.analysis is not None


def test_what_lies_outside_of_the_array_is_no_race() -> None:
    text = (
        "__global__ void k(float *p) { __shared__ float s[8][8]; s[threadIdx.y][threadIdx.x] = 1; p[0] = s[0][0]; }\n"
    )
    (kernel,) = checked(text + "void run(float *p) { k<<<1, dim3(32, 32)>>>(p); }\n").checked
    assert not kernel.findings


def test_races_are_looked_for_only_where_they_are_asked_for() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "k.cu"
        path.write_text(SHIFT)
        (kernel,) = check_file(
            Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
        ).checked
    assert kernel.analysis is not None
    assert kernel.analysis.races == ()
