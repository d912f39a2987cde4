"""`coalint inspect`: lists every access and barrier, and draws those of the lines that are named."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration
from coalint.cli.setup.errors import as_usage_errors
from coalint.cli.setup.executor import executor_of
from coalint.cli.setup.inputs import discover_files, read_stdin
from coalint.cli.terminal import print_failures, print_remarks, print_to_stdout
from coalint.reporters.shared.escape_controls import escape_controls

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the accesses of files or places; return the exit code. Raises UsageError."""
    from coalint.cli.commands.support.drawings import draw_named_lines
    from coalint.cli.progress import progress_bar
    from coalint.engine.inspection.targets import at_places, split_places
    from coalint.engine.linter import inspect
    from coalint.engine.request import RunRequest
    from coalint.reporters.rendering import render_inspection

    configuration = load_configuration(options)
    settings = configuration.run.settings
    places = split_places(options.paths)
    stdin = read_stdin(options)
    named = [place.path for place in places]
    discovery = discover_files(named, configuration, options.stdin)
    files, failures = discovery.files, discovery.failures
    with executor_of(settings) as executor, progress_bar() as progress, as_usage_errors():
        request = RunRequest(
            files=files,
            named=named,
            settings=settings,
            settings_of=configuration.for_file,
            progress=progress,
            executor=executor,
            overlay=stdin.overlay if stdin else (),
        )
        inspection = inspect(request)
    narrowed, remarks = at_places(inspection, places)
    if files or options.output_format == "json":
        print_to_stdout(lambda: render_inspection(narrowed, options.output_format or "text", options.color))
    if files and options.output_format != "json":
        draw_named_lines(options, configuration, places, files, inspection)
    failures = (*failures, *inspection.failures)
    print_remarks((*configuration.remarks, *discovery.remarks, *inspection.remarks))
    print_failures(failures)
    for remark in remarks:
        print(escape_controls(f"coalint: {remark}"), file=sys.stderr)
    return ExitCode.ERROR if failures else ExitCode.OK
