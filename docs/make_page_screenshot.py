"""Takes docs/report.png, the picture in html.md, of the page on docs/transpose.cu: needs Chromium and selenium."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from selenium.webdriver.common.by import By

from coalint.engine.config.settings import Settings
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest
from coalint.reporters.html import report_text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "report.png"
SOURCE = "docs/transpose.cu"


def main() -> None:
    """Write the page, open the map of its first conflict, and keep what is seen."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from browser import chromium

    os.chdir(ROOT)
    rules = load_rules()
    report = lint(RunRequest(files=[SOURCE], settings=Settings(jobs=1), with_models=True), rules)
    text = report_text(report, rules)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(text, encoding="utf-8")
        with chromium(Path(folder) / "profile", 1100, 800) as driver:
            driver.get(page.as_uri())
            driver.execute_script("document.querySelector('#list .small').click()")
            driver.find_element(By.CSS_SELECTOR, "dialog[open] .picture")
            driver.save_screenshot(str(PICTURE))


if __name__ == "__main__":
    main()
