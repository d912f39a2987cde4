"""The pictures in docs/maps and the page on `coalint show` are what their scripts make of today's model."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAPS = ROOT / "docs" / "maps"
PAGE = ROOT / "docs" / "show.md"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_pictures_are_current() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in MAPS.iterdir()}
    assert written == script("make_maps").pictures(), "run: python docs/make_maps.py && python docs/make_rules.py"


@pytest.mark.parametrize(
    "code", ["COA101", "COA102", "COA103", "COA106", "COA107", "COA108", "COA109", "COA201", "COA202", "COA203"]
)
def test_what_to_use_instead_is_drawn_without_the_excess(code: str) -> None:
    cost = re.compile(r"(\d+) (?:sector|wavefront)s?(?: in \d+ lines?)? \(ideal: (\d+)\)")
    for name, excess in (("example", True), ("instead", False)):
        found = cost.search((MAPS / f"{code}-{name}.svg").read_text(encoding="utf-8"))
        assert found is not None
        assert (int(found[1]) > int(found[2])) == excess, f"{code}-{name}"


@pytest.mark.slow
def test_the_page_shows_what_the_commands_print() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count("```console") >= 5
    assert text == script("make_show").filled(text), "run: python docs/make_show.py"
