"""Workers of a Dask cluster that die: their files run again elsewhere, or are given up."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from dask_cluster import KERNEL, coalint
from distributed import LocalCluster

pytestmark = pytest.mark.workers


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
