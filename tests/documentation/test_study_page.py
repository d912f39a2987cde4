"""docs/study.html is what its script makes of today's sources and measurements, and works in a real browser."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from browser import complaints
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_study", ROOT / "docs" / "make_study.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(driver: WebDriver) -> Iterator[WebDriver]:
    driver.get((ROOT / "docs" / "study.html").as_uri())
    yield driver
    assert complaints(driver) == []


def test_the_page_is_current(make: ModuleType) -> None:
    current = (ROOT / "docs" / "study.html").read_text(encoding="utf-8")
    assert current == make.page_text(), "run: python docs/make_study.py"


def counts(page: WebDriver, place: str) -> list[str]:
    return [element.text for element in page.find_elements(By.CSS_SELECTOR, f"#{place}-picture .big")]


def test_the_sliders_change_what_is_counted(page: WebDriver) -> None:
    assert counts(page, "stride") == ["8 sectors"]
    slider = page.find_element(By.CSS_SELECTOR, "#stride-controls input")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert counts(page, "stride") == ["12 sectors"]
    slider.send_keys(Keys.END)
    assert counts(page, "stride") == ["32 sectors"]
    assert counts(page, "records") == ["16 sectors", "4 sectors"]


@pytest.mark.parametrize(
    ("layout", "column", "row"), [("32", 32, 1), ("33", 1, 1), ("34", 2, 1), ("36", 4, 1), ("40", 8, 1), ("xor", 1, 1)]
)
def test_paddings_and_swizzles_cost_what_the_analysis_says(page: WebDriver, layout: str, column: int, row: int) -> None:
    layouts, walks = (Select(found) for found in page.find_elements(By.CSS_SELECTOR, "#tiles-controls select"))
    layouts.select_by_value(layout)
    for walk, expected in (("column", column), ("row", row)):
        walks.select_by_value(walk)
        assert counts(page, "tiles") == [f"{expected} wavefront{'s' if expected > 1 else ''}"]


@pytest.mark.parametrize(("width", "sectors"), [("32", "5 sectors"), ("8", "6 sectors"), ("256", "4 sectors")])
def test_block_shapes_change_the_request(page: WebDriver, width: str, sectors: str) -> None:
    Select(page.find_element(By.CSS_SELECTOR, "#shapes-controls select")).select_by_value(width)
    assert counts(page, "shapes") == [sectors]


def test_the_curves_have_the_measured_points(page: WebDriver) -> None:
    dots = {place: len(page.find_elements(By.CSS_SELECTOR, f"#{place}-chart circle")) for place in ("stride", "tiles")}
    assert dots == {"stride": 64, "tiles": 32}
