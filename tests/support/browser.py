"""A headless Chromium for what runs in pages; where there is none, tests that need it are skipped."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from project import program
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DRIVERS = ("chromedriver", "chromium-driver")
PACKAGES = "chromium chromium-driver"
SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def printed(driver: WebDriver) -> bytes:
    """The page as a PDF. On a busy machine the browser may have its print service up only after it has refused."""
    wait = WebDriverWait(driver, 30, ignored_exceptions=[WebDriverException])
    command = "Page.printToPDF", {"printBackground": False}
    return base64.b64decode(wait.until(lambda driver: driver.execute_cdp_cmd(*command))["data"])


@contextmanager
def chromium(folder: Path, width: int = 1280, height: int = 900) -> Iterator[WebDriver]:
    """A browser with an empty profile in the folder, and a window of so many pixels."""
    options = webdriver.ChromeOptions()
    options.binary_location = program(*BROWSERS, package=PACKAGES)
    for switch in (*SWITCHES, f"--user-data-dir={folder}", f"--window-size={width},{height}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(program(*DRIVERS, package=PACKAGES)))
    try:
        driver.set_window_size(width, height)
        driver.set_script_timeout(300)
        yield driver
    finally:
        driver.quit()


def complaints(driver: WebDriver) -> list[str]:
    """What the page's scripts wrote to the console, errors above all."""
    return [str(entry["message"]) for entry in driver.execute("getLog", {"type": "browser"})["value"]]


def call(driver: WebDriver, function: str, value: object) -> Any:
    """What a function of the page returns for a value, both as JSON."""
    code = f"return JSON.stringify({function}(JSON.parse(arguments[0])))"
    return json.loads(driver.execute_script(code, json.dumps(value)))
