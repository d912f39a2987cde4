"""The exit codes of all commands."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes that the manual documents."""

    OK = 0
    FINDINGS = 1
    ERROR = 2
    INTERRUPTED = 130
