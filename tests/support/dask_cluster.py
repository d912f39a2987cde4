"""A Dask cluster of this machine, and coalint as a command beside it. Dask is loaded with the first cluster."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from expectations import FIXTURES

if TYPE_CHECKING:
    from distributed import LocalCluster

FILES = sorted(str(path) for path in (FIXTURES / "uncoalesced-global-access").glob("*.cu"))[:3]
KERNEL = "__global__ void k(float *x) { x[8 * threadIdx.x] = 0; }\n"


@pytest.fixture(scope="module")
def started() -> Iterator[LocalCluster]:
    """Two worker processes; an item that kills a second one is given up."""
    import dask
    from distributed import LocalCluster

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address="127.0.0.1:0") as cluster,
    ):
        yield cluster


@pytest.fixture
def cluster(started: LocalCluster) -> LocalCluster:
    """The cluster with both of its workers, of which the test before may have killed some."""
    from distributed import Client

    with Client(started, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    return started


def coalint(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coalint", "lint", "--no-cache", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=200)
