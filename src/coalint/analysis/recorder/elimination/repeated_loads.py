"""Loads that nvcc makes once in loops that it copies to the end, as several iterations load from one address.

In `for (i...) for (j...) sum += s[16 * i + j]` under `#pragma unroll` the copies of the body are one straight line, in
which what has been loaded is in a register. Seen on an H200 in HeCBench's `convolutionSeparable`: of 136 loads of a
thread 129 are left where rows are 16 apart, 73 where they are 8 apart, and 17 of what `i` does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import prod

from coalint.analysis.counts.counted_loop import CountedLoop
from coalint.analysis.counts.reaches import Reach
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.core import ir
from coalint.core.lazy import np

MOST_COPIES = 1024
"""Of a body, that a compiler is thought to make without being asked."""

Nest = Sequence[tuple[ir.Loop, CountedLoop]]
"""Loops with how they are counted, innermost first."""


def with_repeats(algebra: Algebra, offset: Poly, nest: Nest, reach: Reach) -> Reach:
    """Return where a load is executed, less what copies of loops around it share.

    Args:
        algebra: That of the kernel.
        offset: What the load adds to its base, in bytes.
        nest: Loops around it that nothing keeps from being copied, innermost first, with numbers of iterations.
        reach: Its guards and loops.
    """
    certain = 0
    while certain < len(nest) and _is_unrolled(*nest[certain]):
        certain += 1
    times = _times(algebra, offset, nest[:certain])
    made = reach
    if times is not None and len(times) < sum(times):
        made = replace(made, kept=(len(times), sum(times)), is_mean=len(set(times)) > 1)
    copied = certain
    while copied < len(nest) and prod(counted.trips or 1 for _, counted in nest[: copied + 1]) <= MOST_COPIES:
        copied += 1
    if copied > certain:
        more = _times(algebra, offset, nest[:copied])
        others = prod(counted.trips or 1 for _, counted in nest[certain:copied])
        if more is not None and times is not None and len(more) < len(times) * others:
            made = replace(made, may_leave=True)
    return made


def copied_loops(
    algebra: Algebra, loops: Sequence[ir.Loop], reach: Reach, may_share: Callable[[ir.Loop], bool]
) -> Iterator[tuple[ir.Loop, CountedLoop]]:
    """Yield the loops around a load whose copies may share it, innermost first: all threads make their iterations."""
    for loop, counted in zip(reversed(loops), reversed(reach.loops), strict=True):
        counter = counted.counter
        if counter is None or not counted.trips or loop.unroll == 1 or not may_share(loop):
            return
        if any(counter in algebra.closure(guard.value) for guard in reach.guards):
            return
        yield loop, counted


def _is_unrolled(loop: ir.Loop, counted: CountedLoop) -> bool:
    """Whether the source asks for a copy for each iteration, of which it tells the number itself."""
    if loop.unroll is None or counted.trips is None or 0 < loop.unroll < counted.trips:
        return False
    own = {node.variable.key for start in loop.initializer for node in ir.nodes(start) if isinstance(node, ir.Declare)}
    tested = [node for node in (*loop.initializer, loop.condition, loop.step) if node is not None]
    names = (node.variable for part in tested for node in ir.nodes(part) if isinstance(node, ir.Name))
    return all(name.key in own or name.constant is not None for name in names)


def _times(algebra: Algebra, offset: Poly, nest: Nest) -> list[int] | None:
    """Return how often a thread comes to each address in a nest; None where the address is no sum of multiples."""
    counters = [(counted.counter, counted.trips) for _, counted in nest if counted.counter and counted.trips]
    if prod(trips for _, trips in counters) > MOST_COPIES * 64:
        return None
    steps = [_step(algebra, offset, counter) for counter, _ in counters]
    if any(step is None or any(_rests_on(algebra, step, other) for other, _ in counters) for step in steps):
        return None
    monomials = sorted({monomial for step in steps if step is not None for _, monomial in algebra.terms(step)})
    if not monomials:
        return [prod(trips for _, trips in counters)]
    terms = [{m: coefficient for coefficient, m in algebra.terms(step)} for step in steps if step is not None]
    factors = np.array([[each.get(monomial, 0) for monomial in monomials] for each in terms], dtype=np.int64)
    grid = np.indices([trips for _, trips in counters], dtype=np.int64).reshape(len(counters), -1)
    _, times = np.unique(grid.T @ factors, axis=0, return_counts=True)
    return [int(each) for each in times]


def _step(algebra: Algebra, offset: Poly, counter: Atom) -> Poly | None:
    """Return what an iteration adds to an address; None where that is not the same each time."""
    step = algebra.difference(offset, counter)
    return None if _rests_on(algebra, step, counter) or _is_inside(algebra, offset, counter) else step


def _rests_on(algebra: Algebra, value: Poly, counter: Atom) -> bool:
    return any(atom is counter for atom in algebra.closure(value))


def _is_inside(algebra: Algebra, offset: Poly, counter: Atom) -> bool:
    """Whether an operation inside of an address changes with a counter."""
    others = (atom for atom in algebra.atoms_of(offset) if atom is not counter)
    return any(counter in algebra.closure(*atom.operands) for atom in others if atom.operands)
