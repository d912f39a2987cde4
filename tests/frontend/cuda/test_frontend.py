"""What the front end makes of CUDA as it is written: each construct in a kernel, and what its accesses come to."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Access
from coalint.core.facts.analysis import Analysis
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.frontend.cuda.libclang.bindings import ast_bytes
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.load import load
from coalint.frontend.interface import FrontendError
from coalint.machine.architecture import architecture


def check(folder: Path, source: str, *flags: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(
        Source(str(file), flags), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    assert not result.failures, result.failures
    return result


def analyses(folder: Path, source: str) -> list[Analysis]:
    return [kernel.analysis for kernel in check(folder, source).checked if kernel.analysis is not None]


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


def single(folder: Path, source: str) -> Access:
    (analysis,) = analyses(folder, source)
    (access,) = analysis.accesses
    return access


def test_a_launched_template_is_analysed_as_instantiated(tmp_path: Path) -> None:
    source = """
    template <typename T, int S> __global__ void k(T *out) { out[threadIdx.x * S] = T(); }
    void run(double *p) { k<double, 3><<<1, 64>>>(p); k<float, 2><<<1, 64>>>(nullptr); }
    """
    found = {a.specialization.template_arguments: a.accesses[0].stride for a in analyses(tmp_path, source)}
    assert found == {("double", "3"): "24", ("float", "2"): "8"}


def test_a_template_that_nothing_launches_is_probed_and_says_so(tmp_path: Path) -> None:
    source = "template <typename T, int S> __global__ void k(T *out) { out[threadIdx.x * S] = T(); }"
    access = single(tmp_path, source)
    of_type, of_size = access.specialization.guessed
    assert (of_type, access.stride) == ("T = float", str(4 * int(of_size.removeprefix("S = "))))
    assert "template arguments assumed: T = float, S = " in access.specialization.basis


def test_a_long_helper_of_a_short_kernel_is_followed_where_a_host_function_launches_it(tmp_path: Path) -> None:
    long = "\n".join(f"    out[{step} * threadIdx.x] = {step};" for step in range(2, 18))
    source = f"""
