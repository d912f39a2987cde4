"""The notebook runs, and what it shows is what coalint says now."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.slow
def test_the_notebook_runs_and_its_page_shows_what_it_says() -> None:
    for needed in ("nbclient", "ipykernel"):
        pytest.importorskip(needed, reason=f"no {needed}: install it (pip install 'coalint[docs]')")
    spec = importlib.util.spec_from_file_location("make_notebook", DOCS / "make_notebook.py")
    assert spec is not None
    assert spec.loader is not None
    make_notebook = sys.modules["make_notebook"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(make_notebook)
    stored = make_notebook.nbformat.read(DOCS / "notebook.ipynb", as_version=4)
    done = make_notebook.executed()
    shown = make_notebook.outputs(done)
    assert "".join(shown).count("wavefronts") == 1, "it finds the conflict"
    assert shown == make_notebook.outputs(stored), "run: python docs/make_notebook.py"
    assert make_notebook.page_text(done) == (DOCS / "notebook.md").read_text(encoding="utf-8")
