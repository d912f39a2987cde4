"""Guards as values: which condition must hold, and over which iterations of a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from coalint.analysis.atoms import Kind, Poly
from coalint.analysis.polynomial import generator
from coalint.analysis.symbolic import Algebra


class When(Enum):
    """For which iterations of a loop a condition must hold, for a thread to be here in iteration k."""

    UNTIL = "until"  # 0..k: the loop's own condition
    BEFORE = "before"  # 0..k-1: that it has not left by break
    EVER = "ever"  # all: that it has not returned from inside of a loop that is over


@dataclass(frozen=True, slots=True)
class Condition:
    """A guard: the value that must not be 0, and the text that the user wrote for it.

    `over` pairs loops (their counter's atom index, innermost first) with the iterations in which the value must not be
    0; a loop that is not named counts in the current iteration alone.
    """

    value: Poly
    text: str
    over: tuple[tuple[int, When], ...] = ()


def conjuncts(algebra: Algebra, condition: Poly) -> list[Poly]:
    """The condition as parts that must all hold: `a && b`, and `!(a || b)`."""
    atoms = algebra.atoms_of(condition)
    if len(atoms) == 1 and atoms[0].kind is Kind.OPERATION:
        alone = generator(atoms[0].index)
        if atoms[0].operator == "&&" and condition == alone:
            return [part for operand in atoms[0].operands for part in conjuncts(algebra, operand)]
        if atoms[0].operator == "||" and condition == 1 - alone:
            return [part for operand in atoms[0].operands for part in conjuncts(algebra, 1 - operand)]
    return [condition]


def disjuncts(algebra: Algebra, condition: Poly) -> list[Poly]:
    """The condition as parts of which one must hold: `a || b`, and `!(a && b)`."""
    return [1 - part for part in conjuncts(algebra, 1 - condition)]


def implied(
    algebra: Algebra, part: Poly, condition: Condition, others: Iterable[Condition], agreed: Callable[[Poly], bool]
) -> bool:
    """Whether a part of a condition parts nobody, by what other conditions leave of its alternatives.

    Either one that holds as well is among them, or the rest, after `x || rest` and `!x || rest`, is agreed on.
    """
    alternatives = set(disjuncts(algebra, part))
    if len(alternatives) < 2:
        return False
    for other in others:
        if other is condition or other.over != condition.over:
            continue
        for held in conjuncts(algebra, other.value):
            known = set(disjuncts(algebra, held))
            if known < alternatives:
                return True
            for one in alternatives:
                rest = alternatives - {one}
                if known <= rest | {1 - one} and all(map(agreed, rest)):
                    return True
    return False
