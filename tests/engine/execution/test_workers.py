"""Items in supervised processes: order, and what happens to one that crashes, hangs or grows."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from processes import in_session
from project import STRIDED

from coalint.engine.check.limits import Limits, OvertimeError, deadline
from coalint.engine.execution.workers.pool import map_items

pytestmark = pytest.mark.workers

BOUNDED = Limits(seconds=1, memory=400 << 20)


def lost(item: int, cause: object) -> str:
    return f"{item} lost: {cause}"


def run(function: Callable[[int], object], count: int = 12, jobs: int = 2, method: str | None = None) -> list[object]:
    return list(map_items(function, range(count), jobs, lost, BOUNDED, method=method))


def square(item: int) -> object:
    return item * item


def at_3(action: Callable[[], object]) -> Callable[[int], object]:
    """Square every item, but do something else at 3."""

    def function(item: int) -> object:
        return action() if item == 3 else item * item

    return function


def all_but_3(cause: str) -> list[object]:
    """Every square, and the cause in the place of the fourth."""
    return [lost(3, cause) if item == 3 else item * item for item in range(12)]


@pytest.mark.parametrize("jobs", [1, 2, 40])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    assert run(lambda item: item + 1, 20, jobs) == list(range(1, 21))
    assert run(square, 0, jobs) == []


def test_long_items_start_first_and_yet_come_in_their_order() -> None:
    began = time.monotonic()
    results = list(map_items(lambda _: time.monotonic() - began, range(3), 1, lost, sizes=[1, 3, 2]))
    assert results[1] < results[2] < results[0]  # type: ignore[operator]


OTHERS = [
    "spawn",
    pytest.param("forkserver", marks=pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")),
]
"""How workers are started that are no copies of this process."""


@pytest.mark.parametrize("method", OTHERS)
def test_workers_that_are_no_copies_give_what_forked_ones_give(method: str) -> None:
    assert run(square, 5, 2, method) == run(square, 5, 2)


def surroundings_of(item: int) -> object:
    """Of the process that is called, not of the one in which the last worker was started."""
    return os.getcwd(), os.environ.get("COALINT_ARCH"), item


@pytest.mark.parametrize("method", OTHERS)
def test_workers_have_the_folder_and_the_environment_of_the_moment(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sm_80", "sm_90"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("COALINT_ARCH", name)
        assert run(surroundings_of, 2, 1, method) == [(str(folder), name, 0), (str(folder), name, 1)]
    monkeypatch.delenv("COALINT_ARCH")
    assert run(surroundings_of, 1, 1, method) == [(str(folder), None, 0)]


def killed_at_3(item: int) -> object:
    if item == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return square(item)


@pytest.mark.parametrize("method", OTHERS)
def test_the_end_of_a_worker_that_is_no_copy_costs_its_item_only(method: str) -> None:
    assert run(killed_at_3, method=method) == all_but_3(
        "the process that checked it was killed (SIGKILL), perhaps out of memory"
    )


BESIDE_A_THREAD = """
import sys, threading, time
import coalint
threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
for _ in range(2):
    coalint.lint(sys.argv[1], isolated=True, cache=False)
    print(len(coalint.lint(sys.argv[1], isolated=True, cache=False).diagnostics), flush=True)
time.sleep(100)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of Linux's processes")
def test_beside_threads_one_more_process_starts_workers_and_ends_with_this_one(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(STRIDED)
    call = [sys.executable, "-c", BESIDE_A_THREAD, str(tmp_path / "k.cu")]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, start_new_session=True) as run:
        assert run.stdout is not None
        assert [run.stdout.readline() for _ in range(2)] == ["1\n", "1\n"]
        names = [Path(f"/proc/{process}/cmdline").read_bytes() for process in in_session(run.pid)]
        assert sum(b"forkserver" in name for name in names) == 1
        assert len(names) <= 3, "the third tracks what processes share"
        run.kill()
        for _ in range(100):
            if not in_session(run.pid):
                break
            time.sleep(0.05)
        assert in_session(run.pid) == []


def test_a_crash_costs_its_item_only_and_names_the_signal() -> None:
    assert run(at_3(lambda: ctypes.string_at(0))) == all_but_3("libclang crashed (SIGSEGV)")
    assert run(at_3(lambda: os.abort())) == all_but_3("libclang crashed (SIGABRT)")


def test_an_exit_and_a_kill_cost_their_item_only() -> None:
    assert run(at_3(lambda: os._exit(7))) == all_but_3("the process that checked it ended with exit code 7")
    killed = "the process that checked it was killed (SIGKILL), perhaps out of memory"
    assert run(at_3(lambda: os.kill(os.getpid(), signal.SIGKILL))) == all_but_3(killed)


def test_a_single_item_survives_its_crash() -> None:
    assert run(lambda _: ctypes.string_at(0), 1, 8) == ["0 lost: libclang crashed (SIGSEGV)"]


def test_what_crashes_behind_another_item_is_tried_in_a_process_of_its_own() -> None:
    served: list[int] = []  # by this process

    def crash_behind_another(item: int) -> object:
        if served and item == 3:
            ctypes.string_at(0)
        served.append(item)
        return item * item

    assert run(crash_behind_another, 12, 1) == [item * item for item in range(12)]


