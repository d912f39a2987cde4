"""What the front end makes of CUDA as it is written: each construct in a kernel, and what its accesses come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_checks import analyses, check, single
from project import shared_headers

from coalint.frontend.cuda.load import load
from coalint.frontend.interface import FrontendError


def strides(folder: Path, body: str, before: str = "") -> list[str]:
    """The strides in threadIdx.x of the accesses of a kernel's body, in bytes, in the order of evaluation."""
    source = f"{before}\n__global__ void k(float *out, const float *in, int n) {{ int t = threadIdx.x; {body} }}\n"
    return [access.stride for analysis in analyses(folder, source) for access in analysis.accesses]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("for (int i = 0;; ++i) { if (i == 4) break; out[2 * t + i] = 0; }", ["8"]),
        ("int i = 0; for (; i < 4;) { out[3 * t + i] = 0; ++i; }", ["12"]),
        ("int i = 0; for (;; ) { out[t] = 0; if (++i > 3) break; }", ["4"]),
        ("int i = 4; while (i--) out[t + i] = 0;", ["4"]),
        ("int i = 0; do out[t + i] = 0; while (++i < 4);", ["4"]),
        ("for (int i = 0, j = 8; i < 4; ++i, j -= 2) out[t * 2 + i + j] = 0;", ["8"]),
        ("float *p = out + t; for (int i = 0; i < 4; ++i, p += 32) *p = 0;", ["4"]),
        ("if (int m = n) out[m + t] = 0;", ["4"]),
        ("switch (n) { case 1: case 2: out[t] = 0; default: out[2 * t] = 0; }", ["4", "8"]),
        ("out[(n, 4 * t)] = 0;", ["16"]),
        ("int s = ({ int q = t * 2; q; }); out[s] = 0;", ["8"]),
        ("2[out + t] = 0;", ["4"]),
        ("*(out + 3 * t) = 0;", ["12"]),
        ("auto p = &out[t]; p[0] = p[n];", ["4", "4"]),
        ("float v[2] = {in[t], in[2 * t]}; out[t] = v[0] + v[1];", ["4", "8", "4"]),
        ("reinterpret_cast<float2 *>(out)[t].y = 0;", ["8"]),
        ("((char *)out)[t] = 0;", ["1"]),
        ("out[t] = __ldg(in + 2 * t) + __ldg(&in[3 * t]);", ["8", "12", "4"]),
        ("__stcs(out + t, __ldcs(in + t));", ["4", "4"]),
        ("out[t] += 1; out[2 * t]++;", ["4", "4", "8", "8"]),
        ("atomicAdd(&out[t], 1.0f);", ["4"]),
        ("out[t] = (t & 1) ? in[t] : in[2 * t];", ["4", "8", "4"]),
        ("const int k = sizeof(float4); out[k * t] = 0;", ["64"]),
        ("enum { STEP = 5 }; out[STEP * t] = 0;", ["20"]),
        ("out[static_cast<unsigned>(t) * 2u] = 0;", ["8"]),
        ("size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; out[i] = 0;", ["4"]),
        ("using P = float *; P p(out); p += t; p[1] = 0;", ["4"]),
    ],
)
def test_statements_and_expressions(tmp_path: Path, body: str, expected: list[str]) -> None:
    assert strides(tmp_path, body) == expected


