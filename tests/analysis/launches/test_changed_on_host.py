"""Host variables that change where no assignment names them: what a launch passes is then not what they began with."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.machine.architecture import architecture

KERNEL = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
__global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[2 * i] = 1; }
"""
GLOBALS = """
int g = 0;
static int s = 0;
static int *to_s = &s;
static int never_assigned = 8;
struct Options { int n = 0, m = 0; void read(FILE *f) { fscanf(f, "%d", &n); } };
static Options options;
void parse(int *);
void parse_reference(int &);
void elsewhere(FILE *);
void count(FILE *f) { while (getc(f) != EOF) s++; }
void twice(int *p) { *p = *p * 2; }
void seven(int *p) { *p = 7; }
"""


def check(folder: Path, source: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    return result


def passed(folder: Path, body: str) -> int | None:
    """The number that a launch passes for n; None where it is not known."""
    result = check(folder, f"{KERNEL}{GLOBALS}void run(float *d, FILE *f, int argc, char **argv) {{ {body} }}")
    (kernel,) = result.checked
    return dict(kernel.specialization.arguments).get("n")


@pytest.mark.parametrize(
    "body",
    [
        'int n = 0; fscanf(f, "%d", &n); k<<<1, 32>>>(d, n);',
        'int n = 0; if (fscanf(f, "%d", &n) != 1) exit(1); k<<<1, 32>>>(d, n);',
        'int n = 0; while (fscanf(f, "%d", &n) == 1) {} k<<<1, 32>>>(d, n);',
        'int n = 0; sscanf(argv[1], "%d", &n); k<<<1, 32>>>(d, n);',
        "int n = 0; fread(&n, 4, 1, f); k<<<1, 32>>>(d, n);",
        "int n = 0; memcpy(&n, d, 4); k<<<1, 32>>>(d, n);",
        "int n = 0; cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost); k<<<1, 32>>>(d, n);",
        "int n = 0; cudaGetDeviceCount(&n); k<<<1, 32>>>(d, n);",
        'int n = 0; int *q = &n; fscanf(f, "%d", q); k<<<1, 32>>>(d, n);',
        'int n = 0; int &r = n; fscanf(f, "%d", &r); k<<<1, 32>>>(d, n);',
        "int n = 0; parse(&n); k<<<1, 32>>>(d, n);",
        "int n = 0; parse_reference(n); k<<<1, 32>>>(d, n);",
        "int n = 0; undeclared(f, &n); k<<<1, 32>>>(d, n);",
        "int n = 0; undeclared(f, n); k<<<1, 32>>>(d, n);",
        "int n = 0; std::cin >> n; k<<<1, 32>>>(d, n);",
        "int n; for (n = 0; n < argc; n++) {} k<<<1, 32>>>(d, n);",
        "int n = 1; for (int j = 0; j < argc; j++) twice(&n); k<<<1, 32>>>(d, n);",
        "int n = 1; for (int j = 0; j < argc; j++) { k<<<1, 32>>>(d, n); twice(&n); }",
        "int n = 1; do { k<<<1, 32>>>(d, n); twice(&n); } while (argc--);",
        "int n = 1, m = 1; int *p = &m; for (int j = 0; j < argc; j++) { n = m; *p += 1; } k<<<1, 32>>>(d, n);",
        'int v[2] = {0, 0}; for (int j = 0; j < 2; j++) fscanf(f, "%d", &v[j]); k<<<1, 32>>>(d, v[1]);',
        "int v[2] = {0, 0}; fread(v, 4, 2, f); k<<<1, 32>>>(d, v[1]);",
        'int n = 0; auto read = [&] { fscanf(f, "%d", &n); }; read(); k<<<1, 32>>>(d, n);',
        'int n = 0; auto read = [&] { fscanf(f, "%d", &n); }; apply(read); k<<<1, 32>>>(d, n);',
        "int n = 0; struct { int *p; } h; h.p = &n; load(f, h); k<<<1, 32>>>(d, n);",
        'int n = 0; for (int j = 1; j < argc; j++) if (!strcmp(argv[j], "n")) n = atoi(argv[++j]); k<<<1, 32>>>(d, n);',
        'Options o; fscanf(f, "%d", &o.n); k<<<1, 32>>>(d, o.n);',
        "Options o; o.read(f); k<<<1, 32>>>(d, o.n);",
        "options.n = 0; options.read(f); k<<<1, 32>>>(d, options.n);",
        'g = 0; fscanf(f, "%d", &g); k<<<1, 32>>>(d, g);',
        "for (g = 0; undeclared(f); g++) {} k<<<1, 32>>>(d, g);",
        "s = 0; count(f); k<<<1, 32>>>(d, s);",
        's = 0; fscanf(f, "%d", to_s); k<<<1, 32>>>(d, s);',
        "g = 0; elsewhere(f); k<<<1, 32>>>(d, g);",
        "g = 0; undeclared(f); k<<<1, 32>>>(d, g);",
        "void (*act)(FILE *) = choose(argc); g = 0; act(f); k<<<1, 32>>>(d, g);",
        "int n = 0; try { n = undeclared(f); } catch (...) { n = 0; return; } k<<<1, 32>>>(d, n);",
        "int n = 0; try { parse(&n); } catch (const char *) { throw; } k<<<1, 32>>>(d, n);",
        "int n = 0, m = 0; try { m = 1; parse(&n); m = 0; } catch (int) { n = m; } k<<<1, 32>>>(d, n);",
        "int n = 0; again: n++; if (undeclared(f)) goto again; k<<<1, 32>>>(d, n);",
        "int n = 0, j = 0; next: if (j >= argc) goto done; n += 3; j++; goto next; done:; k<<<1, 32>>>(d, n);",
        "int n = 0; for (;;) { for (;;) { n++; if (undeclared(f)) goto done; } } done: k<<<1, 32>>>(d, n);",
    ],
)
def test_what_changes_through_its_address_is_not_known(tmp_path: Path, body: str) -> None:
    assert passed(tmp_path, body) is None


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("int n = 0; seven(&n); k<<<1, 32>>>(d, n);", 7),
        ('int n = 5; printf("%d", n); k<<<1, 32>>>(d, n);', 5),
        ("int n = 5, m = 0; fread(&m, 4, 1, f); k<<<1, 32>>>(d, n);", 5),
        ("int n = 5; for (int j = 0; j < argc; j++) d[j] = undeclared(j); k<<<1, 32>>>(d, n);", 5),
        ("elsewhere(f); k<<<1, 32>>>(d, never_assigned);", 8),
        ("for (int j = 0; j < argc; j++) count(f); k<<<1, 32>>>(d, never_assigned);", 8),
        ("options.n = 0; options.m = 4; fread(&options.n, 4, 1, f); k<<<1, 32>>>(d, never_assigned);", 8),
    ],
)
def test_what_nothing_changes_stays_known(tmp_path: Path, body: str, number: int) -> None:
    assert passed(tmp_path, body) == number


