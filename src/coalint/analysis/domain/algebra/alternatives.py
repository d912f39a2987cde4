"""Values that hinge on conditions which are not known: what they are on each way through these conditions.

`threads = n < 512 ? 128 : 256` is 128 on one way and 256 on the other; what else hinges on `n < 512` goes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import OPERATORS, wrap
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.polynomial import generator

MAX_WAYS = 32

Ways = Mapping[int, int]
"""Atoms that stand for a condition (or, of `min`, for whether it is the known operand) with how they are taken."""


class _Undecided(Exception):
    def __init__(self, atom: int) -> None:
        super().__init__(atom)
        self.atom = atom


def ways(algebra: Algebra, values: Sequence[Poly], conditions: Sequence[Poly] = ()) -> Iterator[Way]:
    """Each way through the conditions that the values hinge on, as far as `conditions`, which hold, let it be taken.

    Nothing where there are more than MAX_WAYS.
    """
    given, fixed = _facts(algebra, conditions)
    found: list[dict[int, int]] = []
    pending: list[dict[int, int]] = [given]
    while pending:
        decided = pending.pop()
        try:
            way = Way(algebra, decided, fixed, decide=True)
            for value in values:
                way.number(value)
        except _Undecided as open_:
            if len(pending) + len(found) >= MAX_WAYS:
                return
            pending += [{**decided, open_.atom: 0}, {**decided, open_.atom: 1}]
            continue
        found.append(decided)
    for decided in found:
        way = Way(algebra, decided, fixed)
        hinges = len(decided) > len(given)
        if not hinges or (_possible(algebra, decided) and not any(way.number(c) == 0 for c in conditions)):
            yield way


def _facts(algebra: Algebra, conditions: Sequence[Poly]) -> tuple[dict[int, int], dict[int, int]]:
    """What conditions that hold say of their atoms: of comparisons how they come out, of quantities their value."""
    given: dict[int, int] = {}
    fixed: dict[int, int] = {}
    pending = list(conditions)
    while pending:
        condition = pending.pop()
        for holds, value in ((1, condition), (0, 1 - condition)):
            atom = _single(algebra, value)
            if atom is None:
                continue
            if atom.operator == ("&&" if holds else "||"):
                pending += [operand if holds else 1 - operand for operand in atom.operands]
            elif atom.operator in ("<", "<=", "==") or (atom.low, atom.high) == (0, 1):
                given[atom.index] = holds
            if atom.operator == "==" and holds:
                fixed |= _solution(algebra, atom.operands[0])
    return given, fixed


def _single(algebra: Algebra, value: Poly) -> Atom | None:
    """The atom that a value is."""
    terms = algebra.terms(value)
    if len(terms) == 1 and terms[0][0] == 1 and len(terms[0][1]) == 1 and terms[0][1][0][1] == 1:
        return algebra.atoms[terms[0][1][0][0]]
    return None


def _solution(algebra: Algebra, difference: Poly) -> dict[int, int]:
    """The value of an atom x where `x - c` is zero."""
    for sign in (1, -1):
        terms = algebra.terms(sign * difference)
        unknown = [(coefficient, monomial) for coefficient, monomial in terms if monomial]
        if len(unknown) == 1 and unknown[0][0] == 1 and len(unknown[0][1]) == 1 and unknown[0][1][0][1] == 1:
            constant = sum(coefficient for coefficient, monomial in terms if not monomial)
            return {unknown[0][1][0][0]: -constant}
    return {}


class Way:
    """One way through the conditions, with the numbers that are known on it.

    `decided` are conditions by what they are taken to be, `fixed` quantities with their values; `decide` asks for what
    is undecided.
    """

    def __init__(
        self, algebra: Algebra, decided: Ways, fixed: Mapping[int, int] | None = None, decide: bool = False
    ) -> None:
        self.algebra = algebra
        self.decided = decided
        self._decide = decide
        self._numbers: dict[int, int | None] = dict(fixed or {})

    def number(self, value: Poly) -> int | None:
        """The number that a value is; None where it is not known."""
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
                    raise _Undecided(open_)
            return None if condition is None else self.number(atom.operands[1 if condition else 2])
        numbers = [self.number(operand) for operand in atom.operands]
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
            if atom.index not in self.decided and self._decide:
                raise _Undecided(atom.index)
            return known[0] if self.decided.get(atom.index) else None
        return None


def _is_maximum(algebra: Algebra, atom: Atom) -> bool:
    """Whether `condition ? a : b` is the larger of the two."""
    condition, a, b = atom.operands
    for value, first, second in ((condition, a, b), (1 - condition, b, a)):
        test = _single(algebra, value)
        if test is not None and test.operator == "<" and test.operands[0] == second - first:
            return True  # second < first: the first is taken
    return False


def _open(way: Way, condition: Poly) -> int | None:
    """The first atom that keeps a condition from being known; None where it is decided, which does not make it known.

    So it is of a `min` that is taken not to be its bound.
    """
    for atom in way.algebra.atoms_of(condition):
        if atom.index in way.decided:
            continue
        if atom.operator in ("&&", "||"):
            for operand in atom.operands:
                found = _open(way, operand) if way.number(operand) is None else None
                if found is not None:
                    return found
        if way.number(generator(atom.index)) is None:
            return atom.index
    return None


def _possible(algebra: Algebra, decided: Ways) -> bool:
    """Whether comparisons of one quantity can come out so together: not `n < 32` and `n >= 64`."""
    ranges: list[tuple[Poly, int | None, int | None]] = []
    for index, outcome in decided.items():
        atom = algebra.atoms[index]
        if atom.operator == "<":
            ranges.append((atom.operands[0], None, -1) if outcome else (atom.operands[0], 0, None))
        elif atom.operator == "==" and outcome:
            ranges.append((atom.operands[0], 0, 0))
    for (a, low, high), (b, least, most) in combinations(ranges, 2):
        for sign in (1, -1):
            apart = algebra.number(a - sign * b)
            if apart is None:
                continue
            first, last = (least, most) if sign > 0 else (_negated(most), _negated(least))
            first, last = (None if end is None else end + apart for end in (first, last))
            if (low is not None and last is not None and low > last) or (
                high is not None and first is not None and high < first
            ):
                return False
    return True


def _negated(end: int | None) -> int | None:
    return None if end is None else -end
