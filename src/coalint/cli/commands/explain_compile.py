"""`coalint explain-compile`: shows how files are compiled, and what libclang says to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration
from coalint.cli.setup.errors import as_usage_errors
from coalint.cli.setup.inputs import discover_files
from coalint.cli.terminal import print_failures, print_remarks, print_to_stdout

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the explanations of files; return the exit code. Raises UsageError."""
    from coalint.engine.units.explanation import explain
    from coalint.reporters.rendering import render_explanations

    configuration = load_configuration(options)
    discovery = discover_files(options.paths, configuration)
    files, failures = discovery.files, discovery.failures
    with as_usage_errors():
        explained = explain(files, configuration.run.settings, configuration.for_file, options.paths)
    if files or options.output_format == "json":
        print_to_stdout(lambda: render_explanations(explained, options.output_format or "text", options.color))
    failures = (*failures, *(item.failure for item in explained.files if item.failure is not None))
    print_remarks((*configuration.remarks, *discovery.remarks, *explained.remarks))
    print_failures(failures)
    return ExitCode.ERROR if failures else ExitCode.OK
