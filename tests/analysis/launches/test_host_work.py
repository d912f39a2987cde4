"""How much of a host function is evaluated, counted in steps: what its launches need, and those are all found."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from project import shared_headers

from coalint.analysis.launches import host_launches
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.machine.architecture import architecture

KERNEL = "__global__ void k(float *a, int n) { if (threadIdx.x < n) a[2 * threadIdx.x] = 0; }\n"
STEPS = host_launches.HostSteps


def check(folder: Path, source: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(KERNEL + source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), headers=shared_headers()))
    assert not result.failures, result.failures
    return result


def steps(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The expressions that are evaluated for the launches of a file."""
    made: list[host_launches.HostSteps] = []

    def counted() -> host_launches.HostSteps:
        made.append(STEPS())
        return made[-1]

    monkeypatch.setattr(host_launches, "HostSteps", counted)
    check(folder, source)
    return sum(host_launches.MAX_HOST_STEPS - one.left for one in made)


def passed(folder: Path, source: str) -> set[int | None]:
    """The numbers that launches pass for n."""
    return {dict(checked.specialization.arguments).get("n") for checked in check(folder, source).checked}


def nest(depth: int, change: str) -> str:
    """Loops in each other that change something, before a launch."""
    loops = "".join(f"for (int i{n} = 0; i{n} < size; i{n}++) " for n in range(depth))
    before = "int c = 0, *p = &c;"
    return f"void run(float *a, float *table, int size) {{ {before} {loops} {change}; k<<<1, 64>>>(a, 9 + 0 * c); }}"


@replaces_what_is_compiled
@pytest.mark.parametrize("change", ["table[i0] = 1", "*p += size"])
def test_what_loops_in_each_other_change_is_found_once(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, more = (steps(tmp_path, nest(depth, change), monkeypatch) for depth in (4, 8))
    assert 0 < more < 4 * few
    assert passed(tmp_path, nest(8, change)) == {9}


@replaces_what_is_compiled
@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        ("k<<<1, 64>>>(a, size());", 1),
        ("k<<<1, 64>>>(a, argc > 1 ? size() : 7);", 2),
        ("if (argc > 1) a += size(); k<<<1, 64>>>(a, 7);", 1),  # what is open is a pointer, which no run knows
        ("k<<<1, 64>>>(a, set + size());", 2),
    ],
)
def test_a_program_is_evaluated_without_options_where_these_or_first_values_are_read(
    body: str, rounds: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = f"int size(); int set = 5; void change() {{ set = size(); }} int %s {{ float *a = 0; {body} }}"
    with_options = steps(tmp_path, source % "main(int argc, char **argv)", monkeypatch)
    without = steps(tmp_path, source % "other(int argc, char **argv)", monkeypatch)
    assert rounds - 0.5 < with_options / without < rounds + 0.5


def test_numbers_of_a_program_without_options_are_found(tmp_path: Path) -> None:
    source = "int size(); int main(int argc, char **argv) { float *a = 0; k<<<1, 64>>>(a, argc > 1 ? size() : 7); }"
    assert 7 in passed(tmp_path, source)


@replaces_what_is_compiled
def test_a_loop_of_many_iterations_is_not_run_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "void run(float *a) { for (int i = 0; i < %d; i++) k<<<1, 64>>>(a, i); }"
    few, many = (steps(tmp_path, source % trips, monkeypatch) for trips in (16, 100))
    assert 2 * many < few


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("for (int i = 0; i < 100; i++) { k<<<1, 64>>>(a, i); i += 24; }", {0, 25, 50, 75}),
        ("for (int i = 0; i < 100; i++) { int &j = i; k<<<1, 64>>>(a, i); j += 24; }", {0, 25, 50, 75}),
        ("for (int i = 0; i < 100; i++) { k<<<1, 64>>>(a, i); more(&i); }", {0, 25, 50, 75}),
        ("for (int i = 0; i < 100; i++) { k<<<1, 64>>>(a, i); also(i); }", {0, 25, 50, 75}),
        ("int n = 100; for (int i = 0; i < n; i++) { k<<<1, 64>>>(a, i); n = 3; }", {0, 1, 2}),
        ("int n = 100; int *p = &n; for (int i = 0; i < n; i++) { k<<<1, 64>>>(a, i); *p = 3; }", {0, 1, 2}),
        ("int n = 100; for (int i = 0; i < n; i++) { k<<<1, 64>>>(a, i); few(&n); }", {0, 1, 2}),
        ("int by = 1; for (int i = 0; i < 100; i += by) { k<<<1, 64>>>(a, i); by = 40; }", {0, 40, 80}),
        ("for (int i = 0; i < 100; i++) { k<<<1, 64>>>(a, i); if (i == 2) return; }", {0, 1, 2}),
        ("for (int i = 0; i < 3; i++) k<<<1, 64>>>(a, i);", {0, 1, 2}),
    ],
)
def test_iterations_that_end_early_are_run_one_by_one(body: str, numbers: set[int], tmp_path: Path) -> None:
    helpers = "void more(int *i) { *i += 24; } void also(int &i) { i += 24; } void few(int *n) { *n = 3; }"
    assert passed(tmp_path, f"{helpers} void run(float *a) {{ {body} }}") == numbers


