"""The parts of structs that a loop writes are found once, not once for each loop around it; that changes no result."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from amounts import first
from compiled_analysis import replaces_what_is_compiled
from evaluated import accesses, count_runs, said

from coalint.analysis.interpreter.loops.solving.known import Solved

STRUCTS = "struct Pair { int a, b; }; struct Item { Pair p; int c[2]; float f; };"
BEFORE = "Item v = {{threadIdx.x, 0}, {n, m}, 0}, w = v; Pair u = {n, m}, *at = &v.p; int x = 0;"
STATEMENTS = (
    "v.p.a += {0};",
    "v.p.b = in[v.p.a];",
    "u.b += u.a;",
    "u = v.p;",
    "v.p = u;",
    "w = v;",
    "v.c[0] = w.c[1];",
    "v.c[1] += v.p.b;",
    "v.f += in[{0}];",
    "at->b += x;",
    "if (in[x] > n) at = &w.p;",
    "x = at->a;",
    "if (threadIdx.x > {0}) u.a++;",
    "set(&w.p, x);",
    "out[v.p.a + threadIdx.x] = u.b;",
    "if (w.p.b > m) break;",
)
SET = "__device__ void set(Pair *p, int n) { for (int h = 0; h < n; h++) p->a += h; p->b = n; }"


def loops(numbers: random.Random, depth: int, level: int = 0) -> str:
    """Loops in each other, with statements before and after each."""
    some = [line.format(f"i{level}") for line in numbers.choices(STATEMENTS, k=4)]
    inner = loops(numbers, depth, level + 1) if level + 1 < depth else "out[w.p.a + 32 * u.b] = v.c[0];"
    head = f"for (int i{level} = 0; i{level} < {numbers.choice(('n', 'm', 'u.a', '4'))}; i{level}++)"
    return f"{head} {{ {' '.join(some[:2])} {inner} {' '.join(some[2:])} }}"


@pytest.mark.parametrize("seed", first(range(12), 3))
def test_what_is_known_of_structs_changes_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    numbers = random.Random(seed)
    body = f"{BEFORE} {loops(numbers, 2 + seed % 3)} out[v.p.b + u.a + x] = w.c[1];"
    kernel = f"__global__ void __launch_bounds__(256) k(int *out, const int *in, int n, int m) {{ {body} }}"
    quick = said(tmp_path, f"{STRUCTS} {SET} {kernel}")

    def forgotten(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(Solved, "split", forgotten)
    assert said(tmp_path, f"{STRUCTS} {SET} {kernel}") == quick


@replaces_what_is_compiled
@pytest.mark.parametrize(("depth", "most"), [(2, 8), (4, 16), (6, 24)])
def test_loops_in_loops_that_write_members_are_run_few_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, depth: int, most: int
) -> None:
    runs = count_runs(monkeypatch)
    head = "for (int i{0} = 0; i{0} < n; i{0}++) {{ v.p.a = in[i{0}]; v.f += 1; "
    nest = " ".join(head.format(k) for k in range(depth))
    body = f"Item v = items[threadIdx.x]; {nest} out[v.p.a] = v.f; {'}' * depth}"
    accesses(tmp_path, body, parameters="const Item *items, int n", before=STRUCTS)
    assert max(runs.values()) <= most
