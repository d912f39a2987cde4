"""Measures how long an editor waits: a file is opened, one of its kernels changed again and again, a line hovered over.

    python benchmarks/editor_times.py FILE [--kernel NAME] [--edits 5]

The server is `coalint server`, spoken to over stdin and stdout as an editor does, with a cache of the benchmark's own.
Seconds run from the notification to the diagnostics of that version: by the clock, with the moment that the server
waits for more typing, and of processor time of the server with the processes that it starts (Linux), which other
programs do not change. Edits alternate: a statement in the kernel's first line, and the same with a line more. A hover
is asked for right after the file is opened, and right after each edit; the editor shows inlay hints.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import sys
import time
from collections.abc import Awaitable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

KERNEL = re.compile(r"__global__[^;{]*?\b(\w+)\s*\([^;{]*\)\s*\{")
_PATIENCE = 300.0  # seconds


class _Editor(LanguageClient):
    def __init__(self) -> None:
        super().__init__("benchmark", "1")
        self.published: asyncio.Queue[lsp.PublishDiagnosticsParams] = asyncio.Queue()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(params)

        @self.feature(lsp.WORKSPACE_INLAY_HINT_REFRESH)  # type: ignore[untyped-decorator]
        def refresh(params: None) -> None:
            pass

    async def told(self, version: int) -> int:
        """Wait for the diagnostics of a version; return their number."""
        while True:
            params = await asyncio.wait_for(self.published.get(), _PATIENCE)
            if params.version == version:
                return len(params.diagnostics)


def _processor_seconds(pid: int) -> float:
    """Return what a process, those that it has waited for and those below it have used."""
    try:
        values = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        below = [child for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]
    except OSError:  # it has just ended, or this is not Linux
        return 0.0
    own = sum(map(int, values[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_processor_seconds(int(child)) for child in below)


async def _measure(path: Path, text: str, kernel: str, edits: int) -> None:
    editor = _Editor()
    await editor.start_io(sys.executable, "-m", "coalint", "server", cwd=path.parent)
    again = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    capabilities = lsp.ClientCapabilities(workspace=lsp.WorkspaceClientCapabilities(inlay_hint=again))
    await editor.initialize_async(
        lsp.InitializeParams(capabilities, root_uri=path.parent.as_uri(), process_id=os.getpid())
    )
    editor.initialized(lsp.InitializedParams())
    uri = path.as_uri()
    server = editor._server
    assert server is not None
    begin, used = time.monotonic(), _processor_seconds(server.pid)
    editor.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "cuda-cpp", 1, text)))
    at = next(found for found in KERNEL.finditer(text) if not kernel or found[1] == kernel)
    line = text[: at.end()].count("\n")
    spot = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line + 4, 8))
    hovering = asyncio.ensure_future(_seconds(editor.text_document_hover_async(spot)))
    count = await editor.told(1)
    told = time.monotonic() - begin
    print(f"first hover: {await hovering:.2f} s", flush=True)
    used = _processor_seconds(server.pid) - used
    print(f"opened: {told:.2f} s, processor with that hover {used:.2f} s, {count} diagnostics", flush=True)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n"), 0))
    hints = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), whole)
    print(f"first hints: {await _seconds(editor.text_document_inlay_hint_async(hints)):.2f} s", flush=True)
    names = ("a statement more", "a line more")
    kinds = ("hover", "hints", *names, *(f"{name}, processor" for name in names))
    times: dict[str, list[float]] = {name: [] for name in kinds}
    for version in range(2, edits + 2):
        kind = names[version % 2]
        inserted = f" int edited_{version} = {version};" + ("\n" if version % 2 else "")
        changed = text[: at.end()] + inserted + text[at.end() :]
        texts: list[lsp.TextDocumentContentChangeEvent] = [lsp.TextDocumentContentChangeWholeDocument(changed)]
        await _settled(server.pid)
        begin, used = time.monotonic(), _processor_seconds(server.pid)
        editor.text_document_did_change(
            lsp.DidChangeTextDocumentParams(lsp.VersionedTextDocumentIdentifier(version, uri), texts)
        )
        times["hover"].append(await _seconds(editor.text_document_hover_async(spot)))
        times["hints"].append(await _seconds(editor.text_document_inlay_hint_async(hints)))
        await editor.told(version)
        times[kind].append(time.monotonic() - begin)
        times[f"{kind}, processor"].append(_processor_seconds(server.pid) - used)
    for kind, seconds in times.items():
        if seconds:
            print(f"{kind}: median {median(seconds):.2f} s, most {max(seconds):.2f} s", flush=True)
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()  # type: ignore[no-untyped-call]


async def _seconds(answer: Awaitable[object]) -> float:
    """Return how long an answer takes from now on."""
    begin = time.monotonic()
    await asyncio.wait_for(answer, _PATIENCE)
    return time.monotonic() - begin


async def _settled(pid: int) -> None:
    """Wait until the server does nothing: it inspects the text after a hover."""
    before = -1.0
    while (now := _processor_seconds(pid)) > before + 0.02:
        before = now
        await asyncio.sleep(2)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--kernel", default="")
    parser.add_argument("--edits", type=int, default=5)
    options = parser.parse_args()
    with TemporaryDirectory(prefix="coalint-editor-") as folder:
        os.environ["COALINT_CACHE_DIR"] = os.path.join(folder, "cache")
        copy = Path(folder) / "program" / options.file.name
        shutil.copytree(options.file.parent, copy.parent, ignore=shutil.ignore_patterns(".git"))
        text = copy.read_text(encoding="utf-8", errors="replace")
        print(f"{options.file}: {text.count(chr(10))} lines")
        asyncio.run(_measure(copy, text, options.kernel, options.edits))


if __name__ == "__main__":
    main()
