"""Loops that halve or double from an open start, or to an open bound: their iterations as logarithms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import sympy
from project import shared_headers

from coalint.analysis.counts.forms.expression_values import expression_of, value_at
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.executions import Counting, Executions, SampleSizes
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

WARPS = 8
NUMBERS = (*range(101), *(2**k + d for k in range(7, 21) for d in (-1, 0, 1)))
OTHERS = (0, 1, 2, 3, 7, 8, 33)
BY_SYMPY = {*OTHERS, *NUMBERS[-3:]}
"""Where sympy's value is looked at, too. It takes long; test_expression_values.py holds coalint's against it."""


@dataclass(frozen=True)
class Halving:
    """`for (TYPE k = start; test; step)` with its formula, and the same in Python; `is_late`: tested after the body."""

    formula: str
    start: Callable[[int, int], int]
    goes_on: Callable[[int, int, int], bool]
    step: Callable[[int], int]
    is_late: bool = False

    def iterations(self, n: int, m: int) -> int:
        """How many iterations it makes, one by one."""
        k, made = self.start(n, m), 0
        if self.is_late:
            k, made = self.step(k), 1
        while self.goes_on(k, n, m):
            k, made = self.step(k), made + 1
        return made


def _half(k: int) -> int:
    return k // 2


def _twice(k: int) -> int:
    return 2 * k


LOOPS = {
    "for (int k = n / 2; k > 0; k >>= 1) {}": Halving(
        "8*floor(log2(n))", lambda n, _: n // 2, lambda k, *_: k > 0, _half
    ),
    "for (unsigned k = n; k > 0; k >>= 1) {}": Halving(
        "8*floor(log2(n)) + 8", lambda n, _: n, lambda k, *_: k > 0, _half
    ),
    "for (unsigned k = n / 2; k != 0; k /= 2) {}": Halving(
        "8*floor(log2(n))", lambda n, _: n // 2, lambda k, *_: k > 0, _half
    ),
    "int k = n; while (k) {{ {0} k /= 2; }}": Halving(
        "8*floor(log2(n)) + 8", lambda n, _: n, lambda k, *_: k != 0, _half
    ),
    "for (long long k = n; k >= 1; k = k / 2) {}": Halving(
        "8*floor(log2(n)) + 8", lambda n, _: n, lambda k, *_: k > 0, _half
    ),
    "for (int k = n / 2; k > 32; k >>= 1) {}": Halving(
        "8*Max(0, floor(log2(n/33)))", lambda n, _: n // 2, lambda k, *_: k > 32, _half
    ),
    "for (int k = n; k > 2; k /= 4) {}": Halving(
        "8*floor(log2(n/3)/2) + 8", lambda n, _: n, lambda k, *_: k > 2, lambda k: k // 4
    ),
    "for (int k = n; k > m; k /= 2) {}": Halving(
        "8*Max(0, floor(log2(n/(m + 1))) + 1)", lambda n, _: n, lambda k, _, m: k > m, _half
    ),
    "for (int k = (n + 1) / 2; k > 0; k >>= 1) {}": Halving(
        "8*floor(log2(n + 1))", lambda n, _: (n + 1) // 2, lambda k, *_: k > 0, _half
    ),
    "for (int k = 1; k < n; k *= 2) {}": Halving("8*ceil(log2(n))", lambda *_: 1, lambda k, n, _: k < n, _twice),
    "for (int k = 1; k <= n; k <<= 1) {}": Halving(
        "8*floor(log2(n)) + 8", lambda *_: 1, lambda k, n, _: k <= n, _twice
    ),
    "for (int k = 1; k <= n / 2; k += k) {}": Halving(
        "8*floor(log2(n))", lambda *_: 1, lambda k, n, _: k <= n // 2, _twice
    ),
    "for (unsigned k = 1; k < n / 2; k <<= 1) {}": Halving(
        "8*Max(0, ceil(log2(floor(n/2))))", lambda *_: 1, lambda k, n, _: k < n // 2, _twice
    ),
    "for (int k = 2; k <= n; k <<= 1) {}": Halving("8*floor(log2(n))", lambda *_: 2, lambda k, n, _: k <= n, _twice),
    "for (int k = 32; k < n; k *= 2) {}": Halving(
        "8*Max(0, ceil(log2(n)) - 5)", lambda *_: 32, lambda k, n, _: k < n, _twice
    ),
    "for (int k = 3; k < n; k *= 4) {}": Halving(
        "8*ceil(log2(n/3)/2)", lambda *_: 3, lambda k, n, _: k < n, lambda k: 4 * k
    ),
    "for (int k = m; k < n; k *= 2) {}": Halving(
        "8*Max(0, ceil(log2(n/m)))", lambda _, m: m, lambda k, n, _: k < n, _twice
    ),
    "for (int k = m; k <= n; k *= 2) {}": Halving(
        "8*Max(0, floor(log2(n/m)) + 1)", lambda _, m: m, lambda k, n, _: k <= n, _twice
    ),
    "int k = n; do {{ {0} k /= 2; }} while (k > 0);": Halving(
        "8*floor(log2(n)) + 8", lambda n, _: n, lambda k, *_: k > 0, _half, is_late=True
    ),
    "int k = n; do {{ {0} k >>= 1; }} while (k > 4);": Halving(
        "8*Max(0, floor(log2(n/5))) + 8", lambda n, _: n, lambda k, *_: k > 4, _half, is_late=True
    ),
    "int k = 1; do {{ {0} k *= 2; }} while (k < n);": Halving(
        "8*Max(0, ceil(log2(n)) - 1) + 8", lambda *_: 1, lambda k, n, _: k < n, _twice, is_late=True
    ),
}
"""Loops, with the place of what they do, each with its formula for the 8 warps of a block."""

OPEN = (
    "for (int k = n; k > 0; k /= 3) {}",
    "for (int k = n; k > 0; k >>= 1) {{ if (m == k) break; {0} }}",
    "for (int k = n; k > 0; k >>= 1) {{ if (a[k] > 0) return; {0} }}",
    "for (int k = n; k > 0 && a[k] > 0; k >>= 1) {}",
    "for (int k = n; k >= 0; k >>= 1) {}",
    "for (int k = n; k > 0; k = k / 2 - 1) {}",
    "for (int k = m; k < n; k = k * 2 + 1) {}",
    "for (int k = a[0]; k > 0; k >>= 1) {}",
    "int k = n; while (k > 0) {{ {0} if (threadIdx.x < m) k /= 2; else k--; }}",
)
"""Loops of which the number of iterations is no such formula."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Executions]:
    """The one store of each loop, as it is executed."""
    path = tmp_path_factory.mktemp("doublings") / "k.cu"
    path.write_text("".join(_kernels()))
    checked = check_file(
        Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), forms=True)
    )
    assert not checked.failures
    found = {}
    for kernel in checked.checked:
        assert kernel.analysis is not None
        executions = kernel.analysis.accesses[-1].executions
        assert executions is not None
        found[(*LOOPS, *OPEN)[int(kernel.analysis.kernel.removeprefix("k"))]] = executions
    return found


