"""`coalint server`, spoken to by a real client over stdin and stdout."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import forked
import pytest
from lsprotocol import types as lsp
from project import STRIDED
from pygls.io_ import run_async
from pygls.lsp.client import LanguageClient

from coalint.cli.server.earlier_text import line_before
from coalint.core.addresses import rule_page
from coalint.core.source.spans import Edit, Span
from coalint.core.source.text_edits import apply_edits

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


@pytest.mark.parametrize("shows", [True, False])
def test_an_editor_that_shows_progress_is_told_while_a_file_is_analysed(tmp_path: Path, shows: bool) -> None:
    async def talk(editor: Editor) -> None:
        editor_uri = editor.opens(tmp_path / "k.cu", TILE)
        assert await editor.told()
        kinds = [kind for kind, _ in editor.progress_told]
        assert kinds == (["create", "begin", "end"] if shows else [])
        assert not shows or editor.progress_told[1] == ("begin", "analysing k.cu")
        for _ in range(2):  # accesses are inspected for the first hints, and kept for the second
            await editor.hints(editor_uri, 0, 40)
            kinds = [kind for kind, _ in editor.progress_told]
            assert kinds == (["create", "begin", "end"] * 2 if shows else [])

    session(tmp_path, talk, window=lsp.WindowClientCapabilities(work_done_progress=shows))


def test_diagnostics_follow_what_is_typed(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        (tmp_path / "k.cu").write_text("what is on disk does not count")
        uri = editor.opens(tmp_path / "k.cu", STRIDED)
        (found,) = await editor.told()
        assert found.code == "COA101 uncoalesced-global-access"
        assert found.severity is lsp.DiagnosticSeverity.Warning
        assert found.message.startswith("the load of `in[8 * i]` takes 32 sectors per request (ideal: 4)")
        assert found.range == lsp.Range(lsp.Position(2, 13), lsp.Position(2, 22))
        (related,) = found.related_information or []
        assert (related.location.uri, related.location.range.start.line) == (uri, 1)
        editor.changes(uri, 2, STRIDED.replace("8 * i", "i"))
        assert await editor.told(2) == []
        editor.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        assert await editor.told(None) == []

    session(tmp_path, talk)


def test_stale_work_gives_way(tmp_path: Path) -> None:
    """Of many changes, only the last is answered with what holds for it."""

    async def talk(editor: Editor) -> None:
        uri = editor.opens(tmp_path / "k.cu", STRIDED)
        for version in range(2, 30):
            editor.changes(uri, version, STRIDED.replace("8 * i", f"{version} * i"))
            await asyncio.sleep(0.01 if version % 9 else 0.5)
        (found,) = await editor.told(29)
        assert "in[29 * i]" in found.message

    session(tmp_path, talk)


def test_hover_says_what_an_access_costs_and_why(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.opens(tmp_path / "k.cu", TILE)
        line = 5
        found = await editor.hovers(uri, line, TILE.split("\n")[line].index("tile["))
        assert found is not None
        assert isinstance(found.contents, lsp.MarkupContent)
        text = found.contents.value
        assert "load, shared memory, 4 bytes" in text
        assert "32 wavefronts per request (ideal: 1): a 32-way bank conflict (exact)" in text
        assert "128 bytes along threadIdx.x" in text
        assert "32x32 threads (launch at line 8)" in text
        barrier = await editor.hovers(uri, 4, 6)
        assert barrier is not None
        assert isinstance(barrier.contents, lsp.MarkupContent)
        assert "uniform" in barrier.contents.value
        assert await editor.hovers(uri, 0, 3) is None

    session(tmp_path, talk)


def test_hover_on_an_unchanged_line_answers_from_the_text_before_the_change(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.opens(tmp_path / "k.cu", TILE)
        await editor.told()
        column = TILE.split("\n")[5].index("tile[")
        before = await editor.hovers(uri, 5, column)
        assert before is not None
        assert isinstance(before.contents, lsp.MarkupContent)
        editor.changes(uri, 2, "// one line more\n" + TILE.replace("tile[N][N]", "tile[N][N + 1]"))
        earlier = await editor.hovers(uri, 6, column)
        assert earlier is not None
        assert isinstance(earlier.contents, lsp.MarkupContent)
        assert earlier.contents.value == f"{before.contents.value}\n- before the last change"
        assert earlier.range is not None
        assert earlier.range.start.line == 6
        await editor.told(2)
        text = earlier.contents.value
        while "before the last change" in text:
            await asyncio.sleep(0.5)
            later = await editor.hovers(uri, 6, column)
            assert later is not None
            assert isinstance(later.contents, lsp.MarkupContent)
            text = later.contents.value
        assert "1 wavefront per request (ideal: 1)" in text

    session(tmp_path, talk)


@pytest.mark.parametrize(("line", "then"), [(1, 1), (2, None), (3, None), (4, 3), (5, 4)])
def test_lines_outside_of_a_change_keep_their_places(line: int, then: int | None) -> None:
    assert line_before(["a", "b", "c", "d"], ["a", "B", "x", "c", "d"], line) == then


def applied(text: str, action: lsp.CodeAction, uri: str) -> str:
    assert action.edit is not None
    assert action.edit.changes is not None
    (edits,) = action.edit.changes.values()
    assert list(action.edit.changes) == [uri]
    own = []
    for edit in edits:
        start, end = edit.range.start, edit.range.end
        span = Span("k.cu", start.line + 1, start.character + 1, end.line + 1, end.character + 1)
        own.append(Edit(span, edit.new_text))
    return apply_edits(text.encode(), own).decode()


def test_actions_fix_and_hide(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.opens(tmp_path / "k.cu", TILE)
        (found,) = await editor.told()
        assert found.code == "COA201 unpadded-tile-column"
        fix, hide = await editor.actions(uri, 5)
        fixed = applied(TILE, fix, uri)
        assert "tile[N][N + 1]" in fixed or "tile[N][33]" in fixed
        hidden = applied(TILE, hide, uri)
        assert "// coalint: ignore[unpadded-tile-column]\n" in hidden
        editor.changes(uri, 2, fixed)
        assert await editor.told(2) == []
        editor.changes(uri, 3, hidden)
        assert await editor.told(3) == []
        assert await editor.actions(uri, 0) == []

    session(tmp_path, talk)


def test_all_safe_fixes_are_one_action_for_editors_that_fix_on_saving(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        hides_nothing = "  // coalint: ignore[COA105]"
        lines = TILE.split("\n")
        lines[3] += hides_nothing
        lines[5] += hides_nothing
        text = "\n".join(lines)
        uri = editor.opens(tmp_path / "k.cu", text)
        await editor.told()
        for kind in ("source.fixAll", "source.fixAll.coalint"):
            (action,) = await editor.actions(uri, 0, kind)
            assert action.kind == "source.fixAll.coalint"
            assert applied(text, action, uri) == TILE, "and the padding, which is to be checked, is not among them"
        assert await editor.actions(uri, 5, "source.organizeImports") == []
        assert {action.kind for action in await editor.actions(uri, 5, "quickfix")} == {"quickfix"}
        editor.changes(uri, 2, TILE)
        await editor.told(2)
        assert await editor.actions(uri, 5, "source.fixAll") == []

    session(tmp_path, talk)


def test_hints_beside_accesses_say_what_they_cost(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.opens(tmp_path / "k.cu", TILE)
        lines = TILE.split("\n")
        hints = await editor.hints(uri, 0, len(lines))
        shown = [(lines[hint.position.line][: hint.position.character].split(" ")[-1], hint.label) for hint in hints]
        assert shown == [
            ("tile[threadIdx.y][threadIdx.x]", "1/1 wf"),
            ("threadIdx.x]", "4/4"),
            ("threadIdx.x]", "4/4"),
            ("tile[threadIdx.x][threadIdx.y]", "32/1 wf"),
        ]
        assert isinstance(hints[3].tooltip, lsp.MarkupContent)
        assert "32-way bank conflict" in hints[3].tooltip.value
        assert len(await editor.hints(uri, 3, 3)) == 2

    session(tmp_path, talk)


def test_a_code_links_to_the_page_of_its_rule(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        editor.opens(tmp_path / "k.cu", STRIDED)
        (found,) = await editor.told()
        assert found.code_description is not None
        assert found.code_description.href == rule_page("COA101", "uncoalesced-global-access")

    session(tmp_path, talk)


@pytest.mark.parametrize(
    ("encoding", "units"),
    [
        (lsp.PositionEncodingKind.Utf16, 2),
        (lsp.PositionEncodingKind.Utf8, 4),
        (lsp.PositionEncodingKind.Utf32, 1),
    ],
)
def test_places_are_in_the_units_of_the_editor(tmp_path: Path, encoding: lsp.PositionEncodingKind, units: int) -> None:
    async def talk(editor: Editor) -> None:
        text = STRIDED.replace("    out[i]", "    /*😀*/ out[i]")
        uri = editor.opens(tmp_path / "k.cu", text)
        (found,) = await editor.told()
        begin = len("    /**/ out[i] = ") + units
        assert found.range == lsp.Range(lsp.Position(2, begin), lsp.Position(2, begin + 9))
        hover = await editor.hovers(uri, 2, begin)
        assert hover is not None
        assert hover.range == found.range

    session(tmp_path, talk, [encoding])


def test_settings_are_those_of_the_nearest_file_and_errors_are_shown(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        (tmp_path / "coalint.toml").write_text('severity = { COA101 = "error" }\n')
        uri = editor.opens(tmp_path / "k.cu", STRIDED)
        (found,) = await editor.told()
        assert found.severity is lsp.DiagnosticSeverity.Error
        (tmp_path / "coalint.toml").write_text("severty = {}\n")
        editor.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        message = await asyncio.wait_for(editor.shown.get(), PATIENCE)
        assert "severity" in message
        (tmp_path / "coalint.toml").write_text('exclude = ["k.cu"]\n')
        editor.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
        assert await editor.told() == []

    session(tmp_path, talk)


def test_an_open_header_counts_for_the_file_that_includes_it(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        (tmp_path / "step.cuh").write_text("#define STEP 1\n")
        editor.opens(tmp_path / "step.cuh", "#define STEP 4\n")
        assert await editor.told() == []
        editor.opens(tmp_path / "k.cu", '#include "step.cuh"\n' + STRIDED.replace("8 * i", "STEP * i"))
        (found,) = await editor.told()
        assert "16 sectors" in found.message

    session(tmp_path, talk)


def test_python_that_holds_cuda(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        text = f"import cupy\nk = cupy.RawKernel('''\n{STRIDED}''', 'k')\n"
        uri = editor.opens(tmp_path / "k.py", text)
        (found,) = await editor.told()
        assert found.range.start == lsp.Position(4, 13)
        assert await editor.hovers(uri, 4, 13) is not None
        assert await editor.actions(uri, 4) == []

    session(tmp_path, talk)


@pytest.mark.skipif(sys.platform != "linux", reason="the children of a process are looked up in /proc")
def test_a_crash_of_the_analysis_does_not_end_the_server(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        uri = editor.opens(tmp_path / "k.cu", STRIDED)
        assert len(await editor.told()) == 1
        analyst, *_ = sorted(pid for pid, line in children(editor.child) if "resource_tracker" not in line)
        os.kill(analyst, signal.SIGKILL)
        editor.changes(uri, 2, STRIDED + "\n")
        assert "restarted" in await asyncio.wait_for(editor.shown.get(), PATIENCE)
        editor.changes(uri, 3, STRIDED + "\n\n")
        assert len(await editor.told(3)) == 1

    session(tmp_path, talk)


def children(parent: int) -> list[tuple[int, str]]:
    """Process and command line of each child."""
    pids = [
        int(pid) for task in Path(f"/proc/{parent}/task").iterdir() for pid in (task / "children").read_text().split()
    ]
    return [(pid, Path(f"/proc/{pid}/cmdline").read_text()) for pid in pids]


def test_nothing_in_the_working_folder_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by the installed command, which does not look for modules there either."""
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    for name in ("copy", "queue", "random", "coalint", "numpy", "pickle", "threading", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("open('run', 'w')\nraise SystemExit(1)\n")

    async def talk(editor: Editor) -> None:
        editor.opens(tmp_path / "k.cu", STRIDED)
        assert len(await editor.told()) == 1

    start = "import sys; sys.path[:] = filter(None, sys.path); from coalint.cli.main import main; sys.exit(main())"
    session(tmp_path, talk, command=("-c", start))
    assert not (tmp_path / "run").exists()


def test_without_pygls_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError('no', name='pygls')")
    done = subprocess.run(
        [sys.executable, "-m", "coalint", "server"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 2
    assert "pip install 'coalint[lsp]'" in done.stderr
