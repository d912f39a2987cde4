"""Guards: the conditions under which a statement runs, and the kinds of control flow that made them."""

from __future__ import annotations

from enum import Enum

from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.derivations import Definition
from coalint.core.records import record
from coalint.core.source.spans import Span


class GuardKind(Enum):
    """Why only some threads may be here."""

    BRANCH = "branch"
    LOOP = "loop"
    RETURN = "return"  # out of the kernel: the thread is gone
    LEAVE = "leave"  # back from a function to its caller: the thread comes to what is there
    BREAK = "break"
    CONTINUE = "continue"
    JUMP = "jump"  # ahead by goto


POINTERS_CHOICE = "the pointer's choice"
"""The text of the condition under which a pointer leads to one of two objects: no thread goes another way for that."""


@record(frozen=True, slots=True)
class Guard:
    """A condition under which the current statement runs; `depth` counts the calls around it, 0 in the kernel."""

    condition: Condition
    kind: GuardKind
    span: Span
    trace: tuple[Definition, ...] = ()
    depth: int = 0
