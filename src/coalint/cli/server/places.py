"""Places of a report in the editor's terms: URIs of open files, ranges in their texts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field

from lsprotocol import types as lsp
from pygls import uris
from pygls.workspace import PositionCodec

from coalint.cli.server.documents import Document
from coalint.cli.server.positions import to_range
from coalint.core.records import record
from coalint.core.source.spans import Edit, Span
from coalint.engine.report import Report


@record(frozen=True, slots=True, kw_only=True)
class ReportPlaces:
    """Converts places of one report.

    Attributes:
        report: The report; its sources are the texts that places refer to.
        documents: The open files by URI.
        codec: The units in which the editor counts columns.
        cells: The URIs of the cells of a notebook, by the names that stand for their files in the report.
    """

    report: Report
    documents: Mapping[str, Document]
    codec: PositionCodec
    cells: Mapping[str, str] = field(default_factory=dict)

    def uri(self, file: str) -> str:
        """Return the editor's own URI of an open file, else the one that its path makes."""
        if file in self.cells:
            return self.cells[file]
        real = os.path.realpath(file)
        known = (uri for uri, document in self.documents.items() if os.path.realpath(document.path) == real)
        return next(known, None) or uris.from_fs_path(real) or file

    def range(self, span: Span) -> lsp.Range:
        """Return the range of a span in the editor's units."""
        return to_range(span, self.report.sources.get(span.file, "").split("\n"), self.codec)

    def location(self, span: Span) -> lsp.Location:
        """Return the file and range of a span."""
        return lsp.Location(self.uri(span.file), self.range(span))

    def workspace_edit(self, edits: Sequence[Edit]) -> lsp.WorkspaceEdit:
        """Return the edits, by file."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            text = lsp.TextEdit(self.range(edit.span), edit.replacement)
            changes.setdefault(self.uri(edit.span.file), []).append(text)
        return lsp.WorkspaceEdit(changes=changes)
