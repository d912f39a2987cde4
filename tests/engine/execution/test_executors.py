"""A run on executors other than coalint's own workers: the same report, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import dask
import pytest
from distributed import Client, LocalCluster

import coalint.engine.execution.dask_cluster as cluster_module
from coalint.cli.main import main
from coalint.engine.config.settings import Settings
from coalint.engine.execution.dask_cluster import ClusterError, dask_executor
from coalint.engine.execution.executors import LostItemError
from coalint.engine.linter import lint
from coalint.engine.registry import load_rules
from coalint.engine.report import Report
from coalint.engine.request import RunRequest

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
FILES = sorted(str(path) for path in (FIXTURES / "uncoalesced-global-access").glob("*.cu"))[:6]
KERNEL = "__global__ void k(float *x) { x[8 * threadIdx.x] = 0; }\n"


def spawned() -> Executor:
    return ProcessPoolExecutor(2, get_context("spawn"))


@pytest.fixture(scope="module")
def own() -> Report:
    """What coalint's own workers give."""
    return lint(RunRequest(files=FILES, settings=Settings(cache=False)), load_rules())


@pytest.mark.slow
@pytest.mark.parametrize("make", [spawned, lambda: ThreadPoolExecutor(4)], ids=["processes", "threads"])
def test_any_executor_gives_the_same_report(make: Callable[[], Executor], own: Report) -> None:
    with make() as executor:
        report = lint(RunRequest(files=FILES, settings=Settings(cache=False), executor=executor), load_rules())
    assert own.diagnostics
    assert report == own


@pytest.mark.slow
def test_spawned_workers_give_the_same_report(own: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coalint.engine.execution.workers.pool.start_method", lambda: "spawn")
    assert lint(RunRequest(files=FILES, settings=Settings(cache=False)), load_rules()) == own


class Losing(Executor):
    """Loses the file that is submitted first, so many times."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.first = ""

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.first = self.first or args[-1].path
        if args[-1].path == self.first and self.times:
            self.times -= 1
            future.set_exception(LostItemError("a mouse bit through the cable"))
        else:
            future.set_result(function(*args, **kwargs))
        return future


@pytest.mark.slow
def test_what_an_executor_loses_once_is_tried_again(own: Report) -> None:
    assert lint(RunRequest(files=FILES, settings=Settings(cache=False), executor=Losing(1)), load_rules()) == own


@pytest.mark.slow
def test_what_an_executor_loses_is_reported_at_its_file(own: Report) -> None:
    report = lint(RunRequest(files=FILES, settings=Settings(cache=False), executor=Losing(2)), load_rules())
    (lost,) = (d.finding for d in report.diagnostics if d.finding.code == "COA902")
    assert lost.message == "the file was not analysed: a mouse bit through the cable"
    assert lost.span.file == FILES[0]
    others = [d for d in own.diagnostics if d.finding.span.file != FILES[0]]
    assert [d for d in report.diagnostics if d.finding.span.file != FILES[0]] == others


@pytest.fixture(scope="module")
def started() -> Iterator[LocalCluster]:
    """Two worker processes; an item that kills a second one is given up."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        LocalCluster(n_workers=2, threads_per_worker=2, processes=True, dashboard_address="127.0.0.1:0") as cluster,
    ):
        yield cluster


@pytest.fixture
def cluster(started: LocalCluster) -> LocalCluster:
    """The cluster with both of its workers, of which the test before may have killed some."""
    with Client(started, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=120)
    return started


def coalint(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coalint", "lint", "--no-cache", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=200)


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
