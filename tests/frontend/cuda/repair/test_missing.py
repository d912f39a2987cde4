"""Kernels of the source text that libclang did not give."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core import ir
from coalint.frontend.cuda.load import load
from coalint.frontend.cuda.repair.missing_kernels import defined_kernels, kernels_in_strings


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("__global__ void k(int n) {}", ["k"]),
        ("template <class T> __global__ void __launch_bounds__(256, 2) k(T *p) {}", ["k"]),
        ("__global__ static __launch_bounds__(decltype(size(M{}))::value) void k(M m) {}", ["k"]),
        ("__global__ void k(P p = {}) { p(); }", ["k"]),
        ("__global__ void k(int n);", []),
        ("__global__ void __launch_bounds__(N; void f() {}", []),
        ("// __global__ void k() {}\n", []),
        ('const char *s = R"(__global__ void k() {})";', []),
        ('const char *s = R"x(")" __global__ void a() {})x"; __global__ void k() {}', ["k"]),
    ],
)
def test_names(source: str, names: list[str]) -> None:
    assert [name for name, _ in defined_kernels(source, "k.cu")] == names


def test_a_kernel_in_a_string_is_told_with_its_place(tmp_path: Path) -> None:
    source = '// R"(__global__ void no() {})"\nauto s = R"cu(\n__global__ void later(float *p) { p[0] = 1; })cu";\n'
    ((name, span),) = kernels_in_strings(source, "k.cu")
    assert (name, span.line, span.column, span.end_column) == ("later", 3, 1, 11)
    (tmp_path / "k.cu").write_text(f"{source}__global__ void now(float *p) {{ p[threadIdx.x] = 1; }}\n")
    (problem,) = load(str(tmp_path / "k.cu"), (), shared_headers()).problems
    assert (problem.kind, problem.severe, problem.kernel) == (ir.ProblemKind.NOT_ANALYSED, False, "later")
    assert "is in a string that is compiled at run time" in problem.message


@pytest.mark.parametrize(
    ("before", "after", "severe", "why", "help"),
    [
        (
            "#if N > 2 && defined(M)",
            "#endif",
            False,
            "was not analysed: the preprocessor leaves it out, since `#if N > 2 && defined(M)` in line 2 does not hold",
            "pass the definitions of a build that has it: -D N=3 -D M",
        ),
        ("#if N > 2\n}", "#endif", False, "leaves it out, since `#if N > 2` in line 2", "-D N=3"),
        ("#if N < 2\nint j(", "#endif", True, "(an error before it)", ""),
        ("#if __CUDA_ARCH__ >= 900", "#endif", False, "leaves it out, since", "--arch sm_90"),
        ("#if N == M + 1", "#endif", False, "leaves it out, since", "define what makes the condition hold"),
        ("#define three four", "", True, "(an error before it)", ""),
    ],
)
def test_a_condition_around_a_kernel_is_named_and_an_error_only_where_it_may_be_the_reason(
    before: str, after: str, severe: bool, why: str, help: str, tmp_path: Path
) -> None:
    kernel = "__global__ void three(float *p) { p[threadIdx.x] = 0; }"
    broken = "__global__ void one(float *p) { p[threadIdx.x] = 0 +; }"
    (tmp_path / "k.cu").write_text(f"{broken}\n{before}\n{kernel}\n{after}\n")
    (lost,) = [p for p in load(str(tmp_path / "k.cu"), (), shared_headers()).problems if p.kernel == "three"]
    assert lost.severe is severe
    assert why in lost.message
    assert help in lost.help


@pytest.mark.parametrize(
    ("kernel", "switches"),
    [
        ("void k(float *p) { p[0] = 1; }  // REAL & WIDE", ("REAL",)),
        ("void k(REAL *p) { p[0] = 1; }", ()),
        ("void k(float *p) { p[0] = sizeof(REAL); }", ()),
    ],
)
def test_a_macro_that_stands_for_a_type_is_no_switch(kernel: str, switches: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(f"#ifdef REAL\n__global__ {kernel}\n#endif  // REAL & so on\n")
    (lost,) = load(str(tmp_path / "k.cu"), (), shared_headers()).problems
    assert lost.switches == switches


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("template <class T>\n__global__ No<T>\nlost(T *p) { p[threadIdx.x] = 1; }\n", "an error in its declaration)"),
        ("__global__ int lost(int *p) { return p[0]; }\n", "an error in its declaration)"),
        ("#define lost found\n__global__ void lost(int *p) { p[threadIdx.x] = 1; }\n", "the preprocessor disables"),
    ],
)
def test_the_preprocessor_is_no_reason_where_the_declaration_has_an_error(
    source: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "k.cu").write_text(f"int n;\n\n{source}")
    (problem,) = [p for p in load(str(tmp_path / "k.cu"), (), shared_headers()).problems if p.kernel == "lost"]
    assert f"libclang did not see it ({reason}" in problem.message
