"""The language server: keeps the open files analysed, and answers the editor's questions about them."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from coalint.cli.server.analysis.process import AnalysisError
from coalint.cli.server.analysis.queue import AnalysisQueue
from coalint.cli.server.analysis.requests import FindRemedies, FixFile, LintFile, Request
from coalint.cli.server.code_actions import FIX_ALL, code_actions, fix_all
from coalint.cli.server.diagnostics import diagnostics_of_file
from coalint.cli.server.documents import Document, is_open, text_in_editor
from coalint.cli.server.notebooks import SYNCHRONIZED, Notebooks
from coalint.cli.server.places import ReportPlaces
from coalint.cli.server.positions import overlap_in_lines
from coalint.cli.server.progress import shown_progress
from coalint.cli.server.questions import Questions
from coalint.core.version import version
from coalint.engine.check.failures import internal_error
from coalint.engine.check.records import Overlay
from coalint.engine.report import Report
from coalint.frontend.python.notebooks import SUFFIX


class CoalintServer(LanguageServer):
    """The server. Analyses run in other processes; one whose text has changed is interrupted."""

    def __init__(self) -> None:
        super().__init__("coalint", version(), notebook_document_sync=SYNCHRONIZED)
        self.notebooks = Notebooks(
            workspace=lambda: self.workspace, lint=self._lint_notebook, publish=self.text_document_publish_diagnostics
        )
        self.documents: dict[str, Document] = {}
        self.analysis = AnalysisQueue()
        self.questions = Questions(self, self)
        self.shown_errors: set[str] = set()

    # --- asking the analysis process

    async def ask_about(self, document: Document, request: Request) -> Any:
        """Return the answer to a request about a file, and show progress until then. Raises AnalysisError."""
        async with shown_progress(self, f"analysing {os.path.basename(document.path)}"):
            return await self.analysis.ask(request)

    def overlay(self) -> Overlay:
        """Return the texts of all open files."""
        files = [(d.path, self.text(uri)) for uri, d in self.documents.items() if is_open(self.workspace, uri)]
        files += [(d.path, self.notebooks.text(uri)) for uri, d in self.notebooks.opened.items()]
        return tuple((os.path.realpath(path), text) for path, text in files)

    def text(self, uri: str) -> str:
        """Return the text in the editor; none of a file that it has not opened."""
        return text_in_editor(self.workspace, uri)

    # --- diagnostics

    def open(self, uri: str) -> None:
        """Analyse a file that was opened."""
        path = uris.to_fs_path(uri)
        is_cell = path is not None and path.endswith(SUFFIX) and not uri.startswith("file:")
        if path is not None and not is_cell:
            self.documents[uri] = Document(path)
            self.schedule(uri)

    def close(self, uri: str) -> None:
        """Forget a file that was closed, and remove its diagnostics."""
        document = self.documents.pop(uri, None)
        if document is not None:
            document.cancel()
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def schedule(self, uri: str, pause: float = 0.0) -> None:
        """Analyse a file after a pause in seconds, in place of an analysis of it that is under way."""
        document = self.documents.get(uri)
        if document is not None:
            document.cancel()
            document.task = asyncio.get_running_loop().create_task(self._lint_after(pause, uri, document))

    def schedule_notebook(self, uri: str, pause: float = 0.0) -> None:
        """Analyse a notebook after a pause in seconds, in place of an analysis of it that is under way."""
        document = self.notebooks.opened.get(uri)
        if document is not None:
            document.cancel()
            document.task = asyncio.get_running_loop().create_task(self._analyse_notebook(pause, uri, document))

    async def _analyse_notebook(self, pause: float, uri: str, document: Document) -> None:
        await asyncio.sleep(pause)
        try:
            await self.notebooks.analyse(uri)
        except AnalysisError as error:
            self._show_error(str(error))
        except Exception as error:
            self._show_error(str(internal_error(document.path, error, "in `coalint server`")))

    async def _lint_notebook(self, document: Document, text: str) -> Report | None:
        report: Report | None = None
        if document.is_analysed(text):
            async with shown_progress(self, f"analysing {os.path.basename(document.path)}"):
                report = await self.analysis.ask(LintFile(path=document.path, overlay=self.overlay()))
        for failure in report.failures if report is not None else ():
            self._show_error(str(failure))
        return report

    async def _lint_after(self, pause: float, uri: str, document: Document) -> None:
        await asyncio.sleep(pause)
        try:
            await self._lint(uri, document)
        except Exception as error:
            self._show_error(str(internal_error(document.path, error, "in `coalint server`")))

    async def _lint(self, uri: str, document: Document) -> None:
        version, text = self.workspace.get_text_document(uri).version, self.text(uri)
        try:
            report: Report | None = None
            if document.is_analysed(text):
                report = await self.ask_about(document, LintFile(path=document.path, overlay=self.overlay()))
        except AnalysisError as error:
            self._show_error(str(error))
            return
        document.version, document.report = version, report
        document.findings = diagnostics_of_file(document.path, self._places(report)) if report is not None else []
        for failure in report.failures if report is not None else ():
            self._show_error(str(failure))
        diagnostics = [diagnostic for _, diagnostic in document.findings]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    def _show_error(self, message: str) -> None:
        """Log an error each time, and show it to the user once."""
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, message))
        if message not in self.shown_errors:
            self.shown_errors.add(message)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"coalint: {message}"))

    def _places(self, report: Report) -> ReportPlaces:
        return ReportPlaces(report=report, documents=self.documents, codec=self.workspace.position_codec)

    # --- code actions

    async def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Return fixes, and comments that hide findings, for the findings in a range; all fixes of the file if asked.

        Raises AnalysisError.
        """
        uri = params.text_document.uri
        document = self.documents.get(uri)
        if document is None or document.report is None:
            return []
        if document.version != self.workspace.get_text_document(uri).version:
            return []  # the places are those of another text
        kinds = params.context.only or [lsp.CodeActionKind.QuickFix]
        actions = await self._fix_all(document) if any(_is_kind(FIX_ALL, kind) for kind in kinds) else []
        if any(_is_kind(lsp.CodeActionKind.QuickFix, kind) for kind in kinds):
            actions += await self._quick_fixes(document, document.report, params.range)
        return actions

    async def _fix_all(self, document: Document) -> list[lsp.CodeAction]:
        if not any(finding.fix is not None and finding.fix.safe for finding, _ in document.findings):
            return []
        changed = await self.ask_about(document, FixFile(path=document.path, overlay=self.overlay()))
        action = fix_all(changed, {os.path.realpath(d.path): uri for uri, d in self.documents.items()}, self.text)
        return [] if action is None else [action]

    async def _quick_fixes(self, document: Document, report: Report, within: lsp.Range) -> list[lsp.CodeAction]:
        places = self._places(report)
        in_range = [(f, d) for f, d in document.findings if overlap_in_lines(d.range, within)]
        if not in_range:
            return []
        fingerprints = tuple(finding.fingerprint for finding, _ in in_range)
        request = FindRemedies(path=document.path, overlay=self.overlay(), fingerprints=fingerprints)
        remedies = await self.analysis.ask(request)
        return [
            action
            for (finding, diagnostic), remedy in zip(in_range, remedies, strict=True)
            for action in code_actions(finding, diagnostic, remedy, places)
        ]


def _is_kind(kind: str, asked: str) -> bool:
    """Whether a kind of code action is the one that is asked for, or one of its kinds."""
    return kind == asked or kind.startswith(asked + ".")
