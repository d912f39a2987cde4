"""A progress bar on stderr, for runs on a terminal that take longer than a second."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

    from coalint.engine.execution.progress import Progress

DELAY = 1.0
"""Seconds until the bar is shown."""
_LONG = 2.0
"""Seconds of a file's check from which the file is named."""
_TOO_EARLY = 0.05
"""The part of the work that must be done before the time left is told."""


@contextmanager
def progress_bar(quiet: bool = False) -> Iterator[ProgressBar | None]:
    """Yield what follows a run; None where stderr is no terminal, or `quiet`. The bar is removed at the end."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    bar = ProgressBar()
    try:
        yield bar
    finally:
        bar.remove()


class ProgressBar:
    """Files, kernels, the time left, and the file that takes long.

    It is drawn when it is called, by no thread of its own, since workers are forked while it is shown.
    """

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __call__(self, progress: Progress) -> None:
        """Draw how far the run is."""
        elapsed = time.monotonic() - self._begin
        if self._bar is None and elapsed >= DELAY and progress.done < progress.total:
            self._bar = _bar()
            self._task = self._bar.add_task("checking", total=progress.total, told="")
            self._bar.start()
        if self._bar is not None and self._task is not None:
            told = state_text(progress, elapsed)
            self._bar.update(self._task, completed=progress.done, total=progress.total, told=told, refresh=True)

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Take the bar away while something else is printed; the next call draws it again."""
        self.remove()
        yield

    def remove(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
        self._bar = self._task = None


def state_text(progress: Progress, elapsed: float) -> str:
    """Return the kernels, the time left and the file that takes long: `31 kernels, 12 s left, gemm.cu takes 4 s`.

    `elapsed` are the seconds since the run began.
    """
    parts = [f"{progress.kernels} kernel{'s' if progress.kernels != 1 else ''}"]
    if progress.share >= _TOO_EARLY and progress.done < progress.total:
        parts.append(f"{_time(elapsed * (1 - progress.share) / progress.share)} left")
    if progress.running and progress.running[0][1] >= _LONG:
        path, taken = progress.running[0]
        parts.append(f"{os.path.basename(path)} takes {_time(taken)}")
    return ", ".join(parts)


def _time(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} s" if whole < 120 else f"{round(whole / 60)} min"


def _bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TextColumn("files, {task.fields[told]}", markup=False),
    )
    console = Console(stderr=True)
    return Progress(
        *columns, console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
