"""Launches of which a part is open: known extents are kept, both sides of a conditional argument are analysed."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

PLAIN = "__global__ void k(float *p, int n) { p[threadIdx.x * n] = 0; }\n"
ROWS = "__global__ void k(float *p, int n) { p[threadIdx.y * n + threadIdx.x] = 0; }\n"


def specializations(folder: Path, source: str) -> list[Specialization]:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    assert not result.problems, result.problems
    return [kernel.specialization for kernel in result.checked]


@pytest.mark.parametrize(
    ("kernel", "block", "shape"),
    [
        (PLAIN, "dim3(1, n)", (1, 256, 1)),
        (ROWS, "dim3(n, 4)", (64, 4, 1)),
        (ROWS, "dim3(16, n)", (16, 16, 1)),
        (ROWS, "dim3(16, n, n)", (16, 16, 1)),
        (ROWS, "n", (256, 1, 1)),
        (PLAIN, "dim3(n, n)", (32, 8, 1)),
        (ROWS, "dim3(2048, n)", (32, 8, 1)),
    ],
)
def test_known_extents_of_a_block_are_kept(
    tmp_path: Path, kernel: str, block: str, shape: tuple[int, int, int]
) -> None:
    (found,) = specializations(tmp_path, f"{kernel}void f(float *p, int n) {{ k<<<1, {block}>>>(p, n); }}")
    assert (found.block, found.source) == (shape, LaunchSource.ASSUMED)


def test_known_extents_are_told(tmp_path: Path) -> None:
    (found,) = specializations(tmp_path, f"{PLAIN}void f(float *p, int n) {{ k<<<1, dim3(1, n)>>>(p, n); }}")
    assert found.basis == "1x256 threads (assumed: the launch at line 2 gives only x = 1 and z = 1)"
    assert not found.guesses_lanes


def test_lanes_are_guessed_where_the_width_is(tmp_path: Path) -> None:
    (found,) = specializations(tmp_path, f"{ROWS}void f(float *p, int n) {{ k<<<1, dim3(n, 4)>>>(p, n); }}")
    assert found.guesses_lanes


def test_launches_with_different_known_extents_are_analysed_apart(tmp_path: Path) -> None:
    body = "k<<<1, dim3(n, 4)>>>(p, 1); k<<<1, dim3(n, 2)>>>(p, 2);"
    found = specializations(tmp_path, f"{ROWS}void f(float *p, int n) {{ {body} }}")
    assert [(s.block, s.arguments) for s in found] == [((64, 4, 1), (("n", 1),)), ((128, 2, 1), (("n", 2),))]


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ("k<<<1, 64>>>(p, c ? n : 1);", {(), (("n", 1),)}),
        ("k<<<1, 64>>>(p, c ? 4 : 1);", {(("n", 4),), (("n", 1),)}),
        ("int s = n; if (c) s = 1; k<<<1, 64>>>(p, s);", {(), (("n", 1),)}),
        ("k<<<1, 64>>>(p, n > 8 ? n : 8);", {()}),  # a least value is no alternative
    ],
)
def test_both_sides_of_a_conditional_argument(
    tmp_path: Path, body: str, arguments: set[tuple[tuple[str, int], ...]]
) -> None:
    found = specializations(tmp_path, f"{PLAIN}void f(float *p, int n, bool c) {{ {body} }}")
    assert {s.arguments for s in found} == arguments
    assert {s.block for s in found} == {(64, 1, 1)}


HOST_TEMPLATE = """
template <int N> __global__ void k(float *p) { p[threadIdx.x * N] = 0; }
template <int N> void call(float *p, int n) { k<N><<<1, 32 * N>>>(p); }
typedef void (*call_t)(float *, int);
"""


@pytest.mark.parametrize(
    "body",
    [
        "static const call_t calls[] = {0, call<1>, call<2>}; calls[n](p, n);",
        "static const call_t calls[] = {0, call<1>, call<2>}; const call_t c = calls[n]; if (c) c(p, n);",
        "static const call_t calls[2][2] = {{call<1>, 0}, {0, call<2>}}; calls[n][n & 1](p, n);",
        "const call_t calls[2] = {&call<1>, call<2>}; calls[n](p, n);",
        "auto c = n ? call<1> : call<2>; c(p, n);",
        "(n ? call<1> : call<2>)(p, n);",
        "call_t c = call<1>; if (n) c = call<2>; c(p, n);",
        "auto pass = [&](call_t c) { c(p, n); }; pass(call<1>); pass(call<2>);",
    ],
)
def test_host_templates_behind_pointers_launch_their_kernels(tmp_path: Path, body: str) -> None:
    found = specializations(tmp_path, f"{HOST_TEMPLATE}void f(float *p, int n) {{ {body} }}")
    assert {(s.template_arguments, s.block, s.source) for s in found} == {
        (("1",), (32, 1, 1), LaunchSource.LAUNCH),
        (("2",), (64, 1, 1), LaunchSource.LAUNCH),
    }


def test_a_table_of_kernels_is_followed(tmp_path: Path) -> None:
    source = """
