"""Where the nodes of Python's syntax tree stand in the source."""

from __future__ import annotations

import ast

from coalint.core.source.spans import Span


class Places:
    """The lines of one file; `ast` counts columns in bytes of UTF-8, spans in characters."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.lines = text.split("\n")

    def span(self, node: ast.AST) -> Span:
        """Return the place of a node."""
        line, end_line = getattr(node, "lineno", 1), getattr(node, "end_lineno", None) or 1
        begin = self._column(line, getattr(node, "col_offset", 0))
        end = self._column(end_line, getattr(node, "end_col_offset", None) or 0)
        return Span(self.file, line, begin, end_line, end)

    def header(self, node: ast.FunctionDef | ast.Lambda) -> Span:
        """Return the place of a function's name."""
        if isinstance(node, ast.Lambda):
            return self.span(node)
        written = self.lines[node.lineno - 1]
        begin = written.find(node.name, written.find("def") + 3)
        column = begin + 1 if begin >= 0 else self._column(node.lineno, node.col_offset)
        return Span(self.file, node.lineno, column, node.lineno, column + len(node.name))

    def _column(self, line: int, column: int) -> int:
        written = self.lines[line - 1] if line <= len(self.lines) else ""
        if not written.isascii():
            column = len(written.encode()[:column].decode(errors="replace"))
        return column + 1
