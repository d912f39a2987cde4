"""Statements of the IR."""

from __future__ import annotations

from enum import Enum

from coalint.core.ir.nodes import Expression, Statement, Variable
from coalint.core.records import record


@record(frozen=True, slots=True, eq=False)
class Declare(Statement):
    """A variable's declaration."""

    variable: Variable
    initializer: Expression | None


@record(frozen=True, slots=True, eq=False)
class Evaluate(Statement):
    """An expression for its effects."""

    expression: Expression


@record(frozen=True, slots=True, eq=False)
class Block(Statement):
    """`{ ... }`."""

    statements: tuple[Statement, ...]


@record(frozen=True, slots=True, eq=False)
class If(Statement):
    """`if (condition) then else otherwise`."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


@record(frozen=True, slots=True, eq=False)
class Loop(Statement):
    """`for`, `while` and `do`: initialize, then test (last in a `do`), body, step.

    `unroll` is how many copies of the body the source asks for: 1 forbids the compiler to unroll, 0 asks for all
    iterations, None leaves it to the compiler.
    """

    initializer: tuple[Statement, ...]
    condition: Expression | None
    step: Expression | None
    body: Statement
    test_first: bool
    unroll: int | None = None


@record(frozen=True, slots=True, eq=False)
class Case:
    """One labelled section of a switch: its values (empty with `default`), and what follows up to the next label."""

    values: tuple[Expression, ...]
    default: bool
    body: tuple[Statement, ...]


@record(frozen=True, slots=True, eq=False)
class Switch(Statement):
    """`switch (subject)`; a section that does not end in a break falls into the next."""

    subject: Expression
    cases: tuple[Case, ...]


class JumpKind(Enum):
    """Where a jump leads: after the loop or switch, to the loop's next iteration, to a label, or to a handler."""

    BREAK = "break"
    CONTINUE = "continue"
    GOTO = "goto"
    THROW = "throw"


@record(frozen=True, slots=True, eq=False)
class Jump(Statement):
    """`break`, `continue`, `goto label`, or the end of a `throw`."""

    kind: JumpKind
    label: str = ""


@record(frozen=True, slots=True, eq=False)
class Try(Statement):
    """`try body catch (...) handler`: an exception leaves the body anywhere, for one of the handlers."""

    body: Statement
    handlers: tuple[Statement, ...]


@record(frozen=True, slots=True, eq=False)
class Labelled(Statement):
    """`label: statement`."""

    label: str
    statement: Statement


@record(frozen=True, slots=True, eq=False)
class Return(Statement):
    """`return value`."""

    value: Expression | None


@record(frozen=True, slots=True, eq=False)
class Operand:
    """An operand of inline assembly: `[name] "constraint" (expression)`; `name` is empty where there is none."""

    constraint: str
    name: str
    expression: Expression


@record(frozen=True, slots=True, eq=False)
class Assembly(Statement):
    """`asm(template : outputs : inputs)`; operands are numbered from the outputs on, as `%0`, `%1` in `template`."""

    template: str
    operands: tuple[Operand, ...]


@record(frozen=True, slots=True, eq=False)
class Unanalysed(Statement):
    """A statement that the front end could not understand."""

    reason: str
