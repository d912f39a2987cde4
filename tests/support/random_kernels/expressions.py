"""Expressions: the CUDA and the Python text of one value."""

from __future__ import annotations

from dataclasses import dataclass

from random_kernels.c_integers import (
    BOOL,
    INT,
    SIZE,
    CType,
    common,
    promoted,
)


@dataclass(frozen=True)
class E:
    cuda: str
    python: str
    type: CType


def literal(value: int) -> E:
    return E(str(value), str(value), INT) if value >= 0 else E(f"({value})", f"({value})", INT)


def python_as(e: E, type_: CType) -> str:
    if type_ is BOOL:
        return e.python if e.type is BOOL else f"int(({e.python}) != 0)"
    if type_.holds(e.type):
        return e.python
    return f"wrapped({e.python}, {type_.bits}, {type_.signed})"


def result(text: str, type_: CType) -> str:
    return f"checked({text}, {type_.bits})" if type_.signed else f"(({text}) & {type_.high})"


def binary(operator: str, a: E, b: E) -> E:
    cuda = f"({a.cuda} {operator} {b.cuda})"
    if operator in ("&&", "||"):
        word = "and" if operator == "&&" else "or"
        return E(cuda, f"int(bool(({a.python}) {word} ({b.python})))", BOOL)
    if operator in ("<<", ">>"):
        type_ = promoted(a.type)
        left = python_as(a, type_)
        function = "shifted" if operator == "<<" else "shifted_back"
        return E(cuda, result(f"{function}({left}, {b.python}, {type_.bits})", type_), type_)
    type_ = common(a.type, b.type)
    left, right = python_as(a, type_), python_as(b, type_)
    if operator in ("<", "<=", ">", ">=", "==", "!="):
        return E(cuda, f"int(({left}) {operator} ({right}))", BOOL)
    if operator in ("/", "%"):
        return E(cuda, result(f"{'quotient' if operator == '/' else 'remainder'}({left}, {right})", type_), type_)
    return E(cuda, result(f"({left}) {operator} ({right})", type_), type_)


def cast(e: E, type_: CType) -> E:
    return E(f"(({type_.name}){e.cuda})", python_as(e, type_), type_)


def select(condition: E, a: E, b: E) -> E:
    type_ = common(a.type, b.type)
    python = f"(({python_as(a, type_)}) if ({condition.python}) else ({python_as(b, type_)}))"
    return E(f"({condition.cuda} ? {a.cuda} : {b.cuda})", python, type_)


def extreme(name: str, a: E, b: E) -> E:
    """min or max of two values of one type."""
    type_ = common(a.type, b.type)
    a, b = (x if x.type is type_ and type_ is not SIZE else cast(x, type_) for x in (a, b))
    return E(f"{name}({a.cuda}, {b.cuda})", f"{name}({a.python}, {b.python})", type_)


def negated(operator: str, a: E) -> E:
    if operator == "!":
        return E(f"(!{a.cuda})", f"int(not ({a.python}))", BOOL)
    type_ = promoted(a.type)
    return E(f"({operator}{a.cuda})", result(f"{operator}({python_as(a, type_)})", type_), type_)
