"""docs/counters.md is what its script makes of the measured fixtures."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from analysed import analysed

from coalint.engine.report import Inspected

ROOT = Path(__file__).resolve().parents[2]


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_counters", ROOT / "docs" / "make_counters.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def inspected(source: Path) -> list[Inspected]:
    return [Inspected(k.analysis, k.instructions) for k in analysed(source).checked if k.analysis is not None]


@pytest.mark.slow
def test_the_page_of_counters_is_current() -> None:
    current = script().page_text(ROOT, inspected)
    assert (ROOT / "docs" / "counters.md").read_text(encoding="utf-8") == current, "run: python docs/make_counters.py"
