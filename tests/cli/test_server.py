"""`coalint server`, spoken to by a real client over stdin and stdout."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from editor_client import PATIENCE, TILE, Editor, session
from lsprotocol import types as lsp
from project import STRIDED


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_an_open_header_counts_for_the_file_that_includes_it(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        (tmp_path / "step.cuh").write_text("#define STEP 1\n")
        editor.opens(tmp_path / "step.cuh", "#define STEP 4\n")
        assert await editor.told() == []
        editor.opens(tmp_path / "k.cu", '#include "step.cuh"\n' + STRIDED.replace("8 * i", "STEP * i"))
        (found,) = await editor.told()
        assert "16 sectors" in found.message

    session(tmp_path, talk)


@pytest.mark.slow
def test_python_that_holds_cuda(tmp_path: Path) -> None:
    async def talk(editor: Editor) -> None:
        text = f"import cupy\nk = cupy.RawKernel('''\n{STRIDED}''', 'k')\n"
        uri = editor.opens(tmp_path / "k.py", text)
        (found,) = await editor.told()
        assert found.range.start == lsp.Position(4, 13)
        assert await editor.hovers(uri, 4, 13) is not None
        assert await editor.actions(uri, 4) == []

    session(tmp_path, talk)


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
