"""Whether threads agree on a value that a choice is in, whichever way it goes: `n % 32 ? n / 32 * 32 + 32 : n`."""

from __future__ import annotations

from collections.abc import Callable

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.substitution import Substitution

MOST = 2  # choices in one value that are looked at


def agreed_either_way(
    algebra: Algebra,
    value: Poly,
    agreed: Callable[[Poly, tuple[Poly, ...]], bool],
    forget: Callable[[], None],
    facts: tuple[Poly, ...] = (),
) -> bool:
    """Whether threads agree on a value for both outcomes of a choice in it that all threads make alike.

    `agreed` is asked of the value with each outcome and what holds there; `forget` is called when atoms are gone that
    it may have kept.
    """
    choice = next(
        (
            atom
            for atom in algebra.closure(value)
            if atom.operator == "?:" and algebra.level(atom.operands[0]) is Level.UNIFORM
        ),
        None,
    )
    if choice is None or len(facts) >= MOST:
        return False
    condition, chosen, other = choice.operands
    mark = algebra.mark()
    try:
        for outcome, fact in ((chosen, condition), (other, 1 - condition)):
            taken, held = Substitution(algebra, choice, outcome).of(value), (*facts, fact)
            if not agreed(taken, held) and not agreed_either_way(algebra, taken, agreed, forget, held):
                return False
    except TooManyAtoms:
        return False
    finally:
        algebra.forget(mark)
        forget()
    return True
