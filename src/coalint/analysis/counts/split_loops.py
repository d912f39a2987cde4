"""Loops that the compiler makes two of where their counter meets a number of the thread: `if (j != i)`, `if (j > i)`.

nvcc takes the iterations before and those after as loops of their own. In the second each lane begins with an iteration
of its own, so that lanes which read one element at a time in the source read neighbours. Counted on an H200 (nvcc 13.0
for sm_90, tests/support/split_loops.cu): loads of an all-pairs kernel take 2.7 sectors per request, not 1, and so do
those beside the condition. It does so where the thread's number is bounded (`if (i >= n) return`), the loop counts by
one to what the launch tells, and no other loop is around. The first is not asked for: a bound that every thread of the
launch keeps to is no guard here.
"""

from __future__ import annotations

from collections.abc import Iterable

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.conditions import Condition, leaves
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.inequalities import slack
from coalint.core import ir
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.ir import folding

_INSIDE = (GuardKind.BRANCH, GuardKind.CONTINUE)


def splitting(algebra: Algebra, loop: ir.Loop, counter: Atom | None, guards: Iterable[Guard]) -> Condition | None:
    """Return the condition by which the compiler may split a loop that no other is around; None where there is none.

    Args:
        algebra: The atoms.
        loop: The loop.
        counter: That of its iterations.
        guards: All conditions of an access in it.
    """
    if counter is None or _counts_to_constant(loop):
        return None
    for guard in guards:
        value = guard.condition.value
        if guard.kind not in _INSIDE or not algebra.depends(value, counter.index):
            continue
        if any(_parts_iterations(algebra, leaf, counter) for leaf in leaves(algebra, value)):
            return guard.condition
    return None


def supposed_one(name: str, condition: Condition) -> Supposition:
    """Return what a number rests on in a loop that the compiler may split, by its variable."""
    return Supposition(f"the compiler does not split the loop over `{name}` by `{condition.text}`", Supposed.UNROLLING)


def _counts_to_constant(loop: ir.Loop) -> bool:
    """Whether the source says how often a loop is run; the compiler then copies its body instead."""
    condition = loop.condition
    if not isinstance(condition, ir.Binary):
        return False
    return any(folding.constant(side) is not None for side in (condition.left, condition.right))


def _parts_iterations(algebra: Algebra, leaf: Poly, counter: Atom) -> bool:
    """Whether a comparison of a counter with what differs between threads lets these in late, or in one iteration."""
    compared, steps = slack(algebra, leaf), {1}
    atoms = algebra.atoms_of(leaf)
    if compared is None and len(atoms) == 1 and atoms[0].operator == "==" and len(atoms[0].operands) == 1:
        compared, steps = atoms[0].operands[0], {1, -1}
    if compared is None or algebra.level(compared) is Level.UNIFORM:
        return False
    return algebra.number(algebra.difference(compared, counter)) in steps
