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
        used: dict[str, None] = {}
        code = _code(algebra, extent, names, used)
        if code is not None:
            formulas.append((axis, Formula(code, tuple(used))))
    return tuple(formulas)


def _code(algebra: Algebra, value: Poly, names: Mapping[int, str], used: dict[str, None]) -> str | None:
    """Return a value as sympy reads it; None where it rests on more than `names` has. `used` are those that it has."""
    terms = []
    for coefficient, monomial in algebra.terms(value):
        factors = [f"{coefficient}"]
        for index, power in monomial:
            factor = _atom(algebra, algebra.atoms[index], names, used)
            if factor is None:
                return None
            factors += [factor] * power
        terms.append("*".join(factors))
    return " + ".join(terms) or "0"


def _atom(algebra: Algebra, atom: Atom, names: Mapping[int, str], used: dict[str, None]) -> str | None:
    if atom.index in names:
        used.setdefault(names[atom.index])
        return f"x{list(used).index(names[atom.index])}"
    inside = [_code(algebra, operand, names, used) for operand in atom.operands]
    if not inside or None in inside:
        return None
    if atom.operator == "wrap":
        return f"({inside[0]})"
    if atom.operator in _FUNCTIONS:
        return f"{_FUNCTIONS[Function(atom.operator)]}({', '.join(map(str, inside))})"
    if atom.operator != DIVISION:
        return None
    divisor = algebra.number(atom.operands[1])
    is_extent = any(names.get(a.index) in BLOCK_EXTENTS for a in algebra.atoms_of(atom.operands[1]))
    return f"floor(({inside[0]})/({inside[1]}))" if is_extent or (divisor is not None and divisor > 0) else None
