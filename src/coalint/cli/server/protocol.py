"""The handlers of the Language Server Protocol, and the server's life on stdin and stdout."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import BinaryIO, cast

from lsprotocol import types as lsp

from coalint.cli.server.analysis.process import AnalysisError
from coalint.cli.server.bounded_input import BoundedInput
from coalint.cli.server.code_actions import FIX_ALL
from coalint.cli.server.language_server import CoalintServer

PAUSE = 0.3
"""Seconds without a change after which a text is analysed."""


def create() -> CoalintServer:
    """Return a server with its handlers."""
    server = CoalintServer()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.open(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.schedule(params.text_document.uri, PAUSE)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        for uri in list(server.documents):  # each may include the file that was saved
            server.documents[uri].forget()
            server.schedule(uri)
        for uri in list(server.notebooks.opened):  # each may import it
            server.schedule_notebook(uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    async def notebook_opened(params: lsp.DidOpenNotebookDocumentParams) -> None:
        if server.notebooks.open(params.notebook_document.uri) is not None:
            server.schedule_notebook(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    async def notebook_changed(params: lsp.DidChangeNotebookDocumentParams) -> None:
        structure = params.change.cells.structure if params.change.cells is not None else None
        server.notebooks.clear([cell.uri for cell in (structure.did_close or [])] if structure is not None else [])
        server.schedule_notebook(params.notebook_document.uri, PAUSE)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_SAVE)
    async def notebook_saved(params: lsp.DidSaveNotebookDocumentParams) -> None:
        server.schedule_notebook(params.notebook_document.uri)

    @server.feature(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    async def notebook_closed(params: lsp.DidCloseNotebookDocumentParams) -> None:
        server.notebooks.close(params.notebook_document.uri, [cell.uri for cell in params.cell_text_documents])

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        with suppress(AnalysisError):
            return await server.questions.hover(params)
        return None

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hinted(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        with suppress(AnalysisError):
            return await server.questions.hints(params)
        return []

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, FIX_ALL])
    )
    async def acted(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        with suppress(AnalysisError):
            return await server.actions(params)
        return []

    return server


def serve() -> int:
    """Serve one editor on stdin and stdout until it disconnects; return the exit code."""
    server = create()
    queues = (server.analysis, *server.questions.queues)
    for queue in queues:  # while this process has one thread
        queue.start(loads=queue is server.analysis)
    try:
        server.start_io(cast(BinaryIO, BoundedInput(sys.stdin.buffer)))
    finally:
        for queue in queues:
            queue.interrupt()
        for queue in reversed(queues):  # a forked process holds the pipes of those that were started before it
            queue.close()
    return 0
