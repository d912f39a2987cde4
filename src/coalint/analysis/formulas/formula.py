"""The byte offset of an access in names of its own, and the answers that sympy gives about it."""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial, constant, term
from coalint.core.facts.good_if import GoodKind
from coalint.core.records import record

Terms = tuple[tuple[int, tuple[tuple[str, int], ...]], ...]
"""A polynomial: coefficients, each with its symbols and their exponents."""
MAX_TERMS = 24
"""Of an offset about which sympy is asked."""


class Wanted(Enum):
    """Which condition is asked for."""

    COALESCED = "coalesced"
    CONFLICT_FREE = "conflict-free"
    ALIGNED = "aligned"
    NOTHING = "nothing"


@record(frozen=True, slots=True)
class Formula:
    """What sympy is asked: two accesses that differ in names alone ask the same.

    Attributes:
        offset: The byte offset; `t0`, `t1` and `t2` are the thread index, `a0`, `a1`, ... what is open.
        bytes: What each lane moves, in bytes.
        block: The threads of a block.
        wanted: The condition that is asked for.
    """

    offset: Terms
    bytes: int
    block: tuple[int, int, int]
    wanted: Wanted

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the names of what is open, in order."""
        names = {name for _, monomial in self.offset for name, _ in monomial if name.startswith("a")}
        return tuple(sorted(names, key=lambda name: int(name[1:])))


@record(frozen=True, slots=True)
class Requirement:
    """What open quantities must be: `terms` is `residue`, or leaves it when it is divided by `modulus` (0 for none)."""

    terms: Terms
    residue: int
    modulus: int = 0


@record(frozen=True, slots=True)
class Answer:
    """What sympy gave.

    Attributes:
        strides: The forward differences in the three thread indices, in bytes.
        kind: What the access is where all `requirements` hold; None where there is no such condition.
        requirements: The condition; it was held against the lane model at samples.
    """

    strides: tuple[Terms, ...]
    kind: GoodKind | None = None
    requirements: tuple[Requirement, ...] = ()


class Answers(Protocol):
    """Answers that earlier runs have had, by the formula."""

    def find(self, formula: Formula) -> Answer | None:
        """Return the answer; None where there is none yet."""

    def keep(self, formula: Formula, answer: Answer) -> None:
        """Keep an answer for later."""


class KnownAnswers:
    """The answers of one process."""

    def __init__(self) -> None:
        self._answers: dict[Formula, Answer] = {}

    def find(self, formula: Formula) -> Answer | None:
        """Return the answer; None where there is none yet."""
        return self._answers.get(formula)

    def keep(self, formula: Formula, answer: Answer) -> None:
        """Keep an answer for later."""
        self._answers[formula] = answer


@record(frozen=True, slots=True)
class Exported:
    """A formula with the atoms, by their indices, that its symbols stand for."""

    formula: Formula
    atoms: dict[str, int]

    def value(self, terms: Terms) -> Poly:
        """Return terms in symbols as a value of the algebra."""
        total: Poly = constant(0)
        for coefficient, monomial in terms:
            factors = {self.atoms[name]: exponent for name, exponent in monomial}
            total += term(tuple(sorted(factors.items())), coefficient)
        return total


def exported(
    algebra: Algebra,
    offset: Polynomial,
    threads: tuple[Poly, ...],
    *,
    bytes: int,
    block: tuple[int, int, int],
    wanted: Wanted,
) -> Exported | None:
    """Return the formula of an offset; None where it is no polynomial in the thread index, or too long."""
    if len(offset) > MAX_TERMS:
        return None
    names = {atoms[0].index: f"t{axis}" for axis, thread in enumerate(threads) if (atoms := algebra.atoms_of(thread))}
    for atom in algebra.atoms_of(offset):
        if atom.index in names:
            continue
        if not _is_shared(atom):
            return None
        names[atom.index] = f"a{sum(name.startswith('a') for name in names.values())}"
    terms = tuple(
        sorted((c, tuple(sorted((names[index], power) for index, power in m))) for c, m in algebra.terms(offset))
    )
    return Exported(Formula(terms, bytes, block, wanted), {name: index for index, name in names.items()})


def _is_shared(atom: Atom) -> bool:
    """Whether all threads of a block have one value of it."""
    return atom.level is Level.UNIFORM
