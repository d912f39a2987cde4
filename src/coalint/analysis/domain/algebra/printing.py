"""Polynomials in the words of the source: `4*width`, `threadIdx.x % 32`."""

from __future__ import annotations

import re

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import CROWDED, Atom, AtomKind, Poly
from coalint.analysis.domain.algebra.functions import DIVISION, Function
from coalint.analysis.domain.algebra.polynomial import Monomial, generator, term

_PART = re.compile(r"[\w.]+(?:\[\d+\][\w.]*)*")  # a number, a variable, or a part of one

_FUNCTIONS = frozenset(Function)
_OPPOSITES = {"<": ">=", "<=": ">", "==": "!="}
DEPTH = 3  # of operations within operations; what is deeper is shown as ...


def _is_atomic(text: str) -> bool:
    """Whether an expression needs no parentheses as an operand."""
    if _PART.fullmatch(text):
        return True
    return text.startswith("(") and text.endswith(")") and ")" not in text[1:-1]


class Printer:
    """Writes the values of one algebra as C expressions."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra

    def text(self, value: Poly, depth: int = DEPTH) -> str:
        """Return the polynomial as an expression; remainders that were written as x - d*(x/d) come back as x % d."""
        opposite = self._opposite(value, depth) if len(value) == 2 else ""
        if opposite:
            return opposite
        value, pieces = self._remainders(value, depth)
        terms_left = sorted(self.algebra.terms(value), key=lambda term: (-len(term[1]), term[1]))
        for coefficient, monomial in terms_left:
            factors = [
                name if exponent == 1 else f"{name}^{exponent}"
                for index, exponent in monomial
                for name in [self.atom(self.algebra.atoms[index], depth)]
            ]
            pieces.append((self.multiple(coefficient, monomial), "*".join(factors)))
        if not pieces:
            return "0"
        out = ""
        for coefficient, product in pieces:
            size = abs(coefficient)
            body = product if product and size == 1 else f"{size}*{product}" if product else str(size)
            out += (" - " if coefficient < 0 else " + ") + body if out else ("-" if coefficient < 0 else "") + body
        return out

    def _opposite(self, value: Poly, depth: int) -> str:
        """Return the opposite of one comparison, `1 - (a < b)`, as `(a >= b)`; empty for all else."""
        (atom, *others) = self.algebra.atoms_of(value)
        if others or atom.operator not in _OPPOSITES or value != 1 - generator(atom.index) or depth <= 0:
            return ""
        return f"({self.comparison(_OPPOSITES[atom.operator], atom.operands[0], depth - 1)})"

    def multiple(self, coefficient: int, monomial: Monomial) -> int:
        """Return a coefficient as it is shown: not the random ones that tell lost values apart."""
        return 1 if any(self.algebra.atoms[index].reason == CROWDED for index, _ in monomial) else coefficient

    def _remainders(self, value: Poly, depth: int) -> tuple[Poly, list[tuple[int, str]]]:
        pieces: list[tuple[int, str]] = []
        for atom in self.algebra.atoms_of(value):
            if atom.operator != DIVISION:
                continue
            x, d = atom.operands
            divisor = self.algebra.number(d)
            if not divisor:
                continue
            coefficient = value.coefficient(((atom.index, 1),))
            if coefficient == 0 or coefficient % divisor:
                continue
            times = -coefficient // divisor
            rest = value - times * (x - divisor * generator(atom.index))
            if len(rest) < len(value):
                value = rest
                pieces.append((times, f"({self.text(x, depth - 1)}) % {divisor}"))
        return value, pieces

    def comparison(self, operator: str, difference: Poly, depth: int = DEPTH) -> str:
        """Return a difference compared with zero, as two sides without minus signs."""
        left, right = self.algebra.zero, self.algebra.zero
        for monomial, coefficient in difference.items():
            if coefficient > 0:
                left += term(monomial, coefficient)
            else:
                right -= term(monomial, coefficient)
        return f"{self.text(left, depth)} {operator} {self.text(right, depth)}"

    def operand(self, value: Poly) -> str:
        """Return an expression as an operand: in parentheses where it needs them."""
        written = self.text(value)
        return written if _is_atomic(written) else f"({written})"

    @property
    def _division(self) -> str:
        return self.algebra.function_names.get(DIVISION, DIVISION)

    def _floored(self, atom: Atom, depth: int) -> str:
        """Return a quotient or remainder that rounds down: `0 <= x ? x / d : -((d - 1 - x) / d)`, as it was written.

        Empty for all else, and for a language whose own division truncates.
        """
        if self._division == DIVISION:
            return ""
        test, then, otherwise = atom.operands
        for quotient in self.algebra.atoms_of(then):
            if quotient.operator != DIVISION:
                continue
            x, divisor = quotient.operands
            d = self.algebra.number(divisor)
            if not d or d < 0 or not self._is_natural(test, x):
                continue
            ratio = generator(quotient.index)
            for below in self.algebra.atoms_of(otherwise):
                if below.operator != DIVISION or below.operands[1] != divisor:
                    continue
                mirrored = generator(below.index)
                written = self.text(x, depth - 1)
                whole = written if _is_atomic(written) else f"({written})"
                if then == ratio and below.operands[0] == d - 1 - x and otherwise == -mirrored:
                    return f"({whole} {self._division} {d})"
                if then == x - d * ratio and below.operands[0] == -x - 1 and otherwise == x + d + d * mirrored:
                    return f"({whole} % {d})"
        return ""

    def _is_natural(self, test: Poly, x: Poly) -> bool:
        """Whether a condition says that `x` is not below zero."""
        atoms = self.algebra.atoms_of(test)
        if len(atoms) != 1 or atoms[0].operator != "<" or atoms[0].operands[0] != x:
            return False
        return bool(test == 1 - generator(atoms[0].index))

    def atom(self, atom: Atom, depth: int = DEPTH) -> str:
        """Return one atom as the user would write it."""
        if atom.kind is not AtomKind.OPERATION:
            return atom.name
        if depth <= 0:
            return "..."
        known = self.algebra.written.setdefault(atom.index, {})
        if depth not in known:
            known[depth] = self._operation(atom, depth)
        return known[depth]

    def _operation(self, atom: Atom, depth: int) -> str:
        parts = [self.text(operand, depth - 1) for operand in atom.operands]
        wrapped = [part if _is_atomic(part) else f"({part})" for part in parts]
        match atom.operator:
            case "wrap":
                return parts[0] if parts[0].isalnum() else f"({parts[0]})"
            case "?:":
                floored = self._floored(atom, depth)
                if floored:
                    return floored
                return f"({wrapped[0]} ? {wrapped[1]} : {wrapped[2]})"
            case "<" | "<=" | "==":
                return f"({self.comparison(atom.operator, atom.operands[0], depth - 1)})"
            case function if function in _FUNCTIONS:
                name = self.algebra.function_names.get(function, function)
                return f"{name}({', '.join(parts)})"
            case operator if operator == DIVISION:
                return f"({wrapped[0]} {self._division} {wrapped[1]})"
        return f"({wrapped[0]} {atom.operator} {wrapped[1]})"
