"""Formulas as expressions of sympy, and their values in plain fractions, in a twentieth of its time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from operator import add, ge, gt, le, lt, mul
from typing import Any

from coalint.core.facts.arithmetic import computed
from coalint.core.facts.formulas import Formula

Values = Mapping[Any, int]
Read = Callable[[Values], Any]


def open_symbol(name: str) -> Any:
    """Return what expressions have for an open quantity."""
    import sympy

    return sympy.Symbol(name, integer=True, nonnegative=True)


def expression_of(formula: Formula) -> Any:
    """Return a formula as an expression of sympy, in symbols with the names that users write."""
    import sympy
    from sympy.codegen.cfunctions import log2
    from sympy.parsing.sympy_parser import parse_expr

    functions = {name: getattr(sympy, name) for name in ("ceiling", "floor", "Max", "Min", "Rational")} | {"log2": log2}
    symbols = {name: open_symbol(name) for name in formula.names}
    try:
        return computed(formula, symbols, sympy.Integer, functions)
    except ValueError:  # cases, with their conditions
        more = {name: getattr(sympy, name) for name in ("Piecewise", "Mod", "log")}
        numbered = {f"x{at}": symbols[name] for at, name in enumerate(formula.names)}
        # The text is coalint's own (analysis.counts.forms.open_quantities): symbols, numbers and the functions above.
        return parse_expr(formula.code, local_dict={**functions, **more, **numbered})


def formula_of(expression: Any) -> Formula:
    """Return an expression as plain data, in symbols of its own."""
    import sympy

    free = sorted(expression.free_symbols, key=lambda one: str(one.name))
    numbered = {one: sympy.Symbol(f"x{number}") for number, one in enumerate(free)}
    return Formula(str(expression.xreplace(numbered)), tuple(str(one.name) for one in free))


def value_at(expression: Any) -> Read:
    """Return what gives an expression's, or a relation's, value with numbers for all of its symbols."""
    read = _read(expression)
    if read is not None:
        return read
    return lambda values: expression.subs(values)  # logarithms: sympy computes as many digits as it takes


def _read(node: Any) -> Read | None:
    import sympy

    if node.is_Symbol:
        return lambda values: values[node]
    if node.is_Integer:
        whole = int(node)
        return lambda values: whole
    if node.is_Rational:
        part = Fraction(node.p, node.q)
        return lambda values: part
    if node in (sympy.true, sympy.false):
        holds = bool(node)
        return lambda values: holds
    relations = {sympy.StrictGreaterThan: gt, sympy.StrictLessThan: lt, sympy.GreaterThan: ge, sympy.LessThan: le}
    of_two: dict[Any, Callable[[Any, Any], Any]] = {
        sympy.Add: add,
        sympy.Mul: mul,
        sympy.Max: max,
        sympy.Min: min,
        **relations,
    }
    of_one: dict[Any, Callable[[Any], int]] = {sympy.floor: floor, sympy.ceiling: ceil}
    logarithm = _of_logarithm(node)
    if logarithm is not None:
        return logarithm
    inner = [_read(argument) for argument in node.args]
    reads = [read for read in inner if read is not None]
    if len(reads) < len(inner):
        return None
    if node.func in of_two:
        function = of_two[node.func]
        return lambda values: reduce(function, (read(values) for read in reads))
    if node.func in of_one:
        rounded, (operand,) = of_one[node.func], reads
        return lambda values: rounded(operand(values))
    if node.func is sympy.Pow and node.exp.is_Integer and node.exp > 0:
        base, power = reads[0], int(node.exp)
        return lambda values: base(values) ** power
    return None


def _of_logarithm(node: Any) -> Read | None:
    """Return what gives the floor or ceiling of a logarithm to a power of two; None for something else.

    sympy's own may be one too large just below a power of two.
    """
    import sympy
    from sympy.codegen.cfunctions import log2

    if node.func not in (sympy.floor, sympy.ceiling):
        return None
    share, rest = node.args[0].as_coeff_Mul()
    if rest.func is not log2 or share.p != 1 or share.q < 1:
        return None
    operand, bits, is_floor = _read(rest.args[0]), int(share.q), node.func is sympy.floor
    return None if operand is None else lambda values: _logarithm(Fraction(operand(values)), bits, is_floor)


def _logarithm(value: Fraction, bits: int, is_floor: bool) -> int:
    """Return the floor or ceiling of a positive number's logarithm to the base 2 to the power of `bits`."""
    if value < 1:
        return -_logarithm(1 / value, bits, not is_floor)
    if is_floor:
        return (floor(value).bit_length() - 1) // bits
    return -(-(ceil(value) - 1).bit_length() // bits)
