"""What holds for every test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import project

__all__ = ["project"]


@pytest.fixture(autouse=True, scope="session")
def cache_apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A cache folder of the test run's own, empty at its begin."""
    folder = tmp_path_factory.mktemp("cache") / "coalint"
    before = os.environ.get("COALINT_CACHE_DIR")
    os.environ["COALINT_CACHE_DIR"] = str(folder)
    yield folder
    if before is None:
        del os.environ["COALINT_CACHE_DIR"]
    else:
        os.environ["COALINT_CACHE_DIR"] = before


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Executors last: a Dask client leaves threads behind, and beside threads coalint spawns workers, as on macOS."""
    items.sort(key=lambda item: item.path.name == "test_executors.py")
