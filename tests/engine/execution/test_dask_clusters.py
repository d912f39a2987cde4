"""A run on a Dask cluster: the same bytes; a cluster that cannot be used is refused."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from dask_cluster import FILES, KERNEL, coalint
from distributed import LocalCluster

import coalint.engine.execution.dask_cluster as cluster_module
from coalint.cli.main import main
from coalint.engine.config.settings import Settings
from coalint.engine.execution.dask_cluster import ClusterError, dask_executor
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest

pytestmark = pytest.mark.workers


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(cluster: LocalCluster, tmp_path: Path) -> None:
    """Also for paths and include folders relative to a working folder that is not the workers'."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "scale.cuh").write_text("#define SCALE 8\n" + KERNEL.replace("8", "SCALE"))
    (tmp_path / "broken.cu").write_text("__global__ void broken(float *a) { a[threadIdx.x = 1; }\n")
    for number in range(5):
        (tmp_path / f"k{number}.cu").write_text('#include "scale.cuh"\n' + KERNEL.replace("k(", f"k{number}("))
    arguments = ("-I", "include", ".", *FILES[:2])
    for output_format in ("full", "json"):
        here = coalint(*arguments, "--output-format", output_format, cwd=tmp_path)
        there = coalint(*arguments, "--output-format", output_format, "--dask", cluster.scheduler_address, cwd=tmp_path)
        assert there.stdout == here.stdout
        assert (there.stderr, here.stderr) == ("", "")
        assert there.returncode == here.returncode == 1
        assert "include/scale.cuh" in here.stdout


@pytest.mark.slow
def test_a_cluster_that_cannot_be_used_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    begin = time.monotonic()
    with pytest.raises(ClusterError, match="no Dask scheduler answers at tcp://127.0.0.1:9 .*`dask scheduler`"):
        use("tcp://127.0.0.1:9")
    with pytest.raises(ClusterError, match="no Dask scheduler answers at nonsense"):
        use("nonsense")
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(ClusterError, match="has no workers: start some with `dask worker inproc://"),
    ):
        use(empty.scheduler_address)
    assert time.monotonic() - begin < 60


@pytest.mark.slow
def test_another_coalint_on_the_workers_is_refused(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "code_digest", lambda packages: "that of another version")
    with pytest.raises(ClusterError, match="runs another coalint, libclang, numpy or Python"):
        use(cluster.scheduler_address)


@pytest.mark.slow
def test_workers_that_do_not_see_the_files_are_refused(
    cluster: LocalCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getcwd", lambda: str(tmp_path / "elsewhere"))
    with pytest.raises(ClusterError, match="does not see the folder .*elsewhere .*: the client and all workers need"):
        use(cluster.scheduler_address)


def test_dask_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["lint", "--dask", "tcp://127.0.0.1:9", FILES[0]]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "install it with `pip install 'coalint[dask]'`" in err


def use(address: str) -> None:
    with dask_executor(address, 0, ()) as executor:
        lint(RunRequest(files=FILES[:1], settings=Settings(cache=False), executor=executor), load_rules())
