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
from coalint.engine.config.outputs import PROFILES, by_suffix, check, write

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Print the profile of the kernels in files; return the exit code. Raises UsageError and OutputError."""
    from coalint.cli.progress import progress_bar
    from coalint.engine.profile.build import profile
    from coalint.engine.request import RunRequest
    from coalint.reporters.rendering import profile_text, render_profile

    reports = by_suffix(options.output_format, options.output, PROFILES)
    check(reports)
    given = tuple(f"{name} == {number}" for name, number in options.view.values)
    settings = replace(options.settings, assume_too=(*options.settings.assume_too, *given))
    configuration = load_configuration(replace(options, settings=settings))
    discovery = discover_files(list(options.paths), configuration, options.stdin)
    files, failures = discovery.files, discovery.failures
    run_settings = configuration.run.settings
    with executor_of(run_settings) as executor, progress_bar() as progress, as_usage_errors():
        request = RunRequest(
            files=files,
            named=list(options.paths),
            settings=run_settings,
            settings_of=configuration.for_file,
            progress=progress,
            executor=executor,
        )
        counted = profile(request)
    for report in reports:
        if report.file is not None:
            write(profile_text(counted, report.format, options.color), report.file)
        elif files or report.format != "text":
            print_to_stdout(lambda to=report: render_profile(counted, to.format, options.color))  # type: ignore[misc]
    failures = (*failures, *counted.failures)
    print_remarks((*configuration.remarks, *discovery.remarks, *counted.remarks))
    print_failures(failures)
    return ExitCode.ERROR if failures else ExitCode.OK
