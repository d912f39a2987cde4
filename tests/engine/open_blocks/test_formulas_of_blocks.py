"""Formulas in the extents of a block that no launch gives, against every thread of every block that they speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from project import shared_headers

from coalint.analysis.counts.forms.expression_values import expression_of, open_symbol, value_at
from coalint.core.facts.block_forms import BlockForm
from coalint.core.facts.formulas import Formula
from coalint.engine.check.file import check_file
from coalint.engine.check.limits import OvertimeError
from coalint.engine.check.other_blocks import OtherBlocks
from coalint.engine.check.records import CheckedKernel, Job, Source
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture

GRID = 3
N = 1000
MULTIPLES = range(32, 1025, 32)
POWERS = [32 << bit for bit in range(6)]
FOR_ALL = "`blockDim.x` is a multiple of 32"
FOR_POWERS = "`blockDim.x` is a power of two from 32 on"
Thread = Callable[[int, int], Iterator[object]]
"""Yields something for each time that a thread, in a block of that many, comes to the access."""


def _once(t: int, b: int) -> Iterator[object]:
    yield 0


def _halved(t: int, b: int) -> Iterator[object]:
    h = b // 2
    while h > 0:
        if t < h:
            yield h
        h >>= 1


def _halved_for_all(t: int, b: int) -> Iterator[object]:
    h = b // 2
    while h > 0:
        yield h
        h >>= 1


def _halved_to_a_warp(t: int, b: int) -> Iterator[object]:
    h = b // 2
    while h > 32:
        if t < h:
            yield h
        h >>= 1


def _interleaved(t: int, b: int) -> Iterator[object]:
    h = 1
    while h < b:
        if t % (2 * h) == 0:
            yield h
        h *= 2


def _strided(t: int, b: int) -> Iterator[object]:
    h = 1
    while h < b:
        if 2 * h * t < b:
            yield h
        h *= 2


def _scanned(t: int, b: int) -> Iterator[object]:
    h = 1
    while h < b:
        if t >= h:
            yield h
        h *= 2


def _doubled(t: int, b: int) -> Iterator[object]:
    h = 1
    while h < b:
        yield h
        h *= 2


def _sorted(t: int, b: int) -> Iterator[object]:
    k = 2
    while k <= b:
        j = k // 2
        while j > 0:
            yield k, j
            j //= 2
        k *= 2


def _of_all_others(t: int, b: int) -> Iterator[object]:
    yield from range(b)


def _first_warp(t: int, b: int) -> Iterator[object]:
    if t < 32:
        yield 0


def _each_warps_first(t: int, b: int) -> Iterator[object]:
    if t % 32 == 0:
        yield 0


KERNELS: dict[str, tuple[Thread, str, str]] = {
    "s[t] = 1;": (_once, FOR_ALL, "blockDim.x*gridDim.x/32"),
    "if (t < 32) s[t] = 1;": (_first_warp, FOR_ALL, "gridDim.x"),
    "if (t % 32 == 0) s[t / 32] = 1;": (_each_warps_first, FOR_ALL, "blockDim.x*gridDim.x/32"),
    "for (int h = blockDim.x / 2; h > 0; h >>= 1) { if (t < h) s[t] = 1; __syncthreads(); }": (
        *(_halved, FOR_POWERS, "gridDim.x*(blockDim.x/32 + 4)"),
    ),
    "for (int h = blockDim.x / 2; h > 0; h >>= 1) { s[t] = 1; __syncthreads(); }": (
        *(_halved_for_all, FOR_ALL, "blockDim.x*gridDim.x*floor(log2(blockDim.x))/32"),
    ),
    "for (int h = blockDim.x / 2; h > 32; h >>= 1) { if (t < h) s[t] = 1; __syncthreads(); }": (
        *(_halved_to_a_warp, FOR_POWERS, "gridDim.x*Max(0, blockDim.x/32 - 2)"),
    ),
    "for (int h = 1; h < blockDim.x; h *= 2) { if (t % (2 * h) == 0) s[t] = 1; __syncthreads(); }": (
        *(_interleaved, FOR_POWERS, "gridDim.x*(3*blockDim.x/16 - 1)"),
    ),
    "for (int h = 1; h < blockDim.x; h *= 2) { if (2 * h * t < blockDim.x) s[2 * h * t] = 1; __syncthreads(); }": (
        *(_strided, FOR_POWERS, "gridDim.x*(blockDim.x/32 + 4)"),
    ),
    "for (int h = 1; h < blockDim.x; h *= 2) { if (t >= h) s[t] = 1; __syncthreads(); }": (
        *(_scanned, FOR_POWERS, "gridDim.x*(blockDim.x*log2(blockDim.x)/32 - blockDim.x/32 + 1)"),
    ),
    "for (int h = 1; h < blockDim.x; h *= 2) { s[t] = 1; __syncthreads(); }": (
        *(_doubled, FOR_ALL, "blockDim.x*gridDim.x*ceiling(log2(blockDim.x))/32"),
    ),
    """for (int k = 2; k <= blockDim.x; k *= 2)
           for (int j = k / 2; j > 0; j /= 2) { s[t] = 1; __syncthreads(); }""": (
        _sorted,
        FOR_ALL,
        "gridDim.x*(blockDim.x*floor(log2(blockDim.x))**2/64 + blockDim.x*floor(log2(blockDim.x))/64)",
    ),
    "float v = 0; for (int k = 0; k < blockDim.x; k++) v += a[k + t * n];": (
        *(_of_all_others, FOR_ALL, "blockDim.x**2*gridDim.x/32"),
    ),
}
"""Bodies of kernels with one access that is asked about: its threads, for which blocks, and the formula."""


def _checked(body: str, tmp_path: Path, launch: str = "") -> CheckedKernel:
    path = tmp_path / "k.cu"
    head = "extern __shared__ float s[]; int t = threadIdx.x, of_a_block = blockIdx.x;"
    path.write_text(f"__global__ void k(float *a, int n) {{ {head} {body} }}\n{launch}\n")
    job = Job((), architecture("sm_90"), load_rules().rules, keep=True, headers=shared_headers(), forms=True)
    result = check_file(Source(str(path)), job)
    assert not result.failures
    (kernel,) = result.checked
    return kernel


def _number(formula: Formula, block: int) -> int:
    symbols = {"blockDim.x": block, "gridDim.x": GRID, "n": N}
    return int(value_at(expression_of(formula))({open_symbol(name): symbols[name] for name in formula.names}))


def _executed(thread: Thread, block: int) -> int:
    """Return the executed warp instructions of all blocks: warps and times in which a lane is active."""
    return GRID * len({(t // 32, time) for t in range(block) for time in thread(t, block)})


@pytest.mark.slow
@pytest.mark.parametrize("body", KERNELS)
def test_a_formula_gives_what_all_threads_of_each_block_execute(body: str, tmp_path: Path) -> None:
    thread, holds_for, text = KERNELS[body]
    checked = _checked(body, tmp_path)
    assert checked.block_forms is not None
    (form,) = checked.block_forms.instructions.values()
    assert form.condition == holds_for
    assert str(expression_of(form.executed)) == text
    blocks = POWERS if form.is_narrow else MULTIPLES
    assert [_number(form.executed, block) for block in blocks] == [_executed(thread, block) for block in blocks]


@pytest.mark.slow
@pytest.mark.parametrize("body", [body for body, (_, holds_for, _) in KERNELS.items() if holds_for])
def test_costs_are_those_of_a_launch_with_that_block(body: str, tmp_path: Path) -> None:
    """What a formula gives for a block is what is counted where the source launches that block."""
    (form,) = _checked(body, tmp_path).block_forms.instructions.values()  # type: ignore[union-attr]
    for block in (32, 128, 1024) if form.is_narrow else (32, 96, 480, 1024):
        launch = f"void run(float *a) {{ k<<<{GRID}, {block}, 8192>>>(a, {N}); }}"
        counted = _counted(_checked(body, tmp_path, launch)) or [(0, 0)]  # a loop that no block so small enters
        (known,) = [one for one in counted if one is not None]
        assert form.cost is not None
        assert form.excess is not None
        assert (_number(form.cost, block), _number(form.excess, block)) == known


def _counted(checked: CheckedKernel) -> list[tuple[float, float] | None]:
    """Return the cost and excess of each access that has them, over the launch."""
    assert checked.analysis is not None
    counts: list[tuple[float, float] | None] = []
    for made in checked.instructions:
        executions = made.executions(lambda number: checked.analysis.accesses[number].executions)  # type: ignore[union-attr]
        if made.traffic is None or executions.warps is None:
            counts.append(None)
            continue
        counts.append((made.traffic.count * executions.warps, made.traffic.excess * executions.warps))
    return counts


@pytest.mark.parametrize(
    "body",
    [
        "if (blockDim.x == 512) s[t] = 1;",
        "if (t < 100) s[t] = 1;",
        "for (int h = blockDim.x; h > 0; h /= 3) { s[t] = 1; __syncthreads(); }",
    ],
)
def test_what_follows_no_formula_has_none(body: str, tmp_path: Path) -> None:
    checked = _checked(body, tmp_path)
    assert checked.block_forms is not None
    assert not checked.block_forms.instructions


def test_a_block_that_a_launch_gives_is_not_open(tmp_path: Path) -> None:
    assert _checked("s[t] = 1;", tmp_path, "void run(float *a) { k<<<4, 128>>>(a, 1); }").block_forms is None


def test_an_extent_that_the_launch_gives_is_not_open(tmp_path: Path) -> None:
    """Of a block of which only the rows are known, their length is open."""
    launch = "void run(float *a, int w) { k<<<4, dim3(w, 2)>>>(a, 1); }"
    forms = _checked("s[t] = threadIdx.y;", tmp_path, launch).block_forms
    assert forms is not None
    assert dict(forms.supposed).keys() == {"blockDim.x"}
    (form,) = forms.instructions.values()
    for block in range(32, 513, 32):
        assert _number(form.executed, block) in (GRID * block // 16, 4 * block // 16)


def test_two_open_extents(tmp_path: Path) -> None:
    rows = "for (int i = threadIdx.y; i < n; i += blockDim.y)"
    body = f"{rows} for (int k = 0; k < blockDim.y; k++) a[i * 4096 + t + 64 * k] = k;"
    forms = _checked(body, tmp_path).block_forms
    assert forms is not None
    assert dict(forms.supposed) == {"blockDim.x": 32, "blockDim.y": 8}
    (form,) = forms.instructions.values()
    value = value_at(expression_of(form.executed))
    for x, y in ((32, 1), (32, 8), (64, 16), (256, 4), (1024, 1)):
        numbers = {"blockDim.x": x, "blockDim.y": y, "gridDim.x": GRID, "n": N}
        got = value({open_symbol(name): numbers[name] for name in form.executed.names})
        assert got == GRID * (x // 32) * N * y
    assert form.condition == f"{FOR_POWERS}, `blockDim.y` is a power of two"


def test_both_together() -> None:
    first = BlockForm(Formula("x0", ("n",)), None, None, FOR_ALL)
    second = BlockForm(Formula("2*x0", ("m",)), None, None, FOR_POWERS, ("a",), is_narrow=True)
    both = first + second
    assert (both.condition, both.assumed, both.is_narrow) == (FOR_POWERS, ("a",), True)
    assert str(expression_of(both.executed)) == "2*m + n"


def test_a_kernel_that_runs_out_of_time_is_reported_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise OvertimeError

    monkeypatch.setattr(OtherBlocks, "in_same_grid", late)
    checked = _checked("s[t] = 1;", tmp_path)
    assert checked.block_forms is not None
    assert dict(checked.block_forms.supposed) == {"blockDim.x": 256}
    assert not checked.block_forms.instructions
    assert len(checked.instructions) == 1
