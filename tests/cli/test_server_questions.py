"""What hovers and hints of the server wait for, with an analysis that never comes to an end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from lsprotocol import types as lsp
from project import shared_headers
from pygls.workspace import PositionCodec

from coalint.cli.server.analysis.queue import AnalysisQueue
from coalint.cli.server.analysis.requests import InspectFile, Request
from coalint.cli.server.documents import Document
from coalint.cli.server.questions import EARLIER, Questions
from coalint.engine.check.file import check_file
from coalint.engine.check.lines import Line
from coalint.engine.check.records import Job, Source
from coalint.engine.findings.gather import kept_analyses
from coalint.engine.report import Coverage, Inspection
from coalint.machine.architecture import architecture

TEXT = """\
__global__ void first(float *a) {
    a[8 * threadIdx.x] = 0;
}
__global__ void second(float *a) {
    a[threadIdx.x] = 0;
}
"""
URI = "file:///k.cu"


def inspected(path: Path, line: int) -> Inspection:
    asked = Line(str(path.resolve()), line) if line else None
    job = Job(assume=(), arch=architecture("sm_80"), rules=(), keep=True, headers=shared_headers(), line=asked)
    checked = check_file(Source(str(path)), job).checked
    return Inspection(kernels=kept_analyses(checked), coverage=Coverage(), failures=())


class Editing:
    """An open file, the requests of its analyses, and those of whole files that are answered."""

    def __init__(self, path: Path, refreshes: bool) -> None:
        self.path, self.text, self.asked, self.refreshed = path, TEXT, list[int](), 0
        path.write_text(TEXT)
        self.document = Document(str(path))
        self.answers_whole_files = asyncio.Event()
        hints = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=refreshes)
        workspace = lsp.WorkspaceClientCapabilities(inlay_hint=hints)
        self.server: Any = SimpleNamespace(
            documents={URI: self.document},
            text=lambda uri: self.text,
            overlay=lambda: (),
            workspace=SimpleNamespace(position_codec=PositionCodec(lsp.PositionEncodingKind.Utf32)),
            client_capabilities=lsp.ClientCapabilities(workspace=workspace),
            workspace_inlay_hint_refresh_async=self.refresh,
        )
        self.questions = Questions(cast(Any, self.server), cast(Any, self.server))

    async def refresh(self, params: None) -> None:
        self.refreshed += 1

    async def ask(self, request: Request) -> Inspection:
        assert isinstance(request, InspectFile)
        self.asked.append(request.line)
        if not request.line:
            await self.answers_whole_files.wait()
        self.path.write_text(self.text)
        return inspected(self.path, request.line)

    async def hover(self, line: int) -> str:
        place = lsp.HoverParams(lsp.TextDocumentIdentifier(URI), lsp.Position(line, 4))
        found = await self.questions.hover(place)
        if found is None:
            return ""
        assert found.range is not None
        assert found.range.start == lsp.Position(line, 4)
        assert isinstance(found.contents, lsp.MarkupContent)
        return found.contents.value

    async def hints(self) -> list[tuple[int, object]]:
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
        found = await self.questions.hints(lsp.InlayHintParams(lsp.TextDocumentIdentifier(URI), whole))
        return [(hint.position.line, hint.label) for hint in found]


def while_editing(
    monkeypatch: pytest.MonkeyPatch, path: Path, talk: Callable[[Editing], Awaitable[None]], refreshes: bool = True
) -> None:
    async def whole() -> None:
        editing = Editing(path, refreshes)
        monkeypatch.setattr(AnalysisQueue, "ask", lambda queue, request: editing.ask(request))
        await talk(editing)
        if editing.document.refresh is not None:
            editing.document.refresh.cancel()

    asyncio.run(whole())


def test_the_first_hover_waits_for_the_kernels_of_its_line_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def talk(editing: Editing) -> None:
        editing.document.task = asyncio.get_running_loop().create_task(asyncio.sleep(3600))  # the diagnostics
        assert "takes 32 sectors" in await editing.hover(1)
        assert "takes 32 sectors" in await editing.hover(1)
        assert "takes 4 sectors" in await editing.hover(4)
        assert await editing.hover(3) == ""
        assert editing.asked == [2, 5, 4]
        assert "takes 4 sectors" in await editing.hover(4)
        editing.text = TEXT.replace("8 *", "4 *")
        assert (await editing.hover(4)).endswith(EARLIER)
        assert "takes 16 sectors" in await editing.hover(1)
        editing.document.task.cancel()

    while_editing(monkeypatch, tmp_path / "k.cu", talk)


def test_the_whole_file_is_inspected_for_the_hovers_to_come(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def talk(editing: Editing) -> None:
        editing.answers_whole_files.set()
        await editing.hover(1)
        assert editing.document.refresh is not None
        await editing.document.refresh
        assert "takes 4 sectors" in await editing.hover(4)
        assert editing.asked == [2, 0]
        editing.text = "// more\n" + TEXT.replace("8 *", "4 *")
        assert (await editing.hover(5)).endswith(EARLIER)
        assert "takes 16 sectors" in await editing.hover(2)

    while_editing(monkeypatch, tmp_path / "k.cu", talk)


def test_hints_of_lines_that_a_change_has_left_stay_until_the_editor_is_told_to_ask_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def talk(editing: Editing) -> None:
        editing.answers_whole_files.set()
        assert await editing.hints() == [(1, "32/4"), (4, "4/4")]
        editing.answers_whole_files.clear()
        editing.text = "// more\n" + TEXT.replace("8 *", "4 *")
        assert await editing.hints() == [(5, "4/4")]
        assert editing.refreshed == 0
        editing.answers_whole_files.set()
        assert editing.document.refresh is not None
        await editing.document.refresh
        assert editing.refreshed == 1
        assert await editing.hints() == [(2, "16/4"), (5, "4/4")]

    while_editing(monkeypatch, tmp_path / "k.cu", talk)


def test_hints_wait_for_an_editor_that_would_not_ask_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def talk(editing: Editing) -> None:
        editing.answers_whole_files.set()
        await editing.hints()
        editing.text = TEXT.replace("8 *", "4 *")
        assert await editing.hints() == [(1, "16/4"), (4, "4/4")]

    while_editing(monkeypatch, tmp_path / "k.cu", talk, refreshes=False)
