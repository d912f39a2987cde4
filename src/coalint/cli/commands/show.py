"""The command `show`: from its options to maps on stdout or in files; and the maps beneath what `inspect` lists."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from coalint.cli.arguments.sources import UsageError, discovered, user_errors
from coalint.cli.terminal import print_failures, print_remarks, written
from coalint.engine.config.outputs import check, pictures, write

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from coalint.cli.arguments.options import Options
    from coalint.core.facts.assumptions import Given
    from coalint.engine.config.layers import Configuration
    from coalint.engine.inspection.maps import Showing
    from coalint.engine.inspection.targets import Place
    from coalint.engine.report import Inspection, Report

WRONG = 2
COSTLIEST = "the costliest access as a picture"
ONWARD = "with another warp, iteration, number or block shape"


def drawn(options: Options, configuration: Configuration) -> int:
    """Run the command; returns its exit code. Raises UsageError and OutputError."""
    from coalint.engine.inspection.maps import Request, ShowError, one_file, show, spot_of
    from coalint.engine.linter import inspect
    from coalint.reporters.rendering import render_showing, showing_text

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


def lead(report: Report, options: Options) -> None:
    """Name the command that draws the costliest finding: on a terminal alone, once for a run."""
    worst = max(report.diagnostics, key=lambda diagnostic: diagnostic.excess, default=None)
    if worst is None or worst.excess <= 0 or options.stdin is not None or not sys.stdout.isatty():
        return
    from coalint.engine.inspection.maps import Request, Spot
    from coalint.reporters.rendering import render_lead

    span = worst.finding.span
    request = Request(Spot(span.file, span.line, span.column))
    written(lambda: render_lead(COSTLIEST, (request.command, options.reading), options.color))


def drawn_beneath(
    options: Options,
    configuration: Configuration,
    places: Sequence[Place],
    files: Sequence[str],
    inspection: Inspection,
) -> None:
    """Draw the lines that `inspect` was asked for, each with the command that goes on from there. Raises UsageError.

    Without lines, name the command for the costliest access: on a terminal alone, since programs read what pipes get.
    """
    from coalint.engine.inspection.maps import costliest
    from coalint.reporters.rendering import render_lead, render_showing

    if options.stdin is not None:
        return
    if all(place.line is None for place in places):
        worst = costliest(inspection) if sys.stdout.isatty() else None
        if worst is not None:
            written(lambda: render_lead(COSTLIEST, (worst.command, options.reading), options.color))
        return
    with user_errors():
        showings = list(_showings(configuration, places, files, inspection))

    def write(showing: Showing) -> None:
        print()
        render_showing(showing, "text", options.color, ())
        print()
        render_lead(ONWARD, (showing.onward, options.reading), options.color)

    for showing in showings:
        written(lambda drawn=showing: write(drawn))  # type: ignore[misc]


def _showings(
    configuration: Configuration, places: Sequence[Place], files: Sequence[str], inspection: Inspection
) -> Iterator[Showing]:
    """The maps of the places at which an access stands; what else there is, `inspect` has said."""
    from coalint.core.facts.assumptions import NOTHING
    from coalint.engine.inspection.maps import Request, ShowError, Spot, show
    from coalint.engine.linter import inspect

    def analysed(given: Given) -> Inspection:
        if given == NOTHING:
            return inspection
        return inspect(files, configuration.run.settings, settings_of=configuration.of, given=given)

    for place in places:
        if place.line is not None:
            with suppress(ShowError):
                yield show(Request(Spot(place.path, place.line, place.column)), analysed)
