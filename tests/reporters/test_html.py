"""The report as a page: what it holds, and what it does in a real browser, by keyboard too."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from browser import complaints
from project import STRIDED, Project
from report_page import ALL, TILE, data_of, find, mean, page_of, press, show, tab_to, texts, until
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from coalint.analysis.evaluate import analyse
from coalint.analysis.launches.specializations import specialize
from coalint.core.addresses import rule_page
from coalint.engine.config.settings import Settings
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest
from coalint.frontend.cuda.load import load
from coalint.machine.architecture import architecture
from coalint.machine.traffic import traffic

# --- what it holds


def test_it_is_one_file_that_asks_for_nothing_else(tmp_path: Path) -> None:
    page = page_of(tmp_path, k=STRIDED, tile=TILE)
    assert "default-src 'none'" in page
    markup = re.sub(r"<script.*?</script>|<style.*?</style>", "", page, flags=re.DOTALL)
    assert re.findall(r"<(?:link|img|iframe|object|embed|base)\b", markup) == []
    assert all(link.startswith("#") for link in re.findall(r'(?:href|src)="([^"]*)"', markup))
    assert not re.search(r"@import|url\(", re.findall(r"<style>(.*?)</style>", page, re.DOTALL)[0])


def test_its_data_are_the_findings_and_every_access(tmp_path: Path) -> None:
    data = data_of(page_of(tmp_path, k=STRIDED))
    assert [finding["code"] for finding in data["findings"]] == ["COA101"]
    (kernel,) = data["kernels"]
    assert [(a["op"], a["count"], a["ideal"]) for a in kernel["accesses"]] == [("load", 32.0, 4.0), ("store", 4.0, 4.0)]
    assert data["coverage"]["accesses"] == 2
    (lines,) = data["sources"].values()
    assert "\n".join(lines) == STRIDED


def test_an_access_has_the_numbers_of_its_launch(tmp_path: Path) -> None:
    (kernel,) = data_of(page_of(tmp_path, k=STRIDED))["kernels"]
    load, store = (access["launch"] for access in kernel["accesses"])
    assert (load["executed"], load["cost"], load["excess"], load["share"]) == (32, 1024.0, 896.0, 1.0)
    assert (store["executed"], store["excess"], store["share"]) == (32, 0.0, 0.0)


def test_what_cannot_be_computed_anew_says_why(tmp_path: Path) -> None:
    data = data_of(page_of(tmp_path, tile=TILE))
    accesses = [access for kernel in data["kernels"] for access in kernel["accesses"]]
    gathered = next(access for access in accesses if access["expression"] == "in[index[threadIdx.x]]")
    assert gathered["model"] is None
    assert "index loaded from memory" in gathered["unknown"]
    known = [access for access in accesses if access["count"] is not None]
    assert all(access["model"]["free"] for access in known)


def test_other_formats_compute_no_models(project: Project) -> None:
    project.put("k.cu", STRIDED)
    report = lint(RunRequest(files=["k.cu"], settings=Settings(jobs=1, cache=False)), load_rules())
    assert report.inspected == ()
    done = project.coalint("lint", "k.cu", "--output-format=html", "-o", "r.html")
    assert done.code == 1
    assert data_of((project.root / "r.html").read_text(encoding="utf-8"))["kernels"]
    assert done.out == ""


def test_cuda_in_python_is_shown_in_the_python_file(project: Project) -> None:
    project.put("k.py", f'import cupy\nmodule = cupy.RawModule(code=r"""\n{STRIDED}""")\n')
    project.coalint("lint", "k.py", "--output-format=html", "-o", "r.html")
    data = data_of((project.root / "r.html").read_text(encoding="utf-8"))
    (kernel,) = data["kernels"]
    assert {access["file"] for access in kernel["accesses"]} == {"k.py"} == {kernel["file"]}
    for access in kernel["accesses"]:
        assert access["expression"] in data["sources"]["k.py"][access["line"] - 1]


# --- in a browser


def analysed(file: Path, expression: str, op: str, block: tuple[int, int, int]) -> tuple[float, float]:
    """What Python says of an access at a block shape."""
    module = load(str(file), ())
    for kernel, specialization in specialize(module):
        for access in analyse(module, kernel, replace(specialization, block=block)).accesses:
            if (access.expression, access.op.value) == (expression, op):
                cost = traffic(access, architecture("sm_80"))
                assert cost is not None
                return cost.count, cost.ideal
    raise AssertionError(expression)


def test_the_page_shows_findings_source_and_margin(page: WebDriver, report_folder: Path) -> None:
    assert "32 sectors per request (ideal: 4)" in find(page, "#list").text
    assert find(page, "#count").text == str(len(texts(page, "#list > li")))
    show(page, report_folder / "k.cu", 4)
    assert texts(page, ".line.here .badge") == ["ld 32/4", "st 4/4"]
    assert find(page, ".line.here + .finding .message").text.startswith("warning the load of in[8 * i]")
    assert not page.find_elements(By.ID, "injected")
    assert "</script><b id=injected>`x`" in find(page, "#sources").text


def test_findings_come_first_and_the_first_is_explained_with_the_text_of_its_rule(page: WebDriver) -> None:
    order = page.execute_script("return [...document.querySelectorAll('main > section')].map((part) => part.id)")
    assert order == ["findings", "overview", "sources"]
    opened = page.execute_script("""
        return [...document.querySelectorAll('.entry > details')].map((details) => details.open)""")
    assert opened == [True] + [False] * (len(opened) - 1)
    code = find(page, ".entry").text
    assert "COA201" in code
    find(page, ".entry .about-rule summary").click()
    until(page, "document.querySelector('.entry .rule-text').textContent.includes('What the hardware counts')")
    link = find(page, ".entry .about-rule a").get_attribute("href")
    assert link == rule_page("COA201", "unpadded-tile-column")


def test_bars_show_where_the_cost_is(page: WebDriver, report_folder: Path) -> None:
    show(page, report_folder / "k.cu", 4)
    widths = page.execute_script("return [...document.querySelectorAll('.line .bar')].map((bar) => bar.style.width)")
    assert "100%" in widths, "the costliest line"
    excess = texts(page, "#overview-body tr td:nth-child(7)")
    assert [float(text) for text in excess] == sorted(map(float, excess), reverse=True)
    worst = texts(page, "#overview-body tr td:nth-child(6)")
    assert all(text in ("ideal", "—") or float(text.removesuffix(" × ideal")) > 1 for text in worst)


def test_executions_and_their_part_in_the_excess_stand_beside_their_lines(page: WebDriver) -> None:
    cell = find(page, ".launch[data-executed='64']")
    assert cell.text == "64 · 100 %"
    assert len(cell.find_elements(By.CSS_SELECTOR, ".bar")) == 2
    assert "of one launch" in find(page, "#overview-head th:nth-child(8)").get_attribute("title")


@pytest.mark.slow
def test_files_and_kernels_without_findings_are_folded(driver: WebDriver, tmp_path: Path) -> None:
    fine = "__global__ void fine(float *a) { a[threadIdx.x] = 0; }\n"
    (tmp_path / "r.html").write_text(page_of(tmp_path, a=fine, k=STRIDED), encoding="utf-8")
    driver.get((tmp_path / "r.html").as_uri())
    files = """
        const files = [...document.querySelectorAll('.file')];
        return files.map((one) => [one.dataset.file.slice(-4), one.open, one.hidden]);
    """
    assert driver.execute_script(files) == [["k.cu", True, False], ["a.cu", False, False]]
    assert texts(driver, "#overview-body td:nth-child(2)") == ["k"]
    find(driver, "#all-kernels").click()
    assert texts(driver, "#overview-body td:nth-child(2)") == ["k", "fine"]
    find(driver, "[name=warning]").click()
    until(driver, "!document.querySelector('#nothing').hidden")
    assert driver.execute_script(files) == [["k.cu", False, True], ["a.cu", False, True]]
    find(driver, "#clear").click()
    until(driver, "document.querySelector('#nothing').hidden")
    assert driver.execute_script(files) == [["k.cu", True, False], ["a.cu", False, False]]
    assert complaints(driver) == []


@pytest.mark.slow
def test_findings_are_filtered_and_rows_sorted(page: WebDriver) -> None:
    count = len(texts(page, "#list > li"))
    find(page, "#text").send_keys("in[8")
    until(page, "document.querySelector('#count').textContent.startsWith('1 of')")
    assert len(texts(page, "#list > li")) == 1
    find(page, "#text").send_keys(Keys.BACKSPACE * 4)
    until(page, f"document.querySelectorAll('#list > li').length === {count}")
    find(page, "[name=warning]").click()
    assert all(text.startswith(("info", "error")) for text in texts(page, "#list > li"))
    find(page, "[name=warning]").click()
    kernels = "#overview-body td:nth-child(2)"
    find(page, "[data-column=kernel]").click()
    assert find(page, "th[aria-sort=ascending]").text.startswith("Kernel")
    assert texts(page, kernels) == sorted(texts(page, kernels))
    press(page, Keys.ENTER)
    assert texts(page, kernels) == sorted(texts(page, kernels), reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize("block", [(32, 4, 1), (16, 16, 1), (8, 8, 2), (48, 3, 1)])
@pytest.mark.parametrize(
    ("line", "number", "expression", "op"),
    [(5, 1, "in[y * pitch + x]", "load"), (8, 0, "tile[threadIdx.x][y]", "load")],
)
def test_a_map_is_opened_and_changed_by_keyboard(
    page: WebDriver, report_folder: Path, block: tuple[int, int, int], line: int, number: int, expression: str, op: str
) -> None:
    show(page, report_folder / "tile.cu", line)
    tab_to(page, f"at.matches('.line.here .badge') && at.title.startsWith('{op} {expression}')")
    press(page, Keys.ENTER)
    until(page, "document.querySelector('dialog').open")
    assert find(page, "#map-title").text == expression
    assert mean(page) == analysed(report_folder / "tile.cu", expression, op, (32, 8, 1))
    for axis in (2, 1, 0) if block[0] * 8 > 1024 else (1, 0, 2):
        tab_to(page, f"at.name === 'block-{'xyz'[axis]}'")
        press(page, ALL, str(block[axis]))
        page.execute_script("document.activeElement.blur(); document.querySelector('dialog button').focus()")
    assert mean(page) == pytest.approx(analysed(report_folder / "tile.cu", expression, op, block))
    press(page, Keys.ESCAPE)
    until(page, "!document.querySelector('dialog').open")
    assert page.execute_script("return document.activeElement.matches('.line.here .badge')")


@pytest.mark.slow
def test_warp_iteration_and_unknown_numbers_can_be_chosen(page: WebDriver, report_folder: Path) -> None:
    show(page, report_folder / "tile.cu", 8)
    find(page, ".line.here .badge[title^='store out']").click()
    assert find(page, ".request .big").text == "4 sectors"
    names = texts(page, "dialog .field label")
    assert {"blockDim.x", "blockDim.y", "blockDim.z", "height"} <= set(names)
    warps = page.find_elements(By.CSS_SELECTOR, "[name=warp] option")
    assert [option.text for option in warps] == [str(n) for n in range(8)]
    height = page.find_elements(By.CSS_SELECTOR, "dialog .field input")[names.index("height")]
    height.send_keys(ALL, "33")
    warps = page.find_elements(By.CSS_SELECTOR, "[name=warp] option")
    warps[1].click()
    assert find(page, ".request .big").text == "5 sectors", "row 1 begins 4*33 bytes on"
    find(page, ".controls button").click()
    assert find(page, ".request .big").text == "4 sectors"


@pytest.mark.slow
def test_a_shape_that_no_block_has_is_refused(page: WebDriver, report_folder: Path) -> None:
    show(page, report_folder / "tile.cu", 8)
    find(page, ".line.here .badge").click()
    find(page, "[name=block-x]").send_keys(ALL, "1024")
    assert "A block has 1024 threads at most." in find(page, ".said").text
    assert find(page, "[name=block-x]").get_attribute("aria-invalid") == "true"
    for wrong in ("5000", "-1", "1.5", Keys.BACKSPACE):
        find(page, "[name=block-x]").send_keys(ALL, "32")
        assert find(page, ".said").text == ""
        find(page, "[name=block-x]").send_keys(ALL, wrong)
        assert "blockDim.x is a whole number from 1 to 1024." in find(page, ".said").text, wrong
        assert find(page, "[name=block-x]").get_attribute("aria-invalid") == "true"


def test_an_access_that_is_not_known_says_why_in_its_map(page: WebDriver, report_folder: Path) -> None:
    show(page, report_folder / "tile.cu", 10)
    find(page, ".line.here .badge.heat-unknown").click()
    assert "Unknown: index loaded from memory" in find(page, "dialog").text


# --- many findings
