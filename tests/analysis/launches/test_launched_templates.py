"""Template arguments of launches: explicit instantiations, dispatch, and arguments chosen by coalint."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_checks import SIZE, TWO, check, launched, specializations

from coalint.core.facts.launch import LaunchSource

TEMPLATE = "template <typename T, int N> __global__ void k(T *p) { p[threadIdx.x * N] = T(); }\n"


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


@pytest.mark.parametrize(
    "named",
    [
        "typedef void (*Run)(float *, int);\nRun get(int i) { switch (i) { case 1: return run; } return nullptr; }",
        "typedef void (*Run)(float *, int);\nRun get(int i) { return i == 1 ? run<float> : nullptr; }",
        "struct Table { void (*run)(float *, int); };\nvoid fill(Table *t) { t->run = run<float>; }",
    ],
)
def test_host_functions_that_others_name_launch_as_those_do_that_they_call(tmp_path: Path, named: str) -> None:
    """Who gets the pointer may call it; the instances of a template launch each their own kernel."""
    host = "template <typename T> static void run(T *p, int n) { k<T, 4><<<n, sizeof(T) * 16>>>(p); }\n"
    more = "typedef void (*Wide)(double *, int);\nWide wide() { return run<double>; }\n"
    found = launched(tmp_path, f"{TEMPLATE}{host}{named}\n{more}")
    assert found == {("k", ("float", "4"), (64, 1, 1)), ("k", ("double", "4"), (128, 1, 1))}


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


CHOSEN = """#include <torch/extension.h>
    template <typename T> __global__ void k(T *p) { p[threadIdx.x] = T(); }
    template <typename T> void *chosen() { return (void *)k<T>; }
    void run(at::Tensor t, void *p) {
      void *kernel;
      %s
      void *args[] = {&p};
      cudaLaunchKernel(kernel, 4, 96, args, 0, 0);
    }"""


@pytest.mark.parametrize(
    "dispatch",
    [
        'AT_DISPATCH_FLOATING_TYPES_AND_HALF(t.scalar_type(), "k", [&] { kernel = chosen<scalar_t>(); });',
        """AT_DISPATCH_SWITCH(t.scalar_type(), "k", AT_DISPATCH_CASE(at::kFloat, [&] { kernel = chosen<scalar_t>(); })
            AT_DISPATCH_CASE(at::kHalf, [&] { kernel = chosen<scalar_t>(); }));""",
    ],
)
def test_torch_dispatch_that_chooses_a_kernel_launches_each(tmp_path: Path, dispatch: str) -> None:
    assert launched(tmp_path, CHOSEN % dispatch) == {
        ("k", ("float",), (96, 1, 1)),
        ("k", ("c10::Half",), (96, 1, 1)),
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