@pytest.mark.parametrize(
    ("before", "body", "expected"),
    [
        ("__device__ int twice(int x, int by = 2) { return x * by; }", "out[twice(t)] = 0;", ["8"]),
        ("__device__ void put(float *p, int i) { p[i] = 0; }", "put(out, 2 * t);", ["8"]),
        ("__device__ void step(float *&p, int by) { p += by; }", "float *p = out; step(p, 3 * t); *p = 0;", ["12"]),
        ("__device__ void halve(int *x) { *x /= 2; }", "int i = 4 * t; halve(&i); out[i] = 0;", ["8"]),
        (
            """struct View { float *p; int pitch; __device__ View(float *q, int w) : p(q), pitch(w) {}
                __device__ float &operator()(int r, int c) const { return p[r * pitch + c]; }
                __device__ float &operator[](int i) { return p[i]; } };""",
            "View v(out, 8); v(t, 1) = 0; v[t] = v(1, t);",
            ["32", "4", "4"],
        ),
        (
            "struct Base { float *p; __device__ float *at(int i) { return p + i; } }; struct Derived : Base {};",
            "Derived d; d.p = out; *d.at(t) = 0;",
            ["4"],
        ),
        (
            "template <int N> struct Stride { static constexpr int value = N; };",
            "out[Stride<6>::value * t] = 0;",
            ["24"],
        ),
        (
            "template <class F> __device__ void apply(F f, int i) { f(i); }",
            "apply([=](int i) { out[2 * i] = 0; }, t);",
            ["8"],
        ),
        ("", "auto f = [&](int i) -> float & { return out[i]; }; f(t) = f(2 * t);", ["8", "4"]),
        (
            "struct Shared { __device__ operator float *() { extern __shared__ float s[]; return s; } };",
            "Shared holder; float *s = holder; s[2 * t] = 0;",
            ["8"],
        ),
        ("#define AT(p, i, s) ((p)[(i) * (s)])\n", "AT(out, t, 3) = 0;", ["12"]),
        (
            """#define LOOP(i, n) \\
                for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)""",
            "LOOP(i, n) out[i] = 0;",
            ["4"],
        ),
        (
            "template <int W, bool B> __device__ int pick(int i) { if constexpr (B) return W * i; else return i; }",
            "out[pick<4, true>(t) + pick<4, false>(0)] = 0;",
            ["16"],
        ),
        (
            "__device__ int three(int i) { return 3 * i; } __device__ int six(int i) { return 2 * three(i); }",
            "out[six(t)] = 0;",
            ["24"],
        ),
        ("namespace a { namespace b { constexpr int s = 7; } }", "out[a::b::s * t] = 0;", ["28"]),
        ("#include <utility>", "float *p = std::move(out); p[2 * t] = 0; std::as_const(out)[t];", ["8", "4"]),
        ("#include <memory>", "struct S { float *a; } s{out}; std::addressof(s)->a[3 * t] = 0;", ["12"]),
        (
            "#include <utility>\ntemplate <class T> __device__ T pass(T &&v) { return std::forward<T>(v); }",
            "pass(out)[2 * t] = 0;",
            ["8"],
        ),
    ],
)
def test_helpers_types_and_macros(tmp_path: Path, before: str, body: str, expected: list[str]) -> None:
    assert strides(tmp_path, body, before) == expected


def test_comments_inside_of_what_is_quoted_are_left_out(tmp_path: Path) -> None:
    access = single(
        tmp_path,
        """
    __global__ void k(float *out, int n) {
        if (threadIdx.x > 3 &&  // "left" of it
            threadIdx.x < n)    // right of it
            out[2 * threadIdx.x + // twice
                1] = 0;
    }
    """,
    )
    assert access.expression == "out[2 * threadIdx.x + 1]"
    assert access.guard == ("threadIdx.x > 3 && threadIdx.x < n",)


@pytest.mark.parametrize("trips", [5, 6])
def test_numbers_of_a_loop_that_outgrow_64_bits_are_not_known(tmp_path: Path, trips: int) -> None:
    """As arrays they would wrap around to negative numbers without a word."""
    access = single(
        tmp_path,
        "__global__ void k(float *out) { unsigned long long i = threadIdx.x; "
        f"for (int k = 0; k < {trips}; k++) i = i * 2079; out[(i * 200) & 31] = 1; }}\n",
    )
    assert access.result.lanes is None
    assert access.result.unknown


@pytest.mark.parametrize(
    "body",
    [
        "return by<0>(i);",
        "return this->by<0>(i);",
        "return by<1 + 2>(i) ;",
        "return by<true>(i);",
        "return many<4>(i);",
    ],
)
def test_a_template_argument_is_not_the_object_of_a_method(tmp_path: Path, body: str) -> None:
    source = f"""
    struct S {{
        int s;
        template <int N> __device__ int by(int i) const {{ return i * s; }}
        template <int N, class... A> __device__ int many(A... a) const {{ return by<N>(a...); }}
        __device__ int call(int i) const {{ {body} }}
    }};
    __global__ void k(float *out, S s) {{ out[s.call(threadIdx.x)] = 0; }}
    """
    assert single(tmp_path, source).stride == "4*s.s"


def test_macro_arguments_stand_at_their_own_place(tmp_path: Path) -> None:
    source = "#define CHECK(x) do { x; } while (0)\n__global__ void k(float *p) {\n  CHECK(p[2 * threadIdx.x] = 0);\n}"
    access = single(tmp_path, source)
    assert (access.span.line, access.expression) == (3, "p[2 * threadIdx.x]")


def test_columns_count_characters(tmp_path: Path) -> None:
    access = single(tmp_path, "__global__ void k(float *p) { /* größe → */ p[threadIdx.x] = 0; }")
    assert (access.span.column, access.expression) == (45, "p[threadIdx.x]")


