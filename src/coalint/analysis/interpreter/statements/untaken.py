"""Branches that no thread takes in a block whose shape is assumed: another shape may have such threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.core import ir
from coalint.core.facts.launch import LaunchSource

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State


def note(state: State, statement: ir.If, *, taken: bool) -> None:
    """Note a side of a branch that accesses memory and that no thread of the assumed block gets to."""
    specialization = state.recorder.specialization
    side = statement.otherwise if taken else statement.then
    if specialization is None or specialization.source is not LaunchSource.ASSUMED or not _accesses(side):
        return
    shape = "x".join(str(extent) for extent in specialization.block)
    text = state.text(statement.condition.span)
    what = "fails" if taken else "passes"
    state.recorder.gap(f"no thread of the {shape} block that is assumed {what} `{text}`", statement.condition.span)


def _accesses(side: ir.Statement | None) -> bool:
    """Whether a side may access memory."""
    pending: list[ir.Expression | ir.Statement] = [] if side is None else [side]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Subscript | ir.Dereference | ir.Call):
            return True
        pending.extend(ir.children(node))
    return False
