"""A dry run of a loop begins with what the one before has found: that makes the runs few, and changes no result."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from amounts import first
from compiled_analysis import replaces_what_is_compiled
from evaluated import accesses, count_runs, said

from coalint.analysis.domain.algebra import atom_table
from coalint.analysis.interpreter.loops.solving import fixpoint
from coalint.analysis.interpreter.loops.solving.known import Solved

STATEMENTS = (
    "x += y;",
    "y += i{0};",
    "x = in[x + threadIdx.x];",
    "f += in[i{0}];",
    "y = x;",
    "if (in[y] > n) x++;",
    "if (threadIdx.x > i{0}) y += 2;",
    "out[y] = x;",
    "s[(x + threadIdx.x) & 255] = f;",
    "z = s[y & 255];",
    "x += z;",
    "__syncthreads();",
    "if (z > m) break;",
    "if (i{0} > y) continue;",
    "a[i{0} & 3] = x;",
    "x = a[y & 3];",
    "helper(&y, x);",
)
HELPER = "__device__ void helper(int *p, int n) { for (int h = 0; h < n; h++) *p += h; }"
BEFORE = "__shared__ float s[256]; int x = threadIdx.x, y = 0, z = n, a[4] = {{0}}; float f = 0;"


def loops(numbers: random.Random, depth: int, level: int = 0, statements: Sequence[str] = STATEMENTS) -> str:
    """Loops in each other, with statements before and after each."""
    some = [line.format(level) for line in numbers.choices(statements, k=4)]
    inner = loops(numbers, depth, level + 1, statements) if level + 1 < depth else "out[x + threadIdx.x] = s[y & 255];"
    head = f"for (int i{level} = 0; i{level} < {numbers.choice(('n', 'm', 'y', 'x', '4'))}; i{level}++)"
    return f"{head} {{ {' '.join(some[:2])} {inner} {' '.join(some[2:])} }}"


@pytest.mark.parametrize("seed", first(range(20), 3))
def test_what_is_known_of_loops_changes_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    numbers = random.Random(seed)
    body = f"{BEFORE.format()} {loops(numbers, 2 + seed % 3)} out[y] = x;"
    kernel = f"__global__ void __launch_bounds__(256) k(int *out, const int *in, int n, int m) {{ {body} }}"
    quick = said(tmp_path, f"{HELPER} {kernel}")
    monkeypatch.setattr(Solved, "find", lambda *_: None)
    assert said(tmp_path, f"{HELPER} {kernel}") == quick


@replaces_what_is_compiled
@pytest.mark.parametrize(("depth", "most"), [(2, 5), (4, 9), (6, 13)])
def test_loops_in_loops_that_carry_numbers_are_run_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int, most: int
) -> None:
    runs = count_runs(monkeypatch)
    head = "for (int i{0} = 0; i{0} < n; i{0}++) {{ x += y; y += i{0}; s[(threadIdx.x + x) & 255] = in[x];"
    nest = " ".join(head.format(k) for k in range(depth))
    accesses(tmp_path, f"{BEFORE.format()} {nest} out[y] = x; {'}' * depth}", parameters="int n, int m")
    assert max(runs.values()) <= most


@replaces_what_is_compiled
@pytest.mark.parametrize("seed", first(range(20), 3))
def test_it_changes_none_where_there_is_no_room_to_tell_values_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(atom_table, "MOST", atom_table.RESERVED + 40)
    test_what_is_known_of_loops_changes_no_result(tmp_path, monkeypatch, seed)


@replaces_what_is_compiled
@pytest.mark.parametrize(("depth", "most"), [(2, 7), (4, 31)])
def test_there_too_what_threads_read_is_found_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int, most: int
) -> None:
    """Else each of the loops would be run three times for each run of the one around it."""
    monkeypatch.setattr(atom_table, "MOST", atom_table.RESERVED)
    runs = count_runs(monkeypatch)
    head = "int q{0} = threadIdx.x; for (int i{0} = 0; i{0} < n; i{0}++) {{ q{0} = in[q{0} + i{0}];"
    nest = " ".join(head.format(k) for k in range(depth))
    accesses(tmp_path, f"{nest} out[q0] = 1; {'}' * depth}", parameters="int n")
    assert max(runs.values()) <= most


NUMBERS = (
    "y += n; out[y & 255] = 1;",
    "s[threadIdx.x] = f; __syncthreads(); f += s[y & 255]; y++; __syncthreads();",
    "helper(&y, 2); out[y & 255] = 1;",
    "a[1] += 1; out[a[1] & 255] = 1;",
    "if (in[i0] > 3) return; y += 1; out[y & 255] = 1;",
)


@replaces_what_is_compiled
@pytest.mark.parametrize("change", NUMBERS)
def test_numbers_that_an_inner_loop_moves_in_steps_cost_a_run_for_each_loop_around(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    """A run from stand-ins is restated for the steps that it shows: made again, it would be made twice in each loop."""
    runs = count_runs(monkeypatch)
    nest = " ".join(f"for (int i{k} = 0; i{k} < n; i{k}++) {{" for k in range(6))
    body = f"{BEFORE.format()} {nest} {change} {'}' * 6} out[y] = x;"
    accesses(tmp_path, body, parameters="int n, int m", before=HELPER)
    assert max(runs.values()) <= 5 * 6  # 63 and more if each loop around ran it twice


@replaces_what_is_compiled
@pytest.mark.parametrize("seed", first(range(30), 4))
def test_a_run_that_is_restated_says_what_another_run_would(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    numbers = random.Random(seed)
    changes = ("1", "n", "i{0}", "3 * m", "in[n]")
    texts = [f"{name} += {numbers.choice(changes)};" for name in numbers.choices("xyz", k=6)]
    body = f"{BEFORE.format()} {loops(numbers, 2 + seed % 3, statements=(*STATEMENTS, *texts, *texts))} out[y] = x;"
    kernel = f"__global__ void __launch_bounds__(256) k(int *out, const int *in, int n, int m) {{ {body} }}"
    quick = said(tmp_path, f"{HELPER} {kernel}")
    monkeypatch.setattr(fixpoint, "restated", lambda loop, run, marks, levels: None if marks else run)
    assert said(tmp_path, f"{HELPER} {kernel}") == quick
