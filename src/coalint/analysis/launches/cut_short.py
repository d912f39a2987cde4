"""Host functions that are not followed to their ends: which launches that may have cost, and why."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from coalint.analysis.domain.algebra.atoms import TooManyAtoms
from coalint.analysis.interpreter.statements.control_flow import NotFollowed
from coalint.analysis.recorder.instruction_recorder import TooLarge
from coalint.core import ir
from coalint.core.records import record
from coalint.core.source.spans import Span

LIMITS = (TooManyAtoms, TooLarge, NotFollowed, RecursionError)
"""What ends the evaluation of a host function before its end."""


@record(frozen=True, slots=True)
class CutShort:
    """A host function that was not followed to its end, with the reason in words."""

    host: ir.Function
    reason: str


def reason_of(error: BaseException) -> str:
    """Return why a host function was left, in words."""
    match error:
        case TooManyAtoms():
            return "it has more quantities than are followed"
        case TooLarge():
            return "the host code of its file takes more steps than are followed"
        case NotFollowed():
            return error.reason
        case _:
            return "its calls or expressions are nested too deeply"


def lost_launches(module: ir.Module, cut: Sequence[CutShort], seen: Collection[Span]) -> list[ir.Problem]:
    """Return what says of the launches that no host function came to, one problem for each function that lost some."""
    problems: list[ir.Problem] = []
    told = set(seen)
    for one in cut:
        missed = sorted(_places(module, one.host) - told, key=lambda span: (span.file, span.line, span.column))
        told.update(missed)
        if missed:
            problems.append(_problem(one, missed, module.spelling))
    return problems


def _problem(one: CutShort, missed: Sequence[Span], spelling: ir.Spelling) -> ir.Problem:
    count = "a launch" if len(missed) == 1 else f"{len(missed)} launches"
    message = f"the host function {one.host.name} was not followed to its end, since {one.reason}: {count} not read"
    extent = spelling.component_of(ir.Register.BLOCK_EXTENT, ir.AXES[0])
    help = f"state the launch, as with --assume '{extent} == 256', or check a program that launches the kernel plainly"
    return ir.Problem(ir.ProblemKind.NOT_ANALYSED, message, missed[0], help=help)


def _places(module: ir.Module, host: ir.Function) -> set[Span]:
    """Return where launches stand in a host function and in what it calls."""
    places: set[Span] = set()
    reached = {host.key}
    pending: list[ir.Expression | ir.Statement] = [host.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Launch):
            places.add(node.span)
        function = node.function if isinstance(node, ir.Call | ir.Lambda) else None
        if function is not None and function not in reached:
            reached.add(function)
            callee = module.functions.get(function)
            if callee is not None:
                pending.append(callee.body)
        pending.extend(ir.children(node))
    return places
