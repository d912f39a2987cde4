"""Kernels of one file in several processes: who does what, and what becomes of those that are lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from project import Project

from coalint.engine.check.clock import Clock
from coalint.engine.check.limits import UNBOUNDED, Limits
from coalint.engine.execution.workers.shared_out import AHEAD, processes_for_each, shared_out
from coalint.engine.execution.workers.usage import usage

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process ends with its parent")


def busy(seconds: float) -> float:
    """Work for so many seconds of processor time; return how long it was."""
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        pass
    return time.process_time() - begin


def who(item: int) -> tuple[int, int]:
    busy(AHEAD / 2)
    return item, os.getpid()


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(processes: int) -> None:
    results = shared_out(who, range(20), processes, Clock(UNBOUNDED))
    assert [item for item, _ in results] == list(range(20))
    assert len({process for _, process in results}) == processes
    assert [process for _, process in results[:2]] == [os.getpid()] * 2  # until it is known that they take long


@pytest.mark.parametrize("count", [0, 1, 2, 500])
def test_what_takes_no_time_is_done_in_one_process(count: int) -> None:
    assert set(shared_out(lambda _: os.getpid(), range(count), 4, Clock(UNBOUNDED))) <= {os.getpid()}


def test_more_items_than_a_pipe_holds_are_shared_out() -> None:
    def number(item: int) -> int:
        if item < 2:
            busy(AHEAD)
        return item

    assert shared_out(number, range(25_000), 2, Clock(UNBOUNDED)) == list(range(25_000))


LOSSES: dict[str, Callable[[], object]] = {
    "crashes": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "leaves": lambda: os._exit(3),
    "raises": lambda: [][0],
}


@pytest.mark.parametrize("loss", LOSSES)
def test_what_a_lost_process_took_is_done_again(loss: str) -> None:
    own = os.getpid()

    def function(item: int) -> tuple[int, int]:
        busy(AHEAD / 2)
        if os.getpid() != own:
            LOSSES[loss]()
        return item, os.getpid()

    assert shared_out(function, range(9), 3, Clock(UNBOUNDED)) == [(item, own) for item in range(9)]


def test_an_error_in_the_process_itself_ends_the_others(tmp_path: Path) -> None:
    own = os.getpid()

    def function(item: int) -> int:
        (tmp_path / str(os.getpid())).touch()
        busy(AHEAD)
        if os.getpid() == own and item > 1:
            raise KeyError(item)
        return item

    with pytest.raises(KeyError):
        shared_out(function, range(9), 3, Clock(UNBOUNDED))
    assert [path.name for path in tmp_path.iterdir() if runs(int(path.name))] == [str(own)]


def test_the_clock_counts_what_all_processes_take() -> None:
    clock = Clock(Limits(100, 0))
    before = clock.left
    taken = shared_out(lambda _: busy(AHEAD / 2), range(12), 3, clock)
    assert before - clock.left >= sum(taken) * 0.99
    again = shared_out(lambda _: busy(AHEAD / 2), range(12), 3, clock)
    assert before - clock.left >= (sum(taken) + sum(again)) * 0.99


def test_copies_know_what_was_taken_before() -> None:
    clock, own = Clock(Limits(100, 0)), os.getpid()

    def left(item: int) -> float | None:
        busy(AHEAD)
        return None if os.getpid() == own else clock.left

    told = [one for one in shared_out(left, range(6), 3, clock) if one is not None]
    assert told
    assert all(one <= 80 - 2 * AHEAD for one in told)  # one item before, one of its own


def test_it_is_over_in_every_process_at_once() -> None:
    clock = Clock(Limits(1.5, 0))

    def function(_: int) -> float:
        return 0 if clock.is_over else busy(0.1)

    taken = shared_out(function, range(60), 3, clock)
    assert 0.8 * 1.5 * 0.9 <= sum(taken) <= 0.8 * 1.5 + 5 * 0.11  # the last of each, and what two have not told yet
    assert taken.count(0) > 40


PROGRAM = """
import os, sys, time
from coalint.engine.check.clock import Clock
from coalint.engine.check.limits import UNBOUNDED
from coalint.engine.execution.workers.shared_out import shared_out

