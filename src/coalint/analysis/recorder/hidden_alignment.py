"""What in an address hides its alignment from nvcc, though each lane is at a multiple of a vector's size.

Seen in the machine code of nvcc 13.2 for sm_90: `s[8 * t % 512 + k]` of a signed `t` stays four loads, and so do those
at `max(0, 4 * t - 4)` and where a branch makes `i` `4 * t` or `8 * t`. An unsigned `t`, `8 * t & 511`, `(t % 64) * 8`
and a choice between values that are a constant apart hide nothing.
"""

from __future__ import annotations

from math import gcd

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.algebra.functions import Function


def known_multiple(algebra: Algebra, offset: Poly) -> int:
    """Return the bytes that nvcc knows to divide the parts of an address that hide more; 0 where nothing hides it."""
    known = 0
    for coefficient, monomial in algebra.terms(offset):
        for index, power in monomial:
            if power == 1:
                known = gcd(known, _hidden(algebra, algebra.atoms[index], coefficient))
    return known


def _hidden(algebra: Algebra, atom: Atom, coefficient: int) -> int:
    """Return the bytes by which what an atom stands for is multiplied, if it hides what it is a multiple of; else 0.

    What all threads agree on may be a constant: a loop's counter is one in each copy of its body.
    """
    if atom.level is Level.UNIFORM:
        return 0
    if atom.operator in (Function.MINIMUM, Function.MAXIMUM):
        return abs(coefficient)
    if atom.operator == "?:":
        _, one, other = atom.operands
        return 0 if algebra.number(one - other) is not None else abs(coefficient)
    divisor = algebra.signed_divisor(atom)
    return -coefficient // divisor if divisor and coefficient < 0 and not coefficient % divisor else 0
