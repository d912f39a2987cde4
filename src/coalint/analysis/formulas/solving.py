"""Strides and conditions of a formula, by sympy: differences, factors, congruences."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Any

import sympy

from coalint.analysis.formulas.formula import Formula, Requirement, Terms, Wanted
from coalint.core.facts.good_if import GoodKind

SECTOR = 32
"""Bytes."""
BANK = 4
"""Bytes."""
Condition = tuple[GoodKind, tuple[Requirement, ...]]
THREADS = tuple(sympy.Symbol(f"t{axis}", integer=True, nonnegative=True) for axis in range(3))


def strides(formula: Formula) -> tuple[Terms, ...]:
    """Return the forward differences of the offset in the three thread indices, in bytes."""
    offset = _expression(formula.offset)
    return tuple(_terms(sympy.expand(offset.subs(thread, thread + 1) - offset)) for thread in THREADS)


def condition(formula: Formula) -> Condition | None:
    """Return what makes the access as good as it can be; None where nothing is found."""
    try:
        return _condition(formula)
    except (NotImplementedError, sympy.PolynomialError):
        return None  # sympy cannot solve it


def _condition(formula: Formula) -> Condition | None:
    offset = _expression(formula.offset)
    stride = sympy.expand(offset.subs(THREADS[0], THREADS[0] + 1) - offset)
    if stride.has(*THREADS):
        return None
    match formula.wanted:
        case Wanted.COALESCED:
            requirements = _equal(stride, formula.bytes)
            return None if requirements is None else (GoodKind.COALESCED, requirements)
        case Wanted.CONFLICT_FREE:
            return _odd(stride, max(BANK, formula.bytes))
        case Wanted.ALIGNED:
            return _aligned(sympy.expand(offset.subs(dict.fromkeys(THREADS, 0))))
        case Wanted.NOTHING:
            return None


def _symbol(name: str) -> Any:
    return sympy.Symbol(name, integer=True, nonnegative=True)


def _expression(terms: Terms) -> Any:
    return sympy.Add(
        *(
            sympy.Mul(coefficient, *(_symbol(name) ** power for name, power in monomial))
            for coefficient, monomial in terms
        )
    )


def _terms(expression: Any) -> Terms:
    symbols = sorted(expression.free_symbols, key=lambda symbol: symbol.name)
    if not symbols:
        return ((int(expression), ()),) if expression != 0 else ()
    terms = [
        (int(coefficient), tuple((s.name, power) for s, power in zip(symbols, powers, strict=True) if power))
        for powers, coefficient in sympy.Poly(expression, *symbols).terms()
    ]
    return tuple(sorted(terms))


def _equal(value: Any, number: int) -> tuple[Requirement, ...] | None:
    """Return when a value is a number: each factor of a product is 1, or one quantity is what the others leave."""
    whole, factors = sympy.factor_list(value)
    if whole == number and all(factor.is_Symbol for factor, _ in factors):
        return tuple(Requirement(_terms(factor), 1) for factor, _ in factors)
    for symbol in sorted(value.free_symbols, key=lambda symbol: symbol.name):
        if sympy.Poly(value, symbol).degree() != 1:
            continue
        solutions = sympy.solve(sympy.Eq(value, number), symbol)
        if len(solutions) != 1 or not solutions[0].is_polynomial() or not _is_whole(solutions[0]):
            continue
        rest = sympy.expand(symbol - solutions[0])
        last = rest.as_coefficients_dict()[sympy.S.One]
        return (Requirement(_terms(rest - last), -int(last)),)
    return None


def _is_whole(value: Any) -> bool:
    return all(coefficient.is_Integer for coefficient in value.as_coefficients_dict().values())


def _odd(stride: Any, unit: int) -> Condition | None:
    """Return when lanes that are a stride apart meet in no bank: it is an odd number of units; else the least even."""
    coefficients = [int(number) for number in stride.as_coefficients_dict().values()]
    if not coefficients or any(number % unit for number in coefficients):
        return None
    common = gcd(*coefficients)
    even = 1
    while common % (unit * even * 2) == 0:
        even *= 2
    requirements = _parity(sympy.expand(stride / (unit * even)))
    kind = GoodKind.CONFLICT_FREE if even == 1 else GoodKind.LEAST_CONFLICTS
    return None if requirements is None else (kind, requirements)


def _parity(value: Any) -> tuple[Requirement, ...] | None:
    """Return when a value is odd: all of its factors are."""
    whole, factors = sympy.factor_list(value)
    if whole % 2 == 0 or not factors:
        return None
    requirements = []
    for factor, _ in factors:
        symbols = sorted(factor.free_symbols, key=lambda symbol: symbol.name)
        terms = [(powers, int(c) % 2) for powers, c in sympy.Poly(factor, *symbols, modulus=2).terms() if any(powers)]
        last = int(factor.subs(dict.fromkeys(symbols, 0))) % 2
        requirements.append(_congruent(terms, symbols, 2, (1 - last) % 2))
    return tuple(requirements)


def _aligned(offset: Any) -> Condition | None:
    """Return when an offset is a multiple of a sector."""
    last = int(offset.as_coefficients_dict()[sympy.S.One])
    moving = sympy.expand(offset - last)
    symbols = sorted(moving.free_symbols, key=lambda symbol: symbol.name)
    if not symbols:
        return None
    terms = [(powers, int(c)) for powers, c in sympy.Poly(moving, *symbols).terms()]
    common = gcd(SECTOR, *(c for _, c in terms))
    if last % common or common == SECTOR:
        return None
    modulus = SECTOR // common
    reduced = [(powers, c // common % modulus) for powers, c in terms if c // common % modulus]
    residue = -(last // common) % modulus
    if len(reduced) == 1 and gcd(reduced[0][1], modulus) == 1:
        inverse = int(sympy.mod_inverse(reduced[0][1], modulus))
        reduced, residue = [(reduced[0][0], 1)], residue * inverse % modulus
    return GoodKind.ALIGNED, (_congruent(reduced, symbols, modulus, residue),)


def _congruent(
    terms: Sequence[tuple[tuple[int, ...], int]], symbols: Sequence[Any], modulus: int, residue: int
) -> Requirement:
    """Return the requirement on terms by the exponents of the symbols, none of which is constant."""
    written = tuple(
        sorted(
            (c, tuple((s.name, power) for s, power in zip(symbols, powers, strict=True) if power))
            for powers, c in terms
        )
    )
    return Requirement(written, residue, modulus)