def test_of_many_iterations_no_other_arguments_are_left_out_for_the_same_ones(tmp_path: Path) -> None:
    once = "void run(float *a) { for (int i = 0; i < 12; i++) k<<<1, 64>>>(a, i == 2 ? 5 : 3 + 0 * i); }"
    assert passed(tmp_path, once) == {3, 5}


CROP = """\
struct Blob { int axes(); int shape(int); };
void crop(float *a, Blob *blob, int *index, int axis) {
    if (axis + 2 < blob->axes()) {
        for (int i = 0; i < blob->shape(axis); ++i) { index[axis] = i; crop(a, blob, index, axis + 1); }
    } else {
        k<<<1, 128>>>(a, 7);
    }
}
void sort(float *a, int size) {
    if (size < 2) return;
    sort(a, size / 2);
    sort(a + size / 2, size - size / 2);
    k<<<1, 256>>>(a, 8);
}
void halved(float *a, int size) {
    k<<<1, 64>>>(a, size);
    if (size > 16) halved(a, size / 2);
}
"""
STARTS = "void run(float *a, Blob *blob, int *index) { crop(a, blob, index, 0); halved(a, 8192); }\n"


@replaces_what_is_compiled
def test_a_host_function_that_calls_itself_is_followed_as_far_as_its_work_stays_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert steps(tmp_path, CROP + STARTS, monkeypatch) < host_launches.MAX_HOST_STEPS / 5
    assert passed(tmp_path, CROP + STARTS) == {7, 8} | {8192 >> n for n in range(10)}


WORK = "int b = " + " + ".join(["n * 3"] * 200) + ";"
AFTER = {
    "in the function itself": "void run(float *a, int n) { k<<<1, 64>>>(a, 9); %s }",
    "in a branch": "void run(float *a, int n) { if (n > 3) { k<<<1, 64>>>(a, 9); %s } else { n = 2; } }",
    "in what is called last": "void f(float *a, int n) { k<<<1, 64>>>(a, 9); %s } void run(float *a) { f(a, 3); }",
    "in what is returned": (
        "int f(float *a, int n) { k<<<1, 64>>>(a, 9); %s return n; } int run(float *a) { return f(a, 3); }"
    ),
    "two calls deep": (
        "void g(float *a, int n) { k<<<1, 64>>>(a, 9); %s } "
        "void f(float *a) { g(a, 3); a = 0; } void run(float *a) { f(a); }"
    ),
}


@replaces_what_is_compiled
@pytest.mark.parametrize("source", AFTER.values(), ids=AFTER)
def test_what_comes_after_the_last_launch_takes_no_steps(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert steps(tmp_path, source % WORK, monkeypatch) == steps(tmp_path, source % "", monkeypatch)
    assert passed(tmp_path, source % WORK) == {9}


TO_THE_END: dict[str, tuple[str, set[int | None]]] = {
    "a jump back": (
        "void run(float *a) { int n = 1; again: k<<<1, 64>>>(a, n); n = 5; if (n < 9) goto again; }",
        {None},
    ),
    "a loop": (
        "void run(float *a) { for (int i = 0, n = 1; i < 2; i++) { k<<<1, 64>>>(a, n); n = 5; } }",
        {1, 5},
    ),
    "a function called twice": (
        (
            "void f(float *a, int *n) { k<<<1, 64>>>(a, *n); *n = 5; }\n"
            "void run(float *a) { int n = 1; f(a, &n); f(a, &n); }"
        ),
        {1, 5},
    ),
    "a function called by the last": (
        (
            "void g(float *a, int *n) { k<<<1, 64>>>(a, *n); *n = 5; } void f(float *a, int *n) { g(a, n); }\n"
            "void run(float *a) { int n = 1; g(a, &n); f(a, &n); }"
        ),
        {1, 5},
    ),
    "a lambda": (
        "void run(float *a) { int n = 1; auto f = [&] { k<<<1, 64>>>(a, n); }; n = 5; f(); }",
        {5},
    ),
    "a function pointer": (
        "void f(float *a, int n) { k<<<1, 64>>>(a, n); }\nvoid run(float *a) { auto p = &f; int n = 5; p(a, n); }",
        {5, None},
    ),
    "a lambda that is handed on": (
        (
            "template <class F> void call(F f) { int n = 5; f(n); }\n"
            "void run(float *a) { call([=](int n) { k<<<1, 64>>>(a, n); }); }"
        ),
        {5},
    ),
    "a result that a launch needs": (
        "int f(float *a) { k<<<1, 64>>>(a, 1); int n = 5; return n; }\nvoid run(float *a) { k<<<1, 64>>>(a, f(a)); }",
        {1, 5},
    ),
    "a handler": (
        "void run(float *a) { try { k<<<1, 64>>>(a, 1); throw 1; } catch (int) { k<<<1, 64>>>(a, 5); } }",
        {1, 5},
    ),
    "a case that falls through": (
        "void run(float *a, int m) {\nswitch (m) { case 1: k<<<1, 64>>>(a, 1); m = 5; case 2: k<<<1, 64>>>(a, 5); } }",
        {1, 5},
    ),
}


@pytest.mark.parametrize(("source", "numbers"), TO_THE_END.values(), ids=TO_THE_END)
def test_no_launch_is_left_out_with_what_comes_after(
    source: str, numbers: set[int | None] | None, tmp_path: Path
) -> None:
    assert passed(tmp_path, source) == numbers
