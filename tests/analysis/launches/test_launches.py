"""Launches as they are written in the wild: what each form tells of template arguments, block and arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from project import shared_headers

from coalint.analysis.launches.selection import MAX_SHAPES, MAX_SPECIALIZATIONS
from coalint.analysis.launches.specializations import MAX_OF_TEMPLATE
from coalint.core import ir
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.engine.check.file import check_file
from coalint.engine.check.kernel import analyse_kernel
from coalint.engine.check.records import FileResult, Job, Source
from coalint.machine.architecture import architecture

PLAIN = "__global__ void k(float *p, int n) { p[threadIdx.x * n] = 0; }\n"
TEMPLATE = "template <typename T, int N> __global__ void k(T *p) { p[threadIdx.x * N] = T(); }\n"
SIZE = "template <int N> __global__ void k(float *p) { p[threadIdx.x * N] = 0; }\n"
TWO = """
__global__ void a(float *p) { p[threadIdx.x] = 0; }
__global__ void b(float *p) { p[threadIdx.x] = 0; }
"""


def check(folder: Path, source: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    return result


def specializations(folder: Path, source: str) -> list[Specialization]:
    result = check(folder, source)
    assert not result.problems, result.problems
    return [kernel.specialization for kernel in result.checked]


def launched(folder: Path, source: str) -> set[tuple[str, tuple[str, ...], tuple[int, int, int]]]:
    """Kernel, template arguments and block of every specialization, all of which launches must have given."""
    found = specializations(folder, source)
    assert {s.source for s in found} == {LaunchSource.LAUNCH}
    assert not any(s.guessed for s in found)
    return {(s.kernel, s.template_arguments, s.block) for s in found}


# --- block shapes


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

    monkeypatch.setattr("coalint.engine.check.file.analyse_kernel", counting)
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


# --- the kernel


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("auto q = n ? &a : &b; q<<<1, n ? 96 : 32>>>(p);", {("a", 96), ("b", 32)}),
        ("auto q = n ? a : b; q<<<1, 64>>>(p);", {("a", 64), ("b", 64)}),
        ("void (*q)(float *) = a; if (n > 3) q = b; (*q)<<<1, 64>>>(p);", {("a", 64), ("b", 64)}),
        ("""void (*q)(float *); int t; switch (n) { case 0: q = &a; t = 64; break; case 1: q = b; t = 128; break; }
         q<<<1, t>>>(p);""", {("a", 64), ("b", 128)}),
        ("void (*table[])(float *) = {a, b}; table[0]<<<1, 32>>>(p); table[1]<<<1, 64>>>(p);", {("a", 32), ("b", 64)}),
        ("pick(0)<<<1, 32>>>(p); pick(1)<<<1, 64>>>(p);", {("a", 64), ("b", 32)}),
        ("start(a, 64, p); start(&b, 96, p);", {("a", 64), ("b", 96)}),
    ],
)  # fmt: skip
def test_a_kernel_behind_a_pointer_is_followed(tmp_path: Path, body: str, expected: set[tuple[str, int]]) -> None:
    helpers = """typedef void (*Pointer)(float *);
    Pointer pick(int i) { return i ? a : b; }
    template <class K, class... A> void start(K kernel, dim3 block, A... x) { kernel<<<1, block>>>(x...); }
    """
    found = launched(tmp_path, f"{TWO}{helpers}void run(float *p, int n) {{ {body} }}")
    assert {(name, block[0]) for name, _, block in found} == expected


@pytest.mark.parametrize(
    "body",
    [
        "int m = 3; void *x[] = {&p, &m}; cudaLaunchKernel((void *)k, dim3(2), dim3(96), x, 0, nullptr);",
        "int m = 3; void *x[] = {(void *)&p, (void *)&m}; cudaLaunchKernel(k, 2, 96, x);",
        "int m = 3; void *x[2]; x[0] = &p; x[1] = &m; cudaLaunchCooperativeKernel((const void *)&k, 2, 96, x, 0, 0);",
        "cudaLaunchConfig_t c = {}; c.gridDim = 2; c.blockDim = dim3(96, 1, 1); cudaLaunchKernelEx(&c, k, p, 3);",
        "cudaLaunchConfig_t c{dim3(2), dim3(96), 0, 0}; cudaLaunchKernelEx(&c, &k, p, 3);",
        """cudaLaunchConfig_t c = {0}; cudaLaunchAttribute at[1]; at[0].id = cudaLaunchAttributeClusterDimension;
        at[0].val.clusterDim.x = 2; c.gridDim = dim3(2); c.blockDim = dim3(96); c.attrs = at; c.numAttrs = 1;
        int m = 3; void *x[] = {&p, &m}; cudaLaunchKernelExC(&c, (void *)k, x);""",
        """int m = 3; void *x[] = {&p, &m}; cudaKernelNodeParams q = {0}; q.func = (void *)k; q.gridDim = dim3(2);
        q.blockDim = dim3(96); q.kernelParams = x; cudaGraphNode_t node; cudaGraph_t g;
        cudaGraphAddKernelNode(&node, g, nullptr, 0, &q);""",
        """int m = 3; void *x[] = {&p, &m}; CUfunction f; CUmodule u; cuModuleGetFunction(&f, u, "k");
        cuLaunchKernel(f, 2, 1, 1, 96, 1, 1, 0, 0, x, 0);""",
        "hipLaunchKernelGGL(k, dim3(2), dim3(96), 0, 0, p, 3);",
    ],
)  # fmt: skip
def test_a_launch_through_the_api_gives_block_grid_and_arguments(tmp_path: Path, body: str) -> None:
    (found,) = specializations(tmp_path, f"#include <cuda.h>\n{PLAIN}void run(float *p) {{ {body} }}")
    assert (found.source, found.block, found.grid) == (LaunchSource.LAUNCH, (96, 1, 1), (2, 1, 1))
    assert found.arguments == (("n", 3),)


# --- template arguments


@pytest.mark.parametrize(
    "instantiation",
    [
        "template void run<float>(float *p, int n);",
        "template void run(float *, int);",
        "namespace inner { template void run<float>(float *p,\n   int n); }",
        "#define FOR(T) template void run<T>(T *p, int n)\nFOR(float);",
        "#define FOR(T) \\\n  template void run<T>( \\\n    T *p, int n);\nFOR(float)",
    ],
)
def test_an_explicit_instantiation_of_a_host_template_gives_its_launches(tmp_path: Path, instantiation: str) -> None:
    host = "template <typename T> void run(T *p, int n) { k<T, 4><<<n, sizeof(T) * 16>>>(p); }\n"
    if "inner" in instantiation:
        host = f"namespace inner {{ {host} }}\n"
    assert launched(tmp_path, f"{TEMPLATE}{host}{instantiation}\n") == {("k", ("float", "4"), (64, 1, 1))}


def test_explicit_instantiations_keep_lines_where_lines_end_in_two_characters(tmp_path: Path) -> None:
    host = "template <typename T> void run(T *p,\r\n int n) { k<T, 4><<<n, 64>>>(p); }\r\n"
    go = "void go(float *p) { a<<<1, 96>>>(p); b<<<1, 96>>>(p); }"
    source = f"{TEMPLATE}{host}template void run(float *p,\r\n int n);\r\n{TWO}{go}"
    found = {s.kernel: s.line for s in specializations(tmp_path, source)}
    assert found == {"k": 3, "a": 9, "b": 9}


def test_explicitly_instantiated_kernels_and_classes_are_not_guessed(tmp_path: Path) -> None:
    source = f"""{TEMPLATE}template __global__ void __launch_bounds__(128) k<double, 3>(double *p);
    template <typename T> struct Runner {{ void run(T *p); }};
    template <typename T> void Runner<T>::run(T *p) {{ k<T, 5><<<1, 32>>>(p); }}
    template class Runner<int>;"""
    found = {s.template_arguments: (s.block, s.guessed) for s in specializations(tmp_path, source)}
    assert found == {("double", "3"): ((128, 1, 1), ()), ("int", "5"): ((32, 1, 1), ())}


def test_a_host_template_that_nothing_instantiates_is_tried_and_says_so(tmp_path: Path) -> None:
    source = f"{TEMPLATE}template <typename T> void run(T *p) {{ k<T, 4><<<1, 64>>>(p); }}"
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == ((64, 1, 1), LaunchSource.LAUNCH)
    assert found.guessed == ("T = float",)
    assert "template arguments assumed: T = float" in found.basis


def test_a_block_made_of_a_guessed_number_is_assumed(tmp_path: Path) -> None:
    source = f"{TEMPLATE}template <int BLOCK> void run(float *p) {{ k<float, BLOCK><<<1, BLOCK>>>(p); }}"
    (found,) = specializations(tmp_path, source)
    assert found.source is LaunchSource.ASSUMED
    assert found.guessed == (f"BLOCK = {found.block[0]}",)


def test_a_template_called_by_another_is_not_guessed_beside_it(tmp_path: Path) -> None:
    source = f"""{SIZE}template <int N> void inner(float *p) {{ k<N><<<1, 32 * N>>>(p); }}
    template <typename T> void outer(T *p) {{ inner<2>(p); inner<3>(p); }}
    template void outer<float>(float *p);"""
    assert launched(tmp_path, source) == {("k", ("2",), (64, 1, 1)), ("k", ("3",), (96, 1, 1))}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("switch (n) { case 1 ... 32: k<32><<<1, 32>>>(p); break; default: k<64><<<1, 64>>>(p); }", {32, 64}),
        ("switch (n) { case 64: k<64><<<1, n>>>(p); break; case 128: k<128><<<1, n>>>(p); break; }", {64, 128}),
        ("if (n == 32) k<32><<<1, 32>>>(p); else if (n == 64) k<64><<<1, 64>>>(p);", {32, 64}),
        ("[&] { if (n) { constexpr int S = 32; return go<S>(p); } else { constexpr int S = 64; return go<S>(p); } }();",
         {32, 64}),
        ("SWITCH(n, S, [&] { k<S><<<1, S>>>(p); });", {32, 96}),
    ],
)  # fmt: skip
def test_dispatch_over_sizes_gives_each_instance_its_block(tmp_path: Path, body: str, expected: set[int]) -> None:
    helpers = """template <int S> void go(float *p) { k<S><<<1, S>>>(p); }
