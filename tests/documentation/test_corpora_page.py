"""The page on public repositories is what its script makes of its data."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_is_current() -> None:
    spec = importlib.util.spec_from_file_location("make_corpora", DOCS / "make_corpora.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    data = json.loads((DOCS / "data" / "corpora.json").read_text())
    assert (DOCS / "corpora.md").read_text() == module.page(data)