def _kernels() -> Iterator[str]:
    loops = (*LOOPS, *OPEN)
    for number, loop in enumerate(loops):
        body = loop.format("out[threadIdx.x + k] = 0;")
        yield f"__global__ void k{number}(float *out, const float *a, int n, int m) {{ {body} }}\n"
    launches = " ".join(f"k{number}<<<1, {32 * WARPS}>>>(p, p, n, m);" for number in range(len(loops)))
    yield f"void run(float *p, int n, int m) {{ {launches} }}\n"


@pytest.mark.slow
@pytest.mark.parametrize("loop", LOOPS)
def test_iterations_are_logarithms_of_where_a_variable_starts_and_how_far_it_goes(
    loop: str, stores: dict[str, Executions]
) -> None:
    executions, by_hand = stores[loop], LOOPS[loop]
    assert executions.formula == by_hand.formula
    assert executions.form is not None
    formula = expression_of(executions.form)
    names, read = {symbol.name: symbol for symbol in formula.free_symbols}, value_at(formula)
    wrong = {}
    tested = [(n, m) for n in NUMBERS for m in (OTHERS if "m" in names else OTHERS[-1:])]
    within = [(n, m) for n, m in tested if _holds(executions.assumed, n, m)]
    for n, m in within:
        values = {symbol: {"n": n, "m": m}[name] for name, symbol in names.items()}
        found, made = (
            {read(values), *([formula.subs(values)] if n in BY_SYMPY and m in (1, 33) else [])},
            WARPS * by_hand.iterations(n, m),
        )
        if found != {made}:
            wrong[n, m] = found, made
    assert not wrong
    assert {n for n, _ in within} >= set(NUMBERS) - {0, 1}


