"""Maps in the page of a report: with numbers that are supposed, and in print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from browser import complaints, printed
from report_page import ALL, TILE, find, page_of, show, texts
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver


@pytest.mark.slow
def test_a_number_is_supposed_for_an_unknown_pitch_and_can_be_changed(driver: WebDriver, tmp_path: Path) -> None:
    source = """\
extern __shared__ float tile[];
__global__ void column(int pitch) {
    tile[threadIdx.x * pitch] = 1;
}
"""
    (tmp_path / "report.html").write_text(page_of(tmp_path, k=source), encoding="utf-8")
    driver.get((tmp_path / "report.html").as_uri())
    show(driver, tmp_path / "k.cu", 3)
    badge = find(driver, ".line.here .badge")
    assert badge.text == "st ? wf"
    badge.click()
    said = find(driver, "dialog .supposed").text
    assert "Not known: bank depends on an unknown pitch (pitch)." in said
    assert "pitch has no number: 32 is supposed; change it here." in said
    names = texts(driver, "dialog .field label")
    pitch = driver.find_elements(By.CSS_SELECTOR, "dialog .field input")[names.index("pitch")]
    assert pitch.get_attribute("value") == "32"
    assert find(driver, f"#{pitch.get_attribute('aria-describedby')}").text == said
    assert "32 wavefronts (ideal: 1) · 32 active lanes · efficiency 3 % · 32-way" in find(driver, ".request").text
    for number, wavefronts in ((33, "1 wavefront"), (100, "4 wavefronts"), (16, "16 wavefronts")):
        pitch.send_keys(ALL, str(number))
        assert find(driver, ".request .big").text == wavefronts
    find(driver, "[name=block-x]").send_keys(ALL, "16")
    assert find(driver, ".request .big").text == "8 wavefronts"
    find(driver, ".controls button").click()
    assert find(driver, ".request .big").text == "32 wavefronts"
    assert complaints(driver) == []


@pytest.mark.slow
def test_a_number_for_which_the_model_does_not_hold_is_refused(driver: WebDriver, tmp_path: Path) -> None:
    source = """\
__global__ void k(float *out, int n, int shift) {
    if (threadIdx.x < n)
        out[threadIdx.x * 2 + shift] = 1;
}
"""
    (tmp_path / "report.html").write_text(page_of(tmp_path, k=source), encoding="utf-8")
    driver.get((tmp_path / "report.html").as_uri())
    show(driver, tmp_path / "k.cu", 3)
    find(driver, ".line.here .badge").click()
    names = texts(driver, "dialog .field label")
    fields = dict(zip(names, driver.find_elements(By.CSS_SELECTOR, "dialog .field :is(input, select)"), strict=True))
    fields["n"].send_keys(ALL, "16")
    assert find(driver, ".request .big").text == "4 sectors"
    fields["n"].send_keys(ALL, "-7")
    assert "The map does not show this number." in find(driver, ".said").text
    assert fields["n"].get_attribute("aria-invalid") == "true"
    fields["n"].send_keys(ALL, "8")
    assert find(driver, ".said").text == ""
    assert fields["n"].get_attribute("aria-invalid") is None
    assert find(driver, ".request .big").text == "2 sectors"
    fields["shift"].send_keys(ALL, "-4")
    assert find(driver, ".request .big").text == "3 sectors"
    assert complaints(driver) == []


@pytest.mark.slow
def test_an_opened_map_prints_by_itself_with_its_values_as_text(driver: WebDriver, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(page_of(tmp_path, tile=TILE), encoding="utf-8")
    driver.get((tmp_path / "report.html").as_uri())
    show(driver, tmp_path / "tile.cu", 8)
    find(driver, ".line.here .badge").click()
    find(driver, "[name=block-x]").send_keys(ALL, "16")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert find(driver, "dialog .picture").is_displayed()
        assert find(driver, "dialog .request").is_displayed()
        assert not find(driver, "#list").is_displayed()
        assert [
            button for button in driver.find_elements(By.CSS_SELECTOR, "dialog button") if button.is_displayed()
        ] == []
        width = find(driver, "[name=block-x]")
        assert width.is_displayed()
        assert width.get_attribute("value") == "16"
        assert width.value_of_css_property("border-top-style") == "none"
        high, within = driver.execute_script(
            "const d = document.querySelector('dialog'); return [d.scrollHeight, d.getBoundingClientRect().height]"
        )
        assert high <= within + 1, "nothing is cut off"
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert len(re.findall(rb"/Type /Page\b", printed(driver))) == 1
    assert find(driver, "dialog .picture").is_displayed()
