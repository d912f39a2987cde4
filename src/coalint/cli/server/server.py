"""`coalint server`: what coalint says of what is in an editor, by the Language Server Protocol."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from coalint import __version__
from coalint.cli.server.analyst import Analyst, AnalystError, Check, Look, Request, Ways
from coalint.cli.server.device_code import WORDS
from coalint.cli.server.hover import hover
from coalint.core.findings import Finding, Severity
from coalint.core.source.spans import Edit, Span
from coalint.engine.check.failures import internal_error
from coalint.engine.check.records import Overlay
from coalint.engine.report import Inspection, Report
from coalint.rules.own.unused_suppression import UnusedSuppression

PAUSE = 0.3
"""Seconds without a change after which a text is analysed."""
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


@dataclass
class _Document:
    """An open file: what was found in which version of it."""

    path: str
    task: asyncio.Task[None] | None = None
    version: int | None = None
    report: Report | None = None
    findings: list[tuple[Finding, lsp.Diagnostic]] = field(default_factory=list)
    inspected: tuple[str, Inspection] | None = None


class CoalintServer(LanguageServer):
    """The server. Analyses run one after the other in another process; one whose text is no longer there is ended."""

    def __init__(self) -> None:
        super().__init__("coalint", __version__)
        self.documents: dict[str, _Document] = {}
        self.analyst = Analyst()
        self.turn = asyncio.Lock()
        self.said: set[str] = set()

    # --- asking

    async def ask(self, request: Request) -> Any:
        """The answer to a request; when the caller is cancelled, so is the analysis. Raises AnalystError."""
        async with self.turn:
            answer = asyncio.get_running_loop().run_in_executor(None, self.analyst.ask, request)
            cancelled = False
            while not answer.done():
                try:
                    await asyncio.wait([answer])
                except asyncio.CancelledError:
                    cancelled = True
                    self.analyst.interrupt()
            if cancelled:
                answer.exception()  # which nobody waits for
                raise asyncio.CancelledError
            return answer.result()

    def overlay(self) -> Overlay:
        """The texts of all open files."""
        return tuple((os.path.realpath(d.path), self.text(uri)) for uri, d in self.documents.items())

    def text(self, uri: str) -> str:
        """The text in the editor."""
        return self.workspace.get_text_document(uri).source

    # --- diagnostics

    def open(self, uri: str) -> None:
        """Begin with a file."""
        path = uris.to_fs_path(uri)
        if path is not None:
            self.documents[uri] = _Document(path)
            self.schedule(uri)

    def close(self, uri: str) -> None:
        """Be done with a file."""
        document = self.documents.pop(uri, None)
        if document is not None:
            if document.task is not None:
                document.task.cancel()
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def schedule(self, uri: str, pause: float = 0.0) -> None:
        """Analyse a file after a pause, in place of what is under way for it."""
        document = self.documents.get(uri)
        if document is not None:
            if document.task is not None:
                document.task.cancel()
            document.task = asyncio.get_running_loop().create_task(self._check(uri, document, pause))

    async def _check(self, uri: str, document: _Document, pause: float) -> None:
        await asyncio.sleep(pause)
        try:
            await self._check_now(uri, document)
        except Exception as error:
            self._say(str(internal_error(document.path, error, "in `coalint server`")))

    async def _check_now(self, uri: str, document: _Document) -> None:
        version, text = self.workspace.get_text_document(uri).version, self.text(uri)
        try:
            report = None
            if _is_read(document.path, text):
                report = await self.ask(Check(document.path, self.overlay()))
        except AnalystError as error:
            self._say(str(error))
            return
        document.version, document.report = version, report
        document.findings = self._found(uri, document, report) if report is not None else []
        for failure in report.failures if report is not None else ():
            self._say(str(failure))
        diagnostics = [diagnostic for _, diagnostic in document.findings]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))

    def _say(self, message: str) -> None:
        """Show what is wrong, once; the editor's log has it each time."""
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, message))
        if message not in self.said:
            self.said.add(message)
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, f"coalint: {message}"))

    def _found(self, uri: str, document: _Document, report: Report) -> list[tuple[Finding, lsp.Diagnostic]]:
        """What is found in the file itself; what is found in a header is shown when that is open."""
        real = os.path.realpath(document.path)
        own = [d for d in report.diagnostics if os.path.realpath(d.finding.span.file) == real]
        return [(d.finding, self._diagnostic(d.finding, d.basis, report)) for d in own]

    def _diagnostic(self, finding: Finding, basis: str, report: Report) -> lsp.Diagnostic:
        related = [
            lsp.DiagnosticRelatedInformation(
                lsp.Location(self.uri(note.span.file), self.range(note.span, report)), note.message
            )
            for note in finding.notes
            if note.span is not None
        ]
        why = [note.message for note in finding.notes if note.span is None]
        parts = [*why, *([f"help: {finding.help}"] if finding.help else []), *([f"basis: {basis}"] if basis else [])]
        return lsp.Diagnostic(
            self.range(finding.span, report),
            "\n".join((finding.message, *parts)),
            _SEVERITIES[finding.severity],
            f"{finding.code} {finding.name}",
            source="coalint",
            tags=[lsp.DiagnosticTag.Unnecessary] if finding.code == UnusedSuppression.code else None,
            related_information=related or None,
        )

    # --- places

    def uri(self, file: str) -> str:
        """The editor's name for a file."""
        real = os.path.realpath(file)
        known = (uri for uri, document in self.documents.items() if os.path.realpath(document.path) == real)
        return next(known, None) or uris.from_fs_path(real) or file

    def range(self, span: Span, report: Report) -> lsp.Range:
        """A place in the units that the editor counts in."""
        lines = report.sources.get(span.file, "").split("\n")
        return lsp.Range(
            self._position(span.line, span.column, lines), self._position(span.end_line, span.end_column, lines)
        )

    def _position(self, line: int, column: int, lines: Sequence[str]) -> lsp.Position:
        before = lines[line - 1][: column - 1] if line <= len(lines) else ""
        return lsp.Position(line - 1, self.workspace.position_codec.client_num_units(before))

    def place(self, uri: str, position: lsp.Position) -> tuple[int, int]:
        """Line and column, from 1, of the editor's position."""
        lines = self.text(uri).split("\n")
        codec, line = self.workspace.position_codec, lines[position.line] if position.line < len(lines) else ""
        column = next(
            (n for n in range(len(line)) if codec.client_num_units(line[: n + 1]) > position.character), len(line)
        )
        return position.line + 1, column + 1

    # --- hover and actions

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """What the access or barrier at a place costs."""
        uri = params.text_document.uri
        document = self.documents.get(uri)
        if document is None or not _is_read(document.path, text := self.text(uri)):
            return None
        if document.inspected is None or document.inspected[0] != text:
            document.inspected = text, await self.ask(Look(document.path, self.overlay()))
        found = hover(document.inspected[1], document.path, *self.place(uri, params.position))
        if found is None:
            return None
        lines = text.split("\n")
        span = found.span
        range = lsp.Range(
            self._position(span.line, span.column, lines), self._position(span.end_line, span.end_column, lines)
        )
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown), range)

    async def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Fixes, and comments that hide findings, for what is found in a range."""
        uri = params.text_document.uri
        document = self.documents.get(uri)
        wanted = params.context.only
        if document is None or document.report is None or (wanted and lsp.CodeActionKind.QuickFix not in wanted):
            return []
        version = document.version
        if version != self.workspace.get_text_document(uri).version:
            return []  # the places are those of another text
        report = document.report
        there = [(f, d) for f, d in document.findings if _meet(d.range, params.range)]
        if not there:
            return []
        prints = tuple(finding.fingerprint for finding, _ in there)
        offers = await self.ask(Ways(document.path, self.overlay(), prints))
        actions: list[lsp.CodeAction] = []
        for (finding, diagnostic), offer in zip(there, offers, strict=True):
            if offer.is_fixed and finding.fix is not None:
                edit = self._edit(finding.fix.edits, report)
                title = finding.fix.description + ("" if finding.fix.safe else " (check its effect)")
                actions.append(_action(title, diagnostic, edit, preferred=finding.fix.safe))
            if offer.comment:
                title = f"Hide with `// coalint: ignore[{finding.name}]`"
                actions.append(_action(title, diagnostic, self._edit(offer.comment, report)))
        return actions

    def _edit(self, edits: Sequence[Edit], report: Report) -> lsp.WorkspaceEdit:
        changes: dict[str, list[lsp.TextEdit]] = {}
        for edit in edits:
            text = lsp.TextEdit(self.range(edit.span, report), edit.replacement)
            changes.setdefault(self.uri(edit.span.file), []).append(text)
        return lsp.WorkspaceEdit(changes=changes)


def _action(title: str, diagnostic: lsp.Diagnostic, edit: lsp.WorkspaceEdit, preferred: bool = False) -> lsp.CodeAction:
    kind = lsp.CodeActionKind.QuickFix
    return lsp.CodeAction(title, kind, [diagnostic], is_preferred=preferred or None, edit=edit)


def _meet(one: lsp.Range, other: lsp.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line


def _is_read(path: str, text: str) -> bool:
    """CUDA files, and what names device code: most C++ and Python has nothing of interest."""
    return path.endswith((".cu", ".cuh")) or WORDS.search(text.encode("utf-8", errors="replace")) is not None


def create() -> CoalintServer:
    """A server that answers."""
    server = CoalintServer()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        for uri in list(server.documents):  # what is saved may be a header of theirs
            server.documents[uri].inspected = None
            server.schedule(uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        with suppress(AnalystError):
            return await server.hover(params)
        return None

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    async def acted(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        with suppress(AnalystError):
            return await server.actions(params)
        return []

    return server


def serve() -> int:
    """Serve one editor on stdin and stdout, until it ends that."""
    server = create()
    try:
        server.start_io()
    finally:
        server.analyst.interrupt()
        server.analyst.close()
    return 0
