"""The maps beneath what `inspect` lists, and the command lines that lead from a report to a map."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from coalint.cli.setup.errors import as_usage_errors
from coalint.cli.terminal import print_to_stdout

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from coalint.cli.arguments.options import Options
    from coalint.core.facts.assumptions import Given
    from coalint.engine.config.layers import Configuration
    from coalint.engine.inspection.showing import Showing
    from coalint.engine.inspection.targets import TargetPlace
    from coalint.engine.report import Inspection, Report

COSTLIEST = "the costliest access as a picture"
ONWARD = "with another warp, iteration, number or block shape"


def name_costliest_finding(report: Report, options: Options) -> None:
    """Print the command that draws the costliest finding, where stdout is a terminal."""
    worst = max(report.diagnostics, key=lambda diagnostic: diagnostic.excess, default=None)
    if worst is None or worst.excess <= 0 or options.stdin is not None or not sys.stdout.isatty():
        return
    from coalint.engine.inspection.requests import Request, spot_at
    from coalint.reporters.rendering import render_lead

    request = Request(spot=spot_at(worst.finding.span))
    print_to_stdout(lambda: render_lead(COSTLIEST, (request.command, options.source_options), options.color))


def draw_named_lines(
    options: Options,
    configuration: Configuration,
    places: Sequence[TargetPlace],
    files: Sequence[str],
    inspection: Inspection,
) -> None:
    """Draw the lines that `inspect` was asked for, each with the command that draws it otherwise. Raises UsageError.

    Without lines, print the command for the costliest access, where stdout is a terminal: programs read pipes.
    """
    from coalint.engine.inspection.costliest import costliest
    from coalint.reporters.rendering import render_lead, render_showing

    if options.stdin is not None:
        return
    if all(place.line is None for place in places):
        worst = costliest(inspection) if sys.stdout.isatty() else None
        if worst is not None:
            print_to_stdout(lambda: render_lead(COSTLIEST, (worst.command, options.source_options), options.color))
        return
    with as_usage_errors():
        showings = list(_showings(configuration, places, files, inspection))

    def draw(showing: Showing) -> None:
        print()
        render_showing(showing, "text", options.color, ())
        print()
        render_lead(ONWARD, (showing.onward, options.source_options), options.color)

    for showing in showings:
        print_to_stdout(lambda showing=showing: draw(showing))  # type: ignore[misc]


def _showings(
    configuration: Configuration, places: Sequence[TargetPlace], files: Sequence[str], inspection: Inspection
) -> Iterator[Showing]:
    """Yield the maps of the places that have an access; `inspect` has said what is wrong with the others."""
    from coalint.core.facts.assumptions import NOTHING
    from coalint.engine.inspection.maps import show
    from coalint.engine.inspection.requests import Request, ShowError, Spot
    from coalint.engine.linter import inspect
    from coalint.engine.request import RunRequest

    def inspect_given(given: Given) -> Inspection:
        if given == NOTHING:
            return inspection
        settings = configuration.run.settings
        return inspect(
            RunRequest(
                files=files,
                named=[place.path for place in places],
                settings=settings,
                settings_of=configuration.for_file,
                given=given,
            )
        )

    for place in places:
        if place.line is not None:
            with suppress(ShowError):
                yield show(Request(spot=Spot(path=place.path, line=place.line, column=place.column)), inspect_given)