def _holds(assumed: tuple[str, ...], n: int, m: int) -> bool:
    """Whether what a formula rests on in sizes is true for these."""
    relations = [text for text in assumed if "<" in text or ">" in text]
    return all(eval(text, {"n": n, "m": m, "floor": math.floor}) for text in relations)


@pytest.mark.parametrize("loop", OPEN)
def test_what_is_no_logarithm_stays_open(loop: str, stores: dict[str, Executions]) -> None:
    assert stores[loop].form is None
    assert stores[loop].warps is None
    assert not stores[loop].formula


def test_formulas_are_numbers_of_sympy(stores: dict[str, Executions]) -> None:
    """A logarithm of a large power of two is a whole number, not one beside it."""
    form = stores["for (int k = 1; k < n; k *= 2) {}"].form
    assert form is not None
    (symbol,) = expression_of(form).free_symbols
    assert expression_of(form).subs({symbol: 2**60}) == 8 * 60
    assert expression_of(form).subs({symbol: 2**60 + 1}) == sympy.Integer(8 * 61)


GUARDED = {
    "for (int k = n; k > 0; k >>= 1) if (threadIdx.x < k) out[threadIdx.x + k] = 0;": (False, True),
    "for (int k = n / 2; k > 0; k >>= 1) if (threadIdx.x >= k) out[threadIdx.x + k] = 0;": (True, False),
    "for (int k = 1; k < n; k *= 2) if (threadIdx.x >= k) out[threadIdx.x - k] = 0;": (None, False),
    "for (int k = 1; k < n; k *= 2) if (threadIdx.x % (2 * k) == 0) out[threadIdx.x + k] = 0;": (None, None),
    "for (int k = n; k > 0; k >>= 1) if (k < 512) out[threadIdx.x + k] = 0;": (False, "few"),
    "int k = n; do { if (threadIdx.x < k) out[threadIdx.x + k] = 0; k >>= 1; } while (k > 0);": (False, True),
}
"""What stands under a guard with a variable that is halved, or (None) doubled, from `n` or (True) half of it.

Then which threads pass: those below it, those that are not, multiples of twice it, all while it is below 512.
"""


