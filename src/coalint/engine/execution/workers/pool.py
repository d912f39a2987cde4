"""Runs a function over many items in supervised processes: one that crashes, hangs or grows costs its item only.

Each worker has one item and one pipe at a time, so that it is always known whose fault an end was, and killing a worker
cannot leave a lock behind that others wait for. That, and the watch over memory, is what `concurrent.futures` and the
pools built like it do not give. Starting a worker by fork takes 3 ms: a single file gets one, too.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from coalint.engine.check.limits import LIBCLANG, NOTHING, TOO_LONG, TOO_MUCH, Limits, Usage, usage, with_deep_stack

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

T = TypeVar("T")
R = TypeVar("R")

POLL = 0.1
"""Seconds between two looks at the memory of the workers."""
RECYCLED = 300 << 20
"""A worker that has grown by more bytes than this after an item makes place for a new one."""
_BY_SYSTEM = ("SIGKILL", "SIGTERM")


@dataclass
class _Worker(Generic[R]):
    process: BaseProcess
    pipe: Connection
    inherited: int  # the bytes that it held when it was forked
    index: int | None = None
    served: int = 0  # items before this one
    since: float = 0.0  # by the clock
    before: Usage = NOTHING  # its item
    looked: float = 0.0  # by the clock
    waited: float = 0.0  # seconds
    memory: int = 0  # the most bytes by which it was seen to have grown while at its item


def map_items(
    function: Callable[[T], R],
    items: Sequence[T],
    jobs: int,
    lost: Callable[[T, str], R],
    limits: Limits | None = None,
    *,
    sizes: Sequence[int] = (),
    tick: Callable[[int], None] | None = None,
    method: str | None = None,
    again: Callable[[T], T] = lambda item: item,
) -> Iterator[R]:
    """Yield `function(item)` in the order of the items; `lost(item, cause)` where its process ended or was ended.

    `jobs` is a number of processes, 0 for one per core. `sizes` guess how long the items take: long ones start first.
    An item that crashes is tried once more, as `again` says, in a new process: others may have left disorder in the
    old one. `tick` is told, ten times a second and after each item, how many are done.
    Workers are forked where that is safe; elsewhere they are spawned, and `function` and the items must be picklable.
    Exceptions of `function` end the run, apart from MemoryError, which loses its item.
    """
    if not items:
        return
    if multiprocessing.current_process().daemon:  # it may have no children: a worker of somebody else's pool
        yield from map(function, items)
        return
    jobs = min(jobs or cores(), len(items))
    yield from _Pool(function, items, jobs, lost, limits or Limits(), sizes, tick, method or _method(), again).run()


class _Pool(Generic[T, R]):
    def __init__(
        self,
        function: Callable[[T], R],
        items: Sequence[T],
        jobs: int,
        lost: Callable[[T, str], R],
        limits: Limits,
        sizes: Sequence[int],
        tick: Callable[[int], None] | None,
        method: str,
        again: Callable[[T], T],
    ) -> None:
        self.function, self.items, self.jobs, self.lost, self.limits = function, items, jobs, lost, limits
        self.again = again
        self.tick = tick or (lambda done: None)
        self.context: BaseContext = multiprocessing.get_context(method)
        order = range(len(items))
        self.waiting = deque(sorted(order, key=lambda index: -sizes[index]) if sizes else order)
        self.repeated: set[int] = set()  # the items that crashed
        self.workers: list[_Worker[R]] = []
        self.results: dict[int, R] = {}
        self.done = 0

    def run(self) -> Iterator[R]:
        """The results, in order."""
        try:
            for index in range(len(self.items)):
                while index not in self.results:
                    self._step()
                yield self.results.pop(index)
        finally:
            for worker in self.workers:
                worker.process.kill()
            for worker in self.workers:
                worker.process.join()

    def _step(self) -> None:
        """Hand out what waits, then see what came back, who died, and who took too much."""
        from multiprocessing.connection import wait

        while len(self.workers) < min(self.jobs, len(self.items) - self.done):
            try:
                self._start()
            except OSError:  # no process or no memory is to be had: go on with those that run
                self.jobs = len(self.workers)
        if not self.workers:
            index = self.waiting.popleft()
            self.results[index] = self.function(self.items[index])
            self.done += 1
            return
        for worker in self.workers:
            if worker.index is None and self.waiting:
                self._assign(worker)
        pipes = {worker.pipe: worker for worker in self.workers}
        for pipe in wait(list(pipes), POLL):
            self._receive(pipes[pipe])  # type: ignore[index]
        now = time.monotonic()
        for worker in list(self.workers):
            if worker.index is not None and now - worker.since >= POLL:
                self._watch(worker, now)
        self.tick(self.done)

    def _start(self) -> None:
        ours, theirs = self.context.Pipe()
        forks = self.context.get_start_method() == "fork"
        inherited = [ours, *(worker.pipe for worker in self.workers)] if forks else []
        arguments = (self.function, theirs, inherited, self.limits)
        process = self.context.Process(target=_work, args=arguments, daemon=True)  # type: ignore[attr-defined]
        with _uninterrupted(), safe_path():
            process.start()
            worker: _Worker[R] = _Worker(process, ours, usage(process.pid).memory)
            self.workers.append(worker)
        theirs.close()

    def _assign(self, worker: _Worker[R]) -> None:
        index = self.waiting.popleft()
        spent = index in self.repeated and worker.served  # what crashed wants a process without a past
        if spent or not self._is_sent(worker, index):
            self.waiting.appendleft(index)
            self._discard(worker)
            return
        worker.index, worker.since, worker.memory = index, time.monotonic(), 0
        worker.before, worker.looked, worker.waited = usage(worker.process.pid), worker.since, 0.0

    def _is_sent(self, worker: _Worker[R], index: int) -> bool:
        """Hand over an item; False where the worker died between two items, which is nobody's fault."""
        item = self.items[index]
        try:
            worker.pipe.send(self.again(item) if index in self.repeated else item)
        except OSError:
            return False
        return True

    def _receive(self, worker: _Worker[R]) -> None:
        try:
            succeeded, value = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            # Short of memory, libclang aborts; as buffers grow by doubling, a quarter of the bound is held by then.
            grew = self.limits.memory and worker.memory > self.limits.memory // 4
            if not grew and self._is_repeated(worker):
                return
            cause = f"{TOO_MUCH} {self.limits.memory_text}" if grew else _cause(worker.process.exitcode)
            self._lose(worker, cause)
            return
        if isinstance(value, MemoryError):
            self._lose(worker, f"{TOO_MUCH} {self.limits.memory_text}")
            return
        if not succeeded:
            raise value
        self._finish(worker, value)
        if usage(worker.process.pid).memory - worker.inherited > RECYCLED:
            self._discard(worker)

    def _is_repeated(self, worker: _Worker[R]) -> bool:
        """Whether an item that crashed is tried once more."""
        index = worker.index
        if index is None or index in self.repeated or (worker.process.exitcode or 0) >= 0:
            return False
        self.repeated.add(index)
        self.waiting.appendleft(index)
        self._discard(worker)
        return True

    def _watch(self, worker: _Worker[R], now: float) -> None:
        limits, used = self.limits, usage(worker.process.pid)
        worker.memory = max(worker.memory, used.memory - worker.inherited)
        if used.waits:
            worker.waited += min(now - worker.looked, 10 * POLL)  # more is this process's own absence (Ctrl-Z)
        worker.looked = now
        worked = 0.0 if used.worked is None else used.worked - (worker.before.worked or 0.0)
        if limits.seconds and worked + worker.waited > limits.seconds:
            self._lose(worker, f"{TOO_LONG} {limits.seconds:g} s")
        elif limits.memory and worker.memory > limits.memory:
            self._lose(worker, f"{TOO_MUCH} {limits.memory_text}")

    def _finish(self, worker: _Worker[R], result: R) -> None:
        assert worker.index is not None
        self.results[worker.index] = result
        worker.index = None
        worker.served += 1
        self.done += 1

    def _lose(self, worker: _Worker[R], cause: str) -> None:
        if worker.index is not None:
            self._finish(worker, self.lost(self.items[worker.index], cause))
        self._discard(worker)

    def _discard(self, worker: _Worker[R]) -> None:
        self.workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """An interrupt waits until the body is done; what is started there begins with interrupts held back."""
    if sys.platform == "win32":
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def safe_path() -> Iterator[None]:
    """Keep processes that are spawned meanwhile, by `python -c`, from importing what lies in the working folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def _cause(exit_code: int | None) -> str:
    """What ended a worker, in words."""
    if exit_code is None or exit_code >= 0:
        return f"the process that checked it ended with exit code {exit_code}"
    known = {number.value: number.name for number in signal.Signals}
    name = known.get(-exit_code, f"signal {-exit_code}")
    if name in _BY_SYSTEM:
        return f"the process that checked it was killed ({name}), perhaps because memory ran out"
    return f"libclang crashed ({name})"


def _work(function: Callable[[Any], Any], pipe: Connection, inherited: Sequence[Connection], limits: Limits) -> None:
    """A worker's whole life: items in, results out, until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:
        other.close()
    _detach()
    os.environ.update(LIBCLANG)
    limits.impose()
    with_deep_stack(partial(_serve, function, pipe))
    os._exit(0)  # nothing of the parent's is to be flushed or cleaned up here


def _serve(function: Callable[[Any], Any], pipe: Connection) -> None:
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = True, function(item)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except OSError:
            return


def _detach() -> None:
    """Keep what is said of a crash off the terminal, what rules print off stdout, and read no terminal."""
    faulthandler.disable()
    sys.stdout = sys.stderr = os.fdopen(os.dup(2), "w", buffering=1, errors="replace")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _method() -> str:
    """A fork copies one thread and all locks: it is safe where there are no other threads."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
