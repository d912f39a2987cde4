"""Shows in the editor that a file is analysed: work-done progress, as LSP 3.15 has it."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer


@asynccontextmanager
async def shown_progress(server: LanguageServer, title: str) -> AsyncIterator[None]:
    """Show a title while the block runs, however it ends; nothing for an editor that shows no progress."""
    window = server.client_capabilities.window
    if window is None or not window.work_done_progress:
        yield
        return
    token = str(uuid.uuid4())
    try:
        await server.work_done_progress.create_async(token)
    except JsonRpcException:  # an editor may refuse; the analysis does not depend on it
        yield
        return
    server.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title=title))
    try:
        yield
    finally:
        server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
