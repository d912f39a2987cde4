"""Answers hovers and inlay hints from what a file was found to access, which is kept while it is edited."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from typing import Protocol

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from coalint.cli.server.analysis.process import AnalysisError
from coalint.cli.server.analysis.queue import AnalysisQueue
from coalint.cli.server.analysis.requests import InspectFile
from coalint.cli.server.documents import Document
from coalint.cli.server.earlier_text import line_before
from coalint.cli.server.hover import Descriptions
from coalint.cli.server.inlay_hints import inlay_hints
from coalint.cli.server.positions import from_position, to_range
from coalint.cli.server.progress import shown_progress
from coalint.core.records import record
from coalint.engine.check.records import Overlay
from coalint.engine.report import Inspection

EARLIER = "- before the last change"
"""The line at the end of what was known of the text before the last change."""


@record(frozen=True, slots=True)
class _Known:
    """What a text was found to access; `offset` is added to its lines to have those of the text in the editor."""

    lines: list[str]
    inspection: Inspection
    offset: int = 0
    earlier: bool = False


class OpenFiles(Protocol):
    """The files that are open in the editor."""

    @property
    def documents(self) -> Mapping[str, Document]:
        """The files by their addresses."""

    def text(self, uri: str) -> str:
        """Return the text in the editor."""

    def overlay(self) -> Overlay:
        """Return the texts of all open files."""


class Questions:
    """What editors ask about places of open files.

    A hover needs one line only: where nothing is known of it, the kernels that hold it are analysed in a process of
    their own, and the hover does not wait for the rest of the file, nor for its diagnostics.
    """

    def __init__(self, server: LanguageServer, files: OpenFiles) -> None:
        self._server, self._open = server, files
        self._files = AnalysisQueue()
        self._lines = AnalysisQueue()

    @property
    def queues(self) -> tuple[AnalysisQueue, AnalysisQueue]:
        """The analyses that questions wait for."""
        return self._files, self._lines

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        """Return what the access or barrier at a position costs; None where none stands there. Raises AnalysisError.

        On a line that a change has left as it was, it is what it cost before, until the new text is analysed.
        """
        uri, codec = params.text_document.uri, self._server.workspace.position_codec
        document = self._analysed(uri)
        if document is None:
            return None
        number = params.position.line + 1
        known = self._known(document, uri, number) or await self._line(document, uri, number)
        position = lsp.Position(params.position.line - known.offset, params.position.character)
        descriptions = Descriptions(known.inspection, document.path)
        description = descriptions.at(*from_position(position, known.lines, codec))
        if description is None:
            return None
        text = f"{description.markdown}\n{EARLIER}" if known.earlier else description.markdown
        place = _moved(to_range(description.span, known.lines, codec), known.offset)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), place)

    async def hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """Return what the accesses in a range cost, each after its access. Raises AnalysisError.

        An editor that asks again when it is told to has those of unchanged lines at once; others wait.
        """
        uri = params.text_document.uri
        document = self._analysed(uri)
        if document is None:
            return []
        document.hinted = True
        if self._asks_again and document.inspected is not None and document.inspected[0] != self._open.text(uri):
            return list(self._earlier_hints(document, uri, params.range))
        text, inspection = await self._inspected(document, uri)
        codec = self._server.workspace.position_codec
        return list(inlay_hints(inspection, document.path, params.range, text.split("\n"), codec))

    def _earlier_hints(self, document: Document, uri: str, within: lsp.Range) -> Iterator[lsp.InlayHint]:
        """Yield the hints of lines that a change has left as they were, where they stand now."""
        assert document.inspected is not None
        self._refresh_later(document, uri)
        before, inspection = document.inspected
        old, new = before.split("\n"), self._open.text(uri).split("\n")
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(old), 0))
        for hint in inlay_hints(inspection, document.path, whole, old, self._server.workspace.position_codec):
            line = line_before(new, old, hint.position.line + 1)
            if line is not None and within.start.line <= line - 1 <= within.end.line:
                hint.position.line = line - 1
                yield hint

    @property
    def _asks_again(self) -> bool:
        workspace = self._server.client_capabilities.workspace
        hints = workspace.inlay_hint if workspace is not None else None
        return hints is not None and bool(hints.refresh_support)

    def _analysed(self, uri: str) -> Document | None:
        document = self._open.documents.get(uri)
        return document if document is not None and document.is_analysed(self._open.text(uri)) else None

    def _known(self, document: Document, uri: str, line: int) -> _Known | None:
        """Return what is known of a line (from 1) without an analysis; None where nothing is."""
        text = self._open.text(uri)
        new = text.split("\n")
        for before, only, inspection in document.results:  # the latest first
            old = before.split("\n")
            then = line if before == text else line_before(old, new, line)
            if then is None or (only is not None and only != then):
                continue
            if before != text:
                self._refresh_later(document, uri)
            return _Known(old, inspection, line - then, earlier=before != text)
        return None

    async def _line(self, document: Document, uri: str, line: int) -> _Known:
        """Analyse the kernels that hold a line; the rest of the file is inspected afterwards, for the next question."""
        text = self._open.text(uri)
        request = InspectFile(path=document.path, overlay=self._open.overlay(), line=line)
        async with self._progress(document):
            inspection: Inspection = await self._lines.ask(request)
        document.glimpsed = text, line, inspection
        self._refresh_later(document, uri)
        return _Known(text.split("\n"), inspection)

    async def _inspected(self, document: Document, uri: str) -> tuple[str, Inspection]:
        """Return the text of an open file, and what it was found to access."""
        text = self._open.text(uri)
        if document.inspected is None or document.inspected[0] != text:
            request = InspectFile(path=document.path, overlay=self._open.overlay())
            async with self._progress(document):
                document.inspected = text, await self._files.ask(request)
            document.glimpsed = None
        return document.inspected

    def _progress(self, document: Document) -> AbstractAsyncContextManager[None]:
        return shown_progress(self._server, f"analysing {os.path.basename(document.path)}")

    def _refresh_later(self, document: Document, uri: str) -> None:
        if document.refresh is None or document.refresh.done():
            document.refresh = asyncio.get_running_loop().create_task(self._refresh(document, uri))

    async def _refresh(self, document: Document, uri: str) -> None:
        """Inspect a text once its diagnostics are there: an inspection analyses every kernel anew."""
        while document.task is not None and not document.task.done():
            await asyncio.wait({document.task})
        with suppress(AnalysisError):
            await self._inspected(document, uri)
            if document.hinted and self._asks_again:
                with suppress(JsonRpcException):
                    await self._server.workspace_inlay_hint_refresh_async(None)


def _moved(place: lsp.Range, lines: int) -> lsp.Range:
    start, end = place.start, place.end
    return lsp.Range(lsp.Position(start.line + lines, start.character), lsp.Position(end.line + lines, end.character))