#define SWITCH(C, NAME, ...) [&] { if (C) { constexpr static int NAME = 32; return __VA_ARGS__(); } \\
    else { constexpr static int NAME = 96; return __VA_ARGS__(); } }()
"""
    found = launched(tmp_path, f"{SIZE}{helpers}void run(float *p, int n) {{ {body} }}")
    assert found == {("k", (str(n),), (n, 1, 1)) for n in expected}


def test_torch_dispatch_gives_two_types(tmp_path: Path) -> None:
    source = """#include <torch/extension.h>
    template <typename T> __global__ void k(T *p) { p[threadIdx.x] = T(); }
    #define MY_SWITCH(type, name, ...) AT_DISPATCH_SWITCH(type, name, \\
        AT_DISPATCH_CASE(at::ScalarType::BFloat16, __VA_ARGS__) AT_DISPATCH_CASE(at::kInt, __VA_ARGS__))
    void run(at::Tensor t) {
      AT_DISPATCH_FLOATING_TYPES_AND_HALF(t.scalar_type(), "k", ([&] {
        k<scalar_t><<<1, 64>>>(t.data_ptr<scalar_t>()); }));
      MY_SWITCH(t.scalar_type(), "k", [&] { k<scalar_t><<<1, 96>>>(t.data_ptr<scalar_t>()); });
    }"""
    assert launched(tmp_path, source) == {
        ("k", ("float",), (64, 1, 1)),
        ("k", ("c10::Half",), (64, 1, 1)),
        ("k", ("c10::BFloat16",), (96, 1, 1)),
        ("k", ("int",), (96, 1, 1)),
    }


def test_packs_templates_and_functions_are_named_among_the_arguments(tmp_path: Path) -> None:
    source = """template <class T> struct Box { T value; };
    __device__ float put(float x) { return x; }
    template <template <class> class V, class... A> __global__ void k(float *p, V<float> v, A... a) { p[0] = 0; }
    template <float (*F)(float)> __global__ void f(float *p) { p[threadIdx.x] = F(1); }
    void run(float *p) {
      k<Box, int, float><<<1, 64>>>(p, {1}, 2, 3); k<Box><<<1, 64>>>(p, {1}); f<put><<<1, 64>>>(p);
    }"""
    found = {(s.kernel, s.template_arguments) for s in specializations(tmp_path, source)}
    assert found == {("k", ("Box", "int", "float")), ("k", ("Box",)), ("f", ("&put",))}


@pytest.mark.parametrize(
    ("source", "argument"),
    [
        ("""struct Plus { __device__ float operator()(float a, float b) { return a + b; } };
         template <class Op> __global__ void k(float *p, Op op) { p[2 * threadIdx.x] = op(p[0], 1); }""", "Op = Plus"),
        ("""struct Small { static constexpr int kStep = 2; };
         template <class Traits> __global__ void k(float *p) { p[Traits::kStep * threadIdx.x] = 0; }""",
         "Traits = Small"),
        ("""enum class Mode { ONE, TWO };
         template <Mode M> __global__ void k(float *p) { p[(M == Mode::ONE ? 2 : 1) * threadIdx.x] = 0; }""", "M = 0"),
        ("""template <class T> struct Twice { static constexpr int value = 2; };
         template <template <class> class V> __global__ void k(float *p) { p[V<int>::value * threadIdx.x] = 0; }""",
         "V = Twice"),
        ("""#include <type_traits>
         template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> __global__ void k(T *p)
         { p[2 * threadIdx.x] = 0; }""", "T = int"),
        ("template <class... A> __global__ void k(float *p, A... a) { p[2 * threadIdx.x] = 0; }", ""),
    ],
)  # fmt: skip
def test_representative_arguments_fit_what_the_template_asks_of_them(
    tmp_path: Path, source: str, argument: str
) -> None:
    result = check(tmp_path, source)
    assert not result.problems, result.problems
    (kernel,) = result.checked
    assert kernel.analysis is not None
    assert {access.stride for access in kernel.analysis.accesses if access.op.value == "store"} == {"8"}
    assert not argument or argument in kernel.specialization.guessed


# --- bounds


@pytest.mark.parametrize(
    ("before", "bounds", "use", "threads"),
    [
        ("", "32 * 6", "", 192),
        ("#define WARPS 3\n", "32 * WARPS", "", 96),
        ("namespace n { constexpr int T = 160; }", "n::T", "", 160),
        ("enum { T = 224 };", "(T + 31) / 32 * 32, 2", "", 224),
        ("#define BOUNDS(n) __launch_bounds__(n)\n", "", "", 288),
        ("template <int N> struct Traits { static constexpr int kN = 2 * N; };", "Traits<64>::kN", "", 128),
        (
            "namespace n { template <class T, int W> struct Traits { enum { kW = W, kN = kW * 32 }; }; }",
            "n::Traits<float, 5>::kN",
            "",
            160,
        ),
    ],
)
def test_launch_bounds_are_evaluated(tmp_path: Path, before: str, bounds: str, use: str, threads: int) -> None:
    attribute = f"__launch_bounds__({bounds})" if bounds else "BOUNDS(288)"
    source = f"{before}\n__global__ void {attribute} k(float *p) {{ p[threadIdx.x] = 0; }}"
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == ((threads, 1, 1), LaunchSource.BOUNDS)


def test_bounds_of_a_template_are_those_of_its_instance(tmp_path: Path) -> None:
    source = """template <int W> __global__ void __launch_bounds__(W * 32) k(float *p) { p[threadIdx.x] = 0; }
    template __global__ void k<3>(float *);
    template __global__ void k<5>(float *);"""
    found = {(s.template_arguments, s.block[0], s.source) for s in specializations(tmp_path, source)}
    assert found == {(("3",), 96, LaunchSource.BOUNDS), (("5",), 160, LaunchSource.BOUNDS)}


def test_bounds_come_from_the_traits_that_an_instance_is_given(tmp_path: Path) -> None:
    source = """template <int W> struct Traits { static constexpr int kWarps = W, kThreads = kWarps * 32; };
    template <class T> __global__ void __launch_bounds__(T::kThreads) k(float *p) { p[threadIdx.x] = 0; }
    template __global__ void k<Traits<3>>(float *);"""
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == ((96, 1, 1), LaunchSource.BOUNDS)


def test_bounds_of_a_template_that_is_specialized_are_not_guessed(tmp_path: Path) -> None:
    source = """template <int N> struct Traits { static constexpr int kN = N; };
    template <> struct Traits<64> { static constexpr int kN = 32; };
    __global__ void __launch_bounds__(Traits<64>::kN) k(float *p) { p[threadIdx.x] = 0; }"""
    (found,) = specializations(tmp_path, source)
    assert found.source is LaunchSource.ASSUMED


# --- many of them


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