def test_what_a_bundled_header_does_is_reported_at_the_call(tmp_path: Path) -> None:
    source = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *p) {
  cg::thread_block block = cg::this_thread_block();
  p[block.thread_rank()] = 0;
  block.sync();
}"""
    (analysis,) = analyses(tmp_path, source)
    assert [access.stride for access in analysis.accesses] == ["4"]
    assert [(barrier.span.line, barrier.scope) for barrier in analysis.barriers] == [(6, "block")]


def test_an_unresolved_overload_costs_nothing_but_its_statement(tmp_path: Path) -> None:
    source = """
    void f(int); void f(float *);
    __global__ void k(float *p) { auto g = f; p[threadIdx.x] = 0; int x = f(unknown); }
    """
    assert single(tmp_path, source).stride == "4"


def test_a_goto_into_a_statement_costs_its_kernel_and_says_why(tmp_path: Path) -> None:
    back = "__global__ void k(float *p) { if (p[2]) { again: p[0] = 0; } if (p[1]) goto again; }"
    result = check(tmp_path, f"{back}\n__global__ void ok(float *p) {{ p[0] = 0; }}")
    assert [kernel.kernel for kernel in result.checked] == ["ok"]
    (problem,) = result.problems
    assert "goto that jumps back, or into a statement, is not followed" in problem.message


def test_kernels_behind_the_preprocessor_or_an_error_are_named(tmp_path: Path) -> None:
    source = "#if 0\n__global__ void off(float *p) { p[0] = 0; }\n#endif\n__global__ void on(float *p) { p[0] = 0; }"
    (problem,) = check(tmp_path, source).problems
    assert (problem.kernel, problem.span.line) == ("off", 2)
    lost = check(tmp_path, "int x = (1;\n__global__ void k(float *p) { p[0] = 0; }")
    assert any(problem.kernel == "k" or "expected" in problem.message for problem in lost.problems)


def test_an_unknown_callee_that_may_touch_memory_is_listed(tmp_path: Path) -> None:
    access = single(
        tmp_path, "__device__ void elsewhere(float *);\n__global__ void k(float *p) { elsewhere(p + threadIdx.x); }"
    )
    assert access.result.unknown == "`elsewhere` may access it, and its body is not available"


def test_flags_reach_libclang(tmp_path: Path) -> None:
    source = "__global__ void k(float *p) { p[threadIdx.x * STEP] = 0; }"
    (kernel,) = check(tmp_path, source, "-DSTEP=4").checked
    assert kernel.analysis is not None
    assert kernel.analysis.accesses[0].stride == "16"


def test_a_file_that_is_no_source_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_bytes(b"\x7fELF\0\0")
    with pytest.raises(FrontendError, match="binary") as refused:
        load(str(tmp_path / "k.cu"), (), shared_headers())
    assert refused.value.remedy


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out[t] = (float)h[2 * t];", ["4", "4"]),
        ("h[t] = h[t] + h[3 * t];", ["2", "6", "2"]),
        ("h[4 * t] += h[t];", ["8", "2", "8"]),
        ("out[t] = __half2float(h[5 * t]);", ["10", "4"]),
        ("float2 f = __half22float2(((half2 *)h)[2 * t]); out[t] = f.x;", ["8", "4"]),
    ],
)
def test_half_precision_is_loaded_and_stored(tmp_path: Path, body: str, expected: list[str]) -> None:
    source = f"""#include <cuda_fp16.h>
    __global__ void k(float *out, __half *h) {{ int t = threadIdx.x; {body} }}"""
    assert [access.stride for analysis in analyses(tmp_path, source) for access in analysis.accesses] == expected


def test_both_sides_of_a_null_test_are_analysed(tmp_path: Path) -> None:
    body = "if (in) out[2 * t] = 0; else out[3 * t] = 0; if (!in) out[4 * t] = 0; if (in == nullptr) out[5 * t] = 0;"
    assert strides(tmp_path, body) == ["8", "12", "16", "20"]


def test_a_shared_array_is_never_null(tmp_path: Path) -> None:
    assert strides(tmp_path, "__shared__ float s[64]; float *p = s; if (p) out[t] = 0; else out[2 * t] = 0;") == ["4"]


def test_a_case_label_fixes_what_is_switched_over(tmp_path: Path) -> None:
    source = """
    template <int B> __global__ void k(float *out) { out[threadIdx.x] = 0; }
    void run(float *p, int threads) {
      dim3 block(threads);
      switch (threads) { case 512: k<512><<<1, block>>>(p); break; case 64: k<64><<<1, block>>>(p); break; }
    }"""
    found = {a.specialization.template_arguments: a.specialization.block for a in analyses(tmp_path, source)}
    assert found == {("512",): (512, 1, 1), ("64",): (64, 1, 1)}


def test_a_parameter_that_one_side_of_a_branch_assigns_keeps_its_value_on_the_other(tmp_path: Path) -> None:
    body = "if (n < 0) { n = 7; } out[n * t] = 0;"
    assert strides(tmp_path, body) == ["4*((n < 0) ? 7 : n)"] * 2
