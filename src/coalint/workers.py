"""Runs a function over many files, in several processes where that pays; a process that dies costs its file only."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

FEW = 3
"""Up to this many items one process is faster than starting others."""


def map_items(function: Callable[[T], R], items: Sequence[T], jobs: int, lost: Callable[[T], R]) -> Iterator[R]:
    """Yield `function(item)` in the order of the items; `lost(item)` where its process died.

    `jobs` is a number of processes, 0 for one per core. Workers are forked, so that `function` needs no pickling
    beyond its result; without fork everything runs in this process.
    """
    jobs = min(jobs or _cores(), len(items))
    if jobs < 2 or len(items) <= FEW or sys.platform not in ("linux", "darwin"):
        yield from (function(item) for item in items)
        return
    yield from _forked(function, items, jobs, lost)


def _forked(function: Callable[[T], R], items: Sequence[T], jobs: int, lost: Callable[[T], R]) -> Iterator[R]:
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    global _function, _items
    _function, _items = function, items
    fork = multiprocessing.get_context("fork")

    def pool(size: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(size, mp_context=fork, initializer=_ignore_interrupts)

    main = pool(jobs)
    try:
        futures: list[Future[R]] = [main.submit(_call, index) for index in range(len(items))]
        for index, future in enumerate(futures):
            try:
                yield future.result()
            except BrokenProcessPool:
                # Whose fault it was is not known: every item that has no result gets a process of its own.
                with pool(1) as single:
                    try:
                        yield single.submit(_call, index).result()
                    except BrokenProcessPool:
                        yield lost(items[index])
    finally:
        main.shutdown(wait=False, cancel_futures=True)


_function: Callable[..., object] | None = None
_items: Sequence[object] = ()


def _call(index: int) -> Any:
    assert _function is not None
    return _function(_items[index])


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
