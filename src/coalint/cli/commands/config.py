"""`coalint config`: shows the settings that apply to files or folders, and what set each."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration, load_registry
from coalint.cli.setup.errors import UsageError, as_usage_errors
from coalint.cli.terminal import print_remarks, print_to_stdout

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the settings, or the schema of a configuration file; return the exit code. Raises UsageError."""
    from coalint.reporters.config.report import print_config

    if options.output_format == "schema":
        from coalint.engine.config.schema import schema_text

        print_to_stdout(lambda: print(schema_text(), end=""))
        return ExitCode.OK
    missing = next((path for path in options.paths if not os.path.exists(path)), None)
    if missing is not None:
        raise UsageError(f"{missing}: no such file or folder")
    configuration = load_configuration(options, load_registry())
    with as_usage_errors():
        text = print_config(options.paths or (".",), configuration, options.output_format or "text")
    print_to_stdout(lambda: print(text, end=""))
    print_remarks(configuration.remarks)
    return ExitCode.OK
