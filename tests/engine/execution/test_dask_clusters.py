"""A run on a Dask cluster: the same bytes; one that cannot be used is refused; files of workers that die."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from dask_cluster import FILES, KERNEL, coalint

import coalint.engine.execution.dask_cluster as cluster_module
from coalint.cli.main import main
from coalint.engine.config.settings import Settings
from coalint.engine.execution.dask_cluster import ClusterError, dask_executor
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.request import RunRequest

if TYPE_CHECKING:
    from distributed import LocalCluster

pytestmark = pytest.mark.workers


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_bytes(cluster: LocalCluster, tmp_path: Path) -> None:
    """Also for paths and include folders relative to a working folder that is not the workers'."""
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "scale.cuh").write_text("#define SCALE 8\n" + KERNEL.replace("8", "SCALE"))
    (tmp_path / "broken.cu").write_text("__global__ void broken(float *a) { a[threadIdx.x = 1; }\n")
    for number in range(5):
        (tmp_path / f"k{number}.cu").write_text('#include "scale.cuh"\n' + KERNEL.replace("k(", f"k{number}("))
    arguments = ("-I", "include", ".", *FILES[:2], "--output-format", "json", "-o")
    here = coalint(*arguments, f"full={tmp_path}/here", cwd=tmp_path)
    there = coalint(*arguments, f"full={tmp_path}/there", "--dask", cluster.scheduler_address, cwd=tmp_path)
    assert (there.stderr, here.stderr) == ("", "")
    assert there.returncode == here.returncode == 1
    for mine, theirs in ((here.stdout, there.stdout), *[[(tmp_path / name).read_text() for name in ("here", "there")]]):
        assert "include/scale.cuh" in mine
        assert theirs == mine


@pytest.mark.slow
def test_a_cluster_that_cannot_be_used_is_refused_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

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


@pytest.mark.slow
def test_the_files_of_a_lost_worker_run_again_elsewhere(cluster: LocalCluster, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.h"
    outside = tmp_path.with_name(f"{tmp_path.name}-pipe")  # in the folder itself nothing waits for it
    os.mkfifo(outside)
    pipe.symlink_to(outside)
    (tmp_path / "waits.cu").write_text('#define PIPE "pipe.h"\n#include PIPE\n' + KERNEL)
    (tmp_path / "other.cu").write_text(KERNEL)
    done: list[subprocess.CompletedProcess[str]] = []
    arguments = (".", "--output-format=concise", "--dask", cluster.scheduler_address)
    run = threading.Thread(target=lambda: done.append(coalint(*arguments, cwd=tmp_path)))
    run.start()
    writer, reading = reader(pipe)
    os.kill(reading, 9)
    os.close(writer)
    writer, again = reader(pipe, besides=reading)
    assert again != reading
    os.write(writer, b"\n")
    os.close(writer)
    run.join()
    places = [line.split(" ")[0] for line in done[0].stdout.splitlines()]
    assert places == ["other.cu:1:31:", "waits.cu:3:31:", "waits.cu:2:10:"]  # the last says that the link leads out
    assert (done[0].returncode, done[0].stderr) == (1, "")


def reader(pipe: Path, besides: int = 0) -> tuple[int, int]:
    """The pipe opened for writing, once a worker reads from it, and that worker's process."""
    while True:
        time.sleep(0.05)
        try:
            writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads
            continue
        while True:  # held open: the reader may not have been given the processor yet, and would meet the end
            for link in Path("/proc").glob("[0-9]*/fd/*"):
                process = int(link.parts[2])
                with suppress(OSError):
                    if process not in (os.getpid(), besides) and os.readlink(link) == os.path.realpath(pipe):
                        return writer, process
            time.sleep(0.05)


@pytest.mark.slow
def test_what_takes_every_worker_with_it_is_given_up(cluster: LocalCluster, tmp_path: Path) -> None:
    (tmp_path / "crash.cu").write_text("#pragma clang __debug crash\n" + KERNEL)
    (tmp_path / "other.cu").write_text(KERNEL)
    outside = tmp_path.with_name(f"{tmp_path.name}-pipe")  # in the folder itself nothing waits for it
    os.mkfifo(outside)
    (tmp_path / "pipe.h").symlink_to(outside)
    (tmp_path / "waits.cu").write_text('#define PIPE "pipe.h"\n#include PIPE\n' + KERNEL)
    arguments = (".", "--output-format=concise", "--timeout-per-file=2", "--dask", cluster.scheduler_address)
    done = coalint(*arguments, cwd=tmp_path)
    crash, other, waits = sorted(done.stdout.splitlines())
    cause = "every Dask worker that took it died: it crashed libclang, or took too long or too much"
    assert crash == f"crash.cu:1:1: warning[translation-unit-error] the file was not analysed: {cause}"
    assert waits == f"waits.cu:1:1: warning[translation-unit-error] the file was not analysed: {cause}"
    assert other.startswith("other.cu:1:31: warning[")
    assert (done.returncode, done.stderr) == (1, "")


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
