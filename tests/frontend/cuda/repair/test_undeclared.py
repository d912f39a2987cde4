"""What undeclared functions may change, and constants made of undeclared types, are unknown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from outcomes import accesses, check, missing, outcome, outcomes

from coalint.cli.main import main


@pytest.mark.parametrize(
    "call",
    [
        "advance(&i);",
        "if (advance(&i)) n = 3;",
        "lib::advance(&i);",
        "advance(i);",
        "lib::advance(i, n);",
        "int *p = &i; advance(p);",
        "auto f = [&] { return i; }; advance(f);",
    ],
)
def test_a_function_that_nothing_declares_may_change_what_it_is_handed(call: str, tmp_path: Path) -> None:
    found = outcomes(tmp_path, f"int i = t, j = 2 * t; {call} out[i] = in[j];")
    assert not found["out[i]"].lstrip("-").isdigit(), found
    assert found["in[j]"] == "8"


def test_a_method_that_nothing_declares_may_change_its_object(tmp_path: Path) -> None:
    before = "struct Cursor { float *at; int i; };"
    found = outcomes(tmp_path, "Cursor c{out, t}; c.advance(2); c.at[t] = in[c.i];", before)
    assert not any(text.lstrip("-").isdigit() for text in found.values()), found


@pytest.mark.parametrize(
    ("before", "size"),
    [
        ("struct S { Lib lib; bool b; }; constexpr int size = sizeof(S);", "size"),
        ("struct S { Lib lib; bool b; }; struct T { static constexpr int size = 4 + sizeof(S); };", "T::size"),
        ("struct S { Lib lib; }; enum { size = 2 * sizeof(S) };", "size"),
        ("struct S { Lib lib; }; constexpr int one = sizeof(S); constexpr int size = one + 1;", "size"),
    ],
)
def test_constants_made_of_unknown_sizes_are_unknown(before: str, size: str, tmp_path: Path) -> None:
    found = outcomes(tmp_path, f"out[{size} * t] = in[4 * t];", before)
    assert not found[f"out[{size} * t]"].lstrip("-").isdigit(), found
    assert found["in[4 * t]"] == "16"


ENUMERATED = """\
template <Mode mode, class T> __global__ void k(T *p, Mode *q) {
    switch (mode) { case Mode::wide: p[4 * threadIdx.x] = 1; break; case Mode::kNarrow: p[threadIdx.x] = 2; }
    p[(int)mode * threadIdx.x] = 3;
    p[static_cast<int>(Mode::wide) * threadIdx.x + 1] = 4;
    p[sizeof(Mode) * threadIdx.x + 2] = 5;
    q[threadIdx.x] = mode;
}
void run(float *p) { k<Mode::wide, float><<<1, 64>>>(p, nullptr); k<Mode::kNarrow, float><<<1, 64>>>(p, nullptr); }
"""


def test_an_undeclared_type_of_a_template_parameter_is_an_enumeration_of_unknown_numbers(tmp_path: Path) -> None:
    result = check(tmp_path, ENUMERATED)
    found = {(access.specialization.kernel, access.expression): outcome(access) for access in accesses(result)}
    chosen = {text for (_, expression), text in found.items() if expression in ("p[4 * threadIdx.x]", "p[threadIdx.x]")}
    others = {text for (_, expression), text in found.items() if "mode" in expression or "Mode" in expression}
    assert chosen == {"16", "4"}
    assert others | {text for (_, expression), text in found.items() if expression[0] == "q"} == {missing("Mode")}
    assert [problem.message for problem in result.problems] == [
        "Mode is not declared in any header found; what depends on it is unknown"
    ]


def test_a_struct_that_holds_an_undeclared_enumeration_has_no_layout(tmp_path: Path) -> None:
    source = "template <Mode m> __device__ int f() { return 1; }\nstruct S { Mode m; float v; };\n"
    source += "__global__ void k(S *s) { s[threadIdx.x].v = 1; }\n"
    assert [outcome(access) for access in accesses(check(tmp_path, source))] == [
        "the layout of `v`'s struct is not known"
    ]


def test_names_are_told_once_at_the_header_that_lacks_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lib.h").write_text("#pragma once\nstruct S { Kind kind; float *p; };\n__device__ float f(Other o);\n")
    for name in "abc":
        kernel = f"__global__ void {name}(S s, Own_{name} o) {{ s.p[2 * threadIdx.x] = o.v; }}"
        (tmp_path / f"{name}.cu").write_text(f'#include "lib.h"\n{kernel}\n')
    main(["lint", "--isolated", "--output-format=json", str(tmp_path)])
    found = [d for d in json.loads(capsys.readouterr().out)["diagnostics"] if d["code"] == "COA902"]
    told = [(Path(d["file"]).name, d["line"], d["message"].partition(" ")[0]) for d in found]
    assert told == [("a.cu", 2, "Own_a"), ("b.cu", 2, "Own_b"), ("c.cu", 2, "Own_c"), ("lib.h", 2, "Kind,")]


@pytest.mark.parametrize(
    "declared",
    ["constexpr int threads = 64;", "static const unsigned threads{64};", "constexpr auto threads = 64u;"],
)
def test_numbers_among_the_arguments_of_an_undeclared_class_template_are_told_by_their_declarations(
    declared: str, tmp_path: Path
) -> None:
    before = f"{declared} template <int items> __global__ void k(const int *in, int *out) {{\n"
    body = """\
        typedef Gather<int, threads, items> Loader;
        __shared__ typename Loader::Storage storage;
        int taken[items];
        Loader(storage).load(in, taken);
        out[2 * threadIdx.x] = taken[0];
    }
    void run(const int *in, int *out) { k<4><<<1, 64>>>(in, out); }
    """
    result = check(tmp_path, before + body)
    assert {access.expression: outcome(access) for access in accesses(result)}["out[2 * threadIdx.x]"] == "8"
    assert not any("template argument" in problem.message for problem in result.problems)


def test_names_that_a_missing_header_may_declare_are_part_of_its_finding(tmp_path: Path) -> None:
    text = '#include "lost.h"\n__global__ void k(float *p) { p[threadIdx.x] = LOST_SUM(p) + LOST_NUMBER; }\n'
    (problem,) = check(tmp_path, text).problems
    assert problem.message == (
        "'lost.h' file not found; LOST_NUMBER, LOST_SUM are not declared, and what depends on them is unknown"
    )


def test_the_word_template_may_be_left_out_as_nvcc_lets_it(tmp_path: Path) -> None:
    text = """\
