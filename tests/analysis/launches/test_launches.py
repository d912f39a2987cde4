"""The block shapes of launches, how many are analysed, and instances that are left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from launch_checks import PLAIN, SIZE, TWO, check, launched, specializations
from project import shared_headers

from coalint.analysis.launches.selection import MAX_SHAPES, MAX_SPECIALIZATIONS
from coalint.analysis.launches.specializations import MAX_OF_TEMPLATE
from coalint.core import ir
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.engine.check.file import check_file
from coalint.engine.check.kernel import analyse_kernel
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture


@pytest.mark.parametrize(
    ("before", "body", "block"),
    [
        ("", "dim3 b; b.x = 32; b.y = 4; k<<<1, b>>>(p, n);", (32, 4, 1)),
        ("", "dim3 b(64); b.y *= 2; k<<<(n + 255) / 256, b>>>(p, n);", (64, 2, 1)),
        ("", "k<< <1, dim3(8, 8)>> >(p, n);", (8, 8, 1)),
        ("", "k < < <dim3(2), n < 2 ? 32 : 32> > >(p, n);", (32, 1, 1)),
        ("", "auto b = dim3{8, 8, 2}; dim3 c = b; k<<<1, c>>>(p, n);", (8, 8, 2)),
        ("", "k<<<1, {16, 4}>>>(p, n);", (16, 4, 1)),
        ("", "k<<<{1, 2},\n   {16, 4, 1}, 0, 0>>>(p, n);", (16, 4, 1)),
        ("static int t = 224;", "k<<<1, t>>>(p, n);", (224, 1, 1)),
        ("", "const int t = std::min(256, 1024); k<<<1, std::max(t, 128)>>>(p, n);", (256, 1, 1)),
        ("#define THREADS (4 * 32)\n", "k<<<1, THREADS>>>(p, n);", (128, 1, 1)),
        ("constexpr int W = 4, T = 32 * W;", "k<<<1, T>>>(p, n);", (128, 1, 1)),
        ("static const dim3 b(16, 16);", "k<<<1, b>>>(p, n);", (16, 16, 1)),
        ("enum { T = 96 };", "k<<<1, T>>>(p, n);", (96, 1, 1)),
        ("dim3 shape(int w) { return dim3(32, w); }", "k<<<1, shape(2)>>>(p, n);", (32, 2, 1)),
        ("struct Traits { static constexpr int kNThreads = 160; };", "k<<<1, Traits::kNThreads>>>(p, n);", (160, 1, 1)),
        ("template <int W> struct Tr { enum { T = W * 32 }; };", "k<<<1, Tr<3>::T>>>(p, n);", (96, 1, 1)),
        ("struct Config { int x, y; };", "Config c{32, 2}; k<<<1, dim3(c.x, c.y)>>>(p, n);", (32, 2, 1)),
        ("", "cudaDeviceProp d; k<<<1, d.warpSize * 4>>>(p, n);", (128, 1, 1)),
        ("", "int t = 1; while (t < 0) t *= 2; k<<<1, 64 * t>>>(p, n);", (64, 1, 1)),
        ("", "auto go = [&](int t) { k<<<1, t>>>(p, n); }; go(192);", (192, 1, 1)),
        ("", "k<<<1, n ? 224 : 224>>>(p, n);", (224, 1, 1)),
        ("", "if (n < 0) goto end; k<<<1, 288>>>(p, n); end: ;", (288, 1, 1)),
    ],
)
def test_a_block_shape_is_followed(tmp_path: Path, before: str, body: str, block: tuple[int, int, int]) -> None:
    source = f"#include <algorithm>\n{before}\n{PLAIN}void run(float *p, int n) {{ {body} }}"
    assert launched(tmp_path, source) == {("k", (), block)}


LAMBDAS = "__global__ void k(float *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 1; }\n"


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("#include <thread>", "std::thread t([&] { k<<<1, 96>>>(p, n); }); t.join();"),
        ("#include <future>", "std::async([=] { k<<<1, 96>>>(p, n); }).get();"),
        ("#include <functional>", "std::function<void(int)> f = [p](int n) { k<<<1, 96>>>(p, n); }; f(n);"),
        ("template <class F> void submit(F);", "submit([&] { [&] { k<<<1, 96>>>(p, n); }(); });"),
        ("", "undeclared(n, [&] { k<<<1, 96>>>(p, n); });"),
    ],
)
def test_a_launch_in_a_lambda_that_is_handed_away_is_read(tmp_path: Path, before: str, body: str) -> None:
    (checked,) = check(tmp_path, f"{before}\n{LAMBDAS}void run(float *p, int n) {{ {body} }}\n").checked
    kernel = checked.specialization
    assert (kernel.block, kernel.source, kernel.arguments) == ((96, 1, 1), LaunchSource.LAUNCH, ())


def test_a_launch_in_a_lambda_that_is_called_is_read_once(tmp_path: Path) -> None:
    body = "auto go = [&](int m) { k<<<1, 96>>>(p, m); }; go(7);"
    (kernel,) = specializations(tmp_path, f"{LAMBDAS}void run(float *p, int n) {{ {body} }}\n")
    assert kernel.arguments == (("n", 7),)


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("int t = n < 512 ? 128 : 256; k<<<1, t>>>(p, n);", {(128, 1, 1), (256, 1, 1)}),
        ("int t; if (n < 64) t = 32; else if (n < 128) t = 64; else t = 96; k<<<1, t>>>(p, n);",
         {(32, 1, 1), (64, 1, 1), (96, 1, 1)}),
        ("k<<<1, std::min(n, 512)>>>(p, n);", {(512, 1, 1)}),
        ("dim3 b(n < 8 ? 8 : 32, n < 8 ? 32 : 4); k<<<1, b>>>(p, n);", {(8, 32, 1), (32, 4, 1)}),
        ("int x = n < 32 ? 16 : 64, y = n < 64 ? 2 : 4; k<<<1, dim3(x, y)>>>(p, n);",
         {(16, 2, 1), (64, 2, 1), (64, 4, 1)}),
        ("int t = n < 9 ? 64 : 128; if (n < 9) k<<<1, t>>>(p, n);", {(64, 1, 1)}),
        ("int w = 1 << n, t = w < 32 ? w : 32; if (n == 1) k<<<1, dim3(t, 128 / t)>>>(p, 5);", {(2, 64, 1)}),
        ("int w = 1 << n, t = w < 32 ? w : 32; switch (n) { case 6: k<<<1, dim3(t, 128 / t)>>>(p, 5); }", {(32, 4, 1)}),
    ],
)  # fmt: skip
def test_a_block_that_hinges_on_a_condition_is_each_of_its_shapes(
    tmp_path: Path, body: str, blocks: set[tuple[int, int, int]]
) -> None:
    found = specializations(tmp_path, f"#include <algorithm>\n{PLAIN}void run(float *p, int n) {{ {body} }}")
    assert {s.block for s in found if s.source is LaunchSource.LAUNCH} == blocks
    several = len(blocks) > 1 or "min" in body
    assert all(s.one_of is several for s in found)
    assert ("which has other shapes too" in found[0].basis) is several


@pytest.mark.parametrize(
    "body",
    [
        "int t, g; cudaOccupancyMaxPotentialBlockSize(&g, &t, k); k<<<g, t>>>(p, n);",
        "k<<<1, n>>>(p, n);",
        "k<<<1, std::max(n, 64)>>>(p, n);",
        "int t = 256; while (t > n) t /= 2; k<<<1, t>>>(p, n);",
        "static int u = 64; u += n; k<<<1, u>>>(p, n);",
        "int t = 64; if (n) t = n; for (int i = 0; i < n; i++) { k<<<1, t * i>>>(p, n); }",
    ],
)
def test_a_block_that_is_not_known_is_said_to_be_assumed(tmp_path: Path, body: str) -> None:
    (found,) = specializations(tmp_path, f"#include <algorithm>\n{PLAIN}void run(float *p, int n) {{ {body} }}")
    assert (found.block, found.source) == ((256, 1, 1), LaunchSource.ASSUMED)


def test_an_occupancy_query_does_not_leave_the_grid_as_it_was(tmp_path: Path) -> None:
    body = "int g = 0; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&g, k, 64, 0); k<<<g, 64>>>(p, n);"
    (found,) = specializations(tmp_path, f"{PLAIN}void run(float *p, int n) {{ {body} }}")
    assert (found.block, found.grid) == ((64, 1, 1), None)


def test_a_loop_over_block_sizes_is_sampled(tmp_path: Path) -> None:
    source = f"""{PLAIN}void go(float *p, int n, int t) {{ k<<<(n + t - 1) / t, t>>>(p, n); }}
    int main() {{
      float *p = nullptr;
      int sizes[] = {{32, 64, 96, 128, 160, 192, 256, 288, 320, 512}};
      for (int j = 0; j < sizeof(sizes) / sizeof(int); j++) go(p, 1024, sizes[j]);
    }}"""
    result = check(tmp_path, source)
    found = [kernel.specialization for kernel in result.checked]
    assert len(found) == MAX_SHAPES
    assert [s.block[0] for s in found] == [32, 64, 96, 128, 192, 256, 288, 512]
    assert (found[0].grid, found[-1].grid) == ((32, 1, 1), (2, 1, 1))
    assert [p.message for p in result.problems] == ["2 of the 10 different launches of k were not analysed"]


def test_all_launches_of_a_kernel_count(tmp_path: Path) -> None:
    launches = " ".join(f"k<<<1, 64>>>(p, {n});" for n in (*range(1, 13), 3, 5))
    found = specializations(tmp_path, f"{PLAIN}void run(float *p) {{ {launches} }}")
    assert sorted(dict(s.arguments)["n"] for s in found) == list(range(1, 13))


def test_launches_beyond_the_bound_are_said(tmp_path: Path) -> None:
    launches = " ".join(f"k<<<1, 64>>>(p, {n});" for n in range(1, MAX_SPECIALIZATIONS + 3))
    result = check(tmp_path, f"{PLAIN}void run(float *p) {{ {launches} }}")
    assert len(result.checked) == MAX_SPECIALIZATIONS
    assert [p.message for p in result.problems] == ["2 of the 34 different launches of k were not analysed"]


DATA = "__global__ void k(float *p, int n, int scale, float s) {{ {body} }}\n"


def test_launches_that_differ_in_data_alone_are_analysed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Specialization] = []

    def counting(
        path: str, module: ir.Module, kernel: ir.Kernel, specialization: Specialization, *rest: Any
    ) -> Analysis | None:
        calls.append(specialization)
        return analyse_kernel(path, module, kernel, specialization, *rest)

    monkeypatch.setattr("coalint.engine.check.kernel_check.analyse_kernel", counting)
    lines = "\n".join(f"k<<<1, 64>>>(p, 7, {n}, 1.f);" for n in range(1, 51))
    source = f"{DATA.format(body='p[threadIdx.x * n] = scale * 2.f;')}void run(float *p) {{\n{lines}\n}}"
    found = specializations(tmp_path, source)
    assert len(calls) == 1
    assert [s.line for s in found] == list(range(3, 53))
    assert {dict(s.arguments)["scale"] for s in found} == set(range(1, 51))


@pytest.mark.parametrize(
    "body",
    [
        "p[threadIdx.x * scale] = 0;",
        "if (threadIdx.x < scale) p[threadIdx.x] = 0;",
        "for (int i = 0; i < scale; ++i) p[threadIdx.x + i] = 0;",
        "float f = scale; p[threadIdx.x * (int)f] = 0;",
        "((int *)p)[threadIdx.x] = scale;",
        "__shared__ float t[1]; t[0] = scale; p[threadIdx.x * (int)t[0]] = 0;",
        "float t[1]; t[0] = scale; p[threadIdx.x * (int)t[0]] = 0;",
        "auto f = [&] { p[threadIdx.x * scale] = 0; }; f();",
        "p[0] = p[scale];",
        "p[0] = scale > 2 ? p[1] : 2.f;",
    ],
)
def test_launches_that_differ_in_more_than_data_are_all_analysed(tmp_path: Path, body: str) -> None:
    launches = " ".join(f"k<<<1, 64>>>(p, 1, {n}, 1.f);" for n in range(1, MAX_SPECIALIZATIONS + 2))
    result = check(tmp_path, f"{DATA.format(body=body)}void run(float *p) {{ {launches} }}")
    assert len(result.checked) == MAX_SPECIALIZATIONS


def test_of_many_launches_those_with_other_alignments_are_kept(tmp_path: Path) -> None:
    numbers = [*range(64, 64 * 50, 64), 67]
    launches = " ".join(f"k<<<1, 64>>>(p, {n});" for n in numbers)
    result = check(tmp_path, f"{PLAIN}void run(float *p) {{ {launches} }}")
    kept = {dict(kernel.specialization.arguments)["n"] for kernel in result.checked}
    assert len(kept) == MAX_SPECIALIZATIONS
    assert 67 in kept


def test_the_one_launch_with_another_stride_is_kept_among_many_with_other_sizes(tmp_path: Path) -> None:
    kernel = "__global__ void k(float *p, int s, int n) { p[s * threadIdx.x + n] = 1; }\n"
    launches = " ".join(f"k<<<1, 64>>>(p, {8 if n == 39 else 1}, {7 * n});" for n in range(40))
    result = check(tmp_path, f"{kernel}void run(float *p) {{ {launches} }}")
    assert len(result.checked) == MAX_SPECIALIZATIONS
    assert 8 in {dict(kernel.specialization.arguments)["s"] for kernel in result.checked}


def test_a_parameter_that_one_branch_assigns_may_be_what_it_was(tmp_path: Path) -> None:
    body = "if (f) w = 7; switch (w) { case 0: a<<<1, 64>>>(p); break; default: b<<<1, 96>>>(p); }"
    source = f"{TWO}void run(float *p, int w, bool f) {{ {body} }}"
    assert launched(tmp_path, source) == {("a", (), (64, 1, 1)), ("b", (), (96, 1, 1))}


def test_an_instance_that_no_live_code_launches_is_left_out(tmp_path: Path) -> None:
    source = f"""{SIZE}template <int N> void go(float *p) {{
      if (N > 4) k<N><<<1, 64>>>(p); else k<N + 1><<<1, 32>>>(p);
    }}
    void run(float *p) {{ go<8>(p); }}"""
    assert launched(tmp_path, source) == {("k", ("8",), (64, 1, 1))}


def test_the_launches_of_many_instances_are_bounded(tmp_path: Path) -> None:
    launches = " ".join(f"k<{n}><<<1, t>>>(p);" for n in range(1, 21))
    source = f"""{SIZE}void go(float *p, int t) {{ {launches} }}
    int main() {{ for (int t = 32; t <= 512; t *= 2) go(nullptr, t); }}"""
    result = check(tmp_path, source)
    found = [kernel.specialization for kernel in result.checked]
    assert len({s.template_arguments for s in found}) == 20
    assert len(found) <= MAX_OF_TEMPLATE
    assert [p.message for p in result.problems] == ["80 of the 100 different launches of k were not analysed"]


def test_a_range_of_cases_fixes_no_argument(tmp_path: Path) -> None:
    body = "switch (n) { case 1 ... 4: k<<<1, 64>>>(p, n); }"
    (found,) = specializations(tmp_path, f"{PLAIN}void run(float *p, int n) {{ {body} }}")
    assert (found.source, found.arguments) == (LaunchSource.LAUNCH, ())


def test_a_launch_may_leave_an_argument_to_its_default(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(int *a, int n, int *sums = nullptr) { a[threadIdx.x] = n; }\n"
        "void run(int *d) { k<<<1, 64>>>(d, 32); }\n"
    )
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.specialization.block == (64, 1, 1)
    assert dict(kernel.specialization.arguments) == {"n": 32}
