"""Barriers at the end of a branch that some threads take: the edit that puts them after it, where that is the same.

It is the same where every thread that takes the branch comes to its end, and the others have nothing to do instead.
What the threads of the branch do before the barrier stays before it; the others now wait for them, as the barrier is to
make them. That all threads come to the branch itself, another analysis of the changed source must show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.core import ir
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.source.spans import Edit, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def with_hoisting(module: ir.Module, barriers: Iterable[Barrier]) -> tuple[Barrier, ...]:
    """Return the barriers, and for each divergent one how it is put after its branch."""
    name = module.spelling.block_barrier
    return tuple(
        replace(b, hoisted=_edits(module, b)) if b.verdict is Verdict.DIVERGENT and b.function == name else b
        for b in barriers
    )


def _edits(module: ir.Module, barrier: Barrier) -> tuple[Edit, ...]:
    functions = (*module.functions.values(), *(kernel.function for kernel in module.kernels))
    around = [function.body for function in functions if _holds(function.span, barrier.span)]
    branches = {node.span: node for body in around for node in _ifs(body, barrier.span)}
    ends = [branch for branch in branches.values() if _ends_with(branch, barrier)]
    lines = module.sources.get(barrier.span.file, "").split("\n")
    return _moved(ends[0], barrier.span, lines, module.spelling) if len(ends) == 1 else ()


def _holds(outer: Span, inner: Span) -> bool:
    return outer.file == inner.file and outer.line <= inner.line and inner.end_line <= outer.end_line


def _ifs(node: ir.Expression | ir.Statement, place: Span) -> Iterator[ir.If]:
    """Yield the branches around a place that are a statement of a block.

    What is put after another would not be there.
    """
    inside = [part for part in ir.children(node) if _holds(part.span, place)]
    if isinstance(node, ir.Block) and node.statements and node.span != node.statements[0].span:
        yield from (part for part in inside if isinstance(part, ir.If))
    for part in inside:
        yield from _ifs(part, place)


def _ends_with(branch: ir.If, barrier: Barrier) -> bool:
    """Whether a branch without another arm ends with the barrier, and nothing in it leaves before."""
    if branch.otherwise is not None or not isinstance(branch.then, ir.Block) or len(branch.then.statements) < 2:
        return False
    last = branch.then.statements[-1]
    is_barrier = isinstance(last, ir.Evaluate) and last.expression.span == barrier.span
    return is_barrier and branch.span.file == barrier.span.file and not _leaves(branch.then)


def _leaves(node: ir.Expression | ir.Statement) -> bool:
    if isinstance(node, ir.Jump | ir.Return | ir.Labelled | ir.Unanalysed | ir.Assembly):
        return True
    return any(_leaves(part) for part in ir.children(node))


def _moved(branch: ir.If, barrier: Span, lines: Sequence[str], spelling: ir.Spelling) -> tuple[Edit, ...]:
    """Take the statement away, its line with it where that holds nothing else, and put it after the closing brace."""
    if not 0 < branch.span.end_line <= len(lines):
        return ()
    line = lines[barrier.line - 1]
    before, after = line[: barrier.column - 1], line[barrier.end_column - 1 :]
    text = line[barrier.column - 1 : barrier.end_column - 1]
    end = lines[branch.span.end_line - 1][: branch.span.end_column - 1]
    is_plain = barrier.line == barrier.end_line and _is_call(spelling.block_barrier, text) and after.startswith(";")
    if not is_plain or not end.endswith("}") or "\\" in line + lines[branch.span.end_line - 1][-1:]:
        return ()
    if before.strip() or after[1:].strip():
        begin = len(before.rstrip()) + 1 if before.strip() else barrier.column
        gone = replace(barrier, column=begin, end_column=barrier.end_column + 1)
    else:
        gone = Span(barrier.file, barrier.line, 1, barrier.line + 1, 1)
    first = lines[branch.span.line - 1]
    indent = first[: len(first) - len(first.lstrip())]
    there = replace(branch.span, line=branch.span.end_line, column=branch.span.end_column)
    return Edit(gone, ""), Edit(there, f"\n{indent}{spelling.called_alone(spelling.block_barrier)}")


def _is_call(function: str, text: str) -> bool:
    """Whether a text is a call of the function without arguments."""
    return re.fullmatch(rf"{re.escape(function)}\s*\(\s*\)", text) is not None
