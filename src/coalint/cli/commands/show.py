"""`coalint show`: draws the accesses of one line for one warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.cli.exit_codes import ExitCode
from coalint.cli.setup.configuration import load_configuration
from coalint.cli.setup.errors import UsageError, as_usage_errors
from coalint.cli.setup.inputs import discover_files
from coalint.cli.terminal import print_failures, print_remarks, print_to_stdout
from coalint.engine.config.outputs import PICTURES, by_suffix, check, write

if TYPE_CHECKING:
    from coalint.cli.arguments.options import Options
    from coalint.core.facts.assumptions import Given
    from coalint.engine.report import Inspection


def run(options: Options) -> int:
    """Draw the maps on stdout or into files; return the exit code. Raises UsageError and OutputError."""
    from coalint.engine.inspection.maps import show
    from coalint.engine.inspection.requests import Request, ShowError, one_file, spot_of
    from coalint.engine.linter import inspect
    from coalint.engine.request import RunRequest
    from coalint.reporters.rendering import render_showing, showing_text

    configuration = load_configuration(options)
    view = options.view
    reports = by_suffix(options.output_format, options.output, PICTURES)
    check(reports)
    inspections: list[Inspection] = []

    def inspect_given(given: Given) -> Inspection:
        settings = configuration.run.settings
        request = RunRequest(files=[file], settings=settings, settings_of=configuration.for_file, given=given)
        inspections.append(inspect(request))
        return inspections[-1]

    try:
        spot = spot_of(options.paths[0])
        discovery = discover_files([spot.path], configuration)
        if discovery.failures or not discovery.files:
            print_failures(discovery.failures)
            return ExitCode.ERROR
        file = one_file(spot, discovery.files)
        request = Request(
            spot=spot,
            warp=view.warp,
            iteration=view.iteration,
            values=view.values,
            block=view.block,
            kernel=view.kernel,
        )
        with as_usage_errors():
            showing = show(request, inspect_given)
    except ShowError as error:
        if inspections and inspections[-1].failures:
            print_failures(inspections[-1].failures)
            return ExitCode.ERROR
        raise UsageError(str(error)) from error
    for report in reports:
        if report.file is not None:
            write(showing_text(showing, report.format, options.color, view.lanes), report.file)
        else:
            print_to_stdout(lambda to=report: render_showing(showing, to.format, options.color, view.lanes))  # type: ignore[misc]
    print_remarks((*configuration.remarks, *discovery.remarks, *inspections[-1].remarks))
    print_failures(inspections[-1].failures)
    return ExitCode.ERROR if inspections[-1].failures else ExitCode.OK
