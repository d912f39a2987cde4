"""The files that a command reads, and stdin in place of one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from coalint.cli.setup.errors import as_usage_errors

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options
    from coalint.engine.config.layers import Configuration
    from coalint.engine.findings.fixes.workspace import Workspace
    from coalint.engine.units.discovery import Discovery


def read_stdin(options: Options) -> Workspace | None:
    """Return a workspace in which stdin replaces the file that it is named as; None where stdin is not asked for."""
    if options.stdin is None:
        return None
    from coalint.engine.findings.fixes.workspace import Workspace

    return Workspace.around([(options.stdin, sys.stdin.buffer.read())])


def discover_files(paths: Sequence[str], configuration: Configuration, stdin: str | None = None) -> Discovery:
    """Return the files below the paths, with the failures of paths that cannot be read.

    `stdin` is the name under which stdin is read; it is the only file then.
    """
    from coalint.engine.units.discovery import Discovery, discover, is_excluded

    with as_usage_errors():
        if stdin is not None:
            return Discovery(() if is_excluded(stdin, configuration.for_file(stdin).excludes) else (stdin,))
        return discover(paths, excluding=lambda folder: configuration.in_folder(folder).settings.excludes)
