"""Indices that are scaled in floating point, held against numpy's single precision, thread by thread."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from project import shared_headers

from coalint.analysis.domain import constant_floats, fractions
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.core.facts.access import Access, Operation
from coalint.core.facts.synchronization import Verdict
from coalint.engine.check.file import check_file
from coalint.engine.check.records import CheckedKernel, Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.traffic import traffic

THREADS = 64
SEEDS = int(os.environ.get("COALINT_RANDOM_FRACTIONS", "1"))


def checked(folder: Path, body: str, launch: str = "k<<<1, 64>>>(o, n);") -> CheckedKernel:
    path = folder / "k.cu"
    path.write_text(
        f"__global__ void k(float *out, int n) {{ int t = threadIdx.x; {body} }}\n"
        f"void run(float *o, int n) {{ {launch} }}\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    (kernel,) = result.checked
    return kernel


def stores(folder: Path, body: str, launch: str = "k<<<1, 64>>>(o, n);") -> list[Access]:
    kernel = checked(folder, body, launch)
    assert kernel.analysis is not None
    return [access for access in kernel.analysis.accesses if access.op is Operation.STORE]


def away(values: np.ndarray) -> np.ndarray:
    """The nearest integers, ties away from zero."""
    nearest: np.ndarray = np.trunc(values) + np.where(abs(values - np.trunc(values)) >= 0.5, np.sign(values), 0)
    return nearest


ROUNDED: list[tuple[str, Any]] = [
    *(("floorf", np.floor), ("ceilf", np.ceil), ("truncf", np.trunc), ("rintf", np.rint), ("roundf", away)),
]
INTEGERS: list[tuple[str, Any]] = [
    *(("(int)", np.trunc), ("__float2int_rd", np.floor), ("__float2int_ru", np.ceil), ("__float2int_rn", np.rint)),
    *(("(int)lroundf", away), ("(int)lrintf", np.rint)),
]


class Expressions:
    """Random expressions in floating point: as C++, and as what the threads compute."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.t = np.arange(THREADS, dtype=np.float32)

    def floating(self, depth: int) -> tuple[str, np.ndarray]:
        kind = self.random.choice(
            ["t", "number", "sum", "product", "quotient", "rounded", "negated", "extreme", "chosen", "magnitude"]
        )
        if depth == 0 or kind == "t":
            return "(float)t", self.t
        if kind == "number":
            number = self.random.choice([0.5, 2.0, 0.25, 1.5, 3.0, -1.0, 0.125, 7.0])
            return f"{number}f", np.full(THREADS, number, dtype=np.float32)
        text, a = self.floating(depth - 1)
        if kind == "negated":
            return f"-({text})", -a
        if kind == "rounded":
            name, how = self.random.choice(ROUNDED)
            return f"{name}({text})", how(a)
        if kind == "magnitude":
            return f"fabsf({text})", abs(a)
        if kind == "quotient":
            by = self.random.choice([2.0, 4.0, 0.5])
            return f"({text} / {by}f)", a / np.float32(by)
        other, b = self.floating(depth - 1)
        if kind == "extreme":
            name, how = self.random.choice([("fminf", np.minimum), ("fmaxf", np.maximum), ("fmin", np.minimum)])
            return f"{name}({text}, {other})", how(a, b)
        if kind == "chosen":
            return f"({text} < {other} ? {text} : 2.0f * {other})", np.where(a < b, a, np.float32(2) * b)
        if kind == "product":
            return f"({text} * {other})", a * b
        sign = self.random.choice("+-")
        return f"({text} {sign} {other})", a + b if sign == "+" else a - b

    def index(self) -> tuple[str, np.ndarray]:
        text, value = self.floating(3)
        call, how = self.random.choice(INTEGERS)
        return f"{call}({text})", how(value).astype(np.int64)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_scaled_indices_are_those_of_the_threads(tmp_path: Path, seed: int) -> None:
    source = Expressions(seed)
    made = [source.index() for _ in range(24)]
    found = stores(tmp_path, "".join(f"out[100000 + {text}] = {n};\n" for n, (text, _) in enumerate(made)))
    known = 0
    for access, (text, index) in zip(found, made, strict=True):
        cost = traffic(access, architecture("sm_90"))
        if cost is None:
            continue
        known += 1
        warps = ((100000 + index) * 4 // 32).reshape(-1, 32)
        assert access.result.exact, text
        assert cost.count == np.mean([len(np.unique(warp)) for warp in warps]), text
    assert known >= 14


def test_what_a_loop_changes_is_not_what_it_was_before(tmp_path: Path) -> None:
    body = "float f = t; for (int i = 0; i < n; ++i) { out[(int)f] = 1; f *= 2.0f; } out[(int)f] = 2;"
    assert [access.result.lanes for access in stores(tmp_path, body)] == [None, None]


def test_an_index_that_nothing_bounds_is_supposed_to_be_small(tmp_path: Path) -> None:
    body = "int i = blockIdx.x * blockDim.x + t; out[(int)(i * 2.0f)] = 1; out[(int)(i * 2.0)] = 1;"
    single, double = stores(tmp_path, body, "k<<<n, 64>>>(o, n);")
    assert not single.result.exact
    assert "20 bits" in single.result.assumed[0]
    assert double.result.exact
    assert single.strides[0] == double.strides[0] == 8


@pytest.mark.parametrize("index", ["t * 0.7f", "t / 3.0f", "t * 5592407.0f", "t * 1e30f", "sqrtf(t)"])
def test_what_is_rounded_is_not_followed(tmp_path: Path, index: str) -> None:
    (store,) = stores(tmp_path, f"out[(int)({index})] = 1;")
    assert store.result.lanes is None


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("float s = 0; for (int i = 0; i < n; ++i) { if (s > 3.0f) __syncthreads(); s += out[t + i]; }", "divergent"),
        ("float s = 0; for (int i = 0; i < n; ++i) { if (s > 3.0f) __syncthreads(); s += out[i]; }", "uniform"),
        ("float s = 1; while (s > 0.5f) { s = out[t]; __syncthreads(); }", "after-exit"),
        ("float s = 1; while (s > 0.5f) { s *= 0.5f; __syncthreads(); }", "uniform"),
    ],
)
def test_a_sum_that_differs_between_threads_parts_them(tmp_path: Path, body: str, verdict: str) -> None:
    kernel = checked(tmp_path, body)
    assert kernel.analysis is not None
    (barrier,) = kernel.analysis.barriers
    assert barrier.verdict is Verdict(verdict)


