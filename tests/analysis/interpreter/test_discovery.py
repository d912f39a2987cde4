"""What loops in loops change through pointers is found out with few runs of their bodies, and all of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from compiled_analysis import replaces_what_is_compiled
from evaluated import access, accesses, count, count_runs

from coalint.analysis.interpreter.loops.evaluation import LoopEvaluation

POINTERS = "int a = 0, b = 0, *p = &a, *q = &b;"


def test_what_an_inner_loop_changes_stays_known_when_the_outer_one_changes_more(tmp_path: Path) -> None:
    inner = "a = 0; for (int j = 0; j < m; j++) { out[threadIdx.x * (a + 1)] = 0; *p += 1; }"
    found, _ = access(
        tmp_path, f"{POINTERS} for (int i = 0; i < n; i++) {{ {inner} *q += 1; }}", parameters="int n, int m"
    )
    assert not found.result.exact  # the stride grows with each iteration of the inner loop
    assert found.stride != "4"


def test_what_a_loop_changes_beside_another_one_is_known_there(tmp_path: Path) -> None:
    first = "for (int j = 0; j < m; j++) { out[threadIdx.x * (b + 1)] = 0; *p += 1; }"
    second = "for (int j = 0; j < m; j++) *q += 1;"
    found, _ = access(
        tmp_path, f"{POINTERS} for (int i = 0; i < n; i++) {{ {first} {second} }}", parameters="int n, int m"
    )
    assert not found.result.exact
    assert found.stride != "4"


def test_a_pointer_that_turns_in_an_inner_loop_leads_to_both_in_the_outer_one(tmp_path: Path) -> None:
    inner = "for (int j = 0; j < m; j++) { *p += 1; p = &b; } out[threadIdx.x * (b + 1)] = 0;"
    found, _ = access(tmp_path, f"{POINTERS} for (int i = 0; i < n; i++) {{ {inner} }}", parameters="int n, int m")
    assert not found.result.exact
    assert found.stride != "4"


@pytest.mark.parametrize(("depth", "most"), [(1, 5), (2, 15), (3, 34), (4, 70)])
def test_loops_in_loops_are_not_run_many_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int, most: int
) -> None:
    runs = Counter[str]()
    body = LoopEvaluation.body

    def counted(loop: LoopEvaluation, mark: int) -> bool:
        runs["body"] += 1
        return body(loop, mark)

    monkeypatch.setattr(LoopEvaluation, "body", counted)
    head = "for (int i{0} = 0; ; i{0}++) {{ if (i{0} * x > n) break; *p += 1;"
    loops = " ".join(head.format(k) for k in range(depth))
    found = accesses(tmp_path, f"int x = in[0], {POINTERS[4:]} {loops} out[threadIdx.x] = a; {'}' * depth}")
    assert [count(one) for one in found][-1] == 4
    assert runs["body"] <= most


@replaces_what_is_compiled
def test_a_pointer_that_is_loaded_anew_leads_to_one_more_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = count_runs(monkeypatch)
    step = "out[threadIdx.x * (a + 1)] = 0; *p += 1; p = table[threadIdx.x + i];"
    found = accesses(
        tmp_path, f"int a = 0, *p = &a; for (int i = 0; i < n; i++) {{ {step} }}", parameters="int n, int **table"
    )
    store, *rest = (each for each, _ in found)
    assert [each.expression for each in rest] == ["*p", "*p", "table[threadIdx.x + i]"]
    assert not store.result.exact
    assert sum(runs.values()) <= 5


def test_what_an_inner_loop_changes_in_one_iteration_is_not_taken_for_all(tmp_path: Path) -> None:
    """Of an outer loop that is run one iteration after the other each may change another variable."""
    inner = "for (int k = 0; k < 2; k++) for (int j = 0; j < n; j++) *p[k] += 1;"
    before = "int a = 0, b = 0, *p[2] = {&a, &b};"
    found, _ = access(
        tmp_path,
        f"{before} for (int i = 0; i < m; i++) {{ {inner} out[threadIdx.x * (b + 1)] = 0; }}",
        parameters="int n, int m",
    )
    assert not found.result.exact
    assert found.stride is not None
    assert "n" in found.stride


@replaces_what_is_compiled
def test_a_search_that_finds_floating_point_numbers_alone_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = count_runs(monkeypatch)
    accesses(tmp_path, "float a = 0, *p = &a; for (int i = 0; i < n; i++) { *p += in[i]; } out[threadIdx.x] = a;")
    assert list(runs.values()) == [2]  # the search, and the run that is recorded
