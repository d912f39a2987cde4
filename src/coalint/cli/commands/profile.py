"""`coalint profile`: counts what whole launches execute and move, as the profiler's source page does after a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration
from coalint.cli.setup.errors import as_usage_errors
from coalint.cli.setup.executor import executor_of
from coalint.cli.setup.inputs import discover_files
from coalint.cli.terminal import print_failures, print_remarks, print_to_stdout

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the profile of the kernels in files; return the exit code. Raises UsageError."""
    from coalint.cli.progress import progress_bar
    from coalint.engine.profile.build import profile
    from coalint.engine.request import RunRequest
    from coalint.reporters.rendering import render_profile

    given = tuple(f"{name} == {number}" for name, number in options.view.values)
    settings = replace(options.settings, assume_too=(*options.settings.assume_too, *given))
    configuration = load_configuration(replace(options, settings=settings))
    found = discover_files(list(options.paths), configuration, options.stdin)
    files, failures = found.files, found.failures
    run_settings = configuration.run.settings
    with executor_of(run_settings) as executor, progress_bar() as progress, as_usage_errors():
        request = RunRequest(
            files=files,
            named=list(options.paths),
            settings=run_settings,
            settings_of=configuration.of,
            progress=progress,
            executor=executor,
        )
        counted = profile(request)
    if files or options.output_format == "json":
        print_to_stdout(lambda: render_profile(counted, options.output_format or "text", options.color))
    failures = (*failures, *counted.failures)
    print_remarks((*configuration.remarks, *found.remarks, *counted.remarks))
    print_failures(failures)
    return ExitCode.ERROR if failures else ExitCode.OK
