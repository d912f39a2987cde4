"""Undeclared types, functions and members: what is declared in their place, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import accesses, check, missing, outcome, outcomes
from project import shared_headers

from coalint.core import ir
from coalint.frontend.cuda.load import load


def test_undeclared_types_that_are_named_after_numbers_are_taken_for_these(tmp_path: Path) -> None:
    source = """
__global__ void k(int32 *p, const lib::uint64 *q, uint8 *r, float64 *s, int128 *u) {
    int32 i = threadIdx.x;
    p[i] = q[i] + r[i];
    s[2 * i] = *u;
}
"""
    result = check(tmp_path, source)
    found = {access.expression: outcome(access) for access in accesses(result)}
    assert found == {"p[i]": "4", "q[i]": "8", "r[i]": "1", "s[2 * i]": "16", "*u": missing("int128")}
    (problem,) = result.problems
    assert problem.message == (
        "int128 is not declared in any header found; what depends on it is unknown, "
        "while float64, int32, lib::uint64, uint8 are assumed to be the numbers that their names say"
    )


def test_one_undeclared_type_that_is_named_after_a_number(tmp_path: Path) -> None:
    result = check(tmp_path, "__global__ void k(int16 *p) { p[threadIdx.x] = 0; }\n")
    assert [outcome(access) for access in accesses(result)] == ["2"]
    assert [problem.message for problem in result.problems] == [
        "int16 is not declared in any header found; it is assumed to be the number that its name says"
    ]


@pytest.mark.parametrize(
    ("kernel", "guessed"),
    [
        ("template <class T> __global__ void k(T *p, T r) { for (int i = 0; i < r; ++i) p[i] = 0; }", "T = float"),
        ("template <class T> __global__ void k(int *p, T r) { p[threadIdx.x] = r(1); }", "T = functor"),
    ],
)
def test_a_class_is_tried_only_where_the_template_calls_it(tmp_path: Path, kernel: str, guessed: str) -> None:
    functor = "struct functor { int a; __device__ int operator()(int n) const { return n; } operator int(); };\n"
    (found,) = check(tmp_path, functor + kernel + "\n").checked
    assert found.specialization.guessed == (guessed,)


def test_a_value_of_a_bundled_header_is_named_by_the_call_in_the_source(tmp_path: Path) -> None:
    body = "int s = cub::BlockReduce<int, 256>().Sum(t); out[s * t] = 0;"
    found = outcomes(tmp_path, body, "#include <cub/cub.cuh>")
    assert found["out[s * t]"] == "the result of `cub::BlockReduce<int, 256>().Sum(t)`"


def test_a_call_of_an_undeclared_function_is_named_and_loses_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *p) {\n  p[threadIdx.x] = unheard(3);\n}\n"
        "int main() { prepare(1); k<<<1, 64>>>(nullptr); }\n"
    )
    module = load(str(file), (), shared_headers())
    assert [(p.severe, p.span.line, p.span.column, p.message) for p in module.problems] == [
        (
            False,
            2,
            20,
            "prepare, unheard are not declared in any header found; what depends on them is unknown",
        )
    ]
    assert [outcome(access) for access in accesses(check(tmp_path, file.read_text()))] == ["4"]


@pytest.mark.parametrize(
    ("source", "severe"),
    [
        ("int f() { std::vector<int> v; return v.size() + lrand(); }", False),  # a bundled header may lack the name
        ("#include <vector>\nint f() { std::vector<int> v; return v.unheard_of(); }", False),
        ("int f() { g(3) }", True),
        ("int f() { return 1;", True),
        ("struct S { int a }", True),
    ],
)
def test_an_error_outside_of_kernels_is_severe_if_the_text_is_no_cpp(tmp_path: Path, source: str, severe: bool) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *p) {{ p[threadIdx.x] = 1; }}\n{source}\n")
    (problem,) = load(str(file), (), shared_headers()).problems
    assert (problem.severe, problem.kernel) == (severe, None)


def test_what_follows_an_undeclared_template_in_its_line_is_no_error_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
        "namespace outer { namespace util {\n"
        "void fill(long *p, int n) { util::Unheard<unsigned long><<<n / 128, 128>>>(p, n); }\n} }\n"
    )
    (problem,) = load(str(file), (), shared_headers()).problems
    assert not problem.severe
    assert "Unheard is not declared in any header found" in problem.message


@pytest.mark.parametrize("head", ["struct State", "template <int n> struct State"])
def test_a_shared_object_with_a_constexpr_constructor_keeps_its_accesses(tmp_path: Path, head: str) -> None:
    """nvcc takes it for one that needs no initialization; clang refuses it, and drops what names the variable."""
    arguments = "<3>" if head.startswith("template") else ""
    source = (
        f"// ä\n{head} {{ float first[4]; float values[64]; "
        "__host__ __device__ constexpr State() noexcept : first{} {} };\n"
        f"__global__ void k(float *out) {{\n  int t = threadIdx.x; __shared__ State{arguments} s, other;\n"
        "  __shared__ float tile[32][32];\n  auto *const p = &s;\n  p->values[2 * t] = out[t];\n"
        "  out[t] = other.values[t] + tile[t][0];\n}\n"
    )
    result = check(tmp_path, source)
    found = {a.expression: (a.space.value, outcome(a)) for a in accesses(result)}
    assert found == {
        "p->values[2 * t]": ("shared", "8"),
        "out[t]": ("global", "4"),
        "other.values[t]": ("shared", "4"),
        "tile[t][0]": ("shared", "128"),
    }
    assert result.problems == ()


def test_a_launch_from_device_code_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "template <int n> __global__ void inner(float *p) { p[n * threadIdx.x] = 1; }\n"
        "__global__ void outer(float *p) {\n  p[2 * threadIdx.x] = 0;\n  inner<2><<<1, 32>>>(p);\n}\n"
    )
    (problem,) = load(str(file), (), shared_headers()).problems
    assert (problem.kind, problem.severe, problem.span.line) == (ir.ProblemKind.NOT_ANALYSED, False, 4)
    assert problem.message == "launches from device code are not followed; the rest of the kernel outer is analysed"
    assert "8" in [outcome(access) for access in accesses(check(tmp_path, file.read_text()))]


def test_members_of_an_undeclared_template_in_a_namespace_are_declared(tmp_path: Path) -> None:
    source = """\
        namespace cv { namespace cuda {
        template <typename T> __global__ void k(const Matrix<T> src, T *out) {
            int x = threadIdx.x;
            if (x < src.cols && blockIdx.y < src.rows) out[2 * x] = 1;
        }
        }}
        """
    result = check(tmp_path, source)
    assert [outcome(access) for access in accesses(result)] == ["8"]
    assert [finding.code for finding in result.problems] == ["COA902"]


def test_a_call_that_is_not_resolved_is_named_as_it_is_written(tmp_path: Path) -> None:
    source = """\
        template <typename P> __device__ void fill(typename P::size n, float *p);
        template <typename T> __global__ void k(T *out) { fill<Policy>(3, out); lib::fill<T>(out); }
        void run(float *p) { k<float><<<1, 32>>>(p); }
        """
    named = {outcome(access).partition(" ")[0] for access in accesses(check(tmp_path, source))}
    assert named == {"`fill`"}


def test_a_source_that_somebody_else_gives_pytorch_reads_as_if_it_included_it(tmp_path: Path) -> None:
    source = """\
        namespace { template <typename scalar_t> __global__ void k(scalar_t *out, const scalar_t *in, int64_t n) {
            for (const auto i : c10::irange(4)) out[2 * threadIdx.x] = in[i * C10_WARP_SIZE + threadIdx.x];
        } }
        torch::Tensor forward(torch::Tensor in) {
            auto out = torch::empty_like(in);
            AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), "forward", [&] {
                k<scalar_t><<<1, 64>>>(out.data_ptr<scalar_t>(), in.data_ptr<scalar_t>(), in.numel());
            });
            return out;
        }
        """
    result = check(tmp_path, source)
    assert not result.problems
    found = {(access.expression[:3], outcome(access)) for access in accesses(result)}
    assert found == {("out", "4"), ("out", "8"), ("in[", "2"), ("in[", "4")}


def test_words_that_the_host_replaces_are_one_cause_of_all_that_is_made_of_them(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "using Type = __TYPE__;\nconstexpr int load_size = __LOAD_SIZE__;\n"
        "constexpr int block_size = __BLOCK_SIZE__;\nconstexpr int wide = load_size / 2;\n"
        "__global__ void __launch_bounds__(block_size) k(Type *p) { __shared__ float s[wide]; s[0] = p[0]; }\n"
    )
    (problem, *kernel) = sorted(load(str(file), (), shared_headers()).problems, key=lambda p: p.kernel is not None)
    assert problem.message == (
        "__BLOCK_SIZE__, __LOAD_SIZE__, __TYPE__ are not declared in any header found; they are put in when the host "
        "compiles the text, or by a build; what depends on them is unknown"
    )
    assert problem.help == "say what the text is compiled with: -D __BLOCK_SIZE__=VALUE -D __LOAD_SIZE__=VALUE"
    assert all(p.message.startswith("__BLOCK_SIZE__, __LOAD_SIZE__, __TYPE__ are not") for p in kernel)
    assert not any(p.severe for p in (problem, *kernel))


def test_an_error_beside_an_unknown_name_is_told(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(
        "struct S { int a; };\nint f(S s, Real r) { return s.b; }\n__global__ void k(Real *p) { p[0] = 1; }\n"
    )
    assert [p.message for p in load(str(file), (), shared_headers()).problems] == [
        "no member named 'b' in 'S'",
        "Real is not declared in any header found; what depends on it is unknown",
    ]
