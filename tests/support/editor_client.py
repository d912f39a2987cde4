"""An editor's client of `coalint server`, over pipes."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import forked
from lsprotocol import types as lsp
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient

PATIENCE = 120
TILE = """\
#define N 32
__global__ void transpose(float *out, const float *in) {
    __shared__ float tile[N][N];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * N + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * N + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a) { transpose<<<1, dim3(N, N)>>>(a, a); }
"""


class Editor(LanguageClient):
    """What an editor does."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: asyncio.Queue[str] = asyncio.Queue()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.feature(lsp.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def shown(params: lsp.ShowMessageParams) -> None:
            self.shown.put_nowait(params.message)

        self.child = 0
        """The server's process where it was forked."""
        self.progress_told: list[tuple[str, str | None]] = []

        @self.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)  # type: ignore[untyped-decorator]
        def created(params: lsp.WorkDoneProgressCreateParams) -> None:
            self.progress_told.append(("create", str(params.token)))

        @self.feature(lsp.PROGRESS)  # type: ignore[untyped-decorator]
        def progressed(params: lsp.ProgressParams) -> None:
            told = params.value if isinstance(params.value, dict) else vars(params.value)
            self.progress_told.append((str(told.get("kind")), told.get("title")))

        @self.feature(lsp.WINDOW_LOG_MESSAGE)  # type: ignore[untyped-decorator]
        def logged(params: lsp.LogMessageParams) -> None:
            pass

    async def forks(self, folder: Path) -> asyncio.Future[int]:
        """Start a server that begins as a copy of this process; what it exits with."""
        self.child, to, of = forked.started("server", folder=folder)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(of, "rb"))
        transport, flow = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), os.fdopen(to, "wb")
        )
        self.protocol.set_writer(asyncio.StreamWriter(transport, flow, None, loop))
        reading = run_async(stop_event=self._stop_event, reader=reader, protocol=self.protocol)
        self._async_tasks.append(asyncio.create_task(reading))
        return asyncio.ensure_future(asyncio.to_thread(lambda: os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])))

    def opens(self, path: Path, text: str) -> str:
        item = lsp.TextDocumentItem(path.as_uri(), "cuda-cpp", 1, text)
        self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return path.as_uri()

    def changes(self, uri: str, version: int, text: str) -> None:
        whole = [lsp.TextDocumentContentChangeWholeDocument(text)]
        self.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, uri), whole)
        )

    async def told(self, version: int | None = 1) -> list[lsp.Diagnostic]:
        """What is published for a version; what is published for others does not count."""
        while True:
            params = await asyncio.wait_for(self.published.get(), PATIENCE)
            if params.version == version:
                return list(params.diagnostics)

    async def hovers(self, uri: str, line: int, character: int) -> lsp.Hover | None:
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, character))
        return await asyncio.wait_for(self.text_document_hover_async(params), PATIENCE)

    async def hints(self, uri: str, first: int, last: int) -> list[lsp.InlayHint]:
        within = lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0))
        params = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), within)
        found = await asyncio.wait_for(self.text_document_inlay_hint_async(params), PATIENCE)
        return list(found or [])

    async def actions(self, uri: str, line: int, *only: str) -> list[lsp.CodeAction]:
        place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
        context = lsp.CodeActionContext([], only=list(only) or None)
        params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), place, context)
        found = await asyncio.wait_for(self.text_document_code_action_async(params), PATIENCE)
        return [action for action in found or [] if isinstance(action, lsp.CodeAction)]


def session(
    folder: Path,
    talk: Callable[[Editor], Awaitable[None]],
    encodings: list[lsp.PositionEncodingKind] | None = None,
    command: tuple[str, ...] | None = None,
    window: lsp.WindowClientCapabilities | None = None,
) -> None:
    """Run a server in a folder, and end it as editors do: it must end by itself, with exit code 0.

    It begins as a copy of this process, unless a command for Python says how it is started.
    """

    async def whole() -> None:
        editor = Editor()
        if command is None:
            ended = await editor.forks(folder)
        else:
            await editor.start_io(sys.executable, *command, "server", cwd=folder)
            assert editor._server is not None
            ended = asyncio.ensure_future(editor._server.wait())
        try:
            general = lsp.GeneralClientCapabilities(position_encodings=encodings)
            capabilities = lsp.ClientCapabilities(general=general, window=window)
            await editor.initialize_async(lsp.InitializeParams(capabilities, root_uri=folder.as_uri()))
            editor.initialized(lsp.InitializedParams())
            await talk(editor)
            await asyncio.wait_for(editor.shutdown_async(None), PATIENCE)
            editor.exit(None)
            assert await asyncio.wait_for(ended, PATIENCE) == 0
        except BaseException:
            if editor.child:
                os.kill(editor.child, signal.SIGKILL)
            raise
        await editor.stop()  # type: ignore[no-untyped-call]

    asyncio.run(whole())
