"""The notebooks that are open in the editor: their cells are analysed as one, and each has its own diagnostics."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import field

from lsprotocol import types as lsp
from pygls import uris
from pygls.workspace import Workspace

from coalint.cli.server.diagnostics import diagnostics_by_uri
from coalint.cli.server.documents import Document, text_in_editor
from coalint.cli.server.places import ReportPlaces
from coalint.core.records import record
from coalint.core.source.spans import cell_name
from coalint.engine.report import Report
from coalint.engine.units.cells import report_in_cells

SYNCHRONIZED = lsp.NotebookDocumentSyncOptions([lsp.NotebookDocumentFilterWithNotebook("jupyter-notebook")])
"""All cells of notebooks, those of text too: numbers of cells are those that the notebook shows."""


@record(kw_only=True)
class Notebooks:
    """The open notebooks.

    Attributes:
        workspace: Gives the texts of cells.
        lint: Asks for the report on a file, with the texts of all that is open; None where it is not analysed.
        publish: Hands diagnostics to the editor.
        opened: The notebooks by URI.
    """

    workspace: Callable[[], Workspace]
    lint: Callable[[Document, str], Awaitable[Report | None]]
    publish: Callable[[lsp.PublishDiagnosticsParams], None]
    opened: dict[str, Document] = field(default_factory=dict)

    def open(self, uri: str) -> Document | None:
        """Note a notebook that was opened; None for one that is no file."""
        path = uris.to_fs_path(uri)
        if path is None:
            return None
        return self.opened.setdefault(uri, Document(path))

    def close(self, uri: str, cells: list[str]) -> None:
        """Forget a notebook that was closed, and remove its cells' diagnostics."""
        document = self.opened.pop(uri, None)
        if document is not None:
            document.cancel()
        self.clear(cells)

    def clear(self, cells: list[str]) -> None:
        """Remove the diagnostics of cells."""
        for cell in cells:
            self.publish(lsp.PublishDiagnosticsParams(cell, []))

    def text(self, uri: str) -> str:
        """Return the notebook as a file of its format."""
        cells = [self._cell(cell) for cell in self._cells(uri)]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False)

    async def analyse(self, uri: str) -> None:
        """Analyse a notebook and hand each cell's diagnostics to the editor. Raises AnalysisError."""
        document = self.opened[uri]
        cells = [cell.document for cell in self._cells(uri)]
        versions = [self.workspace().get_text_document(cell).version for cell in cells]
        report = await self.lint(document, self.text(uri))
        by_uri: dict[str, list[lsp.Diagnostic]] = {}
        if report is not None:
            codec = self.workspace().position_codec
            names = {cell_name(document.path, number): cell for number, cell in enumerate(cells, 1)}
            places = ReportPlaces(report=report_in_cells(report), documents={}, codec=codec, cells=names)
            by_uri = diagnostics_by_uri(places)
        for cell, version in zip(cells, versions, strict=True):
            self.publish(lsp.PublishDiagnosticsParams(cell, by_uri.get(cell, []), version))

    def _cells(self, uri: str) -> list[lsp.NotebookCell]:
        notebook = self.workspace().get_notebook_document(notebook_uri=uri)
        return [] if notebook is None else list(notebook.cells)

    def _cell(self, cell: lsp.NotebookCell) -> dict[str, object]:
        if cell.kind is not lsp.NotebookCellKind.Code:
            return {"cell_type": "markdown", "source": ""}
        document = self.workspace().get_text_document(cell.document)
        is_python = document.language_id in (None, "python")
        return {"cell_type": "code", "source": text_in_editor(self.workspace(), cell.document) if is_python else ""}
