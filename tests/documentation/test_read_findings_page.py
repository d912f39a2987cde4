"""The page on findings that were read is what its script makes of its data."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
DATA = json.loads((DOCS / "data" / "read_findings.json").read_text())


@pytest.fixture
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_read_findings", DOCS / "make_read_findings.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_current(script: ModuleType) -> None:
    assert (DOCS / "read-findings.md").read_text() == script.page(DATA)


def test_each_finding_has_a_verdict_and_a_reason(script: ModuleType) -> None:
    for finding in DATA["findings"]:
        assert finding["verdict"] in script.VERDICTS
        assert finding["why"]
        assert len(finding["commit"]) == 40
