"""The command `show`: from its options to maps on stdout or in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.outputs import check, pictures, write
from coalint.reading import UsageError, discovered, user_errors
from coalint.terminal import print_failures, print_remarks, written

if TYPE_CHECKING:
    from coalint.analysis.given import Given
    from coalint.configuration import Configuration
    from coalint.options import Options
    from coalint.report import Inspection

WRONG = 2


def drawn(options: Options, configuration: Configuration) -> int:
    """Run the command; returns its exit code. Raises UsageError and OutputError."""
    from coalint.linter import inspect
    from coalint.reporters import render_showing, showing_text
    from coalint.showing import Request, ShowError, one_file, show, spot_of

    view = options.view
    reports = pictures(options.output_format, options.output)
    check(reports)
    inspections: list[Inspection] = []

    def analysed(given: Given) -> Inspection:
        settings = configuration.run.settings
        inspections.append(inspect([file], settings, settings_of=configuration.of, given=given))
        return inspections[-1]

    try:
        spot = spot_of(options.paths[0])
        files, failures = discovered([spot.path], configuration)
        if failures or not files:
            print_failures(failures)
            return WRONG
        file = one_file(spot, files)
        request = Request(spot, view.warp, view.iteration, view.values, view.block, view.kernel)
        with user_errors():
            showing = show(request, analysed)
    except ShowError as error:
        if inspections and inspections[-1].failures:
            print_failures(inspections[-1].failures)
            return WRONG
        raise UsageError(str(error)) from error
    for report in reports:
        if report.file is not None:
            write(showing_text(showing, report.format, options.color, view.lanes), report.file)
        else:
            written(lambda to=report: render_showing(showing, to.format, options.color, view.lanes))  # type: ignore[misc]
    print_remarks((*configuration.remarks, *inspections[-1].remarks))
    print_failures(inspections[-1].failures)
    return WRONG if inspections[-1].failures else 0
