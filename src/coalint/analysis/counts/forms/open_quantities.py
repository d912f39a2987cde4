"""What the source leaves open, as symbols of sympy: quantities, values made of them, and guards that are linear."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

from coalint.analysis.domain.algebra.atoms import Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.functions import DIVISION
from coalint.analysis.domain.inequalities import slack
from coalint.analysis.warps.quantities import OPEN
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.warps.model import WarpModel


class NoClosedForm(Exception):
    """The guards are not of a form that is summed here."""


@record(frozen=True, slots=True)
class Inequality:
    """A guard's part as `rest + sum(factors[v] * v) > 0` over counters and thread indices, by their atoms' indices."""

    factors: dict[int, Any]
    rest: Any


class OpenQuantities:
    """The open quantities of one formula.

    `symbols` are theirs by the indices of their atoms, `conditions` relations between them under which it holds.
    """

    def __init__(self, model: WarpModel) -> None:
        import sympy

        self.sympy = sympy
        self.model, self.algebra = model, model.algebra
        self.symbols: dict[int, Any] = {}
        self.conditions: list[Any] = []

    def value(self, value: Poly) -> Any:
        """Return a value of open quantities that all threads share."""
        total = self.sympy.Integer(0)
        for coefficient, monomial in self.algebra.terms(value):
            factors = (self.symbol(self.algebra.atoms[index]) ** power for index, power in monomial)
            total += self.sympy.Mul(coefficient, *factors)
        return total

    def symbol(self, atom: Atom) -> Any:
        """Return the symbol of a quantity that the source leaves open."""
        uniform = self.algebra.closure(*atom.operands) if atom.operands else []
        if atom.kind not in OPEN and not (atom.operands and all(inner.kind is AtomKind.UNIFORM for inner in uniform)):
            raise NoClosedForm
        if atom.kind is not AtomKind.UNIFORM and atom.kind in OPEN:
            raise NoClosedForm
        divisor = self.algebra.number(atom.operands[1]) if atom.operator == DIVISION else None
        if divisor is not None and divisor > 0:
            return self.sympy.floor(self.value(atom.operands[0]) / divisor)
        if atom.index not in self.symbols:
            name = name_of(self.model, atom)
            self.symbols[atom.index] = self.sympy.Symbol(name, integer=True, nonnegative=True)
        return self.symbols[atom.index]

    def inequality(self, part: Poly, moves: Container[int]) -> Inequality:
        """Return a part of the guards, where those variables and nothing else tell threads and iterations apart."""
        room = slack(self.algebra, part)
        if room is None:
            raise NoClosedForm
        factors: dict[int, Any] = {}
        rest = self.sympy.Integer(0)
        for coefficient, monomial in self.algebra.terms(room):
            moving = [index for index, _ in monomial if index in moves]
            if len(moving) > 1 or any(power > 1 for index, power in monomial if index in moving):
                raise NoClosedForm
            term = self.sympy.Integer(coefficient)
            for index, power in monomial:
                if index not in moving:
                    term *= self.symbol(self.algebra.atoms[index]) ** power
            if moving:
                factors[moving[0]] = factors.get(moving[0], 0) + term
            else:
                rest += term
        return Inequality(factors, rest)


def name_of(model: WarpModel, atom: Atom) -> str:
    """Return what formulas call an open quantity: its name, or what it is computed from in parentheses."""
    name = model.printer.atom(atom)
    return name if name.replace(".", "").isidentifier() or name.startswith("(") else f"({name})"


def text(expression: Any) -> str:
    """Return a form as users would write it: `ceil(n/32)`."""
    return str(expression).replace("ceiling(", "ceil(").replace("**", "^")
