"""A progress bar on stderr, for runs on a terminal that take longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 1.0
"""Seconds until the bar is shown."""


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback for the number of files done and of all files; None where stderr is no terminal, or `quiet`.

    The bar is drawn by the callback alone, by no thread of its own, since workers are forked while it is shown. It is
    removed at the end.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    begin = time.monotonic()
    bar: Progress | None = None
    task: TaskID | None = None

    def show(done: int, total: int) -> None:
        nonlocal bar, task
        if bar is None and time.monotonic() - begin >= DELAY and done < total:
            bar = _bar()
            task = bar.add_task("checking", total=total)
            bar.start()
        if bar is not None and task is not None:
            bar.update(task, completed=done, total=total, refresh=True)

    try:
        yield show
    finally:
        if bar is not None:
            bar.stop()


def _bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("files"))
    return Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
