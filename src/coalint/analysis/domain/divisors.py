"""What is known to divide a quantity: by conditions that hold, and by what a launch passes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import gcd, lcm

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.alternatives import solution
from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Level, Poly, TooManyAtoms
from coalint.analysis.domain.algebra.polynomial import generator, quotient
from coalint.analysis.domain.algebra.substitution import Substitution
from coalint.analysis.domain.algebra.way import Way, single_atom
from coalint.analysis.domain.conditions import Condition, conjuncts, disjuncts
from coalint.analysis.domain.ties import Tie, dividend, tied

MOST_CHOICES = 3
"""Choices in each other whose sides are looked through for what divides them."""


def stated(algebra: Algebra, conditions: Sequence[Poly]) -> dict[int, int]:
    """Return the divisors of single quantities, by atom index, that conditions state which hold: `n % 32 == 0`.

    Of `n == 2048 || n == 4096` it is what divides all numbers.
    """
    divisors: dict[int, int] = {}
    for condition in conditions:
        for part in conjuncts(algebra, condition):
            for index, numbers in _listed(algebra, part).items():
                divisors[index] = max(divisors.get(index, 1), gcd(*numbers))
            for atom in algebra.atoms_of(part):
                if atom.operator == "==" and part == generator(atom.index):
                    whole = _divided(algebra, atom.operands[0])
                    if whole is not None:
                        divisors[whole[0]] = max(divisors.get(whole[0], 1), whole[1])
    return divisors


def _divided(algebra: Algebra, remainder: Poly) -> tuple[int, int] | None:
    """Return the atom x and the number d where a value is `x - d * (x / d)`, or that negated."""
    found = dividend(algebra, remainder)
    if found is None:
        return None
    whole, number = found
    inner = algebra.atoms_of(whole)
    return (inner[0].index, number) if len(inner) == 1 and whole == generator(inner[0].index) else None


def _listed(algebra: Algebra, condition: Poly) -> dict[int, list[int]]:
    """Return the numbers of which a condition gives an atom one: `n == 2048 || n == 4096`, a `switch` that throws else.

    Nothing where it gives a single one, or says more than that.
    """
    numbers: dict[int, list[int]] = {}
    parts = disjuncts(algebra, condition)
    for part in parts if len(parts) > 1 else ():
        atom = single_atom(algebra, part)
        if atom is None or atom.operator != "==":
            return {}
        for index, number in solution(algebra, atom.operands[0]).items():
            numbers.setdefault(index, []).append(number)
    return {index: values for index, values in numbers.items() if len(values) == len(parts)}


class Divisors:
    """What divides the parameters and what else is the same for all: as the launch passes it, and as conditions say.

    `passed` are names of parameters with what divides them, by the `launch` that is named so; `forget` is called when
    atoms are gone that values may hold which were looked at meanwhile. With `agree`, facts about quantities on which
    the threads agree that are asked about count, though not all threads of the grid do. `multiples` is what divides
    other quantities with a name, as the user says.
    """

    def __init__(
        self,
        algebra: Algebra,
        conditions: Sequence[Condition],
        passed: Mapping[str, int],
        launch: str,
        forget: Callable[[], None],
        agree: Callable[[Poly], bool] | None = None,
        multiples: Mapping[str, int] | None = None,
    ) -> None:
        self.algebra = algebra
        self.launch = launch
        self.passed = passed
        self.multiples = multiples or {}
        self._forget = forget
        self._used: dict[str, None] = {}
        self._stated: dict[int, tuple[int, str]] = {}
        self._tied: list[tuple[Tie, str]] = []
        for condition in conditions:
            if condition.over:
                continue
            words = f"`{condition.text}` holds here"
            if algebra.level(condition.value) is Level.UNIFORM:
                self._stated |= {i: (number, words) for i, number in stated(algebra, [condition.value]).items()}
            self._tied += [
                (tie, words)
                for tie in tied(algebra, condition.value)
                if self._is_alike(tie.base + generator(tie.atom.index), agree)
            ]

    def _is_alike(self, value: Poly, agree: Callable[[Poly], bool] | None) -> bool:
        """Whether threads share the quantities of a value, or those that are asked about do."""
        if self.algebra.level(value) is Level.UNIFORM:
            return True
        return agree is not None and all(agree(generator(atom.index)) for atom in self.algebra.atoms_of(value))

    def settle(self, value: Poly, agreed: Callable[[Poly], bool]) -> bool:
        """Whether threads agree on a value once what divides its quantities is put in."""
        if not (self.passed or self.multiples or self._stated or self._tied):
            return False
        inside = self.algebra.closure(value)
        facts = [(atom, *fact) for atom in inside if (fact := self._fact(atom))]
        ties = [(tie, words) for tie, words in self._tied if tie.atom in inside]
        if not (facts or ties):
            return False
        mark = self.algebra.mark()
        try:
            changed = value
            for tie, _ in ties:
                times = self.algebra.atom(AtomKind.UNIFORM, f"({tie.atom.name} // {tie.number})", Level.UNIFORM)
                changed = Substitution(self.algebra, tie.atom, tie.base + tie.number * times).of(changed)
            for atom, number, _ in facts:
                rest = self.algebra.atom(AtomKind.UNIFORM, f"({atom.name} / {number})", Level.UNIFORM)
                changed = Substitution(self.algebra, atom, number * rest).of(changed)
            settled = agreed(changed)
        except TooManyAtoms:
            settled = False
        finally:
            self.algebra.forget(mark)
            self._forget()
        if settled:
            self._used.update((words, None) for _, _, words in facts)
            self._used.update((words, None) for _, words in ties)
        return settled

    def _fact(self, atom: Atom) -> tuple[int, str] | None:
        if atom.level is not Level.UNIFORM or atom.kind not in (AtomKind.UNIFORM, AtomKind.LOAD):
            return None
        passed = self.passed.get(atom.name, 1)
        number, words = self._stated.get(atom.index, (1, ""))
        if self.multiples.get(atom.name, 1) % number == 0 and atom.name in self.multiples:
            number, words = self.multiples[atom.name], f"`{atom.name} % {self.multiples[atom.name]} == 0` is stated"
        if passed % number == 0 and passed > 1:
            return passed, f"{self.launch} passes a multiple of {passed} for `{atom.name}`"
        return (lcm(passed, number), words) if number > 1 else None

    def words(self) -> str:
        """Return the facts that settled something, to stand after a reason."""
        return f", given that {' and '.join(self._used)}" if self._used else ""


def divisor(algebra: Algebra, value: Poly, way: Way, multiples: Mapping[int, int], choices: int = MOST_CHOICES) -> int:
    """Return the largest number that is sure to divide a value; 0 for the value 0.

    `way` gives the numbers that are known, `multiples` divisors of atoms by index. Of a choice, as of
    `n % 32 ? n / 32 * 32 + 32 : n`, both sides count, with what holds there; `choices` says how many in each other do.
    """
    total = 0
    for coefficient, monomial in algebra.terms(value):
        product = abs(coefficient)
        for index, exponent in monomial:
            atom = algebra.atoms[index]
            number = way.number(generator(index))
            if number is not None:
                product *= abs(number) ** exponent
            elif atom.operator == "wrap":
                wrapped = divisor(algebra, atom.operands[0], way, multiples, choices)
                product *= gcd(wrapped, 1 << atom.bits) ** exponent
            elif atom.operator == "?:" and choices:
                product *= _of_choice(algebra, atom, way, multiples, choices) ** exponent
            else:
                product *= multiples.get(index, 1) ** exponent
        total = gcd(total, product)
    return total


def _of_choice(algebra: Algebra, atom: Atom, way: Way, multiples: Mapping[int, int], choices: int) -> int:
    """Return what divides both sides of a choice, each with what its condition states."""
    condition, *sides = atom.operands
    held = [{**multiples, **stated(algebra, [holds])} for holds in (condition, 1 - condition)]
    return gcd(*(divisor(algebra, side, way, known, choices - 1) for side, known in zip(sides, held, strict=True)))


def divides(algebra: Algebra, factor: Poly, value: Poly, way: Way) -> bool:
    """Whether a value is a multiple of another one of a single term, as both stand on one way."""
    factor, value = (_taken(algebra, side, way) for side in (factor, value))
    terms = algebra.terms(factor)
    if len(terms) != 1 or not terms[0][1]:
        return False
    ((coefficient, monomial),) = terms
    return all(c % coefficient == 0 and quotient(m, monomial) is not None for c, m in algebra.terms(value))


def _taken(algebra: Algebra, value: Poly, way: Way) -> Poly:
    """Return the side of `condition ? a : b` that is taken on a way."""
    atoms = algebra.atoms_of(value)
    while len(atoms) == 1 and atoms[0].operator == "?:" and value == generator(atoms[0].index):
        condition = way.number(atoms[0].operands[0])
        if condition is None:
            break
        value = atoms[0].operands[1 if condition else 2]
        atoms = algebra.atoms_of(value)
    return value
