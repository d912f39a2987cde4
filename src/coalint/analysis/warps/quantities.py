"""The uniform quantities that an access rests on, by name: which have no number, and which a user gave one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.warps.lanes.lane_numbers import Undecided
from coalint.analysis.warps.lanes.lane_values import LaneEvaluator
from coalint.core.lazy import np

OPEN = frozenset({AtomKind.UNIFORM, AtomKind.LOAD, AtomKind.OPAQUE})  # what no number stands for
_OPEN_OR_COUNTED = OPEN | {AtomKind.COUNTER}


def open_names(algebra: Algebra, address: Poly, guards: Sequence[Condition]) -> tuple[str, ...]:
    """Return the names of the uniform quantities that an access rests on and whose numbers are not known."""
    inside = algebra.closure(address, *(guard.value for guard in guards))
    leaves = (atom for atom in inside if atom.level is Level.UNIFORM and atom.kind in _OPEN_OR_COUNTED)
    return tuple(dict.fromkeys(atom.name for atom in leaves))


def given_numbers(
    algebra: Algebra, given: Mapping[str, int], addresses: Sequence[Poly], guards: Sequence[Condition]
) -> dict[int, int]:
    """Return the atoms that a number is given for: quantities by their names, operations by what they look like.

    Not the values that a loop's variable takes: what is given by its name is the number of the iteration.
    """
    if not given:
        return {}
    printer = Printer(algebra)
    named: dict[int, str] = {}
    for atom in algebra.closure(*addresses, *(guard.value for guard in guards)):
        if atom.level is Level.UNIFORM and atom.kind in _OPEN_OR_COUNTED:
            named[atom.index] = atom.name
        elif atom.level is Level.UNIFORM and atom.kind is AtomKind.OPERATION:
            text = printer.atom(atom)
            named[atom.index] = "" if text.isidentifier() else text
    return {index: given[name] for index, name in named.items() if name in given}


def in_iterations(algebra: Algebra, value: Poly, counter: Atom, trips: int) -> tuple[int, ...]:
    """Return the number that all threads hold in each iteration of a loop; empty where it is not known or not one."""
    iterations = np.arange(trips, dtype=np.int64).reshape(-1, 1, 1)
    try:
        number = LaneEvaluator(algebra, {counter.index: iterations}, strict=True).number(value)
    except Undecided:
        return ()
    if number is None or np.size(number) not in (1, trips):
        return ()
    return tuple(int(n) for n in np.broadcast_to(number, iterations.shape).ravel())
