"""What the server answers of a place in a file: hovers, hints, actions, links."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from editor_client import TILE, Editor, session
from lsprotocol import types as lsp
from project import STRIDED

from coalint.cli.server.earlier_text import line_before
from coalint.core.addresses import rule_page
from coalint.core.source.spans import Edit, Span
from coalint.core.source.text_edits import apply_edits


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
