"""Why the check of a file or kernel was ended."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


class LossKind(Enum):
    """What ended a check."""

    TIME = "time"  # it took longer than it may
    MEMORY = "memory"  # it needed more than it may
    DEPTH = "depth"  # the source is too deeply nested
    WORKER = "worker"  # the process that checked it ended


@record(frozen=True, slots=True)
class Loss:
    """What ended a check, and in words."""

    kind: LossKind
    text: str

    def __str__(self) -> str:
        """Return the words."""
        return self.text


TOO_DEEP = Loss(LossKind.DEPTH, "it is too deeply nested")


def too_long(seconds: float) -> Loss:
    """Return the loss of what took longer than these seconds."""
    return Loss(LossKind.TIME, f"it took longer than {seconds:g} s")


def too_much(memory_text: str) -> Loss:
    """Return the loss of what needed more memory than `2048 MB`."""
    return Loss(LossKind.MEMORY, f"it needed more than {memory_text}")
