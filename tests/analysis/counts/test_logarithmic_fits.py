"""Formulas of loops that halve or double a size with lanes that its steps bound, against every thread and iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.counts.forms.expression_values import expression_of, open_symbol, value_at
from coalint.core.facts.executions import Executions
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

BLOCKS = 4
HALVED = "for (int h = n / 2; h > 0; h >>= 1) { if (t < h) s[t] = 1; __syncthreads(); }"
DOUBLED = "for (int h = 1; h < n; h *= 2) { if (t < h) s[t] = 1; __syncthreads(); }"
SCANNED = "for (int h = 1; h < n; h *= 2) { if (t >= h) s[t] = 1; __syncthreads(); }"
SPREAD = "for (int h = 1; h <= n; h *= 2) { if (t % h == 0) s[t] = 1; __syncthreads(); }"
INNER = "for (int h = n; h > 0; h /= 2) { if (t < h && t > 3) s[t] = 1; __syncthreads(); }"
BY_FOUR = "for (int h = 1; h < n; h *= 4) { if (t < h) s[t] = 1; __syncthreads(); }"


def _steps(body: str, n: int) -> Iterable[int]:
    if body in (HALVED, INNER):
        h = n // 2 if body == HALVED else n
        while h > 0:
            yield h
            h //= 2
        return
    h = 1
    while h <= n if body == SPREAD else h < n:
        yield h
        h *= 2


PASSES: dict[str, Callable[[int, int], bool]] = {
    HALVED: lambda t, h: t < h,
    DOUBLED: lambda t, h: t < h,
    SCANNED: lambda t, h: t >= h,
    SPREAD: lambda t, h: t % h == 0,
    INNER: lambda t, h: 3 < t < h,
}


def _executions(body: str, threads: int, tmp_path: Path, grid: str = f"{BLOCKS}") -> Executions:
    path = tmp_path / "k.cu"
    head = "extern __shared__ int s[]; int t = threadIdx.x, of_a_block = blockIdx.x;"
    launch = f"void run(int n, int g) {{ k<<<{grid}, {threads}>>>(n); }}"
    path.write_text(f"__global__ void k(int n) {{ {head} {body} }}\n{launch}\n")
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), forms=True)
    (kernel,) = check_file(Source(str(path)), job).checked
    assert kernel.analysis is not None
    (access,) = kernel.analysis.accesses
    assert access.executions is not None
    return access.executions


def _of_threads(body: str, threads: int, n: int) -> int:
    passes, warps = PASSES[body], range(0, threads, 32)
    return sum(any(passes(t, h) for t in range(warp, warp + 32)) for h in _steps(body, n) for warp in warps) * BLOCKS


@pytest.mark.parametrize(
    ("body", "threads", "condition"),
    [
        (HALVED, 1024, "`n` is a power of two from 32 on"),
        (HALVED, 512, "`n` is a power of two from 32 on"),
        (INNER, 64, "`n` is a power of two from 32 on"),
        (DOUBLED, 128, "n >= 65"),
        (DOUBLED, 1024, "n >= 513"),
        (SCANNED, 128, "n >= 65"),
        (SPREAD, 256, "n >= 128"),
    ],
)
def test_a_formula_gives_what_all_threads_execute(body: str, threads: int, condition: str, tmp_path: Path) -> None:
    executions = _executions(body, threads, tmp_path)
    assert condition in executions.assumed
    if "power" in condition:
        sizes = [32 << bit for bit in range(16)]
    else:
        least = int(condition.rpartition(" ")[2])
        sizes = [*range(least, least + 200), *range(777, 9000, 97), 1 << 20, (1 << 20) + 1]
    expected = [_of_threads(body, threads, n) for n in sizes]
    if executions.warps is not None:
        assert set(expected) == {executions.warps}
        return
    assert executions.form is not None
    value = value_at(expression_of(executions.form))
    assert [int(value({open_symbol("n"): n})) for n in sizes] == expected


def test_an_open_number_of_blocks_is_a_factor(tmp_path: Path) -> None:
    executions = _executions(DOUBLED, 128, tmp_path, grid="g")
    assert executions.formula == "gridDim.x*(4*ceil(log2(n)) - 20)"


def test_what_follows_no_logarithm_has_no_formula(tmp_path: Path) -> None:
    executions = _executions(BY_FOUR, 128, tmp_path)
    assert (executions.warps, executions.formula) == (None, "")