FLOATS = """__global__ void k(float *out, float s, double d) {{ int t = threadIdx.x; out[{index}] = 1; }}
struct Size {{ int width, height; }};
float ratio(int a, int b) {{ return (float)a / b; }}
void run(float *o, float open) {{ Size in = {{100, 60}}, to = {{50, 30}}; float f = 0.3f; double e = 0.1; {launch} }}
"""


@pytest.mark.parametrize(
    ("index", "launch", "sectors"),
    [
        ("(int)(t * s)", "k<<<1, 64>>>(o, 2.0f, 0);", 8),
        ("(int)(t * s)", "k<<<1, 64>>>(o, 640 / 160.f, 0);", 16),
        ("(int)(t * s)", "k<<<1, 64>>>(o, ratio(in.width, to.width), 0);", 8),
        ("(int)(t * s)", "k<<<1, 64>>>(o, fminf(ratio(in.height, to.height), 9.f), 0);", 8),
        ("(int)(t * s)", "k<<<1, 64>>>(o, roundf(f * 10), 0);", 12),
        ("(int)(t * s)", "k<<<1, 64>>>(o, sqrtf(f * f / f / f * 16), 0);", 16),
        ("(int)(t * s)", "k<<<1, 64>>>(o, std::max(1.5f, 2.f), 0);", 8),
        ("(int)(t * s)", "k<<<1, 64>>>(o, e > 0.05 ? 4 : 8, 0);", 16),
        ("(int)(t * s)", "k<<<1, 64>>>(o, ceil(e * 20), 0);", 8),
        ("(int)(t * d)", "k<<<1, 64>>>(o, 0, 0.5);", 2),
        ("(int)(t / d)", "k<<<1, 64>>>(o, 0, 0.25);", 16),
        ("(int)roundf(s) * t", "k<<<1, 64>>>(o, 1.6f, 0);", 8),
        ("__float2int_rn(fminf(t * s, 30.f))", "k<<<1, 64>>>(o, 0.5f, 0);", 2.5),
        ("(int)s + t", "k<<<1, 64>>>(o, f * 30, 0);", 5),
    ],
)
def test_floating_point_arguments_of_a_launch_decide_indices(
    tmp_path: Path, index: str, launch: str, sectors: float
) -> None:
    path = tmp_path / "k.cu"
    path.write_text("#include <cmath>\n#include <algorithm>\n" + FLOATS.format(index=index, launch=launch))
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    (store,) = kernel.analysis.accesses
    cost = traffic(store, architecture("sm_90"))
    assert cost is not None
    assert (cost.count, store.result.exact) == (sectors, True)


@pytest.mark.parametrize("launch", ["k<<<1, 64>>>(o, open, 0);", "k<<<1, 64>>>(o, powf(open, 2), 0);"])
def test_an_open_floating_point_argument_decides_nothing(tmp_path: Path, launch: str) -> None:
    path = tmp_path / "k.cu"
    path.write_text("#include <cmath>\n" + FLOATS.format(index="(int)(t * s)", launch=launch))
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.specialization.floats == (("d", 0.0),)
    assert kernel.analysis is not None
    assert kernel.analysis.accesses[0].result.lanes is None


def test_launches_of_a_kernel_that_makes_no_integers_are_one_whatever_numbers_they_pass(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    launches = "".join(f"k<<<1, 64>>>(o, {n}.5f); " for n in range(40))
    path.write_text(
        "__global__ void k(float *out, float s) { if (s > 2) out[threadIdx.x] = s; }\n"
        f"void run(float *o) {{ {launches} }}\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), headers=shared_headers()))
    assert len(result.checked) == 1
    assert not result.problems


@pytest.mark.parametrize("size", [4, 8])
def test_constants_are_rounded_as_numpy_rounds(size: int) -> None:
    algebra, chance = Algebra(), random.Random(size)
    real: Any = np.float32 if size == 4 else np.float64
    operations: dict[str, Any] = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
    for _ in range(400):
        a, b = (real(chance.uniform(-1, 1) * 2.0 ** chance.randint(-30, 30)) for _ in "ab")
        x, y = (fractions.of_number(algebra, float(value), size) for value in (a, b))
        assert x is not None
        assert y is not None
        for operator, apply in operations.items():
            made = constant_floats.combined(algebra, operator, x, y, size)
            assert made is not None
            assert float(constant_floats.constant(algebra, made) or 0) == float(apply(a, b))
        root = constant_floats.square_root(algebra, fractions.absolute(algebra, x) or x, size)
        assert root is not None
        assert float(constant_floats.constant(algebra, root) or 0) == float(np.sqrt(abs(a)))
