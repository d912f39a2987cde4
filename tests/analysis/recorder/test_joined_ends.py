"""What ends both sides of a condition: which stores and loads nvcc may make one of, as nvcc 13.2 compiles them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import evaluated

from coalint.core.facts.access import Operation

HEAD = "__global__ void k(float *o, float *p, const float *x, int n)"


def open_ones(folder: Path, body: str, operation: Operation) -> int:
    """How many accesses have no count of their own."""
    text = f"{HEAD} {{ int t = threadIdx.x; {body} }}\nvoid run(float *o) {{ k<<<1, 32>>>(o, o, o, 7); }}\n"
    executions = [one.executions for one, _ in evaluated(folder, text)[1] if one.op is operation]
    return sum(one is None or bool(one.assumed) for one in executions)


@pytest.mark.parametrize(
    ("body", "stores", "loads"),
    [
        ("if (t < n) o[t] = x[t]; else o[2 * t] = x[t + 9];", 2, 2),
        ("if (t < n) o[t] = x[t]; else o[t + 64] = x[t + 9];", 2, 2),  # the values are one, the places need not be
        ("if (t < n) o[t] += 1; else o[2 * t] += 1;", 2, 2),
        ("if (t < n) o[t] = 1; else o[2 * t] = 2;", 2, 0),
        ("if (t < n) { o[t] = 1; o[t + n] = 2; } else { o[3 * t] = 3; o[2 * t] = 4; }", 4, 0),
        ("if (t < n) { o[t] = 1; return; } o[2 * t] = 2;", 2, 0),
        ("if (t < n) o[t] = 1; else if (t < 20) o[2 * t] = 2; else o[3 * t] = 3;", 3, 0),
        ("switch (t & 3) { case 0: o[t] = 1; break; case 1: o[2 * t] = 2; break; default: o[3 * t] = 3; }", 3, 0),
        ("if (t < n) { float v = x[t] + 1; o[t] = v; } else { float v = x[2 * t] + 1; o[2 * t] = v; }", 2, 2),
        ("float v = x[t]; if (t < n) o[t] = v; else o[t + 1] = -v;", 0, 0),
        ("float v = x[t]; if (t < n) o[t] = v; else p[2 * t] = 3 * v;", 0, 0),
        ("if (t < n) o[t] = 1; else o[2 * t] += 1;", 0, 0),
        ("if (t < n) o[t] = 1; else { o[2 * t] = 2; __syncwarp(); }", 0, 0),
        ("if (t < 9) { if (t < n) o[t] = 1; else o[2 * t] = 2; }", 0, 0),
        ("if (t < n) o[t] = 1; o[2 * t] = 2;", 0, 0),
    ],
)
def test_what_ends_both_sides_alike_may_be_one(tmp_path: Path, body: str, stores: int, loads: int) -> None:
    assert (open_ones(tmp_path, body, Operation.STORE), open_ones(tmp_path, body, Operation.LOAD)) == (stores, loads)


@pytest.mark.parametrize(
    ("body", "is_open"),
    [
        ("float v = x[t + 7], w = x[t + n]; p[t] = v * w;", True),
        ("float v = x[t + n], w = x[n + t]; p[t] = v * w;", False),
        ("float v = x[t * n], w = x[7 * t]; p[t] = v * w;", True),
        ("int i = t + n; float v = x[i], w = x[t + n]; p[t] = v * w;", False),
    ],
)
def test_places_that_the_launch_alone_makes_equal_are_two(tmp_path: Path, body: str, is_open: bool) -> None:
    assert bool(open_ones(tmp_path, body, Operation.LOAD)) is is_open


@pytest.mark.parametrize(
    ("body", "is_open"),
    [
        ("for (int i = 0; i < 40 * n; i++) { o[2 * t] = x[i]; o[i] = 1; }", True),
        ("for (int i = 0; i < 40 * n; i++) { float v = x[i] + 1; o[2 * t] = v; o[i] = 1; }", True),
        ("for (int i = 0; i < 40 * n; i++) { o[2 * t] = fmaxf(o[2 * t], x[i]); }", False),
        ("for (int i = 0; i < 40 * n; i++) { float v = o[2 * t]; o[2 * t] = v + x[i]; }", False),
    ],
)
def test_loads_for_a_store_that_most_iterations_leave_out_may_be_left_out(
    tmp_path: Path, body: str, is_open: bool
) -> None:
    text = f"{HEAD.replace('const float *x', 'const float *__restrict__ x')} {{ int t = threadIdx.x; {body} }}\n"
    text += "void run(float *o) { k<<<1, 32>>>(o, o, o, 7); }\n"
    (load,) = (one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD and "x[i]" in one.expression)
    assert (load.executions is None or bool(load.executions.assumed)) is is_open


@pytest.mark.parametrize(
    ("parameters", "body", "expected"),
    [
        ("float *__restrict__ o, W w", "o[32 * i + t] = w.p[t];", None),
        ("float *__restrict__ o, W w", "o[t] += w.p[i];", 40),
        ("float *__restrict__ o, const float *w", "o[32 * i + t] = w[t];", 1),
        ("O o, const float *__restrict__ w", "o.p[32 * i + t] = w[t];", 1),
    ],
)
def test_a_promise_about_what_is_stored_to_leaves_pointers_in_structs_in_loops(
    tmp_path: Path, parameters: str, body: str, expected: int | None
) -> None:
    text = f"struct W {{ const float *p; }};\nstruct O {{ float *p; }};\n__global__ void k({parameters}, int n) {{\n"
    text += f"    int t = threadIdx.x;\n    for (int i = 0; i < n; i++) {body}\n}}\n"
    given = ["O{x}" if "O o" in parameters else "x", "W{x}" if "W w" in parameters else "x"]
    text += f"void run(float *x) {{ k<<<1, 32>>>({', '.join(given)}, 40); }}\n"
    (load,) = (one for one, _ in evaluated(tmp_path, text)[1] if one.expression.startswith("w"))
    executions = load.executions
    assert executions is not None
    assert (None if executions.assumed else executions.warps) == expected


@pytest.mark.parametrize(
    ("load", "is_open"),
    [
        ("__ldg(&x[t])", True),
        ("__ldg(&x[t + i])", False),
        ("x[t + i]", False),
    ],
)
def test_what_is_loaded_as_constant_may_be_loaded_once_for_several_iterations(
    tmp_path: Path, load: str, is_open: bool
) -> None:
    body = f"for (int i = 0; i < 40 * n; i++) {{ o[i] = 3; o[32 * i + t] = {load}; }}"
    text = f"{HEAD} {{ int t = threadIdx.x; {body} }}\nvoid run(float *o) {{ k<<<1, 32>>>(o, o, o, 7); }}\n"
    (found,) = (one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD)
    assert (found.executions is None or bool(found.executions.assumed)) is is_open
