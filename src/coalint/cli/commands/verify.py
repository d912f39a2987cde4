"""`coalint verify`: shows predictions beside what Nsight Compute counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration
from coalint.cli.setup.errors import UsageError, as_usage_errors
from coalint.cli.setup.executor import executor_of
from coalint.cli.setup.inputs import discover_files
from coalint.cli.terminal import print_failures, print_remarks, print_to_stdout

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options


def run(options: Options) -> int:
    """Compare one source with an export of counters; return the exit code. Raises UsageError."""
    from coalint.engine.linter import inspect
    from coalint.engine.request import RunRequest
    from coalint.engine.verification.comparison.launches import profiled_launches
    from coalint.engine.verification.export.errors import ExportError
    from coalint.engine.verification.verify import read_launches, verify
    from coalint.reporters.rendering import render_verification

    configuration = load_configuration(options)
    settings = configuration.run.settings
    if len(options.paths) > 1:
        raise UsageError("`verify` takes one source; for several, run it once for each with the same export")
    discovery = discover_files(options.paths, configuration)
    files, failures = discovery.files, discovery.failures
    if len(files) > 1:
        raise UsageError(f"{options.paths[0]} holds {len(files)} sources: name one of them")
    try:
        launches = read_launches(options.export, options.raw)
    except ExportError as error:
        raise UsageError(f"{options.export}: {error.message}\n  {error.remedy}") from error
    except OSError as error:
        raise UsageError(f"{error.filename or options.export}: {error.strerror or error}") from error
    with executor_of(settings) as executor, as_usage_errors():
        request = RunRequest(
            files=files,
            named=options.paths,
            settings=settings,
            settings_of=configuration.for_file,
            executor=executor,
            profiled=profiled_launches(launches),
        )
        inspection = inspect(request)
    failures = (*failures, *inspection.failures)
    print_remarks((*configuration.remarks, *discovery.remarks, *inspection.remarks))
    print_failures(failures)
    if failures or not files:
        return ExitCode.ERROR
    try:
        verification = verify(inspection, files[0], options.export, launches)
    except ExportError as error:
        raise UsageError(f"{options.export}: {error.message}\n  {error.remedy}") from error
    print_to_stdout(lambda: render_verification(verification, options.output_format or "text", options.color))
    return verification.exit_code
