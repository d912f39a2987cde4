"""What is said of missing barriers: threads, elements and lines, how sure it is, and of what nothing is said."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from checked_races import checked
from project import Project, shared_headers

from coalint.core.findings import Confidence
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

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


HELPERS = """__device__ float sum(float &a, float &b) { return a + b; }
__device__ float next(float *s) { return s[threadIdx.x + 1]; }
__device__ void put(float *s, float v) { s[threadIdx.x] = v; }
__global__ void k(float *out) {
    __shared__ float s[65];
    s[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    BODY
    BEHIND
}
void run(float *out) { k<<<1, 64>>>(out); }
"""


@pytest.mark.parametrize(
    ("body", "behind", "place"),
    [
        ("put(s, next(s));", "", "do line 8 in two steps, with __syncthreads() between them"),
        ("s[threadIdx.x] = sum(s[threadIdx.x], s[threadIdx.x + 1]);", "", "do line 8 in two steps"),
        ("float v = next(s);", "put(s, v);", "put __syncthreads() between line 8 and line 9"),
        ("float v = s[threadIdx.x + 1];", "put(s, v);", "put __syncthreads() between line 8 and line 9"),
    ],
)
def test_the_place_of_a_barrier_lies_in_the_function_that_both_accesses_are_made_from(
    body: str, behind: str, place: str
) -> None:
    (kernel,) = checked(HELPERS.replace("BODY", body).replace("BEHIND", behind)).checked
    assert [some.finding.help.startswith(place) for some in kernel.findings] == [True]


@pytest.mark.parametrize(
    ("launch", "is_said"),
    [("", True), ("void run(float *p) { k<<<1, 256>>>(p); }", False)],
    ids=["assumed", "launched"],
)
def test_a_block_that_is_assumed_may_be_one_warp(project: Project, launch: str, is_said: bool) -> None:
    kernel = "__global__ void k(float *p) { __shared__ float s[1024]; s[threadIdx.x] = p[threadIdx.x]; p[0] = s[0]; }"
    project.put("k.cu", f"{kernel}\n{launch}\n")
    report = project.lint("--select", "COA304", "k.cu").report["diagnostics"]
    said = [note["message"] for found in report for note in found["notes"]]
    assert len(report) == 1
    assert any("in a block of one warp __syncwarp() is enough" in text for text in said) is is_said


COPIES = """__global__ void k(float *out, const float *in) {{
    __shared__ float s[8 * 32];
    if (threadIdx.x < 8)
        s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane < 8) {{
        {copy}
    }}
    __syncthreads();
    out[threadIdx.x] = s[8 * warp + lane % 8];
}}
void run(float *out, const float *in) {{ k<<<1, 1024>>>(out, in); }}
"""


@pytest.mark.parametrize(
    ("copy", "races"),
    [
        ("s[8 * warp + lane] = s[lane];", 0),  # the first warp stores back what stands there
        ("float x = s[lane]; s[8 * warp + lane] = x;", 0),
        ("s[8 * warp + lane] = s[lane] + 1;", 1),
        ("s[8 * warp + lane] = s[lane ^ 1];", 1),
        ("float x = s[lane]; s[8 * warp + lane] = 0; s[8 * warp + lane] = x;", 1),
    ],
)
def test_a_copy_of_an_element_to_itself_changes_nothing(copy: str, races: int) -> None:
    (kernel,) = checked(COPIES.format(copy=copy)).checked
    assert len(kernel.findings) == races
