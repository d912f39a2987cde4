"""What an expression reads like where the source has no text for it, as in a macro that makes whole functions."""

from __future__ import annotations

from coalint.core.ir.expressions import (
    AddressOf,
    Binary,
    Builtin,
    Call,
    Cast,
    Conditional,
    Dereference,
    Literal,
    Member,
    Name,
    Subscript,
    Unary,
)
from coalint.core.ir.nodes import Expression
from coalint.core.ir.spelling import Spelling

OPEN = "..."
"""What stands for what has no short text."""
_REPEATED = {"-", "+", "&"}  # unary operators that would read as another before themselves
_LEVELS = ("*", "/", "%"), ("+", "-"), ("<<", ">>"), ("<", "<=", ">", ">="), ("==", "!=")
"""Binary operators that bind tighter than all others, the tightest first."""
_PREFIX, _LOOSE = -1, len(_LEVELS)


def text(expression: Expression, spelling: Spelling) -> str:
    """Return an expression as code; casts are left out, and what is longer than one expression is `...`."""
    match expression:
        case Name(variable=variable):
            return variable.name or OPEN
        case Literal(value=value, floating=floating):
            number = floating if value is None else value
            return OPEN if number is None else str(number)
        case Builtin(register=register, axis=axis):
            return spelling.register(register) if axis is None else spelling.component_of(register, axis)
        case Cast(operand=operand):
            return text(operand, spelling)
        case Subscript(base=base, index=index):
            return f"{_operand(base, spelling)}[{text(index, spelling)}]"
        case Dereference(pointer=pointer):
            return f"*{_operand(pointer, spelling, _PREFIX)}"
        case AddressOf(target=target):
            return f"&{_operand(target, spelling, _PREFIX)}"
        case Member(object=Dereference(pointer=pointer), field=field) if spelling.points_to:
            return f"{_operand(pointer, spelling)}{spelling.points_to}{field}"
        case Member(object=object, field=field):
            return f"{_operand(object, spelling)}.{field}"
        case Unary(operator=operator, operand=operand):
            shown = _operand(operand, spelling, _PREFIX)
            return f"{operator} {shown}" if operator in _REPEATED and shown.startswith(operator) else operator + shown
        case Binary(operator=operator, left=left, right=right):
            level = _level(expression)
            return f"{_operand(left, spelling, level)} {operator} {_operand(right, spelling, level - 1)}"
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            parts = (_operand(part, spelling, _LOOSE) for part in (condition, then, otherwise))
            return "{} ? {} : {}".format(*parts)
        case Call(name=name, arguments=arguments):
            return f"{name}({', '.join(text(argument, spelling) for argument in arguments)})"
    return OPEN


def _operand(expression: Expression, spelling: Spelling, loosest: int = _PREFIX - 1) -> str:
    """Return an expression as an operand: in brackets where its operator binds less tightly than this."""
    while isinstance(expression, Cast):
        expression = expression.operand
    shown = text(expression, spelling)
    return f"({shown})" if _level(expression) > loosest else shown


def _level(expression: Expression) -> int:
    """Return how loosely the operator of an expression binds, from 0; less for prefixes and for what has none."""
    match expression:
        case Binary(operator=operator):
            return next((level for level, operators in enumerate(_LEVELS) if operator in operators), _LOOSE)
        case Conditional():
            return _LOOSE + 1
        case Unary() | Dereference() | AddressOf():
            return _PREFIX
    return _PREFIX - 1
