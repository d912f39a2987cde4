"""Indices that are scaled in floating point, held against numpy's single precision, thread by thread."""

from __future__ import annotations

import os
import random
from pathlib import Path

import numpy as np
import pytest
from project import shared_headers

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


class Expressions:
    """Random expressions in floating point: as C++, and as what the threads compute."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.t = np.arange(THREADS, dtype=np.float32)

    def floating(self, depth: int) -> tuple[str, np.ndarray]:
        kind = self.random.choice(["t", "number", "sum", "product", "quotient", "rounded", "negated"])
        if depth == 0 or kind == "t":
            return "(float)t", self.t
        if kind == "number":
            number = self.random.choice([0.5, 2.0, 0.25, 1.5, 3.0, -1.0, 0.125, 7.0])
            return f"{number}f", np.full(THREADS, number, dtype=np.float32)
        text, a = self.floating(depth - 1)
        if kind == "negated":
            return f"-({text})", -a
        if kind == "rounded":
            name, how = self.random.choice([("floorf", np.floor), ("ceilf", np.ceil), ("truncf", np.trunc)])
            return f"{name}({text})", how(a)
        if kind == "quotient":
            by = self.random.choice([2.0, 4.0, 0.5])
            return f"({text} / {by}f)", a / np.float32(by)
        other, b = self.floating(depth - 1)
        if kind == "product":
            return f"({text} * {other})", a * b
        sign = self.random.choice("+-")
        return f"({text} {sign} {other})", a + b if sign == "+" else a - b

    def index(self) -> tuple[str, np.ndarray]:
        text, value = self.floating(3)
        call, how = self.random.choice([("(int)", np.trunc), ("__float2int_rd", np.floor), ("__float2int_ru", np.ceil)])
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
    assert known >= 20


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
        ("float s = 1; while (s > 0.5f) { s = out[t]; __syncthreads(); }", "divergent"),
        ("float s = 1; while (s > 0.5f) { s *= 0.5f; __syncthreads(); }", "uniform"),
    ],
)
def test_a_sum_that_differs_between_threads_parts_them(tmp_path: Path, body: str, verdict: str) -> None:
    kernel = checked(tmp_path, body)
    assert kernel.analysis is not None
    (barrier,) = kernel.analysis.barriers
    assert barrier.verdict is Verdict(verdict)
