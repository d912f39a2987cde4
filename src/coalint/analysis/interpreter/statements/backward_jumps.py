"""Gotos that lead back to a label of the block around them: the code from there on is a loop."""

from __future__ import annotations

from functools import lru_cache

from coalint.core import ir

_KEPT = 256


def with_loops(block: ir.Block) -> tuple[ir.Statement, ...]:
    """Return the statements of a block with a loop from each label on to which code behind it leads back."""
    if any(isinstance(statement, ir.Labelled) for statement in block.statements):
        return _with_loops(block)
    return block.statements


@lru_cache(maxsize=_KEPT)
def _with_loops(block: ir.Block) -> tuple[ir.Statement, ...]:
    """Return them, as the same objects each time.

    `again: code` is `while (true) { code; break; again:; }` up to the last statement with a `goto again`, each of which
    then leads forward. It stays where that code has a `break` or `continue` of a loop or switch around the block, which
    would be one of the new loop.
    """
    statements = list(block.statements)
    for number in range(len(statements) - 1, -1, -1):
        first = statements[number]
        if not isinstance(first, ir.Labelled):
            continue
        code = [first.statement, *statements[number + 1 :]]
        last = max((at for at, part in enumerate(code) if _jumps(part, first.label)), default=-1)
        if last >= 0 and not any(_leaves(part, True, True) for part in code[: last + 1]):
            statements[number:] = [_loop(first, code[: last + 1]), *code[last + 1 :]]
    return tuple(statements)


def _loop(label: ir.Labelled, code: list[ir.Statement]) -> ir.Statement:
    """Return the loop for code to whose begin it leads back; who jumps there from before it is at the label."""
    nothing = ir.Block(label.span, ())
    end = (ir.Jump(label.span, ir.JumpKind.BREAK), ir.Labelled(label.span, label.label, nothing))
    loop = ir.Loop(label.span, (), None, None, ir.Block(label.span, (*code, *end)), test_first=True)
    return ir.Labelled(label.span, label.label, loop)


def _jumps(node: ir.Statement | ir.Expression, label: str) -> bool:
    """Whether code jumps to a label, other than to that at the end of a loop that was made here."""
    if isinstance(node, ir.Jump):
        return node.kind is ir.JumpKind.GOTO and node.label == label
    parts = ir.children(node)
    if isinstance(node, ir.Block) and any(isinstance(part, ir.Labelled) and part.label == label for part in parts):
        return False
    return any(_jumps(part, label) for part in parts)


def _leaves(node: ir.Statement | ir.Expression, breaks: bool, continues: bool) -> bool:
    """Whether code has a `break` (`continue`) that is not of a loop or switch in it."""
    if isinstance(node, ir.Jump):
        return (breaks and node.kind is ir.JumpKind.BREAK) or (continues and node.kind is ir.JumpKind.CONTINUE)
    if isinstance(node, ir.Loop):
        return False
    breaks = breaks and not isinstance(node, ir.Switch)
    return any(_leaves(child, breaks, continues) for child in ir.children(node))