@pytest.mark.parametrize(
    ("declared", "setup", "known"),
    [
        ("int n = 9;", "", 9),
        ("int n = 9;", "elsewhere(f);", None),
        ("static int n = 9;", "elsewhere(f);", 9),
        ("const int n = 9;", "elsewhere(f);", 9),
        ("static int n = 9;\nvoid into(int &v, FILE *f); void prepare(FILE *f) { into(n, f); }", "", None),
        ("static int n = 9;\nvoid by_value(int v); void prepare(FILE *f) { by_value(n); }", "", 9),
    ],
)
def test_a_global_is_a_constant_unless_other_code_may_set_it(
    tmp_path: Path, declared: str, setup: str, known: int | None
) -> None:
    source = f"""{KERNEL}
void elsewhere(FILE *);
{declared}
float *d;
int main() {{ FILE *f = fopen("a", "r"); {setup} k<<<1, 32>>>(d, n); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert dict(kernel.specialization.arguments).get("n") == known


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("int n = 4; try { undeclared(f); } catch (int) { return; } k<<<1, 32>>>(d, n);", {4}),
        ("int n = 4; try { if (argc > 2) throw 1; n = 8; } catch (int) { n = 6; } k<<<1, 32>>>(d, n);", {6, 8}),
        (
            "int n = 4; try { undeclared(f); } catch (int) { n = 5; } catch (...) { n = 6; } k<<<1, 32>>>(d, n);",
            {4, 5, 6},
        ),
        ("try { k<<<1, 32>>>(d, 3); } catch (int) { k<<<1, 32>>>(d, 9); }", {3, 9}),
        ("int n = 4; if (argc > 2) goto out; n = 8; out: k<<<1, 32>>>(d, n);", {4, 8}),
        ("int n = 4; goto out; n = 8; out: k<<<1, 32>>>(d, n);", {4}),
        ("int n = 4; if (argc < 2) { throw n; } else { n = 8; } k<<<1, 32>>>(d, n);", {8}),
        ("int n = 4; if (argc < 2) { throw Error(); } else { n = 8; } k<<<1, 32>>>(d, n);", {8}),
        ("int n = 4; if (argc < 2) { Error(); } else { n = 8; } k<<<1, 32>>>(d, n);", {4, 8}),
    ],
)
def test_launches_behind_gotos_and_exceptions_are_read(tmp_path: Path, body: str, numbers: set[int]) -> None:
    error = "struct Error { Error(); ~Error(); };"
    result = check(tmp_path, f"{KERNEL}{GLOBALS}{error}void run(float *d, FILE *f, int argc) {{ {body} }}")
    assert {dict(kernel.specialization.arguments).get("n") for kernel in result.checked} == numbers


def test_a_kernel_of_which_no_thread_is_active_is_reported(tmp_path: Path) -> None:
    (problem,) = check(tmp_path, f"{KERNEL}void run(float *d) {{ k<<<1, 32>>>(d, 0); }}").problems
    assert problem.code == "COA903"
    assert problem.message == "no thread of the kernel k reaches a memory access with n = 0 (launch at line 7)"


@pytest.mark.parametrize(
    "source",
    [
        "void run(float *d) { k<<<1, 32>>>(d, 0); k<<<1, 32>>>(d, 4); }",
        "__global__ void no(float *x, int n) { } void run(float *d) { k<<<1, 32>>>(d, 4); no<<<1, 32>>>(d, 0); }",
    ],
)
def test_a_kernel_that_one_launch_gives_work_or_that_has_none_is_no_problem(tmp_path: Path, source: str) -> None:
    assert not check(tmp_path, KERNEL + source).problems


@pytest.mark.parametrize(
    ("before", "call"),
    [
        ("struct S { int n = 8; void more() { n *= 2; } } s;", "s.more();"),
        ("struct S { int n = 8; } s; auto more = [&] { s.n *= 2; };", "more();"),
        ("struct S { int n = 8; } s; S *p = &s;", "p->n *= 2;"),
        ("struct S { int n = 8; } s; int &r = s.n;", "for (int j = 0; j < 2; j++) r *= 2;"),
        ("struct S { int n = 8; } s;", "twice(&s.n);"),
        ("struct S { int n = 8; } s;", "if (i == 3) { int m = 1; m += s.n; s.n = m; }"),
    ],
)
def test_what_a_loop_changes_besides_what_it_launches_is_not_constant(tmp_path: Path, before: str, call: str) -> None:
    loop = f"for (int i = 0; i < 100; i++) {{ for (int j = 0; j < 100; j++) {{ k<<<1, 256>>>(x, s.n); {call} }} }}"
    assert passed(tmp_path, f"float *x = nullptr; {before} {loop}") is None


def test_what_only_changes_variables_of_its_own_leaves_a_loop_its_constants(tmp_path: Path) -> None:
    text = """
float *x = nullptr; int n = 8;
struct Counter { int n = 0; void more() { n += 1; } };
for (int i = 0; i < 100; i++) {
    Counter counter; counter.more(); int *p = &counter.n; *p = 3;
    for (int j = 0; j < 100; j++) k<<<1, 256>>>(x, n);
}
"""
    assert passed(tmp_path, text) == 8
