"""What the parent knows of one worker process: its item, and what it has used so far."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from coalint.core.records import record
from coalint.engine.execution.workers.usage import NOTHING, Usage

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

POLL = 0.1


"""Seconds between two measurements of the workers' memory."""


_BY_SYSTEM = ("SIGKILL", "SIGTERM")


@record
class Worker:
    """One worker process.

    Attributes:
        process: The process.
        pipe: Items go out through it, results come back.
        inherited: The bytes of memory that it held when it was forked.
        index: The item that it has; None where it waits for one.
        served: How many items it has finished.
        since: When it got its item, in seconds by the clock.
        before: What the process had used by then.
        looked: When it was last measured, in seconds by the clock.
        waited: Seconds for which it waited, and could not have used a processor.
        memory: The most bytes by which it has grown while at its item.
    """

    process: BaseProcess
    pipe: Connection
    inherited: int
    index: int | None = None
    served: int = 0
    since: float = 0.0
    before: Usage = NOTHING
    looked: float = 0.0
    waited: float = 0.0
    memory: int = 0


def exit_cause(exit_code: int | None) -> str:
    """Return what ended a worker, in words."""
    if exit_code is None or exit_code >= 0:
        return f"the process that checked it ended with exit code {exit_code}"
    names = {number.value: number.name for number in signal.Signals}
    name = names.get(-exit_code, f"signal {-exit_code}")
    if name in _BY_SYSTEM:
        return f"the process that checked it was killed ({name}), perhaps out of memory"
    return f"libclang crashed ({name})"