__device__ void fill(float *out) {{
{long}
}}
__host__ __device__ inline void both(float *out) {{ fill(out); }}
__global__ void k(float *out) {{ fill(out); }}
__global__ void m(float *out) {{ both(out); }}
int main() {{ float *out; cudaMalloc(&out, 4096); k<<<1, 64>>>(out); m<<<1, 64>>>(out); both(out); }}
"""
    for analysis in analyses(tmp_path, source):
        assert [access.stride for access in analysis.accesses] == [str(4 * step) for step in range(2, 18)]


def test_a_launch_through_a_function_pointer_is_followed(tmp_path: Path) -> None:
    source = """
    template <int S> __global__ void k(float *out) { out[threadIdx.x * S] = 0; }
    void run(float *p) { auto kernel = &k<2>; kernel<<<1, 96>>>(p); }
    """
    access = single(tmp_path, source)
    assert (access.stride, access.specialization.block) == ("8", (96, 1, 1))


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


def test_a_goto_back_costs_its_kernel_and_says_why(tmp_path: Path) -> None:
    back = "__global__ void k(float *p) { again: p[0] = 0; if (p[1]) goto again; }"
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


def test_a_function_as_template_argument_is_followed(tmp_path: Path) -> None:
    source = """
    __device__ void put(float *p, int i) { p[2 * i] = 0; }
    template <void (*F)(float *, int)> __global__ void k(float *out) { F(out, threadIdx.x); }
    void run(float *p) { k<put><<<1, 64>>>(p); }"""
    assert single(tmp_path, source).stride == "8"


def test_a_launch_that_passes_a_later_element_moves_the_base(tmp_path: Path) -> None:
    kernel = "__global__ void k(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }\n"
    (analysis,) = analyses(tmp_path, kernel + "void run(float *p) { k<<<1, 64>>>(p + 1, &p[8]); }")
    assert [access.address.offset_bytes for access in analysis.accesses] == [4, 32]


def test_a_kernel_in_a_header_is_analysed_with_the_launch_that_includes_it(tmp_path: Path) -> None:
    (tmp_path / "kernel.cuh").write_text(
        "template <int S> __global__ void k(float *out) { out[threadIdx.x * S * SCALE] = 0; }\n"
    )
    main = '#define SCALE 2\n#include "kernel.cuh"\nvoid run(float *p) { k<3><<<1, 96>>>(p); }'
    access = single(tmp_path, main)
    assert (access.stride, access.specialization.block, Path(access.span.file).name) == ("24", (96, 1, 1), "kernel.cuh")


def test_a_template_with_very_many_instances_is_sampled_and_says_so(tmp_path: Path) -> None:
    launches = " ".join(f"k<{n}><<<1, 32>>>(p);" for n in range(1, 61))
    kernel = "template <int S> __global__ void k(float *p) { p[threadIdx.x * S] = 0; }\n"
    source = f"{kernel}void run(float *p) {{ {launches} }}"
    result = check(tmp_path, source)
    assert len(result.checked) == 24
    (problem,) = result.problems
    assert "36 of the 60 instances of the kernel template k were not analysed" in problem.message


def traffics(folder: Path, source: str) -> list[tuple[str, str, int, float | None, bool]]:
    """Space, operation, bytes, cost and exactness of each access of the only kernel, in the order of evaluation."""
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    pairs = zip(kernel.analysis.accesses, kernel.traffics, strict=True)
    return [(a.space.value, a.op.value, a.bytes, None if t is None else t.count, a.result.exact) for a, t in pairs]


COPY = "__global__ void k(const char *in) {{ __shared__ __align__(128) char s[8192]; int t = threadIdx.x; {} }}"


@pytest.mark.parametrize(
    ("call", "sectors", "wavefronts"),
    [
        ("__pipeline_memcpy_async(s + 4 * t, in + 4 * t, 4);", 4, 1),
        ("__pipeline_memcpy_async(s + 128 * t, in + 4 * t, 4);", 4, 32),
        ("__pipeline_memcpy_async(s + 4 * t, in + 128 * t, 4);", 32, 32),
        ("__pipeline_memcpy_async(s + 4 * t, in + t / 8 * 4, 4);", 1, 8),
        ("__pipeline_memcpy_async(s + 8 * t, in + 8 * t, 4);", 8, None),
        ("__pipeline_memcpy_async(s, in + 4 * t, 4);", 4, None),
        ("__pipeline_memcpy_async(s + 8 * t, in + 8 * t, 8);", 8, 2),
        ("__pipeline_memcpy_async(s + 16 * t, in + 16 * t, 16);", 16, 4),
        ("__pipeline_memcpy_async(s + (t ^ 1) * 16, in + 16 * t, 16);", 16, 4),
        ("__pipeline_memcpy_async(s + 16 * t + 16, in + 16 * t, 16);", 32, 12),
        ("__pipeline_memcpy_async(s + 16 * t, in + 16 * t, 16, 8);", None, None),
    ],
)
def test_an_asynchronous_copy_costs_what_both_of_its_addresses_ask(
    tmp_path: Path, call: str, sectors: int | None, wavefronts: int | None
) -> None:
    found = traffics(tmp_path, "#include <cuda_pipeline.h>\n" + COPY.format(call))
    costs = {(space, op): cost for space, op, _, cost, _ in found}
    assert costs == {("global", "load"): sectors, ("shared", "store"): wavefronts}


PTX = """__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
#define COPY(to, from, n) asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], %2;\\n" \\
                                       :: "r"(to), "l"(from), "n"(n))
