"""Variables that a loop moves in steps for as long as a condition holds: `if (k < n) { ...; i += 32; }`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.conditions import conjuncts
from coalint.analysis.interpreter.loops.solving.linear_conditions import linear_in

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.state import LoopState


def guarded(loop: LoopState, start: Poly, mark: Poly, end: Poly, unknown: Poly) -> Poly | None:
    """Return what a variable that begins with `start` holds in the k-th iteration.

    None where the loop does not move it so.

    `end` is what an iteration makes of `mark`. A condition that fails in one iteration must fail in all later ones:
    where it holds in the k-th, k steps have been made. Where it fails the value is `unknown`, or the start if the
    condition is the same in every iteration.
    """
    move = _steps(loop, mark, end)
    if move is None or loop.counter is None:
        return None
    condition, step = move
    algebra, parts = loop.algebra, conjuncts(loop.algebra, condition)
    ending = [part for part in parts if loop.varies(part)]
    for part in ending:
        linear = linear_in(algebra, part, loop.counter)
        if linear is None or linear[0] != "<" or linear[2] < 0 or loop.varies(linear[1]):
            return None
    return algebra.select(condition, start + step * loop.counter, unknown if ending else start)


def _steps(loop: LoopState, mark: Poly, end: Poly) -> tuple[Poly, Poly] | None:
    """Return the condition under which an iteration moves the variable, and by how much; it is left alone otherwise."""
    algebra = loop.algebra
    atoms = algebra.atoms_of(end)
    if len(atoms) != 1 or atoms[0].operator != "?:" or end != generator(atoms[0].index):
        return None
    condition, a, b = atoms[0].operands
    for holds, moved, stayed in ((condition, a, b), (1 - condition, b, a)):
        if stayed == mark:
            inner = _steps(loop, mark, moved)
            if inner is not None:
                return algebra.both(holds, inner[0]), inner[1]
            step = moved - mark
            return None if loop.varies(step) else (holds, step)
    return None
