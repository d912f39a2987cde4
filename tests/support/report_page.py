"""The report as a page, made from sources and looked at in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import complaints
from project import STRIDED
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

from coalint.engine.config.settings import Settings
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest
from coalint.reporters.html import report_text

NASTY = "// </script><b id=injected>`x` <!-- é 宽🚀\n"
TILE = """\
__global__ void turn(float *out, const float *in, int pitch, int height) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        tile[y][threadIdx.x] = in[y * pitch + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        out[(blockIdx.x * 32 + y) * height + threadIdx.x] = tile[threadIdx.x][y];
}
__global__ void gather(float *out, const int *index, const float *in) { out[threadIdx.x] = in[index[threadIdx.x]]; }
void run(float *a, int n) { turn<<<4, dim3(32, 8)>>>(a, a, n, n); }
"""
ALL = Keys.CONTROL + "a" + Keys.NULL


def page_of(folder: Path, **sources: str) -> str:
    """The page on these files, in the folder."""
    files = []
    for name, text in sources.items():
        (folder / f"{name}.cu").write_text(text, encoding="utf-8")
        files.append(str(folder / f"{name}.cu"))
    rules = load_rules()
    report = lint(RunRequest(files=files, settings=Settings(jobs=1, cache=False), with_models=True), rules)
    return report_text(report, rules)


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    value: dict[str, Any] = json.loads(found[1])
    return value


def find(page: WebDriver, selector: str) -> Any:
    return page.find_element(By.CSS_SELECTOR, selector)


def texts(page: WebDriver, selector: str) -> list[str]:
    return [element.text for element in page.find_elements(By.CSS_SELECTOR, selector)]


def until(page: WebDriver, code: str) -> None:
    """Wait until an expression of the page is true."""
    WebDriverWait(page, 20).until(lambda driver: driver.execute_script(f"return Boolean({code})"))


def show(page: WebDriver, file: Path, line: int) -> None:
    page.execute_script("location.hash = arguments[0]", f"{file}:{line}".replace("/", "%2F"))
    until(page, f"document.querySelector('.line.here .no')?.textContent === '{line}'")


def focused(page: WebDriver) -> Any:
    return page.switch_to.active_element


def press(page: WebDriver, *keys: str) -> None:
    for key in keys:
        focused(page).send_keys(key)


def tab_to(page: WebDriver, code: str) -> None:
    """Press Tab until the focused element is the one wanted."""
    for _ in range(80):
        if page.execute_script(f"const at = document.activeElement; return Boolean({code})"):
            return
        press(page, Keys.TAB)
    raise AssertionError(f"Tab does not lead to {code}")


def mean(page: WebDriver) -> tuple[float, float]:
    at = find(page, ".mean")
    return float(at.get_attribute("data-mean")), float(at.get_attribute("data-mean-ideal"))


@pytest.fixture(scope="session")
def report_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "report.html").write_text(page_of(folder, k=NASTY + STRIDED, tile=TILE), encoding="utf-8")
    return folder


@pytest.fixture
def page(driver: WebDriver, report_folder: Path) -> Iterator[WebDriver]:
    driver.get("about:blank")
    driver.get((report_folder / "report.html").as_uri())
    yield driver
    assert complaints(driver) == []
