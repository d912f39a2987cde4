"""Polynomials with integer coefficients over numbered indeterminates, of which few occur in each.

What is added and multiplied here has one to five terms over some of hundreds of indeterminates: a term names only those
that it holds, where sympy's rings carry an exponent for every one (and are a tenth as fast; the tests compare the two).
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable

# ((index of the indeterminate, exponent >= 1), ...) by rising index; () is the constant's.
Monomial = tuple[tuple[int, int], ...]
Terms = tuple[tuple[int, Monomial], ...]

CONSTANT: Monomial = ()


class Polynomial:
    """An immutable polynomial: its monomials with their coefficients, none of them 0. A constant equals its number."""

    __slots__ = ("_hash", "_indices", "_known", "_terms")

    def __init__(self, known: dict[Monomial, int]) -> None:
        """Take over `known`, which holds no coefficient 0."""
        self._known = known
        self._terms: Terms | None = None
        self._indices: tuple[int, ...] | None = None
        self._hash: int | None = None

    # --- looking

    @property
    def terms(self) -> Terms:
        """(coefficient, monomial) pairs."""
        terms = self._terms
        if terms is None:
            terms = self._terms = tuple((coefficient, monomial) for monomial, coefficient in self._known.items())
        return terms

    @property
    def indices(self) -> tuple[int, ...]:
        """The indeterminates that occur, by rising index."""
        indices = self._indices
        if indices is None:
            if len(self._known) == 1:
                (monomial,) = self._known
                indices = tuple([index for index, _ in monomial])
            else:
                indices = tuple(sorted({index for monomial in self._known for index, _ in monomial}))
            self._indices = indices
        return indices

    @property
    def number(self) -> int | None:
        """The integer that it is, if it is constant."""
        known = self._known
        if not known:
            return 0
        return known.get(CONSTANT) if len(known) == 1 else None

    def items(self) -> ItemsView[Monomial, int]:
        """Return the pairs of a monomial and its coefficient."""
        return self._known.items()

    def coefficient(self, monomial: Monomial) -> int:
        """Return what stands before a monomial; 0 where it does not occur."""
        return self._known.get(monomial, 0)

    def lies_below(self, index: int) -> bool:
        """Whether no indeterminate of that index or a larger one occurs."""
        indices = self.indices
        return not indices or indices[-1] < index

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(self._known)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Polynomial):
            return self is other or self._known == other._known
        if isinstance(other, int):
            return self._known == ({CONSTANT: other} if other else {})
        return NotImplemented

    def __hash__(self) -> int:
        value = self._hash
        if value is None:
            number = self.number
            value = self._hash = hash(frozenset(self._known.items())) if number is None else hash(number)
        return value

    def __repr__(self) -> str:
        def factor(index: int, exponent: int) -> str:
            return f"a{index}" if exponent == 1 else f"a{index}**{exponent}"

        pieces = ["*".join([str(c), *(factor(*power) for power in monomial)]) for c, monomial in self.terms]
        return " + ".join(pieces) or "0"

    # --- arithmetic

    def __add__(self, other: Polynomial | int) -> Polynomial:
        if isinstance(other, int):
            if not other:
                return self
            return Polynomial(_plus(dict(self._known), CONSTANT, other))
        if not other._known:
            return self
        if not self._known:
            return other
        total = dict(self._known)
        for monomial, coefficient in other._known.items():
            _plus(total, monomial, coefficient)
        return Polynomial(total)

    def __radd__(self, other: int) -> Polynomial:
        return self + other

    def __neg__(self) -> Polynomial:
        return Polynomial({monomial: -coefficient for monomial, coefficient in self._known.items()})

    def __sub__(self, other: Polynomial | int) -> Polynomial:
        if isinstance(other, int):
            return self + -other
        if self is other:
            return Polynomial({})
        if not other._known:
            return self
        total = dict(self._known)
        for monomial, coefficient in other._known.items():
            _plus(total, monomial, -coefficient)
        return Polynomial(total)

    def __rsub__(self, other: int) -> Polynomial:
        negated = {monomial: -coefficient for monomial, coefficient in self._known.items()}
        return Polynomial(_plus(negated, CONSTANT, other))

    def __mul__(self, other: Polynomial | int) -> Polynomial:
        if isinstance(other, int):
            return self._times(other)
        number = other.number
        if number is not None:
            return self._times(number)
        number = self.number
        if number is not None:
            return other._times(number)
        total: dict[Monomial, int] = {}
        for m, c in self._known.items():
            for n, d in other._known.items():
                _plus(total, _product(m, n), c * d)
        return Polynomial(total)

    def __rmul__(self, other: int) -> Polynomial:
        return self._times(other)

    def _times(self, number: int) -> Polynomial:
        if number == 1:
            return self
        if not number:
            return Polynomial({})
        return Polynomial({monomial: coefficient * number for monomial, coefficient in self._known.items()})

    def __pow__(self, exponent: int) -> Polynomial:
        total = Polynomial({CONSTANT: 1})
        for _ in range(exponent):
            total = total * self
        return total

    # --- substitution

    def divided(self, number: int) -> Polynomial:
        """Return every coefficient divided by a number that divides it."""
        return Polynomial({monomial: coefficient // number for monomial, coefficient in self._known.items()})

    def substituted(self, others: Iterable[tuple[int, Polynomial]]) -> Polynomial:
        """Return the polynomial with others in place of indeterminates, all at once."""
        by = dict(others)
        if by.keys().isdisjoint(self.indices):
            return self
        total = Polynomial({})
        for monomial, coefficient in self._known.items():
            kept = tuple(power for power in monomial if power[0] not in by)
            term = Polynomial({kept: coefficient})
            for index, exponent in monomial:
                if index in by:
                    term = term * by[index] ** exponent
            total = total + term
        return total

    def derivative(self, index: int) -> Polynomial:
        """Return the derivative with respect to an indeterminate."""
        total: dict[Monomial, int] = {}
        for monomial, coefficient in self._known.items():
            for i, exponent in monomial:
                if i == index:
                    _plus(total, _lowered(monomial, index), coefficient * exponent)
        return Polynomial(total)


def constant(value: int) -> Polynomial:
    """Return the polynomial that is a number."""
    return Polynomial({CONSTANT: value} if value else {})


def generator(index: int) -> Polynomial:
    """Return the polynomial that is one indeterminate."""
    return Polynomial({((index, 1),): 1})


def term(monomial: Monomial, coefficient: int) -> Polynomial:
    """Return the polynomial of one term."""
    return Polynomial({monomial: coefficient} if coefficient else {})


def quotient(a: Monomial, b: Monomial) -> Monomial | None:
    """Return a / b, if b divides it."""
    exponents = dict(a)
    for index, exponent in b:
        left = exponents.get(index, 0) - exponent
        if left < 0:
            return None
        exponents[index] = left
    return tuple((index, exponent) for index, exponent in exponents.items() if exponent)


def _plus(total: dict[Monomial, int], monomial: Monomial, coefficient: int) -> dict[Monomial, int]:
    coefficient += total.get(monomial, 0)
    if coefficient:
        total[monomial] = coefficient
    else:
        total.pop(monomial, None)
    return total


def _product(a: Monomial, b: Monomial) -> Monomial:
    if not a:
        return b
    if not b:
        return a
    exponents = dict(a)
    for index, exponent in b:
        exponents[index] = exponents.get(index, 0) + exponent
    return tuple(sorted(exponents.items()))


def _lowered(monomial: Monomial, index: int) -> Monomial:
    return tuple((i, e - (i == index)) for i, e in monomial if i != index or e > 1)
