"""Names that no header declares: the kernel around them is analysed, and what depends on them is unknown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from clang.cindex import TranslationUnit
from compiled_analysis import replaces_what_is_compiled
from outcomes import accesses, check, missing, outcome, outcomes
from project import shared_headers

from coalint.core import ir
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.load import load
from coalint.frontend.cuda.repair import repaired_file
from coalint.frontend.interface import FrontendError


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out[t] = SCALE * in[2 * t];", {"out[t]": "4", "in[2 * t]": "8"}),
        ("out[N * t] = in[t];", {"out[N * t]": missing("N"), "in[t]": "4"}),
        ("out[t + N] = in[(t * N) + 1];", {"out[t + N]": missing("N"), "in[(t * N) + 1]": missing("N")}),
        ("if (t < N) out[t] = in[t];", {"out[t]": "4", "in[t]": "4"}),
        ("for (int i = 0; i < N; i++) out[t] = in[t];", {"out[t]": "4", "in[t]": "4"}),
        ("out[t] = lib::f(in[t], N);", {"out[t]": "4", "in[t]": "4"}),
        ("int i = lib::index(t); out[i] = in[t];", {"out[i]": missing("index"), "in[t]": "4"}),
        ("out[t] = lib::sum<float>(in[t]) + lib::sum<32>(in[2 * t]);", {"out[t]": "4", "in[t]": "4", "in[2 * t]": "8"}),
        ("vec v = in[t]; out[t] = v.x + v.y;", {"out[t]": "4", "in[t]": "4"}),
        ("vec v = in[t] * 2; v += in[2 * t]; out[t] = -v;", {"in[t]": "4", "in[2 * t]": "8", "out[t]": "4"}),
        ("lib::Array<float, 4> v; v[0] = in[t]; out[t] = v[0];", {"in[t]": "4", "out[t]": "4"}),
        ("typename lib::Traits<float>::type v = in[t]; out[t] = v;", {"in[t]": "4", "out[t]": "4"}),
        ("vec *p = (vec *)out; p[t] = in[t];", {"p[t]": missing("vec"), "in[t]": "4"}),
        ("vec *p = (vec *)out; *(float *)(p + t) = in[t];", {"*(float *)(p + t)": missing("vec"), "in[t]": "4"}),
        ("vec *p = (vec *)out + t; *(float *)p = in[t];", {"*(float *)p": missing("vec"), "in[t]": "4"}),
        ("out[sizeof(vec) * t] = in[t];", {"out[sizeof(vec) * t]": missing("vec"), "in[t]": "4"}),
        ("out[t] = static_cast<vec>(in[t]).x + vec(in[2 * t]).y;", {"out[t]": "4", "in[t]": "4", "in[2 * t]": "8"}),
        ("int a = (N) + 1; out[t] = in[N * a];", {"out[t]": "4", "in[N * a]": missing("N")}),
        ("float v = lib(t) * WIDTH; const int w = WIDTH; out[t] = v;", {"out[t]": "4"}),
        ("constants.table[t] = in[t];", {"in[t]": "4"}),
        (
            "float a = 0; a += lib::f(in[t]); a = a > lib::f(1) ? a : lib::f(2); out[t] = a;",
            {"in[t]": "4", "out[t]": "4"},
        ),
        ("out[2 * t] -= lib::f(in[t]);", {"in[t]": "4", "out[2 * t]": "8"}),
        ("out[t] = n > 3 ? lib::f(in[t]) : 1.0f;", {"in[t]": "4", "out[t]": "4"}),
        ("out[t] = n > 3 ? N : lib::f(in[t]).x;", {"in[t]": "4", "out[t]": "4"}),
        ("out[t] = min(lib::f(in[t]), 3) + max(2.f, abs(lib::f(in[2 * t])));", {"in[2 * t]": "8", "out[t]": "4"}),
        ("switch (lib::f(in[t])) { case 1: out[t] = 1; }", {"in[t]": "4", "out[t]": "4"}),
        ("out[t] = __ldg(in + lib::f(t));", {"__ldg(in + lib::f(t))": missing("f"), "out[t]": "4"}),
        ("out[constants.offset + t] = in[t];", {"out[constants.offset + t]": missing("offset"), "in[t]": "4"}),
        ("LIB_UNROLL\nfor (int i = 0; i < 2; i++) out[2 * t + i] = 0;", {"out[2 * t + i]": "8"}),
        ("LIB_SHARED float s[64]; s[t] = in[t];", {"s[t]": "4", "in[t]": "4"}),
        (
            "LOOP(i, n) { out[t] = in[i]; }",
            {"out[t]": "4", "in[i]": "`i` changes in a loop in a way that is not followed"},
        ),
    ],
)
def test_an_unknown_name_costs_what_comes_through_it(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    found = outcomes(tmp_path, body)
    assert {text: found.get(text) for text in expected} == expected


def test_a_name_is_not_taken_for_one_that_looks_like_it(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "int width = 8; out[widht * t] = in[width * t];")
    assert found == {"out[widht * t]": missing("widht"), "in[width * t]": "32"}


def test_pointers_to_unknown_types_are_not_taken_for_pointers_to_int(tmp_path: Path) -> None:
    source = "__global__ void k(vec *out, const lib::half *in) { out[threadIdx.x] = in[threadIdx.x]; }"
    found = {access.expression: (access.bytes, outcome(access)) for access in accesses(check(tmp_path, source))}
    assert found == {"out[threadIdx.x]": (0, missing("vec")), "in[threadIdx.x]": (0, missing("half"))}


def test_fields_behind_an_unknown_one_and_elements_of_such_structs_are_unknown(tmp_path: Path) -> None:
    before = "struct P { float first; vec inner; float last; };"
    body = "P *p = (P *)out; p[t].first = in[t]; p[0].first = in[0]; p[0].last = 1;"
    found = outcomes(tmp_path, body, before)
    assert found["p[t].first"] != "0"
    assert "known" in found["p[t].first"]
    assert found["in[t]"] == "4"
    layout = "the layout of `last`'s struct is not known"
    assert found["p[0].last"] == layout


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("typedef missing_t real;", "real *p = (real *)out; p[t] = 0;"),
        ("using real = lib::number;", "real *p = (real *)out; p[t] = 0;"),
        ("struct real { missing_t a; float b; };", "real *p = (real *)out; p[t].b = 0;"),
        ("struct real : missing_t { float b; };", "real *p = (real *)out; p[t].b = 0;"),
        ("typedef missing_t real; struct pair { real a, b; };", "pair *p = (pair *)out; p[t].b = 0;"),
    ],
)
def test_types_that_a_header_cannot_declare_have_no_size(header: str, body: str, tmp_path: Path) -> None:
    found = outcomes(tmp_path, body, '#include "types.h"', types=header)
    (what,) = (found[text] for text in found if text.startswith("p[t]"))
    assert not what.isdigit()
    assert "known" in what or "declared" in what


@pytest.mark.parametrize(
    "head",
    [
        "LIB_KERNEL void k",
        "template <typename T> LIB_KERNEL void __launch_bounds__(256) k",
        "LIB_BOUNDS(256) __global__ void k",
        "__global__ LIB_BOUNDS(256, 2) void k",
        "__global__ void LIB_NOINLINE k",
        "LIB_NAMESPACE_BEGIN\n__global__ void k",
        "__global__ LIB_ATTRIBUTES __launch_bounds__(256) void k",
    ],
)
def test_macros_before_a_kernel_do_not_hide_it(head: str, tmp_path: Path) -> None:
    found = accesses(check(tmp_path, f"{head}(float *out) {{ out[2 * threadIdx.x] = 0; }}\n"))
    assert [outcome(access) for access in found] == ["8"]


def test_macros_in_parameters_do_not_hide_a_kernel(tmp_path: Path) -> None:
    source = "__global__ void k(float *LIB_RESTRICT out, LIB_CONST float *in) { out[threadIdx.x] = in[0]; }"
    assert [outcome(access) for access in accesses(check(tmp_path, source))] == ["0", "4"]


@pytest.mark.parametrize("macro", ["LIB_DEVICE", "LIB_HOST_DEVICE_INLINE", "LIB_FUNC", "LIB_INLINE LIB_DEVICE"])
def test_macros_before_device_functions_do_not_hide_them(macro: str, tmp_path: Path) -> None:
    before = f"{macro} int twice(int i) {{ return 2 * i; }}"
    assert outcomes(tmp_path, "out[twice(t)] = 0;", before) == {"out[twice(t)]": "8"}


def test_an_export_macro_behind_struct_does_not_hide_it(tmp_path: Path) -> None:
    before = "struct LIB_EXPORT P { float x, y; };"
    assert outcomes(tmp_path, "P *p = (P *)out; p[t].y = in[t];", before) == {"p[t].y": "8", "in[t]": "4"}


def test_helpers_in_headers_are_mended_where_kernels_reach_them(tmp_path: Path) -> None:
    header = "inline __device__ float read(const float *p, int i) { return lib::cast(p[OFFSET + 2 * i]); }"
    found = outcomes(tmp_path, "out[t] = read(in, t);", '#include "helper.h"', helper=header)
    assert found == {"out[t]": "4", "p[OFFSET + 2 * i]": missing("OFFSET")}


def test_atomic_functions_with_an_order_are_accesses_at_their_own_line(tmp_path: Path) -> None:
    body = (
        "int *p = (int *)out; int was = __nv_atomic_fetch_add(&p[2 * t], 1, __NV_ATOMIC_RELAXED);\n"
        "__nv_atomic_store_n(&p[4 * t], __nv_atomic_load_n(&p[8 * t], __NV_ATOMIC_ACQUIRE) + was, __NV_ATOMIC_RELEASE);"
    )
    source = f"__global__ void k(float *out) {{ int t = threadIdx.x;\n{body}\n}}\n"
    found = [(access.op.value, outcome(access), access.span.line) for access in accesses(check(tmp_path, source))]
    assert sorted(found) == [("atomic", "8", 2), ("load", "32", 3), ("store", "16", 3)]


def test_launches_with_unknown_names_keep_their_kernels(tmp_path: Path) -> None:
    source = (
        "template <typename T, int n> __global__ void k(T *p) { p[n * threadIdx.x] = 0; }\n"
        "void go(lib::Tensor x, lib::Stream s) { k<float, 2><<<dim3(lib::blocks(x)), 64, 0, s>>>(x.data<float>()); }\n"
    )
    result = check(tmp_path, source)
    assert [outcome(access) for access in accesses(result)] == ["8"]
    assert [kernel.specialization.block for kernel in result.checked] == [(64, 1, 1)]


@pytest.mark.parametrize(
    "use", ["T *p = (T *)out; p[t] = 0;", "out[t * sizeof(T)] = 0;", "out[t * Size<T>::value] = 0;"]
)
def test_templates_of_unknown_types_compute_nothing_from_their_size(use: str, tmp_path: Path) -> None:
    source = (
        "template <typename T> struct Size { static constexpr int value = sizeof(T); };\n"
        f"template <typename T> __global__ void k(float *out) {{ int t = threadIdx.x; {use} }}\n"
        "void go(float *p) { k<lib::half><<<1, 32>>>(p); }\n"
    )
    (found,) = accesses(check(tmp_path, source))
    assert not found.result.exact
    assert found.stride in ("?", "4*Size<T>::value")


def test_a_pack_of_template_arguments_does_not_hide_a_kernel(tmp_path: Path) -> None:
    source = (
        "template <int n, typename... T> __global__ void k(float *p, T... v) { p[n * threadIdx.x] = 0; }\n"
        "void go(float *p) { k<2, int, float><<<1, 32>>>(p, 1, 2.f); }\n"
    )
    assert [outcome(access) for access in accesses(check(tmp_path, source))] == ["8"]


def test_a_name_that_is_declared_later_after_all_is_left_alone(tmp_path: Path) -> None:
    source = (
        "__device__ void helper(Late *p);\nstruct Late { float a, b; };\n"
        "__global__ void k(Late *p) { p[threadIdx.x].b = 0; }\n"
    )
    assert [outcome(access) for access in accesses(check(tmp_path, source))] == ["8"]


def test_what_was_declared_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(float *p, vec *q) {\n  p[threadIdx.x] = lib::f(q[N]) + N;\n}\n")
    module = load(str(file), (), shared_headers())
    assert module.stubs == ("N", "lib::f", "vec")
    assert [(p.kind, p.severe, p.span.line, p.message) for p in module.problems] == [
        (
            ir.ProblemKind.TRANSLATION_UNIT_ERROR,
            False,
            1,
            "N, lib::f, vec are not declared in any header found; what depends on them is unknown",
        )
    ]


def test_a_statement_that_stays_lost_is_reported_with_its_kernel(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("struct S { int a; };\n__global__ void k(float *p, S s) {\n  p[threadIdx.x] = s.b + N;\n}\n")
    (lost,) = [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]
    assert (lost.severe, lost.span.line) == (False, 3)
    assert "no member named 'b' in 'S'" in lost.message


def test_what_is_no_code_in_a_kernel_is_severe(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(float *p) {\n  p[threadIdx.x = 1;\n}\n")
    (lost,) = [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]
    assert (lost.severe, lost.span.line) == (True, 2)


def test_what_follows_from_an_unknown_type_is_said_to_follow_from_it(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(real *p) {\n  p[threadIdx.x] = p[1] > 0 ? p[0] : -p[0];\n}\n")
    (lost,) = [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]
    assert (lost.severe, lost.span.line, lost.in_part) == (False, 2, ("k",))
    assert lost.message.startswith(
        "real is not declared in any header found, and with it unknown: conditional expression is amb"
    )


def test_a_macro_whose_arguments_are_no_cpp_is_said_to_be_undeclared(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    kernel = "template <int N> __global__ void k(float *p, int n) {\n  SET(int, m, N, n);\n  p[threadIdx.x] = m;\n}\n"
    file.write_text(f"{kernel}template __global__ void k<3>(float *, int);\n")
    (lost,) = [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]
    assert (lost.severe, lost.span.line, lost.in_part) == (False, 2, ("k",))
    assert lost.message.startswith("SET is not declared in any header found, and with it unknown: expected '('")
    assert "-include HEADER" in lost.help
    (tmp_path / "m.h").write_text("#define SET(type, name, given, value) given name;\n")
    file.write_text(f'#include "m.h"\n{file.read_text()}')
    (lost,) = [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]
    assert lost.severe
    assert not lost.message.startswith("SET")


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("void k(float *p) { p[threadIdx.x] = 1;\n  STORE_ALL\n}", "STORE_ALL"),
        ("void k(float *p, int n\n  MORE_ARGUMENTS) {\n  p[threadIdx.x] = n;\n}", "MORE_ARGUMENTS"),
    ],
)
def test_a_macro_without_arguments_that_is_no_cpp_is_said_to_be_undeclared(
    kernel: str, name: str, tmp_path: Path
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ {kernel}\n")
    (lost,) = [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]
    assert (lost.severe, lost.span.line) == (False, 2)
    assert lost.message.startswith(f"{name} is not declared in any header found, and with it unknown: expected ")


def test_what_follows_from_a_type_of_a_header_that_is_not_included_is_not_severe(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("int f(int n) { return g(n * sizeof(std::complex<float>), sizeof(std::complex<float>)); }\n")
    assert not any(problem.severe for problem in load(str(file), (), shared_headers()).problems)


@pytest.mark.parametrize(
    ("constant", "kernel", "error"),
    [
        ("constexpr int N = _N_;", "void k(float *p) { p[threadIdx.x] = N; }", "reference to __host__ variable 'N'"),
        ("static constexpr unsigned int N = _N_ / 2;", "void k(float *p) { __shared__ float s[N]; }", ""),
        ("constexpr int N = _N_;", "void __launch_bounds__(N) k(float *p) { p[0] = 0; }", "'launch_bounds' attribute"),
    ],
)
def test_a_constant_made_of_what_the_build_defines_names_that(
    constant: str, kernel: str, error: str, tmp_path: Path
) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"{constant}\n__global__ {kernel}\n")
    for lost in [p for p in load(str(file), (), shared_headers()).problems if p.kernel == "k"]:
        assert not lost.severe
        assert lost.message.startswith(f"_N_ is not declared in any header found, and with it unknown: {error}")
    file.write_text(f"{constant.replace('_N_', '64')}\n__global__ {kernel}\n")
    assert not load(str(file), (), shared_headers()).problems


@pytest.mark.parametrize(
    "body",
    [
        "__shared__ alignas(128) V s[64]; s[threadIdx.x] = p[0];",
        "\n#pragma unroll\np[threadIdx.x] = p[0];",
    ],
)
def test_what_nvcc_takes_and_libclang_only_complains_of_is_no_problem(tmp_path: Path, body: str) -> None:
    """Libclang keeps the code: an alignment after the memory space, a pragma for loops before another statement."""
    file = tmp_path / "k.cu"
    file.write_text(f"struct V {{ float a[4]; }};\n__global__ void k(V *p) {{ {body} }}\n")
    assert not load(str(file), (), shared_headers()).problems


@replaces_what_is_compiled
@pytest.mark.parametrize(
    ("source", "parses"),
    [
        ("__global__ void k(float *p) { p[0] = 0; }", 1),
        ("__global__ void k(float *p) { p[0] = 0; }\nvoid host(lib::Tensor x) { lib::run(x, MODE); }", 1),
        ("void host(lib::Tensor x) { lib::run(x, MODE); }", 1),
        ("__global__ void k(float *p) { p[N] = 0; }", 2),
        ("template <class T> __global__ void k(T *p) { p[threadIdx.x] = 0; }", 2),
        ("template <class T> __global__ void k(T *p) { p[threadIdx.x] = helper(p[0]); }", 3),
        ("template <class T> __global__ void k(T *p) { p[threadIdx.x] = N; }", 2),
        ("__global__ void k(float *p) {}\nvoid f() {\ntimer *t;\nstart(t);\nstop(t);\nk<<<1, 32>>>(0); }", 2),
        ('__global__ void k(unsigned *p) { asm("mov.u32 %0, %laneid;" : "=r"(p[0])); }', 1),
        ("template <class T> __global__ void k(T *p) { p[N] = lib::f<T>(MODE); }", 2),
        ("__global__ void k(lib::box b, float *p) { p[0] = b.of(lib::deep::x).y->z; }", 2),
        ("__global__ void k(box *b, float *p) { auto v = b[0].first(); p[0] = v.second[2].third; }", 2),
    ],
)
def test_a_file_is_parsed_again_only_where_a_kernel_gains(
    source: str, parses: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []

    def counting(path: str, *how: Any) -> TranslationUnit:
        counted.append(path)
        return parse(path, *how)

    monkeypatch.setattr(repaired_file, "parse", counting)
    file = tmp_path / "k.cu"
    file.write_text(source)
    load(str(file), (), shared_headers())
    assert len(counted) == parses


@replaces_what_is_compiled
def test_declarations_that_libclang_cannot_take_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crashing(path: str, flags: tuple[str, ...], text: str, headers: None, stubs: str, *how: Any) -> TranslationUnit:
        if stubs:
            raise FrontendError(f"{path}: libclang could not parse the file")
        return parse(path, flags, text, headers, stubs, *how)

    monkeypatch.setattr(repaired_file, "parse", crashing)
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(float *p) { p[threadIdx.x] = 0; p[N] = 1; }")
    module = load(str(file), (), shared_headers())
    assert [kernel.name for kernel in module.kernels] == ["k"]
    assert module.stubs == ()
    assert [problem.kernel for problem in module.problems] == ["k"]


@pytest.mark.slow
def test_endless_complaints_end(tmp_path: Path) -> None:
    lines = "".join(f"p[a{i}] = b{i}.c{i}->d{i}<e{i}>::f{i};\n" for i in range(400))
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void k(float *p) {{\n{lines}}}\n")
    assert isinstance(load(str(file), (), shared_headers()), ir.Module)


def test_atomics_of_the_library_are_seen_as_what_they_are(tmp_path: Path) -> None:
    found = outcomes(
        tmp_path,
        "s[t].hits.fetch_add(1); cuda::atomic_ref<float> r(out[t]); r.fetch_add(in[t]); out[2 * t] = s[t].other;",
        "#include <cuda/atomic>\nstruct S { cuda::atomic<int> hits; int other; }; __device__ S s[99];",
    )
    assert found == {"s[t].hits.fetch_add(1)": "8", "r.fetch_add(in[t])": "4", "in[t]": "4", "out[2 * t]": "8"} | {
        "s[t].other": "8"
    }


def test_what_an_algorithm_of_thrust_reads_is_no_secret(tmp_path: Path) -> None:
    before = "#include <thrust/reduce.h>\n#include <thrust/execution_policy.h>"
    found = outcomes(tmp_path, "out[t] = thrust::reduce(thrust::seq, in, in + n);", before)
    assert found["out[t]"] == "4"
    assert "`reduce` may access it" in found["in"]
