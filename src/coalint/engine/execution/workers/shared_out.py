"""Shares the kernels of one file out among processes: where few files are checked, cores would be idle.

The process that has read the file is forked, so that nothing is read or sent to begin with. Each copy takes the next
item as soon as it is free and hands over its results at the end. What a copy that is lost took is done again.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import NoReturn, TypeVar

from coalint.engine.check.clock import Clock
from coalint.engine.check.limits import PR_SET_PDEATHSIG

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 0.15
"""Seconds of processor time that the first items take before others are shared out: a fork takes 10 to 30 ms."""
_NUMBER = 4  # bytes of an item's number in a pipe
_FILLS = 10_000  # numbers, which a pipe holds at once


def shared_out(function: Callable[[T], R], items: Sequence[T], processes: int, clock: Clock) -> list[R]:
    """Return `function(item)` for each item, in order; long work is done by up to so many processes.

    `clock` counts what all of them take. The results of `function` must be picklable, and what else it does is lost.
    """
    results: dict[int, R] = {}
    begin = time.process_time()
    while len(results) < len(items):
        ahead = len(items) - len(results)
        if processes > 1 and ahead > 1 and time.process_time() - begin > AHEAD:
            numbers = range(len(results), min(len(items), len(results) + _FILLS))
            results.update(_by_all(function, items, numbers, min(processes, ahead), clock))
        else:
            results[len(results)] = function(items[len(results)])
    return [results[number] for number in range(len(items))]


def processes_for_each(items: int, jobs: int) -> int:
    """Return how many of `jobs` processes each of so many items may have, where all are done at once."""
    if sys.platform != "linux" or not 0 < items <= jobs // 2:  # elsewhere no copy would end with its parent
        return 1
    from multiprocessing import current_process

    return 1 if current_process().daemon else jobs // items  # the worker of another pool may start none


def _by_all(
    function: Callable[[T], R], items: Sequence[T], numbers: Sequence[int], processes: int, clock: Clock
) -> dict[int, R]:
    queue, end = os.pipe()
    os.write(end, b"".join(number.to_bytes(_NUMBER, sys.byteorder) for number in numbers))
    os.close(end)
    clock.share_with(processes)
    original = os.getpid()
    copies: list[tuple[int, int]] = []

    def done() -> Iterator[tuple[int, R]]:
        while taken := os.read(queue, _NUMBER):
            number = int.from_bytes(taken, sys.byteorder)
            yield number, function(items[number])

    try:
        for number in range(1, processes):
            pipe, write = os.pipe()
            copy = _forked()
            if copy == 0:
                _serve(original, write, number, clock, done)
            os.close(write)
            copies.append((copy, pipe))
            if copy < 0:  # no process or no memory is available
                break
        results = dict(done())
        for _, pipe in copies:
            results.update(_received(pipe))
    finally:
        os.close(queue)
        for copy, pipe in copies:
            os.close(pipe)
            if copy > 0:
                with suppress(ProcessLookupError):
                    os.kill(copy, signal.SIGKILL)
                os.waitpid(copy, 0)
    return results | {number: function(items[number]) for number in numbers if number not in results}


def _forked() -> int:
    """Return 0 in a copy of this process, and the copy's number in this one; -1 where there can be none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: that of a worker's deep stack is this one
        try:
            return os.fork()
        except OSError:
            return -1


def _serve(
    original: int, pipe: int, number: int, clock: Clock, done: Callable[[], Iterator[tuple[int, R]]]
) -> NoReturn:
    """Do what is in the queue, and hand over the results, in a process that ends with the `original`."""
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() == original:  # else it has ended before
            clock.become_copy(number)
            results = list(done())
            clock.note()
            with open(pipe, "wb") as file:
                pickle.dump(results, file, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)


def _received(pipe: int) -> list[tuple[int, R]]:
    """Return what a copy hands over; nothing where it was lost."""
    try:
        with open(pipe, "rb", closefd=False) as file:
            received: list[tuple[int, R]] = pickle.load(file)
        return received
    except (OSError, EOFError, pickle.UnpicklingError):
        return []