@pytest.mark.parametrize("body", GUARDED)
@pytest.mark.parametrize("n", [1, 2, 5, 31, 32, 33, 64, 100, 256, 1000, 1025, 4096])
def test_guards_with_the_variable_are_counted_with_numbers(body: str, n: int, guarded: dict[str, Counting]) -> None:
    halves, which = GUARDED[body]
    values = []
    k = 1 if halves is None else n // 2 if halves else n
    while (k < n) if halves is None else k > 0:
        values.append(k)
        k = 2 * k if halves is None else k // 2

    def passes(t: int, k: int) -> bool:
        if which is None:
            return t % (2 * k) == 0
        return k < 512 if which == "few" else (t < k) is which

    lanes = [(t, k) for k in values for t in range(32 * WARPS) if passes(t, k)]
    executed = guarded[body].sampled(0, SampleSizes(threads=n, loops=n))
    assert executed is not None
    assert (executed.warps, executed.threads) == (len({(t // 32, k) for t, k in lanes}), len(lanes))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Counting]:
    """What counts the one store of each body."""
    path = tmp_path_factory.mktemp("guarded") / "k.cu"
    kernels = (f"__global__ void k{at}(float *out, int n) {{ {body} }}\n" for at, body in enumerate(GUARDED))
    launches = " ".join(f"k{at}<<<1, {32 * WARPS}>>>(p, n);" for at in range(len(GUARDED)))
    path.write_text(f"{''.join(kernels)}void run(float *p, int n) {{ {launches} }}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Analysis, "counted", lambda self: self)  # which keeps what counts
        checked = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    assert not checked.failures
    found = {}
    for body, kernel in zip(GUARDED, checked.checked, strict=True):
        assert kernel.analysis is not None
        assert kernel.analysis.counting is not None
        found[body] = kernel.analysis.counting
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 3, 100])
@pytest.mark.parametrize("loop", ["for (int k = n / 2; k > 0; k >>= 1)", "for (int k = 1; k < n; k *= 2)"])
def test_what_leaves_such_a_loop_is_executed_where_it_has_an_iteration(loop: str, n: int, tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        f"__global__ void k(float *out, int n) {{ {loop} out[threadIdx.x] += 1; }}\n"
        f"void run(float *p, int n) {{ k<<<1, {32 * WARPS}>>>(p, n); }}\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Analysis, "counted", lambda self: self)
        (kernel,) = check_file(
            Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers())
        ).checked
    assert kernel.analysis is not None
    assert kernel.analysis.counting is not None
    executed = kernel.analysis.counting.sampled(0, SampleSizes(threads=n, loops=n))
    assert executed is not None
    assert executed.warps == (WARPS if n > 1 else 0)


HALVED = {
    "for (int k = n / 2; k > 0; k >>= 1) if (threadIdx.x < k) out[threadIdx.x + k] = 0;": Halving(
        "", lambda n, _: n // 2, lambda k, *_: k > 0, _half
    ),
    "for (unsigned k = n; k > 32; k /= 4) if (threadIdx.x < k) out[threadIdx.x + k] = 0;": Halving(
        "", lambda n, _: n, lambda k, *_: k > 32, lambda k: k // 4
    ),
    "int k = n; do { if (k > threadIdx.x) out[threadIdx.x + k] = 0; k >>= 1; } while (k > 0);": Halving(
        "", lambda n, _: n, lambda k, *_: k > 0, _half
    ),
}
"""Loops in which the threads below what is halved do something, and the same in Python."""


def _formula(body: str, block: str, folder: Path) -> Executions:
    path = folder / "k.cu"
    path.write_text(
        f"__global__ void k(float *out, int n) {{ {body} }}\nvoid run(float *p, int n) {{ k<<<1, {block}>>>(p, n); }}\n"
    )
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), forms=True)
    (kernel,) = check_file(Source(str(path)), job).checked
    assert kernel.analysis is not None
    (access,) = kernel.analysis.accesses
    assert access.executions is not None
    return access.executions


@pytest.mark.slow
@pytest.mark.parametrize("body", HALVED)
@pytest.mark.parametrize(
    ("block", "shape"), [("64", (64, 1)), ("256", (256, 1)), ("dim3(16, 8)", (16, 8)), ("32", (32, 1))]
)
def test_threads_below_what_is_halved_are_counted_by_warps(
    body: str, block: str, shape: tuple[int, int], tmp_path: Path
) -> None:
    executions = _formula(body, block, tmp_path)
    assert executions.form is not None
    assert "n > 0" in executions.assumed
    formula, loop = expression_of(executions.form), HALVED[body]
    (symbol,) = formula.free_symbols
    read = value_at(formula)
    for n in (*range(1, 101), *(2**k + d for k in range(7, 13) for d in (-1, 0, 1))):
        made, k = 0, loop.start(n, 0)
        while loop.goes_on(k, n, 0):
            made += len({(x + y * shape[0]) // 32 for x in range(min(shape[0], k)) for y in range(shape[1])})
            k = loop.step(k)
        assert read({symbol: n}) == made, n
        assert n not in BY_SYMPY or formula.subs(symbol, n) == made, n


@pytest.mark.parametrize(
    ("body", "block"),
    [
        ("for (int k = n; k > 0; k = k / 2 - 1) if (threadIdx.x < k) out[threadIdx.x + k] = 0;", "64"),
        ("for (int k = n, m = n; k > m / 8; k /= 2, m -= 1) if (threadIdx.x < k) out[threadIdx.x + k] = 0;", "64"),
    ],
)
def test_what_is_not_only_halved_has_no_formula(body: str, block: str, tmp_path: Path) -> None:
    executions = _formula(body, block, tmp_path)
    assert executions.form is None
    assert executions.warps is None


def test_a_loop_that_is_never_entered_executes_nothing(tmp_path: Path) -> None:
    guarded = "m += 2; if (threadIdx.x < m) out[threadIdx.x + k] = 0;"
    executions = _formula(f"int m = 5, k = 2 * n; while (k < n) {{ {guarded} k <<= 1; }}", "96", tmp_path)
    assert executions.warps == 0
