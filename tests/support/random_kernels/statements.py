"""Statements, and their lines in CUDA and in Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from random_kernels.expressions import E


@dataclass
class Simple:
    """One line of CUDA; any number of lines of Python."""

    cuda: str
    python: list[str]


@dataclass
class If:
    condition: E
    then: list[Any]
    otherwise: list[Any] = field(default_factory=list)


@dataclass
class Loop:
    """`head` is the CUDA line; `number` counts the iterations in Python. `late` is the condition of a do-while."""

    head: str
    start: list[str]
    condition: str | None
    step: list[str]
    body: list[Any]
    number: str
    tail: str = "}"
    late: str | None = None


@dataclass
class Jump:
    """break, continue or return."""

    kind: str


@dataclass
class Switch:
    """Each section: its label (None: default), its body, and whether it ends with break; `name` holds the subject."""

    subject: E
    name: str
    sections: list[tuple[int | None, list[Any], bool]]


Statement = Simple | If | Loop | Jump | Switch


def cuda_lines(statements: list[Statement], depth: int = 1) -> Iterator[str]:
    pad = "    " * depth
    for statement in statements:
        match statement:
            case Simple():
                yield pad + statement.cuda
            case If():
                yield f"{pad}if ({statement.condition.cuda}) {{"
                yield from cuda_lines(statement.then, depth + 1)
                if statement.otherwise:
                    yield pad + "} else {"
                    yield from cuda_lines(statement.otherwise, depth + 1)
                yield pad + "}"
            case Loop():
                yield pad + statement.head
                yield from cuda_lines(statement.body, depth + 1)
                yield pad + statement.tail
            case Jump():
                yield f"{pad}{statement.kind};"
            case Switch():
                yield f"{pad}switch ({statement.subject.cuda}) {{"
                for label, body, ends in statement.sections:
                    yield pad + ("default: {" if label is None else f"case {label}: {{")
                    yield from cuda_lines(body, depth + 1)
                    yield pad + ("} break;" if ends else "}")
                yield pad + "}"


def python_lines(statements: list[Statement], depth: int = 1, around: Loop | None = None) -> Iterator[str]:
    pad = "    " * depth
    if not statements:
        yield pad + "pass"
    for statement in statements:
        match statement:
            case Simple():
                yield from (pad + line for line in statement.python)
            case If():
                yield f"{pad}if {statement.condition.python}:"
                yield from python_lines(statement.then, depth + 1, around)
                if statement.otherwise:
                    yield pad + "else:"
                    yield from python_lines(statement.otherwise, depth + 1, around)
            case Loop():
                yield from (pad + line for line in [*statement.start, f"{statement.number} = 0", "while True:"])
                if statement.condition is not None:
                    yield f"{pad}    if not ({statement.condition}): break"
                yield from python_lines(statement.body, depth + 1, statement)
                yield from _next_iteration(statement, pad + "    ")
            case Jump(kind="continue"):
                assert around is not None
                yield from _next_iteration(around, pad)
                yield pad + "continue"
            case Jump():
                yield pad + statement.kind
            case Switch():
                name, labels = statement.name, [label for label, _, _ in statement.sections if label is not None]
                yield f"{pad}{name}, {name}_in = {statement.subject.python}, False"
                yield f"{pad}while True:"
                for label, body, ends in statement.sections:
                    test = f"{name} not in {labels}" if label is None else f"{name} == {label}"
                    yield f"{pad}    if {name}_in or {test}:"
                    yield f"{pad}        {name}_in = True"
                    yield from python_lines(body, depth + 2)
                    if ends:
                        yield f"{pad}        break"
                yield f"{pad}    break"


def _next_iteration(loop: Loop, pad: str) -> Iterator[str]:
    yield from (pad + line for line in loop.step)
    yield f"{pad}{loop.number} = trip({loop.number})"
    if loop.late is not None:
        yield f"{pad}if not ({loop.late}): break"
