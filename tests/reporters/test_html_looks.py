"""How the report looks and is used: names, colours, contrast, a narrow window, print, thousands of findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import complaints, printed
from report_page import data_of, find, page_of, press, show, texts, until
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver


def test_source_is_coloured_as_what_it_is(page: WebDriver, report_folder: Path) -> None:
    show(page, report_folder / "tile.cu", 2)
    kinds = {
        kind: page.execute_script(f"return [...document.querySelectorAll('.s-{kind}')].map((one) => one.textContent)")
        for kind in ("keyword", "cuda", "number", "comment")
    }
    assert {"float", "int", "void", "const", "for"} <= set(kinds["keyword"])
    assert {"__global__", "__shared__", "threadIdx", "blockIdx", "dim3", "__syncthreads"} <= set(kinds["cuda"])
    assert {"32", "4"} <= set(kinds["number"])
    assert any("</script>" in text for text in kinds["comment"])
    shown = page.execute_script("return [...document.querySelectorAll('.line code')].map((one) => one.textContent)")
    written = {line for name in ("k", "tile") for line in (report_folder / f"{name}.cu").read_text().split("\n")}
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


def test_everything_has_a_name(page: WebDriver, report_folder: Path) -> None:
    show(page, report_folder / "tile.cu", 8)
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
        until(page, "innerWidth === 360")  # the browser lays the page out anew in its own time
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


def many(kernels: int, accesses: int) -> str:
    """Source with as many findings as the product."""
    parts = []
    for n in range(kernels):
        lines = [f"    out[{32 + n} * threadIdx.x + {k}] = {k};" for k in range(accesses)]
        parts.append(f"__global__ void k{n}(float *out) {{  // one of many\n" + "\n".join(lines) + "\n}\n")
    return "\n".join(parts)


@pytest.mark.slow
def test_thousands_of_findings_are_written_as_they_are_looked_at(driver: WebDriver, tmp_path: Path) -> None:
    text = page_of(tmp_path, **{f"m{n}": many(10, 25) for n in range(4)})
    assert len(data_of(text)["findings"]) == 1000
    (tmp_path / "many.html").write_text(text, encoding="utf-8")
    driver.get((tmp_path / "many.html").as_uri())
    assert find(driver, "#count").text == "1000"
    assert len(driver.find_elements(By.CSS_SELECTOR, "#list > li")) < 300
    assert len(driver.find_elements(By.CSS_SELECTOR, ".line")) < 700
    find(driver, "#list + .more").send_keys(Keys.ENTER)
    show(driver, tmp_path / "m3.cu", 200)
    assert len(texts(driver, ".line.here .badge")) == 1
    driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    assert len(driver.find_elements(By.CSS_SELECTOR, "#list > li")) == 1000
    assert len(driver.find_elements(By.CSS_SELECTOR, ".finding")) == 1000
    assert complaints(driver) == []


def test_it_prints(page: WebDriver) -> None:
    assert printed(page).startswith(b"%PDF-")
    assert page.execute_script("return document.querySelectorAll('.finding').length") == len(texts(page, "#list > li"))
