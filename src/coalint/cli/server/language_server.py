"""The language server: keeps the open files analysed, and answers the editor's questions about them."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from coalint.cli.server.analysis.process import AnalysisError, AnalysisProcess
from coalint.cli.server.analysis.requests import FindRemedies, FixFile, InspectFile, LintFile, Request
from coalint.cli.server.code_actions import FIX_ALL, code_actions, fix_all
from coalint.cli.server.diagnostics import diagnostics_of_file
from coalint.cli.server.documents import Document, is_open, text_in_editor
from coalint.cli.server.earlier_text import line_before
from coalint.cli.server.hover import hover
from coalint.cli.server.inlay_hints import inlay_hints
from coalint.cli.server.notebooks import SYNCHRONIZED, Notebooks
from coalint.cli.server.places import ReportPlaces
from coalint.cli.server.positions import from_position, overlap_in_lines, to_range
from coalint.cli.server.progress import shown_progress
from coalint.core.version import version
from coalint.engine.check.failures import internal_error
from coalint.engine.check.records import Overlay
from coalint.engine.report import Inspection, Report
from coalint.frontend.python.notebooks import SUFFIX


class CoalintServer(LanguageServer):
    """The server. Analyses run one after another in another process; one whose text has changed is interrupted."""

    def __init__(self) -> None:
        super().__init__("coalint", version(), notebook_document_sync=SYNCHRONIZED)
        self.notebooks = Notebooks(
            workspace=lambda: self.workspace, lint=self._lint_notebook, publish=self.text_document_publish_diagnostics
        )
        self.documents: dict[str, Document] = {}
        self.analysis = AnalysisProcess()
        self.analysis_lock = asyncio.Lock()
        self.shown_errors: set[str] = set()

    # --- asking the analysis process

    async def ask(self, request: Request) -> Any:
        """Return the answer to a request; where the caller is cancelled, so is the analysis. Raises AnalysisError."""
        async with self.analysis_lock:
            answer = asyncio.get_running_loop().run_in_executor(None, self.analysis.ask, request)
            cancelled = False
            while not answer.done():
                try:
                    await asyncio.wait([answer])
                except asyncio.CancelledError:
                    cancelled = True
                    self.analysis.interrupt()
            if cancelled:
                answer.exception()  # which nobody waits for
                raise asyncio.CancelledError
            return answer.result()

    async def ask_about(self, document: Document, request: Request) -> Any:
        """Return the answer to a request about a file, and show progress until then. Raises AnalysisError."""
        async with shown_progress(self, f"analysing {os.path.basename(document.path)}"):
            return await self.ask(request)

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
                report = await self.ask(LintFile(path=document.path, overlay=self.overlay()))
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

    # --- hover, hints and code actions

    async def _inspected(self, uri: str) -> tuple[Document, str, Inspection] | None:
        """Return an open file with its text and what it was found to access; None for one that is not analysed."""
        document = self.documents.get(uri)
        if document is None or not document.is_analysed(text := self.text(uri)):
            return None
        if document.inspected is None or document.inspected[0] != text:
            inspection = await self.ask_about(document, InspectFile(path=document.path, overlay=self.overlay()))
            document.inspected = text, inspection
        return document, text, document.inspected[1]

    async def hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """Return what the accesses in a range cost, each after its access. Raises AnalysisError."""
        found = await self._inspected(params.text_document.uri)
        if found is None:
            return []
        document, text, inspection = found
        codec = self.workspace.position_codec
        return list(inlay_hints(inspection, document.path, params.range, text.split("\n"), codec))

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """Return what the access or barrier at a position costs; None where none stands there. Raises AnalysisError.

        On a line that a change has left as it was, it is what it cost before, until the new text is analysed.
        """
        uri, codec = params.text_document.uri, self.workspace.position_codec
        earlier = self._earlier(uri, params.position.line + 1)
        if earlier is not None:
            document, before, inspection, line = earlier
            position = lsp.Position(line - 1, params.position.character)
        else:
            found = await self._inspected(uri)
            if found is None:
                return None
            document, before, inspection = found
            position, line = params.position, params.position.line + 1
        lines = before.split("\n")
        description = hover(inspection, document.path, *from_position(position, lines, codec))
        if description is None:
            return None
        text = description.markdown if earlier is None else f"{description.markdown}\n- before the last change"
        place = to_range(description.span, lines, codec)
        moved = params.position.line + 1 - line
        for end in (place.start, place.end):
            end.line += moved
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place)

    def _earlier(self, uri: str, line: int) -> tuple[Document, str, Inspection, int] | None:
        """Return what was last known of a line that has not changed, with its number then; the new text is inspected.

        None where the text has not changed, or the line has, and for files that are not analysed.
        """
        document = self.documents.get(uri)
        if document is None or document.inspected is None or not document.is_analysed(text := self.text(uri)):
            return None
        before, inspection = document.inspected
        then = line_before(before.split("\n"), text.split("\n"), line) if before != text else None
        if then is None:
            return None
        if document.refresh is None or document.refresh.done():
            document.refresh = asyncio.get_running_loop().create_task(self._refresh(uri))
        return document, before, inspection, then

    async def _refresh(self, uri: str) -> None:
        """Inspect a changed text once its diagnostics are there: an inspection analyses every kernel anew."""
        document = self.documents.get(uri)
        while document is not None and document.task is not None and not document.task.done():
            await asyncio.wait({document.task})
        with suppress(AnalysisError):
            await self._inspected(uri)

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
        remedies = await self.ask(request)
        return [
            action
            for (finding, diagnostic), remedy in zip(in_range, remedies, strict=True)
            for action in code_actions(finding, diagnostic, remedy, places)
        ]


def _is_kind(kind: str, asked: str) -> bool:
    """Whether a kind of code action is the one that is asked for, or one of its kinds."""
    return kind == asked or kind.startswith(asked + ".")
