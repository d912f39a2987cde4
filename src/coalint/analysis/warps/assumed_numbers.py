"""Numbers that are supposed for quantities without which nothing is known of how lanes lie to each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.warps.quantities import OPEN
from coalint.core.facts.access import Space

if TYPE_CHECKING:
    from coalint.analysis.warps.results import WarpResult

PITCH = 1024
"""What stands for an unknown factor of a global address where no number is given: lanes far apart, as for any pitch."""
WORDS = 32
"""The same for shared memory: rows as long as there are banks, the worst case."""
ROUNDS = 4
"""Of finding what has no number, each after numbers for what was found before."""

_NAME = re.compile(r"[A-Za-z_][\w.]*")


def supposed(space: Space) -> int:
    """Return the number that is supposed for what lanes of an access to this memory are multiples of."""
    return WORDS if space is Space.SHARED else PITCH


def is_expression(name: str) -> bool:
    """Whether what a number is given for is an expression rather than a quantity."""
    return _NAME.fullmatch(name) is None


def lacking(algebra: Algebra, address: Poly, result: WarpResult, names: Collection[str]) -> tuple[str, ...]:
    """Return what needs a number for the lanes to be known.

    Quantities among `names`, or expressions that hold none of them.

    Empty where the lanes are known as they are, or no number helps.
    """
    if result.symbolic:
        return tuple(dict.fromkeys(name for text in result.symbolic for name in _leaves(text, names)))
    if result.lanes is not None or result.data_dependent:
        return ()
    return tuple(dict.fromkeys(name for name in _operands(algebra, address) if name in names))


def _leaves(text: str, names: Collection[str]) -> Sequence[str]:
    return [text] if text in names else [name for name in _NAME.findall(text) if name in names] or [text]


def _operands(algebra: Algebra, address: Poly) -> Iterator[str]:
    """Yield the quantities inside of operations on threads."""
    for atom in algebra.closure(address):
        if atom.operands and atom.level is not Level.UNIFORM:
            for inner in algebra.closure(*atom.operands):
                if inner.level is Level.UNIFORM and inner.kind in OPEN:
                    yield inner.name
