"""The report as a page: what it holds, and what it does in a real browser, by keyboard too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import complaints, printed
from project import STRIDED, Project
from report_page import ALL, TILE, data_of, find, page_of, show, texts, until
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

NASTY = "// </script><b id=injected>`x` <!-- é 宽🚀\n"


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


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    (folder / "report.html").write_text(page_of(folder, k=NASTY + STRIDED, tile=TILE), encoding="utf-8")
    return folder


@pytest.fixture
def page(driver: WebDriver, report: Path) -> Iterator[WebDriver]:
    driver.get("about:blank")
    driver.get((report / "report.html").as_uri())
    yield driver
    assert complaints(driver) == []


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


def test_the_page_shows_findings_source_and_margin(page: WebDriver, report: Path) -> None:
    assert "32 sectors per request (ideal: 4)" in find(page, "#list").text
    assert find(page, "#count").text == str(len(texts(page, "#list > li")))
    show(page, report / "k.cu", 4)
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


def test_bars_show_where_the_cost_is(page: WebDriver, report: Path) -> None:
    show(page, report / "k.cu", 4)
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


def test_source_is_coloured_as_what_it_is(page: WebDriver, report: Path) -> None:
    show(page, report / "tile.cu", 2)
    kinds = {
        kind: page.execute_script(f"return [...document.querySelectorAll('.s-{kind}')].map((one) => one.textContent)")
        for kind in ("keyword", "cuda", "number", "comment")
    }
    assert {"float", "int", "void", "const", "for"} <= set(kinds["keyword"])
    assert {"__global__", "__shared__", "threadIdx", "blockIdx", "dim3", "__syncthreads"} <= set(kinds["cuda"])
    assert {"32", "4"} <= set(kinds["number"])
    assert any("</script>" in text for text in kinds["comment"])
    shown = page.execute_script("return [...document.querySelectorAll('.line code')].map((one) => one.textContent)")
    written = {line for name in ("k", "tile") for line in (report / f"{name}.cu").read_text().split("\n")}
    assert set(shown) - {" "} <= written, "colours change no character"


def test_comments_of_several_lines_are_comments_on_each(page: WebDriver) -> None:
    lines = ["int a; /* one", "two */ int b;", 'char *s = "/*"; int c; // /*', "int d;", "/* x */ int e; /*", "f"]
    begins = page.execute_script("return coalintSyntax.openComments(arguments[0])", lines)
    assert begins == [False, True, False, False, False, True]
    coloured = """
        const [line, inside] = arguments;
        const pieces = coalintSyntax.coloured(line, inside).filter((one) => one.nodeType);
        return pieces.map((one) => [one.className, one.textContent]);
    """
    assert page.execute_script(coloured, lines[1], True) == [["s-comment", "two */"], ["s-keyword", "int"]]
    assert page.execute_script(coloured, "#define N 4 // four", False) == [
        ["s-directive", "#define N 4 "],
        ["s-comment", "// four"],
    ]


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


@pytest.mark.parametrize("block", [(32, 4, 1), (16, 16, 1), (8, 8, 2), (48, 3, 1)])
@pytest.mark.parametrize(
    ("line", "number", "expression", "op"),
    [(5, 1, "in[y * pitch + x]", "load"), (8, 0, "tile[threadIdx.x][y]", "load")],
)
def test_a_map_is_opened_and_changed_by_keyboard(
    page: WebDriver, report: Path, block: tuple[int, int, int], line: int, number: int, expression: str, op: str
) -> None:
    show(page, report / "tile.cu", line)
    tab_to(page, f"at.matches('.line.here .badge') && at.title.startsWith('{op} {expression}')")
    press(page, Keys.ENTER)
    until(page, "document.querySelector('dialog').open")
    assert find(page, "#map-title").text == expression
    assert mean(page) == analysed(report / "tile.cu", expression, op, (32, 8, 1))
    for axis in (2, 1, 0) if block[0] * 8 > 1024 else (1, 0, 2):
        tab_to(page, f"at.name === 'block-{'xyz'[axis]}'")
        press(page, ALL, str(block[axis]))
        page.execute_script("document.activeElement.blur(); document.querySelector('dialog button').focus()")
    assert mean(page) == pytest.approx(analysed(report / "tile.cu", expression, op, block))
    press(page, Keys.ESCAPE)
    until(page, "!document.querySelector('dialog').open")
    assert page.execute_script("return document.activeElement.matches('.line.here .badge')")


def test_warp_iteration_and_unknown_numbers_can_be_chosen(page: WebDriver, report: Path) -> None:
    show(page, report / "tile.cu", 8)
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


def test_a_shape_that_no_block_has_is_refused(page: WebDriver, report: Path) -> None:
    show(page, report / "tile.cu", 8)
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


def test_an_access_that_is_not_known_says_why_in_its_map(page: WebDriver, report: Path) -> None:
    show(page, report / "tile.cu", 10)
    find(page, ".line.here .badge.heat-unknown").click()
    assert "Unknown: index loaded from memory" in find(page, "dialog").text


def test_everything_has_a_name(page: WebDriver, report: Path) -> None:
    show(page, report / "tile.cu", 8)
    find(page, ".line.here .badge").click()
    nameless = page.execute_script("""
        return [...document.querySelectorAll("input, select, button, dialog, [role=img]")].filter((element) =>
            !(element.labels?.length || element.textContent.trim() || element.getAttribute("aria-label")
              || element.getAttribute("aria-labelledby"))).map((element) => element.outerHTML)""")
    assert nameless == []
    misnamed = page.execute_script("""
        return [...document.querySelectorAll(":is(button, a, summary)[aria-label]")].filter((element) =>
            !element.getAttribute("aria-label").startsWith(element.textContent)).map((element) => element.outerHTML)""")
    assert misnamed == [], "a name begins with the text that is seen (WCAG 2.5.3)"
    find(page, "dialog details.lanes summary").click()
    until(page, "document.querySelectorAll('dialog tbody tr').length === 32")


CONTRAST = """
const luminance = (text) => {
  const parts = text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (!color.startsWith("rgba") ) return color;
  }
  return "rgb(255, 255, 255)";
};
const all = document.querySelectorAll(".badge, .message strong, .meta, .rule, summary, a, .no, .count, th button");
return [...all].map((element) => {
  const [a, b] = [getComputedStyle(element).color, behind(element)].map(luminance).sort((x, y) => y - x);
  return [(a + 0.05) / (b + 0.05), element.className || element.tagName];
}).filter(([ratio]) => ratio < 4.5);
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_both_colour_schemes(page: WebDriver, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        dark = page.execute_script("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert dark == (scheme == "dark")
        assert page.execute_script(CONTRAST) == []
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_nothing_moves_once_the_page_is_painted(page: WebDriver) -> None:
    shifts = """const done = arguments[0];
        new PerformanceObserver((list) => done(list.getEntries().map((shift) => shift.value)))
            .observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => setTimeout(() => done([]), 300));"""
    assert page.execute_async_script(shifts) == []


def test_a_narrow_window_has_no_sideways_scrolling(page: WebDriver) -> None:
    size = page.get_window_size()
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    try:
        assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert find(page, "#overview-body td").rect["width"] >= 100, "names of files are not cut into single letters"
        badge = find(page, "#sources button.badge")
        assert badge.rect["height"] >= 24, "large enough for a finger (WCAG 2.5.8)"
        badge.click()
        until(page, "document.querySelector('dialog').open")
        fits = "const box = document.querySelector('dialog').getBoundingClientRect(); return box.right - innerWidth"
        assert page.execute_script(fits) <= 0
        drawn = "const box = document.querySelector('dialog .drawing'); return [box.scrollWidth, box.clientWidth]"
        wide, room = page.execute_script(drawn)
        assert wide <= room, "the map fits the dialog"
        press(page, Keys.ESCAPE)
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert page.get_window_size() == size


# --- many findings


def many(kernels: int, accesses: int) -> str:
    """Source with as many findings as the product."""
    parts = []
    for n in range(kernels):
        lines = [f"    out[{32 + n} * threadIdx.x + {k}] = {k};" for k in range(accesses)]
        parts.append(f"__global__ void k{n}(float *out) {{  // one of many\n" + "\n".join(lines) + "\n}\n")
    return "\n".join(parts)


@pytest.mark.slow
def test_thousands_of_findings_are_written_as_they_are_looked_at(driver: WebDriver, tmp_path: Path) -> None:
    text = page_of(tmp_path, **{f"m{n}": many(10, 25) for n in range(12)})
    assert len(data_of(text)["findings"]) == 3000
    (tmp_path / "many.html").write_text(text, encoding="utf-8")
    driver.get((tmp_path / "many.html").as_uri())
    assert find(driver, "#count").text == "3000"
    assert len(driver.find_elements(By.CSS_SELECTOR, "#list > li")) < 300
    assert len(driver.find_elements(By.CSS_SELECTOR, ".line")) < 700
    find(driver, "#list + .more").send_keys(Keys.ENTER)
    show(driver, tmp_path / "m3.cu", 200)
    assert len(texts(driver, ".line.here .badge")) == 1
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert len(driver.find_elements(By.CSS_SELECTOR, "#list > li")) == 3000
    assert len(driver.find_elements(By.CSS_SELECTOR, ".finding")) == 3000
    assert complaints(driver) == []


def test_it_prints(page: WebDriver) -> None:
    assert printed(page).startswith(b"%PDF-")
    assert page.execute_script("return document.querySelectorAll('.finding').length") == len(texts(page, "#list > li"))