__global__ void a(float *p) { p[threadIdx.x] = 0; }
__global__ void b(float *p) { p[threadIdx.x] = 0; }
void f(float *p, int n) {
  static void (*const kernels[])(float *) = {a, b};
  kernels[n]<<<1, 64>>>(p);
}
"""
    assert {(s.kernel, s.block) for s in specializations(tmp_path, source)} == {("a", (64, 1, 1)), ("b", (64, 1, 1))}


def passed(folder: Path, source: str) -> list[int | None]:
    """The number that each launch hands on as `n`."""
    return [dict(found.arguments).get("n") for found in specializations(folder, PLAIN + source)]


@pytest.mark.parametrize(
    ("source", "numbers"),
    [
        ("void f(float *p) { for (int s = 1; s < 64; s *= 2) k<<<1, 256>>>(p, s); }", [1, 2, 4, 8, 16, 32]),
        ("void f(float *p) { int w = 0; while (w < 3) { k<<<1, 256>>>(p, w + 1); w++; } }", [1, 2, 3]),
        (
            "void g(float *p, int m) { k<<<1, 256>>>(p, m); }\nvoid f(float *p) { for (int m = 2; m; --m) g(p, m); }",
            [2, 1],
        ),
        ("void f(float *p, int m) { for (int s = 1; s < m; s *= 2) k<<<1, 256>>>(p, s); }", [None]),
        ("void f(float *p) { for (int s = 0; s < 1000; ++s) k<<<1, 256>>>(p, s); }", [None]),
        (
            "void f(float *p) { for (int s = 1; s < 16; ++s) k<<<1, 256>>>(p, s); }",
            [1, 3, 5, 7, 9, 11, 13, 15],  # eight stand for all
        ),
    ],
)
def test_loops_that_change_arguments_are_run(tmp_path: Path, source: str, numbers: list[int | None]) -> None:
    assert passed(tmp_path, source) == numbers


@pytest.mark.parametrize(
    ("before", "body", "number"),
    [
        ("", "int n = 3; if (argc > 1) n = atoi(argv[1]); k<<<1, 64>>>(p, n);", 3),
        ("", "int n = 3; for (int i = 1; i < argc; i++) n = atoi(argv[i]); k<<<1, 64>>>(p, n);", 3),
        ("static int n = 3;", "if (argc > 1) n = atoi(argv[1]); k<<<1, 64>>>(p, n);", 3),
        ("static int n = 3;", "n = 5; if (argc > 1) n = atoi(argv[1]); k<<<1, 64>>>(p, n);", 5),
        (
            "struct { int n = 3; } o;",
            "int c; while ((c = getopt(argc, argv, OF)) != -1) o.n = c; k<<<1, 64>>>(p, o.n);",
            3,
        ),
        ("int n = 3; void read(int, char **);", "n = 4; read(argc, argv); k<<<1, 64>>>(p, n);", None),
        ("", "if (argc < 2) exit(1); int n = atoi(argv[1]); k<<<1, 64>>>(p, n);", None),
    ],
)
def test_options_have_their_defaults(tmp_path: Path, before: str, body: str, number: int | None) -> None:
    head = '#include <cstdlib>\n#include <unistd.h>\n#define OF "n:"\n'
    source = f"{head}{before}\nint main(int argc, char **argv) {{ float *p; cudaMalloc(&p, 4); {body} }}\n"
    assert passed(tmp_path, source) == [None, *([] if number is None else [number])]


def test_the_default_of_an_option_is_the_shape(tmp_path: Path) -> None:
    body = "int b = 128; if (argc > 1) b = atoi(argv[1]); float *p; cudaMalloc(&p, 4); k<<<1, b>>>(p, 3);"
    source = f"#include <cstdlib>\n{PLAIN}int main(int argc, char **argv) {{ {body} }}\n"
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == ((128, 1, 1), LaunchSource.LAUNCH)


@pytest.mark.parametrize(
    ("launches", "grid"),
    [
        ("k<<<64, n>>>(p, n);", (64, 1, 1)),
        ("k<<<dim3(8, 2), dim3(n, 4)>>>(p, n);", (8, 2, 1)),
        ("k<<<64, n>>>(p, n); k<<<64, 2 * n>>>(p, 3);", (64, 1, 1)),
        ("k<<<64, n>>>(p, n); k<<<65, n>>>(p, n);", None),
        ("k<<<(n + m - 1) / m, m>>>(p, n);", None),
    ],
)
def test_the_grid_of_a_launch_is_kept_where_the_block_is_open(
    tmp_path: Path, launches: str, grid: tuple[int, int, int] | None
) -> None:
    (found,) = specializations(tmp_path, f"{ROWS}void f(float *p, int n, int m) {{ {launches} }}")
    assert (found.source, found.grid) == (LaunchSource.ASSUMED, grid)


def test_a_grid_that_rests_on_the_block_is_known_with_it(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{ROWS}void f(float *p, int n, int m) {{ k<<<(n + m - 1) / m, m>>>(p, n); }}")
    facts = ("n == 1000", "blockDim.x == 128")
    result = check_file(Source(str(file)), Job(facts, architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert [kernel.specialization.grid for kernel in result.checked] == [(8, 1, 1)]


def test_few_blocks_of_an_unknown_size_are_not_told_to_do_nothing(tmp_path: Path) -> None:
    """With more threads than are supposed some pass the guard: what is said is that it is the block's shape."""
    body = "if (blockIdx.x * blockDim.x + threadIdx.x >= 300) p[threadIdx.x] = 0;"
    file = tmp_path / "k.cu"
    kernel = f"__global__ void k(float *p, int n) {{ {body} }}\n"
    file.write_text(f"{kernel}void f(float *p, int n) {{ k<<<1, n>>>(p, n); }}")
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), headers=shared_headers()))
    (told,) = result.problems
    assert "no thread of the 256x1x1 block that is assumed passes" in told.message
