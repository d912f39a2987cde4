"""What a launch computes its numbers of blocks from, as formulas in the arguments that it passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.functions import DIVISION, Function
from coalint.analysis.domain.algebra.polynomial import Polynomial, generator
from coalint.analysis.domain.values import Value
from coalint.core.facts.formulas import Formula
from coalint.core.facts.launch import BLOCK_EXTENTS

MOST_CHARACTERS = 4096
"""Of a formula: one in which quantities occur again and again is of no help, and may be longer than memory."""

_FUNCTIONS = {Function.MINIMUM: "Min", Function.MAXIMUM: "Max"}


def grid_formulas(
    algebra: Algebra, grid: Sequence[Value], block: Sequence[Value], arguments: Sequence[Value]
) -> tuple[tuple[int, Formula], ...]:
    """Return the extents of a grid that are no numbers but rest on arguments and the block alone.

    Each is (0 for x to 2 for z, formula); the names in the formulas are positions of arguments, or of `BLOCK_EXTENTS`.
    """
    names: dict[int, str] = {}
    for name, value in (*enumerate(arguments), *zip(BLOCK_EXTENTS, block, strict=True)):
        atoms = algebra.atoms_of(value) if isinstance(value, Polynomial) else []
        if len(atoms) == 1 and value == generator(atoms[0].index):
            names.setdefault(atoms[0].index, str(name))
    formulas = []
    for axis, extent in enumerate(grid):
        if not isinstance(extent, Polynomial) or algebra.number(extent) is not None:
            continue
        writer = _Writer(algebra, names)
        code = writer.code(extent)
        if code is not None:
            formulas.append((axis, Formula(code, tuple(writer.used))))
    return tuple(formulas)


class _Writer:
    """Writes values as sympy reads them; `used` are the `names` that they rest on, in the order of their numbers."""

    def __init__(self, algebra: Algebra, names: Mapping[int, str]) -> None:
        self.algebra = algebra
        self.names = names
        self.used: dict[str, None] = {}
        self._known: dict[int, str | None] = {}

    def code(self, value: Poly) -> str | None:
        """Return a value as text; None where it rests on more than `names` has, or is too long."""
        terms = []
        for coefficient, monomial in self.algebra.terms(value):
            factors = [f"{coefficient}"]
            for index, power in monomial:
                factor = self._atom(self.algebra.atoms[index])
                if factor is None:
                    return None
                factors += [factor] * power
            terms.append("*".join(factors))
        text = " + ".join(terms) or "0"
        return text if len(text) <= MOST_CHARACTERS else None

    def _atom(self, atom: Atom) -> str | None:
        if atom.index in self.names:
            self.used.setdefault(self.names[atom.index])
            return f"x{list(self.used).index(self.names[atom.index])}"
        if atom.index not in self._known:
            self._known[atom.index] = self._operation(atom)
        return self._known[atom.index]

    def _operation(self, atom: Atom) -> str | None:
        is_division = atom.operator == DIVISION
        if not is_division and atom.operator != "wrap" and atom.operator not in _FUNCTIONS:
            return None
        inside = [self.code(operand) for operand in atom.operands]
        if not inside or None in inside:
            return None
        if atom.operator == "wrap":
            return f"({inside[0]})"
        if not is_division:
            return f"{_FUNCTIONS[Function(atom.operator)]}({', '.join(map(str, inside))})"
        divisor = self.algebra.number(atom.operands[1])
        extents = [self.names.get(inner.index) for inner in self.algebra.atoms_of(atom.operands[1])]
        is_positive = (divisor is not None and divisor > 0) or any(name in BLOCK_EXTENTS for name in extents)
        return f"floor(({inside[0]})/({inside[1]}))" if is_positive else None