__global__ void k(float *out, const float *in, int n) {
  __shared__ __align__(128) float s[2048]; int t = threadIdx.x; float v = 0; unsigned u = 0; %s
  out[0] = v + u;
}"""


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            (
                'asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4 + 16];" '
                ': "=f"(v), "=f"(v), "=f"(v), "=f"(v) : "l"(in + 4 * t));'
            ),
            [("global", "load", 16, 17.0)],
        ),
        (
            'asm("ld.shared.f32 %[to], [%[from]];" : [to] "=f"(v) : [from] "r"(at(s + 2 * t)));',
            [("shared", "load", 4, 2.0)],
        ),
        (
            'asm volatile("st.shared.v2.b32 [%0], {%1, %1};" :: "r"(at(s) + 8 * t), "r"(t));',
            [("shared", "store", 8, 2.0)],
        ),
        ('asm volatile("st.f32 [%0], %1;" :: "l"(out + 2 * t), "f"(v));', [("global", "store", 4, 8.0)]),
        ('asm volatile("red.global.add.f32 [%0], %1;" :: "l"(out + t), "f"(v));', [("global", "atomic", 4, 4.0)]),
        (
            (
                'asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p st.global.f32 [%0], %1; }" '
                ':: "l"(out + t), "f"(v), "r"((int)(t < 8)));'
            ),
            [("global", "store", 4, 1.0)],
        ),
        (
            (
                'asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(u) : "l"(s)); '
                'asm volatile("st.shared.f32 [%0], %1;" :: "r"(u + 128 * t), "f"(v));'
            ),
            [("shared", "store", 4, 32.0)],
        ),
        (
            'asm("mov.u32 %0, %%laneid;" : "=r"(u)); out[2 * u] = v;',
            [("global", "store", 4, 8.0)],
        ),
        ("COPY(at(s) + 4 * t, in + 2 * t, 4);", [("global", "load", 4, 8.0), ("shared", "store", 4, 2.0)]),
        (
            'asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(u), "=r"(u) : "r"(at(s + 16 * t)));',
            [("shared", "load", 16, 8.0)],
        ),
        (
            'asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" :: "r"(at(s + 4 * t)), "r"(u));',
            [("shared", "store", 16, 1.0)],
        ),
        (
            (
                'asm volatile("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" '
                ':: "r"(at(s)), "l"(in), "r"(at(s + 64)));'
            ),
            [("shared", "store", 4, None), ("global", "load", 4, None)],
        ),
        (
            'asm volatile("{ .reg .b32 a; add.u32 a, %0, 4; st.shared.b32 [a], %0; }" :: "r"(t));',
            [("shared", "store", 4, None)],
        ),
        ('asm("add.f32 %0, %0, %1;" : "+f"(v) : "f"(v));', []),
    ],
)
def test_memory_instructions_of_inline_ptx_are_accesses(
    tmp_path: Path, statement: str, expected: list[tuple[str, str, int, float | None]]
) -> None:
    found = traffics(tmp_path, PTX.replace("%s", statement, 1))
    assert [entry[:4] for entry in found][:-1] == expected


@pytest.mark.parametrize(
    ("call", "exact"),
    [
        ("atomicMax(&s[t / 8], t)", True),
        ("atomicAdd(&s[t / 8], 1)", True),
        ("int one = 1; atomicAdd(&s[t / 8], one)", False),
        ("atomicMax(&s[0], t)", True),  # which nvcc makes once for the warp
        ("atomicAdd(&s[t / 8], t)", True),
        ("atomicAdd_block(&s[t / 8], t)", True),
        ("atomicAdd_system(&s[t / 8], t)", False),
        ("atomicCAS(&s[0], 0, t)", True),
        ("atomicAdd((float *)&s[t / 8], 1.0f)", True),
        ("atomicAdd((double *)&s[t / 8 * 2], 1.0)", False),
        ("atomicAdd((unsigned long long *)&s[t / 8 * 2], 1ull)", False),
        ("atomicExch((unsigned long long *)&s[t / 8 * 2], 1ull)", True),
    ],
)
def test_a_shared_atomic_is_exact_only_where_its_law_was_measured(tmp_path: Path, call: str, exact: bool) -> None:
    access = single(tmp_path, f"__global__ void k() {{ __shared__ int s[64]; int t = threadIdx.x; {call}; }}")
    assert access.result.exact is exact
    assert any("a lower bound" in text for text in access.result.assumed) is not exact


def test_a_parameter_that_one_side_of_a_branch_assigns_keeps_its_value_on_the_other(tmp_path: Path) -> None:
    body = "if (n < 0) { n = 7; } out[n * t] = 0;"
    assert strides(tmp_path, body) == ["4*((n < 0) ? 7 : n)"] * 2


PATTERN = """
template <class T, int N> __global__ void k(T *out, float *in, int n) {{
    __shared__ float a[N][33]; __shared__ float b[32][N]; __shared__ T c[32][33];
    long double::type q; int t = threadIdx.x;
    {}
    lost(q, T::type::none);
}}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("in[2 * t] = 0;", "8"),
        ("in[N * t] = 0;", "4*N"),
        ("a[t][0] = 0;", "132"),
        ("a[0][t] = 0;", "4"),
        ("b[t][0] = 0;", "?"),
        ("b[0][t] = 0;", "4"),
        ("c[t][0] = 0;", "?"),
        ("out[t] = 0;", "?"),
        ("in[sizeof(T) * t] = 0;", "?"),
        ("if (T::fast) __syncthreads(); in[t] = 0;", "4"),
    ],
)
def test_a_template_that_cannot_be_instantiated_is_read_as_it_is_written(
    tmp_path: Path, body: str, expected: str
) -> None:
    (analysis,) = analyses(tmp_path, PATTERN.format(body))
    assert analysis.specialization.guessed == ("T = ?", "N = ?")
    assert analysis.specialization.basis.endswith("; template arguments not known: T, N")
    assert analysis.accesses[0].stride == expected
    assert (analysis.accesses[0].result.lanes is None) == (expected == "?")


def test_a_unit_of_a_huge_library_is_not_tried_with_guessed_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "k.cu"
    path.write_text("template <typename T> __global__ void k(T *out) { out[threadIdx.x] = 0; }\n")
    unit = parse(str(path), (), path.read_text())
    assert 1 << 20 < ast_bytes(unit) < 16 << 20
    assert [kernel.guessed for kernel in load(str(path)).kernels] == [("T = float",)]
    monkeypatch.setattr("coalint.frontend.cuda.load.LARGEST_TREE", ast_bytes(unit) - 1)
    assert [kernel.guessed for kernel in load(str(path)).kernels] == [("T = ?",)]
