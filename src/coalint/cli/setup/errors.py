"""Errors that end a command with a message to the user and no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class UsageError(Exception):
    """Something on the command line is wrong; the text says what and what to do."""


@contextmanager
def as_usage_errors() -> Iterator[None]:
    """Raise UsageError with the same text for errors in the user's flags, files, configuration or repository."""
    from coalint.engine.config.layer import ConfigError
    from coalint.engine.findings.filters.baseline.known_findings import BaselineError
    from coalint.engine.findings.filters.changes.changed_lines import ChangesError
    from coalint.engine.findings.fixes.workspace import WriteError
    from coalint.engine.units.user_flags import PlanError

    try:
        yield
    except (BaselineError, ChangesError, ConfigError, PlanError, WriteError) as error:
        raise UsageError(str(error)) from error
