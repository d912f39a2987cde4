"""Runs a function over many items in supervised processes: one that crashes, hangs or grows loses its item only.

Each worker has one item and a pipe of its own. So the item that caused a crash is known, and killing a worker cannot
leave behind a lock that others wait for. `concurrent.futures` and pools built like it do not give this, nor a bound on
memory. Starting a worker by fork takes 3 ms, so even a single file gets one.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Generic, TypeVar

from coalint.engine.check.limits import Limits
from coalint.engine.check.losses import Loss, LossKind, too_long, too_much
from coalint.engine.execution.progress import Tick
from coalint.engine.execution.workers.interrupts import deferring_interrupts, holding_interrupts
from coalint.engine.execution.workers.process import (
    cores,
    safe_path,
    surroundings,
    without_main,
    worker_context,
    worker_main,
)
from coalint.engine.execution.workers.supervision import POLL, Worker, exit_cause
from coalint.engine.execution.workers.usage import usage

T = TypeVar("T")
R = TypeVar("R")

RECYCLED = 300 << 20


"""A worker that has grown by more bytes than this after an item is replaced."""


def map_items(
    function: Callable[[T], R],
    items: Sequence[T],
    jobs: int,
    lost: Callable[[T, Loss], R],
    limits: Limits | None = None,
    *,
    sizes: Sequence[int] = (),
    tick: Tick | None = None,
    finished: Callable[[R], None] | None = None,
    method: str | None = None,
    again: Callable[[T], T] = lambda item: item,
) -> Generator[R, None, None]:
    """Yield `function(item)` in the order of the items; `lost(item, cause)` where its process ended or was killed.

    Exceptions of `function` end the run, apart from MemoryError, which loses its item.

    Args:
        function: What is done to each item.
        items: The items.
        jobs: The number of processes; 0 for one per core.
        lost: Returns the result of an item that was lost, given the cause.
        limits: The limits for one item.
        sizes: Estimates of how long the items take; long ones start first.
        tick: Called ten times a second and after each item.
        finished: Called with each result as soon as there is one, in no order.
        method: `fork`, `forkserver` or `spawn`; None to fork where that is safe. Where this process is not forked,
            `function` and the items must be picklable.
        again: Returns what is tried in place of an item that crashed: once, in a new process, since earlier items may
            have corrupted the old one.
    """
    if not items:
        return
    from multiprocessing import current_process

    if current_process().daemon:  # it may have no children: it is a worker of another pool
        for item in items:
            result = function(item)
            if finished is not None:
                finished(result)
            yield result
        return
    jobs = min(jobs or cores(), len(items))
    pool = _Pool(
        function=function,
        items=items,
        jobs=jobs,
        lost=lost,
        limits=limits or Limits(),
        sizes=sizes,
        tick=tick,
        finished=finished,
        method=method,
        again=again,
    )
    yield from pool.run()


class _Pool(Generic[T, R]):
    def __init__(
        self,
        *,
        function: Callable[[T], R],
        items: Sequence[T],
        jobs: int,
        lost: Callable[[T, Loss], R],
        limits: Limits,
        sizes: Sequence[int],
        tick: Tick | None,
        finished: Callable[[R], None] | None,
        method: str | None,
        again: Callable[[T], T],
    ) -> None:
        self.function, self.items, self.jobs, self.lost, self.limits = function, items, jobs, lost, limits
        self.again = again
        self.tick = tick or (lambda done, running: None)
        self.finished = finished or (lambda result: None)
        self.context = worker_context(method)
        order = range(len(items))
        self.waiting = deque(sorted(order, key=lambda index: -sizes[index]) if sizes else order)
        self.repeated: set[int] = set()  # the items that crashed
        self.workers: list[Worker] = []
        self.results: dict[int, R] = {}
        self.fresh: deque[R] = deque()  # those that `finished` was not called with yet
        self.done = 0

    def run(self) -> Iterator[R]:
        """Yield the results in order."""
        try:
            for index in range(len(self.items)):
                while index not in self.results:
                    with deferring_interrupts():
                        self._step()
                    self._report()
                yield self.results.pop(index)
        finally:
            with holding_interrupts():
                for worker in self.workers:
                    worker.process.kill()
                for worker in self.workers:
                    worker.process.join()

    def _step(self) -> None:
        """Assign waiting items, receive results, and kill workers that exceed a limit."""
        from multiprocessing.connection import wait

        while len(self.workers) < min(self.jobs, len(self.items) - self.done):
            try:
                self._start()
            except (OSError, EOFError):  # no process or no memory is available: go on with those that run
                self.jobs = len(self.workers)
        for worker in self.workers:
            if worker.index is None and self.waiting:
                self._assign(worker)
        pipes = {worker.pipe: worker for worker in self.workers}
        for pipe in wait(list(pipes), POLL) if pipes else ():
            self._receive(pipes[pipe])  # type: ignore[index]
        now = time.monotonic()
        for worker in list(self.workers):
            if worker.index is not None and now - worker.since >= POLL:
                self._watch(worker, now)

    def _report(self) -> None:
        """Tell of new results, and of what goes on. Where there is no worker, this process does an item itself."""
        if not self.jobs and self.waiting:
            index = self.waiting.popleft()
            self._keep(index, self.function(self.items[index]))
        while self.fresh:
            self.finished(self.fresh.popleft())
        now = time.monotonic()
        self.tick(self.done, [(w.index, now - w.since) for w in self.workers if w.index is not None])

    def _start(self) -> None:
        parent_end, worker_end = self.context.Pipe()
        forks = self.context.get_start_method() == "fork"
        inherited = [parent_end, *(worker.pipe for worker in self.workers)] if forks else []
        arguments = (self.function, worker_end, inherited, self.limits, None if forks else surroundings())
        process = self.context.Process(target=worker_main, args=arguments, daemon=True)  # type: ignore[attr-defined]
        with holding_interrupts(), safe_path(), without_main():
            process.start()
            worker: Worker = Worker(process=process, pipe=parent_end, inherited=usage(process.pid).memory)
            self.workers.append(worker)
        worker_end.close()

    def _assign(self, worker: Worker) -> None:
        index = self.waiting.popleft()
        needs_new_process = index in self.repeated and worker.served
        if needs_new_process or not self._send(worker, index):
            self.waiting.appendleft(index)
            self._discard(worker)
            return
        worker.index, worker.since, worker.memory = index, time.monotonic(), 0
        worker.before, worker.looked, worker.waited = usage(worker.process.pid), worker.since, 0.0

    def _send(self, worker: Worker, index: int) -> bool:
        """Send an item to a worker; return False where the worker died between two items."""
        item = self.items[index]
        try:
            worker.pipe.send(self.again(item) if index in self.repeated else item)
        except OSError:
            return False
        return True

    def _receive(self, worker: Worker) -> None:
        try:
            succeeded, value = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            # Short of memory, libclang aborts; as buffers grow by doubling, a quarter of the bound is held by then.
            grew = self.limits.memory and worker.memory > self.limits.memory // 4
            if not grew and self._repeat(worker):
                return
            ended = Loss(LossKind.WORKER, exit_cause(worker.process.exitcode))
            self._lose(worker, too_much(self.limits.memory_text) if grew else ended)
            return
        if isinstance(value, MemoryError):
            self._lose(worker, too_much(self.limits.memory_text))
            return
        if not succeeded:
            raise value
        self._finish(worker, value)
        if usage(worker.process.pid).memory - worker.inherited > RECYCLED:
            self._discard(worker)

    def _repeat(self, worker: Worker) -> bool:
        """Queue the item of a crashed worker once more; return False where it cannot be, or did not crash."""
        index = worker.index
        if index is None or index in self.repeated or (worker.process.exitcode or 0) >= 0:
            return False
        self.repeated.add(index)
        self.waiting.appendleft(index)
        self._discard(worker)
        return True

    def _watch(self, worker: Worker, now: float) -> None:
        limits, used = self.limits, usage(worker.process.pid, with_copies=True)
        worker.memory = max(worker.memory, used.memory - worker.inherited)
        if used.waits:
            worker.waited += min(now - worker.looked, 10 * POLL)  # more is this process's own absence (Ctrl-Z)
        worker.looked = now
        worked = 0.0 if used.worked is None else used.worked - (worker.before.worked or 0.0)
        if limits.seconds and worked + worker.waited > limits.seconds:
            self._lose(worker, too_long(limits.seconds))
        elif limits.memory and worker.memory > limits.memory:
            self._lose(worker, too_much(limits.memory_text))

    def _finish(self, worker: Worker, result: R) -> None:
        assert worker.index is not None
        self._keep(worker.index, result)
        worker.index = None
        worker.served += 1

    def _keep(self, index: int, result: R) -> None:
        self.results[index] = result
        self.done += 1
        self.fresh.append(result)

    def _lose(self, worker: Worker, cause: Loss) -> None:
        if worker.index is not None:
            self._finish(worker, self.lost(self.items[worker.index], cause))
        self._discard(worker)

    def _discard(self, worker: Worker) -> None:
        self.workers.remove(worker)
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
