"""Assumptions: facts that the user states by `--assume` or by a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from coalint.core import ir
from coalint.core.records import record

_AND = re.compile(r"\band\b")


class AssumptionError(ValueError):
    """An assumption that coalint cannot use; the message says what to write instead."""


class _NoFactError(Exception):
    """An expression states no fact that coalint knows."""


@record(frozen=True, slots=True)
class Assumption:
    """What `blockDim.x == 256 && pitch % 32 == 0` states of registers' components and of kernel parameters.

    `facts` are values, `multiples` divisors, each by name. `text` is the assumption as written.
    """

    facts: tuple[tuple[str, int], ...]
    text: str
    multiples: tuple[tuple[str, int], ...] = ()


def parse_assumption(text: str, spelling: ir.Spelling) -> Assumption:
    """Return the facts in an expression: `a == 4` and `a % 4 == 0`, joined by `&&` or `and`. Raises AssumptionError.

    `spelling` is that of the language whose registers they are about; these may be named without their module.
    """
    from pycparser import c_parser
    from pycparser.c_parser import ParseError

    try:
        tree = c_parser.CParser().parse(f"int coalint_fact = ({_AND.sub('&&', text)});")
    except (ParseError, AssertionError):
        what = "is not a complete C expression" if text.strip() else "is empty"
        raise AssumptionError(f"`{text}` {what}: {_form(spelling)}") from None
    except RecursionError:
        raise AssumptionError(f"{len(text)} characters are nested too deeply: {_form(spelling)}") from None
    try:
        facts = [(_whole(name, spelling), value, divides) for name, value, divides in _facts(tree.ext[0].init)]
    except _NoFactError:
        raise AssumptionError(f"`{text}` is not understood: {_form(spelling)}") from None
    values = tuple((name, value) for name, value, divides in facts if not divides)
    return Assumption(values, text, tuple((name, value) for name, value, divides in facts if divides))


def _whole(name: str, spelling: ir.Spelling) -> str:
    """Return a register's component by its whole name: `cuda.blockDim.x` for `blockDim.x`; other names as they are."""
    for register in ir.Register:
        module = spelling.register(register).rpartition(".")[0]
        if module and f"{module}.{name}" in (spelling.component_of(register, axis) for axis in ir.AXES):
            return f"{module}.{name}"
    return name


def _form(spelling: ir.Spelling) -> str:
    return f"write equalities such as `{spelling.fact} && pitch % 32 == 0 && n == 1024`"


def _facts(node: Any) -> Iterator[tuple[str, int, bool]]:
    """Yield names with their values, or (last) with their divisors. Raises _NoFactError for what states no such."""
    from pycparser import c_ast as ast

    if isinstance(node, ast.BinaryOp) and node.op == "&&":
        yield from _facts(node.left)
        yield from _facts(node.right)
        return
    if isinstance(node, ast.BinaryOp) and node.op == "==":
        for left, right in ((node.left, node.right), (node.right, node.left)):
            name, value = _name(left), _number(right)
            if name is not None and value is not None:
                yield name, value, False
                return
            if value == 0 and isinstance(left, ast.BinaryOp) and left.op == "%":
                name, divisor = _name(left.left), _number(left.right)
                if name is not None and divisor is not None and divisor > 0:
                    yield name, divisor, True
                    return
    raise _NoFactError


def _name(node: Any) -> str | None:
    from pycparser import c_ast

    if isinstance(node, c_ast.ID):
        return str(node.name)
    if isinstance(node, c_ast.StructRef):
        inner = _name(node.name)
        return None if inner is None else f"{inner}.{node.field.name}"
    if isinstance(node, c_ast.ArrayRef):
        inner, index = _name(node.name), _number(node.subscript)
        return None if inner is None or index is None else f"{inner}[{index}]"
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.StructRef) and node.args is not None:
        inner, numbers = _name(node.name), [_number(argument) for argument in node.args.exprs]
        if inner is not None and all(number is not None for number in numbers):
            return f"{inner}({', '.join(map(str, numbers))})"
    return None


def _number(node: Any) -> int | None:
    from pycparser import c_ast

    if isinstance(node, c_ast.Constant) and "int" in node.type:
        return int(node.value.rstrip("uUlL"), 0)
    if isinstance(node, c_ast.UnaryOp) and node.op == "-":
        inner = _number(node.expr)
        return None if inner is None else -inner
    if isinstance(node, c_ast.BinaryOp):
        a, b = _number(node.left), _number(node.right)
        if a is None or b is None:
            return None
        match node.op:
            case "*":
                return a * b
            case "+":
                return a + b
            case "-":
                return a - b
            case "<<" if 0 <= b < 64:
                return a << b
            case "/" if b:
                return a // b
    return None


def assumption_problems(module: ir.Module) -> tuple[ir.Problem, ...]:
    """Return a problem for each `// coalint: assume(...)` comment that coalint cannot use."""
    problems = []
    for kernel in module.kernels:
        for text in kernel.assumptions:
            try:
                reason = _names_nothing(parse_assumption(text, module.spelling), kernel, module.spelling)
            except AssumptionError as error:
                reason = str(error)
            if reason:
                message = f"the comment `coalint: assume({text})` has no effect: {reason}"
                problems.append(
                    ir.Problem(ir.ProblemKind.TRANSLATION_UNIT_ERROR, message, kernel.span, kernel.name, severe=True)
                )
    return tuple(dict.fromkeys(problems))


def _names_nothing(assumption: Assumption, kernel: ir.Kernel, spelling: ir.Spelling) -> str:
    """Return what says that a comment is about a name that its kernel does not have; nothing where it has all."""
    registers = {spelling.component_of(register, axis) for register in ir.Register for axis in ir.AXES}
    parameters = {parameter.name for parameter in kernel.function.parameters}
    for name in (*dict(assumption.facts), *dict(assumption.multiples)):
        if name not in registers and re.split(r"[.\[]", name)[0] not in parameters:
            return f"{kernel.name} has no parameter `{name}`"
    return ""


def understood_assumption(text: str, spelling: ir.Spelling) -> Assumption | None:
    """Return the assumption of a comment; None where coalint cannot use it."""
    try:
        return parse_assumption(text, spelling)
    except AssumptionError:
        return None
