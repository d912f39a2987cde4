"""Runs the check of files on any executor of `concurrent.futures`: threads, processes, a cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from coalint.engine.check.limits import with_deep_stack
from coalint.engine.check.losses import Loss, LossKind
from coalint.engine.execution.progress import Tick

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

T = TypeVar("T")
R = TypeVar("R")

ONE = threading.RLock()
"""Held while a file is checked, in a process in which several threads may do so."""


class LostItemError(Exception):
    """The worker that ran an item died; the text is the cause."""


def map_on(
    executor: Executor,
    function: Callable[[T], R],
    items: Sequence[T],
    lost: Callable[[T, Loss], R],
    tick: Tick | None = None,
    again: Callable[[T], T] = lambda item: item,
    finished: Callable[[R], None] | None = None,
) -> Generator[R, None, None]:
    """Yield `function(item)` in the order of the items; `lost(item, cause)` where LostItemError says why.

    An item that was lost is tried once more as `again(item)`, when nothing else runs: another item on the same worker
    may have caused the loss. `finished` is called with each result before it is yielded. Threads take turns, since
    libclang and the analysis are not thread-safe. Other errors of the executor end the run. Function and items must be
    picklable where the executor needs it.
    """
    futures = [executor.submit(_one_at_a_time, function, item) for item in items]
    try:
        for index, (item, future) in enumerate(zip(items, futures, strict=True), 1):
            if isinstance(future.exception(), LostItemError):
                from concurrent.futures import wait

                wait(futures)
                future = executor.submit(_one_at_a_time, function, again(item))
            result = _result(future, partial(lost, item))
            if finished is not None:
                finished(result)
            yield result
            if tick is not None:
                tick(index, ())
    finally:
        for future in futures:
            future.cancel()


def _result(future: Future[R], lost: Callable[[Loss], R]) -> R:
    try:
        return future.result()
    except LostItemError as error:
        return lost(Loss(LossKind.WORKER, str(error)))


def _one_at_a_time(function: Callable[[T], R], item: T) -> R:
    with ONE:
        return with_deep_stack(partial(function, item))
