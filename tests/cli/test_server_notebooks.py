"""`coalint server` and notebooks: the editor hands over cells, and each cell has its own diagnostics."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from editor_client import PATIENCE, Editor, session
from lsprotocol import types as lsp

IMPORTS = "import numpy as np\nfrom numba import cuda\n"
KERNEL = "@cuda.jit\ndef k(a):\n    i, j = cuda.grid(2)\n    a[i, j] = 0  # é\n"
LAUNCH = "k[(8, 32), (32, 8)](np.zeros((256, 256), np.float32))\n"
TEXTS = {"m": "# About", "a": IMPORTS, "b": KERNEL, "c": LAUNCH}


def cell_uri(name: str) -> str:
    return f"vscode-notebook-cell:/nb.ipynb#{name}"


async def published(editor: Editor, count: int) -> dict[str, list[lsp.Diagnostic]]:
    """The next diagnostics, by the names of the cells."""
    found = {}
    for _ in range(count):
        params = await asyncio.wait_for(editor.published.get(), PATIENCE)
        found[params.uri.partition("#")[2]] = list(params.diagnostics)
    return found


@pytest.mark.slow
def test_each_cell_of_a_notebook_has_its_diagnostics(tmp_path: Path) -> None:
    uri = (tmp_path / "nb.ipynb").as_uri()

    async def talk(editor: Editor) -> None:
        kinds = {"m": lsp.NotebookCellKind.Markup}
        cells = [lsp.NotebookCell(kinds.get(name, lsp.NotebookCellKind.Code), cell_uri(name)) for name in TEXTS]
        texts = [
            lsp.TextDocumentItem(cell_uri(name), "markdown" if name == "m" else "python", 1, text)
            for name, text in TEXTS.items()
        ]
        notebook = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells)
        editor.notebook_document_did_open(lsp.DidOpenNotebookDocumentParams(notebook, texts))
        found = await published(editor, 4)
        assert [len(found[name]) for name in TEXTS] == [0, 0, 1, 0]
        (finding,) = found["b"]
        assert finding.code == "COA103 swapped-thread-axes"
        assert finding.range == lsp.Range(lsp.Position(3, 4), lsp.Position(3, 11))
        assert "launch at cell 4, line 1" in finding.message
        (related,) = finding.related_information or []
        assert (related.location.uri, related.location.range.start.line) == (cell_uri("b"), 2)

        whole = lsp.TextDocumentContentChangeWholeDocument(KERNEL.replace("i, j =", "j, i ="))
        content = lsp.NotebookDocumentCellContentChanges(lsp.VersionedTextDocumentIdentifier(2, cell_uri("b")), [whole])
        change = lsp.NotebookDocumentChangeEvent(cells=lsp.NotebookDocumentCellChanges(text_content=[content]))
        changed = lsp.DidChangeNotebookDocumentParams(lsp.VersionedNotebookDocumentIdentifier(2, uri), change)
        editor.notebook_document_did_change(changed)
        assert await published(editor, 4) == {name: [] for name in TEXTS}

        identifiers = [lsp.TextDocumentIdentifier(cell_uri(name)) for name in TEXTS]
        closed = lsp.DidCloseNotebookDocumentParams(lsp.NotebookDocumentIdentifier(uri), identifiers)
        editor.notebook_document_did_close(closed)
        assert await published(editor, 4) == {name: [] for name in TEXTS}

    session(tmp_path, talk)
