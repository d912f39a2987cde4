"""Launches, by CuPy and PyCUDA in Python, of kernels whose CUDA source stands in the same file."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress

from coalint.core.records import record

Lookup = Callable[[str], ast.expr | None]
"""The one value that a name is given; None where there is none, or another."""
MOST_DEPTH = 20
_KERNEL = re.compile(r"[A-Za-z_]\w*(?:<[\w:, *]*>)?")
_NUMBERS = frozenset({"int", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "intc", "uintc"})
_LARGEST = 1 << 31


@record(frozen=True, slots=True)
class RawLaunch:
    """A launch of `kernel`, as C++ names it: extents and arguments, None for what is no constant integer.

    `begin` and `end` are offsets in the Python source.
    """

    kernel: str
    grid: tuple[int | None, ...]
    block: tuple[int, ...]
    arguments: tuple[int | None, ...]
    begin: int
    end: int


def raw_launch(call: ast.Call, kernel: str, lookup: Lookup, begin: int, end: int) -> RawLaunch | None:
    """Return the launch that a call of a kernel makes; None where its block is not constant."""
    if _KERNEL.fullmatch(kernel) is None or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    named = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    passed: Sequence[ast.expr] | None
    if "block" in named and "args" not in named:  # PyCUDA's
        grid, block, passed = named.get("grid"), named["block"], call.args
    elif len(call.args) >= 2:  # CuPy's
        grid, block = call.args[0], call.args[1]
        passed = _items(call.args[2] if len(call.args) > 2 else named.get("args"), lookup)
    else:
        return None
    shape = _extents(block, lookup)
    if passed is None or None in shape or not shape:
        return None
    known = tuple(extent for extent in shape if extent is not None)
    values = tuple(integer(argument, lookup) for argument in passed)
    return RawLaunch(kernel, _extents(grid, lookup) if grid is not None else (1,), known, values, begin, end)


def _items(node: ast.expr | None, lookup: Lookup) -> Sequence[ast.expr] | None:
    if isinstance(node, ast.Name):
        node = lookup(node.id)
    if not isinstance(node, ast.Tuple | ast.List) or any(isinstance(item, ast.Starred) for item in node.elts):
        return None
    return node.elts


def _extents(node: ast.expr | None, lookup: Lookup) -> tuple[int | None, ...]:
    items = _items(node, lookup)
    if items is None:
        return (None,)
    numbers = [integer(item, lookup) for item in items[:3]]
    return tuple(number if number is not None and 0 < number < _LARGEST else None for number in numbers)


def integer(node: ast.expr, lookup: Lookup) -> int | None:
    """Return the integer that an expression is; None where that is not known without running it."""
    number = _number(node, lookup, 0)
    return number if type(number) is int and abs(number) < 1 << 63 else None


def _number(node: ast.expr | None, lookup: Lookup, depth: int) -> int | float | None:
    if depth > MOST_DEPTH:
        return None
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name():
            return _number(lookup(node.id), lookup, depth + 1)
        case ast.UnaryOp(op=ast.USub()):
            inner = _number(node.operand, lookup, depth + 1)
            return None if inner is None else -inner
        case ast.BinOp():
            return _computed(node.op, _number(node.left, lookup, depth + 1), _number(node.right, lookup, depth + 1))
        case ast.Call(args=[argument], keywords=[]):
            inner = _number(argument, lookup, depth + 1)
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            with suppress(ArithmeticError, ValueError):
                if inner is not None and name in ("ceil", "floor"):
                    return math.ceil(inner) if name == "ceil" else math.floor(inner)
                if inner is not None and name in _NUMBERS:
                    return int(inner)
    return None


def _computed(operator: ast.operator, a: float | None, b: float | None) -> float | None:
    if a is None or b is None:
        return None
    with suppress(ArithmeticError, ValueError, TypeError):
        match operator:
            case ast.Add():
                return a + b
            case ast.Sub():
                return a - b
            case ast.Mult():
                return a * b
            case ast.FloorDiv():
                return a // b
            case ast.Div():
                return a / b
            case ast.Mod():
                return a % b
            case ast.LShift() if isinstance(a, int) and isinstance(b, int) and 0 <= b < 63 and abs(a) < 1 << 32:
                return a << b
            case ast.Pow() if isinstance(a, int) and isinstance(b, int) and 0 <= b < 63 and abs(a) <= 2:
                return int(a**b)
    return None


def host_lines(launches: Sequence[RawLaunch]) -> list[str]:
    """Return lines of CUDA C++ that make these launches, of which the first and the last make none."""
    any_value = "struct coalint_argument { template <class T> operator T() const; };"
    head = f"{any_value} extern unsigned coalint_open; static void coalint_python_launches() {{"
    return [head, *map(_line, launches), "}"]


def _line(launch: RawLaunch) -> str:
    grid, block = (
        ", ".join("coalint_open" if extent is None else str(extent) for extent in extents)
        for extents in (launch.grid, launch.block)
    )
    arguments = ", ".join("coalint_argument()" if value is None else str(value) for value in launch.arguments)
    return f"{launch.kernel}<<<dim3({grid}), dim3({block})>>>({arguments});"
