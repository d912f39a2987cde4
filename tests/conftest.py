"""What holds for every test."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing import current_process
from pathlib import Path

import pytest
from amounts import left_to_the_slow
from browser import chromium, complaints
from hypothesis import HealthCheck, settings
from project import SHARED, project
from selenium.webdriver.remote.webdriver import WebDriver

__all__ = ["project"]

pytest_plugins = ["awkward_reports", "cached_runs", "dask_cluster", "report_page"]
"""What only some tests need, with fixtures: each lives in `tests/support/`."""

LATE = ("test_compiled_build.py", "test_vscode.py", "test_dask_clusters.py")
"""Files whose tests take long, one after the other."""

# How long a draw takes says nothing about the product, and machines are noisy.
settings.register_profile("coalint", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("coalint")


def pytest_configure() -> None:
    """Let what tests start be interrupted, also where a shell runs them in the background and ignores SIGINT there."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """As many processes as this one may use cores; pytest-xdist itself would take two threads of a core for one."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@pytest.fixture(autouse=True, scope="session")
def cache_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of the test run's own, empty at its begin."""
    folder = tmp_path_factory.mktemp("cache") / "coalint"
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    Path(os.environ.setdefault(SHARED, str(shared))).mkdir(exist_ok=True)
    before = os.environ.get("COALINT_CACHE_DIR")
    os.environ["COALINT_CACHE_DIR"] = str(folder)
    yield folder
    if before is None:
        del os.environ["COALINT_CACHE_DIR"]
    else:
        os.environ["COALINT_CACHE_DIR"] = before


@pytest.fixture(autouse=True, scope="session")
def bundled_headers_alone() -> Iterator[None]:
    """No headers but coalint's own, whatever is installed: tests that want others name them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COALINT_TOOLKIT", "none")
        yield


@pytest.fixture(autouse=True)
def where_files_are_checked(request: pytest.FixtureRequest) -> Iterator[None]:
    """In the test's own process, as in a worker of another pool, which may start none; with `workers` in processes."""
    current_process().daemon = request.node.get_closest_marker("workers") is None
    yield
    current_process().daemon = False


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """One browser for all pages that are looked at in this process."""
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def driver(browser: WebDriver) -> WebDriver:
    """The browser with an empty page, to which nobody has complained yet."""
    browser.get("about:blank")
    complaints(browser)
    return browser


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test with many cases the plain command runs a few, if it runs the whole suite; the others are slow.

    Tests that fork their own process first: it grows with what the others analyse, and so does what a fork costs. Files
    that take long last, beside each other. Of these Dask is the last one: a client of it leaves threads behind, and
    beside threads coalint forks no workers of its own process.

    The files are handed out in this order, so the processes that are given the last ones have nothing to do after them.
    """
    if [os.path.basename(arg) for arg in config.args] == config.getini("testpaths"):
        for item in left_to_the_slow(items):
            item.add_marker("slow")
    items.sort(key=_order)


def _order(item: pytest.Item) -> int:
    forks = isinstance(item, pytest.Function) and "forked" in vars(item.module)
    return 1 + LATE.index(item.path.name) if item.path.name in LATE else -forks
