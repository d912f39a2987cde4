"""The heads of loops and switches: libclang leaves out empty parts and hides what stands before a semicolon."""

from __future__ import annotations

from typing import Any

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode, tree
from coalint.frontend.cuda.lowering.context import Context

DECLARATIONS = frozenset({kinds.DECL_STMT, kinds.VAR_DECL})


def hidden(low: Context, node: CursorNode, span: Span) -> list[ir.Statement]:
    """Return what stands before the first semicolon in the head of a `switch` or range-based `for`.

    libclang does not show it, but what it declares is seen where it is used.
    """
    semicolons = _semicolons(low, span)
    if not semicolons:
        return []
    declared: dict[tuple[int, int], Any] = {}
    pending = [node]
    while pending:
        used = pending.pop()
        pending.extend(used.children)
        referenced = used.cursor.referenced if used.kind == kinds.DECL_REF_EXPR else None
        if referenced is None or referenced._kind_id != kinds.VAR_DECL:
            continue
        at = low.locations.span(referenced)
        place = at.line, at.column
        if at.file == span.file and (span.line, span.column) < place < semicolons[0]:
            declared[place] = referenced
    if not declared:
        return [ir.Unanalysed(span, "what comes before the semicolon in its head is not analysed")]
    return [low.statements.lower(tree(declared[place])) for place in sorted(declared)]


def header(
    low: Context, written: list[CursorNode], span: Span
) -> tuple[CursorNode | None, CursorNode | None, CursorNode | None]:
    """Return which of a `for`'s parts are there: libclang leaves the empty ones out, the semicolons tell."""
    if len(written) == 3:
        return written[0], written[1], written[2]
    parts: list[CursorNode | None] = [None, None, None]
    semicolons = _semicolons(low, span)
    for part in written:
        at = low.locations.span(part.cursor)
        if len(semicolons) == 2:
            parts[sum((at.line, at.column) > place for place in semicolons)] = part
        elif part.kind in DECLARATIONS:
            parts[0] = part
        else:
            boolean = ir.Integer(1, False)
            parts[1 if low.types.of(part.cursor) == boolean else 2] = part
    return parts[0], parts[1], parts[2]


def _semicolons(low: Context, span: Span) -> list[tuple[int, int]]:
    lines = low.locations.lines(span.file)
    depth, places = 0, list[tuple[int, int]]()
    for line in range(span.line, min(span.end_line, span.line + 20) + 1):
        text = lines[line - 1] if line <= len(lines) else ""
        start = span.column - 1 if line == span.line else 0
        for column in range(start, len(text)):
            character = text[column]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
                if depth == 0:
                    return places
            elif character == ";" and depth == 1:
                places.append((line, column + 1))
    return places
