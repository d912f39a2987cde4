"""Counts of random kernels, held against a simulation of every thread."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from types import CodeType

import pytest
import sympy
from amounts import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from project import shared_headers

from coalint.core.facts.executions import Executions
from coalint.core.facts.suppositions import Supposed, kind_of
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

WARP = 32


@dataclass(frozen=True)
class Loop:
    """`for (int NAME = start; NAME < bound; NAME += step)`; start and bound are C that Python reads alike."""

    name: str
    start: str
    bound: str
    step: int


@dataclass(frozen=True)
class Program:
    """A kernel with one store, under guards, in loops; `{n}` in a guard is the kernel's parameter."""

    block: int
    grid: int
    guards: tuple[str, ...]
    loops: tuple[Loop, ...]

    def source(self, n: int | None) -> str:
        """The program; with the launch's number for `n`, or an open one."""
        guards = "".join(f"if ({guard}) " for guard in self.guards)
        loops = "".join(
            f"for (int {o.name} = {o.start}; {o.name} < {o.bound}; {o.name} += {o.step}) " for o in self.loops
        )
        return (
            "__global__ void k(float *a, int n) {\n"
            "    int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t;\n"
            f"    {guards}{loops}\n        a[t{''.join(f' + {o.name}' for o in self.loops)}] = 0;\n}}\n"
            f"void run(float *a, int m) {{ k<<<{self.grid}, {self.block}>>>(a, {'m' if n is None else n}); }}\n"
        )

    def executed(self, n: int) -> tuple[int, int]:
        """Warp instructions and active lanes, thread by thread."""
        warps: set[tuple[int, ...]] = set()
        lanes = 0
        for b, t in product(range(self.grid), range(self.block)):
            for iteration in self._iterations({"t": t, "b": b, "i": b * self.block + t, "n": n}):
                warps.add((b, t // WARP, *iteration))
                lanes += 1
        return len(warps), lanes

    def is_left_unevenly(self, n: int) -> bool:
        """Whether lanes of one warp that come to the store make different numbers of iterations of a loop.

        All else is the same for them: the block, and the iterations of the other loops.
        """
        for depth in range(len(self.loops)):
            around = replace(self, loops=self.loops[: depth + 1])
            made: defaultdict[tuple[int, ...], set[int]] = defaultdict(set)
            for b, t in product(range(self.grid), range(self.block)):
                names = {"t": t, "b": b, "i": b * self.block + t, "n": n}
                trips = Counter(numbers[:depth] for numbers in around._iterations(names))
                for numbers in self._iterations(names):
                    others = numbers[:depth] + numbers[depth + 1 :]
                    made[(b, t // WARP, *others)].add(trips[numbers[:depth]])
            if any(len(counts) > 1 for counts in made.values()):
                return True
        return False

    def _iterations(self, names: dict[str, int]) -> list[tuple[int, ...]]:
        if not all(_value(guard, names) for guard in self.guards):
            return []
        found: list[tuple[tuple[int, ...], dict[str, int]]] = [((), names)]
        for loop in self.loops:
            found = [
                ((*before, number), {**known, loop.name: value})
                for before, known in found
                for number, value in enumerate(range(_value(loop.start, known), _value(loop.bound, known), loop.step))
            ]
        return [iteration for iteration, _ in found]


def _value(text: str, names: dict[str, int]) -> int:
    return int(eval(_code(text), {}, dict(names)))


@cache
def _code(text: str) -> CodeType:
    return compile(text.replace("&&", "and").replace("||", "or").replace("/", "//"), "value", "eval")


GUARDS = ("i < n", "t < 20", "t == 0", "t % 3 == 1", "i > 0 && i < n - 1", "t / 32 < 1", "b == 1", "i < 70 || t == 40")
STARTS = ("0", "1", "t % 2", "t")
BOUNDS = ("4", "7", "n", "t % 5", "b + 2", "40", "i + 1")
loops = st.builds(Loop, st.just("k"), st.sampled_from(STARTS), st.sampled_from(BOUNDS), st.sampled_from((1, 2, 3, 32)))
inner = st.builds(Loop, st.just("j"), st.just("0"), st.sampled_from(("3", "k", "k % 3")), st.just(1))
nests = st.one_of(st.just(()), loops.map(lambda loop: (loop,)), st.tuples(loops, inner))
programs = st.builds(
    Program,
    block=st.sampled_from((32, 48, 64, 96)),
    grid=st.integers(1, 3),
    guards=st.lists(st.sampled_from(GUARDS), max_size=2, unique=True).map(tuple),
    loops=nests,
)


def counted(folder: Path, source: str, *, forms: bool = False) -> Executions:
    path = folder / "k.cu"
    path.write_text(source)
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), forms=forms)
    (kernel,) = check_file(Source(str(path)), job).checked
    assert kernel.analysis is not None
    stores = [access.executions for access in kernel.analysis.accesses]
    if not stores:  # no thread comes to it
        return Executions(0, 0)
    assert len(stores) == 1
    assert stores[0] is not None
    return stores[0]


@pytest.mark.slow
@settings(max_examples=examples(120))
@given(program=programs, n=st.integers(1, 90))
@example(program=Program(64, 3, ("i < n",), (Loop("k", "0", "i + 1", 1), Loop("j", "0", "k", 1))), n=1)
def test_counts_are_those_of_every_thread(program: Program, n: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    found = counted(tmp_path_factory.getbasetemp(), program.source(n))
    if found.warps is not None:
        assert [kind_of(text) for text in found.assumed] == [Supposed.UNROLLING] * len(found.assumed)
        assert bool(found.assumed) == program.is_left_unevenly(n), program.source(n)
        assert (found.warps, found.threads) == program.executed(n), program.source(n)


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(program=programs.filter(lambda p: "n" in "".join((*p.guards, *(loop.bound for loop in p.loops)))))
def test_formulas_hold_for_numbers_that_they_were_not_proved_at(
    program: Program, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = counted(tmp_path_factory.getbasetemp(), program.source(None), forms=True)
    if found.formula:
        formula = sympy.sympify(found.formula.replace("ceil(", "ceiling(").replace("^", "**"))
        conditions = [sympy.sympify(text) for text in found.assumed if kind_of(text) is not Supposed.UNROLLING]
        for n in (2, 31, 33, 77, 128):
            if not all(condition.subs({"n": n}) for condition in conditions):
                continue
            assert int(formula.subs({"n": n})) == program.executed(n)[0], (program.source(None), found.formula, n)
