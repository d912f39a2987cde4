"""Code that jumps back by `goto`: it is the loop that could be written in its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import accesses, check, outcome

KERNEL = "__global__ void k(float *p, int n) {{ __shared__ float s[64]; int t = threadIdx.x, i = t; {body} }}\n"
RUN = "void run(float *p) { k<<<9, 64>>>(p, 500); }\n"
FOR, INNER = "for (int r = 0; r < n; ++r)", "for (; c < 9; ++c) if (p[c])"


@pytest.mark.parametrize(
    ("jumps", "loops"),
    [
        (
            "again: p[2 * i] = 0; i += 64; if (i < n) goto again; p[4 * t] = 1;",
            "do { p[2 * i] = 0; i += 64; } while (i < n); p[4 * t] = 1;",
        ),
        (
            "again: p[3 * t] = i; if (++i < n) goto done; if (p[i]) goto again; p[t] = 1; done: p[4 * t] = 1;",
            "int b=1; do { p[3 * t]=i; if (++i < n) { b=0; break; } } while (p[i]); if (b) p[t] = 1; p[4 * t] = 1;",
        ),
        (
            f"{FOR} {{ int c = 0; again: p[2 * t + r] = c; {INNER} goto again; }}",
            f"{FOR} {{ int c = 0, b; do {{ b = 0; p[2 * t + r] = c; {INNER} {{ b = 1; break; }} }} while (b); }}",
        ),
        (
            "again: int v = (int)p[t]; if (v < 0) goto again; p[64 * v] = 1; p[n * v] = t;",
            "int v; do { v = (int)p[t]; } while (v < 0); p[64 * v] = 1; p[n * v] = t;",
        ),
        (
            "one: i += 1; two: p[i] = 0; if (p[n + i]) goto two; if (p[2 * n]) goto one; p[8 * t] = 2;",
            "do { i += 1; do p[i] = 0; while (p[n + i]); } while (p[2 * n]); p[8 * t] = 2;",
        ),
    ],
    ids=["counted", "left by goto", "in a loop", "declares", "in each other"],
)
def test_it_has_the_accesses_of_a_loop(jumps: str, loops: str, tmp_path: Path) -> None:
    found = []
    for body in (jumps, loops):
        result = check(tmp_path, f"{KERNEL.format(body=body)}{RUN}")
        assert result.problems == ()
        found.append([(a.expression, outcome(a), len(a.loops)) for a in accesses(result)])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [("p[1] > 0", "uniform"), ("++i < n", "divergent"), ("s[0] > 1", "uniform"), ("p[t] > 0", "divergent")],
)
def test_a_barrier_in_it_is_one_in_a_loop(condition: str, verdict: str, tmp_path: Path) -> None:
    body = f"again: __syncthreads(); if ({condition}) goto again; p[t] = 0;"
    (kernel,) = check(tmp_path, f"{KERNEL.format(body=body)}{RUN}").checked
    assert kernel.analysis is not None
    assert [barrier.verdict.value for barrier in kernel.analysis.barriers] == [verdict]


@pytest.mark.parametrize("leaves", ["if (p[2]) break;", "switch (n) { case 1: continue; }"])
def test_code_that_leaves_a_loop_around_it_is_not_followed(leaves: str, tmp_path: Path) -> None:
    body = f"{FOR} {{ again: p[t] = r; {leaves} if (p[1]) goto again; }}"
    (problem,) = check(tmp_path, f"{KERNEL.format(body=body)}{RUN}").problems
    assert "goto that jumps back" in problem.message
    body = f"{FOR} {{ again: p[t] = r; if (p[1]) goto again; {leaves} }}"
    assert check(tmp_path, f"{KERNEL.format(body=body)}{RUN}").problems == ()


def test_a_function_that_jumps_back_gives_what_it_finds(tmp_path: Path) -> None:
    helper = "__device__ int rounds(int n) { int r = 0; again: ++r; n /= 2; if (n > 4) goto again; return r; }\n"
    result = check(tmp_path, f"{helper}{KERNEL.format(body='p[64 * rounds(n) + 2 * t] = 0;')}{RUN}")
    assert [outcome(a) for a in accesses(result)] == ["8"]
    assert result.problems == ()
