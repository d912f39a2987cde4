"""One way through open conditions, with the numbers that are known on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import OPERATORS, wrap
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator

Ways = Mapping[int, int]
"""Atoms that stand for a condition (or, of `min`, for whether it is the known operand) with how they are taken."""


class Undecided(Exception):
    """A number hinges on an atom of which nothing is decided."""

    def __init__(self, atom: int) -> None:
        super().__init__(atom)
        self.atom = atom


def single_atom(algebra: Algebra, value: Poly) -> Atom | None:
    """Return the atom that a value is."""
    terms = algebra.terms(value)
    if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
        return algebra.atoms[terms[0][1][0][0]]
    return None


class Way:
    """One way through the conditions, with the numbers that are known on it.

    `decided` are conditions by what they are taken to be, `fixed` quantities with their values, `zeros` sums that are
    zero; `decide` asks for what is undecided; without `bounded` it does not ask which operand a `min` is.
    """

    def __init__(
        self,
        algebra: Algebra,
        decided: Ways,
        fixed: Mapping[int, int] | None = None,
        zeros: Sequence[Poly] = (),
        decide: bool = False,
        bounded: bool = True,
    ) -> None:
        self.algebra = algebra
        self.decided = decided
        self._zeros = zeros
        self._decide = decide
        self._bounded = bounded
        self._numbers: dict[int, int | None] = dict(fixed or {})

    def number(self, value: Poly) -> int | None:
        """Return the number that a value is; None where it is not known."""
        total = 0
        known = True
        for coefficient, monomial in self.algebra.terms(value):
            product = coefficient
            for index, exponent in monomial:
                if index not in self._numbers:
                    self._numbers[index] = self._atom(self.algebra.atoms[index])
                number = self._numbers[index]
                if number is None:
                    known = False
                else:
                    product *= number**exponent
            total += product
        return total if known else None

    def _atom(self, atom: Atom) -> int | None:
        if atom.kind is not AtomKind.OPERATION:
            return self.decided.get(atom.index)
        if atom.index in self.decided and atom.operator != "min":
            return self.decided[atom.index]
        if atom.operator == "?:" and _is_maximum(self.algebra, atom):
            bounds = [self.number(operand) for operand in atom.operands[1:]]
            return None if None in bounds else max(bound for bound in bounds if bound is not None)
        if atom.operator == "?:":
            condition = self.number(atom.operands[0])
            if condition is None and self._decide:
                open_ = _open(self, atom.operands[0])
                if open_ is not None:
                    raise Undecided(open_)
            return None if condition is None else self.number(atom.operands[1 if condition else 2])
        numbers = [self.number(operand) for operand in atom.operands]
        if atom.operator in ("<", "==") and numbers[0] is None:
            numbers[0] = self._by_zeros(atom.operands[0])
        if atom.operator in ("&&", "||"):
            absorbing = atom.operator == "||"
            if any(number is not None and bool(number) == absorbing for number in numbers):
                return int(absorbing)
        known = [number for number in numbers if number is not None]
        if len(known) == len(numbers):
            operator = OPERATORS.get(atom.operator)
            if atom.operator == "wrap":
                return int(wrap(known[0], atom.bits, atom.signed))
            return None if operator is None else int(operator(*known))
        if atom.operator == "min" and known:  # the bound is a usual value; that of a `max` guards against none
            if atom.index not in self.decided and self._decide and self._bounded:
                raise Undecided(atom.index)
            return known[0] if self.decided.get(atom.index) else None
        return None

    def _by_zeros(self, value: Poly) -> int | None:
        """Return the number that a value is where it differs by that from a sum, or its negative, that is zero."""
        for zero in self._zeros:
            for same in (value - zero, value + zero):
                number = self.algebra.number(same)
                if number is not None:
                    return number
        return None


def _is_maximum(algebra: Algebra, atom: Atom) -> bool:
    """Whether `condition ? a : b` is the larger of the two."""
    condition, first, second = atom.operands
    test = single_atom(algebra, condition)
    if test is None:
        test, first, second = single_atom(algebra, 1 - condition), second, first
    # second < first: the first is taken
    return test is not None and test.operator == "<" and test.operands[0] == second - first


def _open(way: Way, condition: Poly) -> int | None:
    """Return the quantities that the launch gives no number for, and those that the lanes need.

    So it is of a `min` that is taken not to be its bound.
    """
    for atom in way.algebra.atoms_of(condition):
        if atom.index in way.decided:
            continue
        if atom.operator in ("&&", "||"):
            for operand in atom.operands:
                inner = _open(way, operand) if way.number(operand) is None else None
                if inner is not None:
                    return inner
        if way.number(generator(atom.index)) is None:
            return atom.index
    return None