def test_what_crashes_is_tried_once_more_in_another_way() -> None:
    def crash_below_100(item: int) -> object:
        return ctypes.string_at(0) if item < 100 else item

    found = list(map_items(crash_below_100, [1, 150, 70, 3], 2, lost, BOUNDED, again=lambda item: item + 50))
    assert found == [lost(1, "libclang crashed (SIGSEGV)"), 150, 120, lost(3, "libclang crashed (SIGSEGV)")]


def test_every_item_may_crash() -> None:
    assert run(lambda _: ctypes.string_at(0), 4) == [lost(n, "libclang crashed (SIGSEGV)") for n in range(4)]


@pytest.mark.slow
def test_what_hangs_in_c_and_ignores_signals_is_ended() -> None:
    def hang() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT, signal.SIGALRM})
        ctypes.PyDLL(None).sleep(1000)  # holds the interpreter's lock all the while

    assert run(at_3(hang)) == all_but_3("it took longer than 1 s")


@pytest.mark.slow
def test_what_computes_without_end_is_ended() -> None:
    def compute() -> None:
        while True:
            pass

    assert run(at_3(compute)) == all_but_3("it took longer than 1 s")


@pytest.mark.slow
def test_what_grows_is_ended() -> None:
    def grow() -> None:
        kept = []
        while True:
            kept.append(bytearray(8 << 20))
            time.sleep(0.001)

    patient = replace(BOUNDED, seconds=30)  # on a busy machine it may take more than a second to grow
    assert list(map_items(at_3(grow), range(12), 2, lost, patient)) == all_but_3("it needed more than 400 MB")


@pytest.mark.slow
def test_what_this_process_holds_does_not_count_for_its_workers() -> None:
    held = bytearray(b"x" * (BOUNDED.memory + 1))
    assert run(lambda item: time.sleep(0.3), 2) == [None, None]
    assert len(held) > BOUNDED.memory


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux bounds allocations from inside")
def test_one_allocation_beyond_the_bound_is_a_memory_error() -> None:
    def allocate() -> str:
        try:
            return str(len(bytearray(3 << 30)))
        except MemoryError:
            return "refused"

    assert run(at_3(allocate))[3] == "refused"


def test_an_exception_of_the_function_ends_the_run() -> None:
    def fail() -> None:
        raise ValueError("no such thing")

    with pytest.raises(ValueError, match="no such thing"):
        run(at_3(fail))


def test_workers_print_nothing_to_stdout_and_read_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    def talk(item: int) -> int:
        print("to stdout", flush=True)
        os.write(1, b"past Python")
        os.write(2, b"past Python")
        return len(os.read(0, 10))

    assert run(talk, 2) == [0, 0]
    out, err = capfd.readouterr()
    assert (out, err) == ("", "to stdout\n" * 2)


class Finalized:
    """While it is finalized, an interrupt comes: Python discards what a handler raises then."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


class Interrupting:
    """Whoever receives it is interrupted while an object is finalized."""

    def __reduce__(self) -> tuple[object, ...]:
        return drop, (Finalized.__name__,)


def drop(name: str) -> str:
    globals()[name]()
    return name


def test_no_interrupt_is_lost_while_an_object_is_finalized() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(at_3(Interrupting))


@pytest.mark.slow
def test_an_interrupt_ends_the_run_at_once_without_traces_or_orphans(tmp_path: Path) -> None:
    (tmp_path / "pipe").mkdir()
    outside = tmp_path.with_name(f"{tmp_path.name}-pipe")  # in the folder itself nothing waits for it
    os.mkfifo(outside)
    (tmp_path / "pipe" / "header.h").symlink_to(outside)
    for name in ("a.cu", "b.cu"):
        # Whoever opens it waits for a writer.
        (tmp_path / name).write_text('#define PIPE "pipe/header.h"\n#include PIPE\n')
    command = [sys.executable, "-m", "coalint", "lint", "-j2", str(tmp_path)]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not children(run.pid):
        assert run.poll() is None
        time.sleep(0.05)
    workers = children(run.pid)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate(timeout=20)
    assert (run.returncode, out, err) == (130, "", "coalint: interrupted\n")
    assert [worker for worker in workers if Path(f"/proc/{worker}").exists()] == []


def children(process: int) -> list[int]:
    """The child processes of a process."""
    found = Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in found.read_text().split()]


def test_a_deadline_interrupts_python_code_in_any_thread() -> None:
    seen: list[str] = []

    def overrun() -> None:
        try:
            with deadline(0.05):
                while True:
                    pass
        except OvertimeError:
            seen.append("interrupted")

    overrun()
    thread = threading.Thread(target=overrun)
    thread.start()
    thread.join()
    assert seen == ["interrupted", "interrupted"]


def test_a_deadline_that_is_met_leaves_no_trace() -> None:
    for _ in range(300):
        try:
            with deadline(0.0005):
                sum(range(2000))
        except OvertimeError:
            pass
        sum(range(2000))  # where a late exception would strike
    with deadline(0):
        pass
