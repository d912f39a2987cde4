"""Whether threads agree on a value if no sum of unsigned numbers in it is too large for its type.

Index arithmetic in `unsigned` is exact modulo 2^32, which keeps `pos < end` from being compared term by term; what
passes 2^32 there would miss the array anyway. A difference may well be below 0 (`i - 1u < n`): that is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Poly, TooManyAtoms
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.algebra.substitution import Substitution


def agreed_unless_too_large(
    algebra: Algebra, value: Poly, agreed: Callable[[Poly], bool], forget: Callable[[], None]
) -> bool:
    """Whether threads agree on a value with each sum as it is before it is cut to its bits.

    `forget` is called when atoms are gone that `agreed` may have kept.
    """
    cut = [atom for atom in algebra.closure(value) if atom.operator == "wrap"]
    if not cut or any(not _is_positive(algebra, atom.operands[0]) for atom in cut):
        return False
    mark = algebra.mark()
    try:
        for atom in reversed(cut):
            value = Substitution(algebra, atom, atom.operands[0]).of(value)
        return agreed(value)
    except TooManyAtoms:
        return False
    finally:
        algebra.forget(mark)
        forget()


def _is_positive(algebra: Algebra, value: Poly) -> bool:
    """Whether a value is at least 0; the remainders in it, as `x - 16 * (x / 16)`, are."""
    rest = value
    for monomial, coefficient in value.items():
        atom = algebra.atoms[monomial[0][0]] if len(monomial) == 1 and monomial[0][1] == 1 else None
        if atom is not None and atom.operator == "/" and coefficient < 0:
            whole, by = atom.operands[0], algebra.number(atom.operands[1])
            start, _ = algebra.range(whole)
            if by and coefficient % by == 0 and start is not None and start >= 0:
                rest = rest + coefficient // by * (whole - by * generator(atom.index))
    low, _ = algebra.range(rest)
    return low is not None and low >= 0
