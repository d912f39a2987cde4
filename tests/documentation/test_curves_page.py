"""docs/curves.md and its pictures are what their script makes of the measurements, and those are of today's sources."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from coalint.engine.verification.measured import source_hash

ROOT = Path(__file__).resolve().parents[2]
RUN = "run: python docs/make_curves.py"
PICTURES = ("conflicts.svg", "records.svg", "stride.svg", "transpose.svg")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_curves", ROOT / "docs" / "make_curves.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_measurements_are_of_the_present_source() -> None:
    value = json.loads((ROOT / "docs" / "data" / "curves.sm_90.json").read_text(encoding="utf-8"))
    assert value["sha256"] == source_hash(ROOT / value["source"]), "run: benchmarks/measure_curves.py"
    assert all(value[key] for key in ("gpu", "driver", "cuda", "date"))


def test_the_page_of_curves_is_current(script: ModuleType) -> None:
    assert (ROOT / "docs" / "curves.md").read_text(encoding="utf-8") == script.page_text(ROOT), RUN


def test_the_pictures_are_current(script: ModuleType) -> None:
    folder = ROOT / "docs" / "curves"
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == script.pictures(ROOT), RUN


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_well_formed_and_on_the_page(name: str) -> None:
    drawn = ElementTree.parse(ROOT / "docs" / "curves" / name)
    for element in drawn.iter():
        for key in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(key, "0")) <= 760
    page = (ROOT / "docs" / "curves.md").read_text(encoding="utf-8")
    assert re.search(rf"!\[[^]]+\]\(curves/{name}\)", page)


def test_the_predictions_are_the_models(script: ModuleType) -> None:
    """The same numbers that were counted of such accesses among the fixtures."""
    assert [script.strided_sectors(4 * stride) for stride in (1, 2, 3, 7, 8, 32)] == [4, 8, 12, 28, 32, 32]
    assert [script.strided_sectors(size) for size in (12, 16, 24, 32)] == [12, 16, 24, 32]
    assert [script.conflict_wavefronts(ways) for ways in range(1, 33)] == list(range(1, 33))
