"""What a launch computes its numbers of blocks from, as formulas in the arguments that it passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Atom, Poly
from coalint.analysis.domain.algebra.functions import DIVISION, Function
from coalint.analysis.domain.algebra.polynomial import Polynomial, generator
from coalint.analysis.domain.values import Value
from coalint.core.facts.formulas import Formula

_FUNCTIONS = {Function.MINIMUM: "Min", Function.MAXIMUM: "Max"}


def grid_formulas(
    algebra: Algebra, grid: Sequence[Value], arguments: Sequence[Value]
) -> tuple[tuple[int, Formula], ...]:
    """Return the extents of a grid that are no numbers but rest on arguments alone: (0 for x to 2 for z, formula).

    The names in the formulas are positions of arguments.
    """
    positions: dict[int, int] = {}
    for position, value in enumerate(arguments):
        atoms = algebra.atoms_of(value) if isinstance(value, Polynomial) else []
        if len(atoms) == 1 and value == generator(atoms[0].index):
            positions.setdefault(atoms[0].index, position)
    found = []
    for axis, extent in enumerate(grid):
        if not isinstance(extent, Polynomial) or algebra.number(extent) is not None:
            continue
        used: dict[int, None] = {}
        code = _code(algebra, extent, positions, used)
        if code is not None:
            found.append((axis, Formula(code, tuple(map(str, used)))))
    return tuple(found)


def _code(algebra: Algebra, value: Poly, positions: Mapping[int, int], used: dict[int, None]) -> str | None:
    """Return a value as sympy reads it; None where it rests on more than arguments. `used` are their positions."""
    terms = []
    for coefficient, monomial in algebra.terms(value):
        factors = [f"{coefficient}"]
        for index, power in monomial:
            factor = _atom(algebra, algebra.atoms[index], positions, used)
            if factor is None:
                return None
            factors += [factor] * power
        terms.append("*".join(factors))
    return " + ".join(terms) or "0"


def _atom(algebra: Algebra, atom: Atom, positions: Mapping[int, int], used: dict[int, None]) -> str | None:
    if atom.index in positions:
        used.setdefault(positions[atom.index])
        return f"x{list(used).index(positions[atom.index])}"
    inside = [_code(algebra, operand, positions, used) for operand in atom.operands]
    if not inside or None in inside:
        return None
    if atom.operator == "wrap":
        return f"({inside[0]})"
    if atom.operator in _FUNCTIONS:
        return f"{_FUNCTIONS[Function(atom.operator)]}({', '.join(map(str, inside))})"
    divisor = algebra.number(atom.operands[1]) if atom.operator == DIVISION else None
    return f"floor(({inside[0]})/{divisor})" if divisor is not None and divisor > 0 else None