def function(item):
    open(os.path.join(sys.argv[1], str(os.getpid())), "w").close()
    end = time.process_time() + (0.2 if item == 0 else 1000)
    while time.process_time() < end: pass

shared_out(function, range(4), 3, Clock(UNBOUNDED))
"""


def test_copies_end_with_their_parent(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)])
    while len(copies := [int(path.name) for path in tmp_path.iterdir()]) < 3:  # itself, too
        assert parent.poll() is None
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    end = time.monotonic() + 30
    while any(runs(process) for process in copies) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(runs(process) for process in copies)


def runs(process: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("state", ["busy", "asleep"])
def test_who_waits_for_a_copy_works_as_long_as_that_does(state: str) -> None:
    """So a busy machine is not taken for a process that hangs."""
    original = os.fork()
    if original == 0:
        own = os.getpid()

        def function(item: int) -> None:
            if item == 0:
                busy(AHEAD)
            elif os.getpid() == own:
                time.sleep(0.3)  # the copy takes the other item
            elif state == "busy":
                busy(1.5)
            else:
                time.sleep(1.5)

        try:
            shared_out(function, range(3), 2, Clock(UNBOUNDED))
        finally:
            os._exit(0)
    waits, worked = 0, 0.0
    while os.waitpid(original, os.WNOHANG) == (0, 0):
        used = usage(original, with_copies=True)
        waits, worked = waits + used.waits, max(worked, used.worked or 0)
        time.sleep(0.05)
    assert (waits < 10) == (state == "busy")
    assert (worked > 1.2) == (state == "busy")


@pytest.mark.workers
def test_few_files_get_several_processes_each() -> None:
    assert [processes_for_each(files, 8) for files in (0, 1, 2, 3, 8, 9)] == [1, 8, 4, 2, 1, 1]


def test_a_worker_of_another_pool_gets_no_more() -> None:
    assert processes_for_each(1, 8) == 1


KERNEL = """
template <int N> __global__ void k(float *out, const float *in, int n, int m) {
    __shared__ float tile[32][N];
    float sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = threadIdx.x; j < m; j += N) {
            tile[threadIdx.x % 32][j % N] = in[(i * m + j) * N + i];
            __syncthreads();
            for (int l = 0; l < 32; l++) sum += tile[l][threadIdx.x % N] * in[l * n + i];
            __syncthreads();
        }
    out[threadIdx.x * N + blockIdx.x] = sum;
    if (threadIdx.x < 7) __syncthreads();
}
"""


@pytest.mark.workers
@pytest.mark.slow
def test_reports_are_the_same_with_any_number_of_processes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coalint.engine.execution.workers.shared_out.AHEAD", 0)
    launches = "".join(f"    k<{n}><<<n, {32 * n}>>>(p, p, n, {64 * n});\n" for n in (1, 2, 3, 5, 8, 16, 31, 32))
    project.put("k.cu", f"{KERNEL}void run(float *p, int n) {{\n{launches}}}\n")
    outputs = []
    for jobs in (1, 2, 5):
        done = project.coalint("lint", ".", "--no-cache", f"-j{jobs}", "--output-format=json")
        assert done.code == 1, done.err
        outputs.append(done.out)
    assert all(one == other for one, other in pairwise(outputs))
    assert '"code"' in outputs[0]


@pytest.mark.workers
@pytest.mark.slow
def test_what_other_processes_check_is_stored(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COALINT_CACHE_DIR", str(project.root / "cache"))
    monkeypatch.setattr("coalint.engine.execution.workers.shared_out.AHEAD", 0)
    launches = "".join(f"    k<{n}><<<n, {32 * n}>>>(p, p, n, {64 * n});\n" for n in (1, 2, 3, 5, 8, 16, 31, 32))
    project.put("k.cu", f"{KERNEL}void run(float *p, int n) {{\n{launches}}}\n")
    assert project.coalint("lint", "k.cu", "-j3").code == 1
    assert len(list((project.root / "cache").glob("**/kernels*/**/*.json"))) == 8
