"""What a command reads: files and folders, or stdin; what is wrong with them in words for the user."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coalint.cli.terminal import written

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options
    from coalint.engine.config.layers import Configuration
    from coalint.engine.findings.fixes.workspace import Workspace
    from coalint.engine.report import Failure


class UsageError(Exception):
    """Something on the command line is wrong; the text says what and what to do."""


@contextmanager
def user_errors() -> Iterator[None]:
    """What is wrong with the user's flags, files or repository ends the run with its own words."""
    from coalint.engine.config.files import ConfigError
    from coalint.engine.findings.filters.baseline import BaselineError
    from coalint.engine.findings.filters.changed_lines import ChangesError
    from coalint.engine.findings.fixes.workspace import WriteError
    from coalint.engine.units.plan import PlanError

    try:
        yield
    except (BaselineError, ChangesError, ConfigError, PlanError, WriteError) as error:
        raise UsageError(str(error)) from error


def stdin_of(options: Options) -> Workspace | None:
    """What stdin holds, in place of the file that it is named as."""
    if options.stdin is None:
        return None
    from coalint.engine.findings.fixes.workspace import Workspace

    return Workspace.around([(options.stdin, sys.stdin.buffer.read())])


def print_bytes(data: bytes) -> None:
    """Write to stdout what is no text of coalint's own."""

    def write() -> None:
        sys.stdout.buffer.write(data)

    written(write)


def discovered(
    paths: Sequence[str], configuration: Configuration, stdin: str | None = None
) -> tuple[tuple[str, ...], tuple[Failure, ...]]:
    """The files to look at; `stdin` is the only one where it is read from there."""
    from coalint.engine.units.discovery import discover, is_excluded

    with user_errors():
        if stdin is not None:
            return (() if is_excluded(stdin, configuration.of(stdin).excludes) else (stdin,)), ()
        discovery = discover(paths, excluding=lambda folder: configuration.in_folder(folder).settings.excludes)
    return discovery.files, discovery.failures