struct V { template <class T> T *value(); };
template <class T> struct B { V *p(int i); };
template <class T> struct C : B<T> { void f() { T *a = this->p(0)->value<T>(); } };
__global__ void k(float *p) { p[threadIdx.x] = 0; }
"""
    assert check(tmp_path, text).problems == ()


@pytest.mark.parametrize("name", ["REAL", "GLOBAL", "real_t"])
@pytest.mark.parametrize(
    "parameters",
    [
        "{0} *wide, {0} const *__restrict__ const values",
        "{0} const *const values, {0} const factor, {0} *wide",
        "const {0} *values, {0} *wide",
    ],
)
def test_what_stands_before_a_star_is_a_type_however_it_is_written(name: str, parameters: str, tmp_path: Path) -> None:
    text = f"""
namespace {{ __constant__ {name} scale; }}
__global__ void k({parameters.format(name)}, float *out) {{
    const int i = threadIdx.x;
    wide[i] = values[i] * scale;
    out[2 * i] = sizeof({name});
}}
"""
    result = check(tmp_path, text)
    found = {access.expression: outcome(access) for access in accesses(result)}
    assert found == {
        "wide[i]": missing(name),
        "values[i]": missing(name),
        "scale": missing(name),
        "out[2 * i]": "8",
    }
    (problem,) = result.problems
    assert problem.message.startswith(f"{name} is not declared in any header found")


def test_a_macro_before_a_star_is_no_type_where_the_type_stands_before_it(tmp_path: Path) -> None:
    text = "__global__ void k(float *out, float READ_ONLY const *in) { out[2 * threadIdx.x] = in[threadIdx.x]; }\n"
    found = {access.expression: outcome(access) for access in accesses(check(tmp_path, text))}
    assert found == {"in[threadIdx.x]": "4", "out[2 * threadIdx.x]": "8"}


@pytest.mark.parametrize(
    "value",
    [
        "fmax(a[i], (Real)0)",
        "fmin(0.5, a[i])",
        "sqrt(fabs(a[i]))",
        "+a[i]",
        "isnan(a[i]) ? 0 : 1",
        "exp(a[i] * 2)",
    ],
)
def test_functions_of_numbers_take_those_of_an_undeclared_type(value: str, tmp_path: Path) -> None:
    text = (
        f"__global__ void k(Real *a, float *out) {{ int i = threadIdx.x; const Real v = {value}; a[i] = v;"
        " if (v > 0) out[2 * i] = v; }\n"
    )
    result = check(tmp_path, text)
    assert [problem.message for problem in result.problems] == [
        "Real is not declared in any header found; what depends on it is unknown"
    ]
    assert "8" in [outcome(access) for access in accesses(result)]


CONSTANTS = """\
%s
template <class T> struct Traits { static constexpr int rows = 2 * sizeof(T); };
template <class T> __global__ void k(T *p, float *out) {
    if (threadIdx.x < %s) out[4 * threadIdx.x] = 1;
    out[Traits<T>::rows * threadIdx.x] = 2;
}
__global__ void plain(float *out) { if (threadIdx.x < %s) out[8 * threadIdx.x] = 1; }
void run(float *p) { k<Unheard><<<1, 64>>>(nullptr, p); plain<<<1, 64>>>(p); }
"""


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("constexpr int rows = 16;", "rows"),
        ("namespace sizes { const int rows = 4 * 4; }", "sizes::rows"),
        ("struct Sizes { static constexpr int rows = 16; };", "Sizes::rows"),
        ("template <class T> struct Sizes { static constexpr int rows = 4 * sizeof(T); };", "Sizes<int>::rows"),
    ],
)
def test_constants_outside_of_an_instance_for_an_unknown_type_are_known(
    declared: str, name: str, tmp_path: Path
) -> None:
    found = accesses(check(tmp_path, CONSTANTS % (declared, name, name)))
    guarded = {access.expression: access for access in found}
    for expression in ("out[4 * threadIdx.x]", "out[8 * threadIdx.x]"):
        lanes = guarded[expression].result.lanes
        assert lanes is not None
        assert lanes.active.sum() == 16
        assert guarded[expression].result.exact
    assert not outcome(guarded["out[Traits<T>::rows * threadIdx.x]"]).lstrip("-").isdigit()
