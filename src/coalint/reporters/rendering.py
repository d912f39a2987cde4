"""Chooses the module that prints a result in a format, and writes to stdout or returns text."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from coalint.engine.config.outputs import FORMATS
from coalint.engine.report import Inspection, Report
from coalint.engine.units.cells import inspection_in_cells, report_in_cells
from coalint.reporters.lint.text.detail import SHORT, Detail

if TYPE_CHECKING:
    from coalint.engine.inspection.showing import Showing
    from coalint.engine.profile.records import Profile
    from coalint.engine.units.explanation import Explanations
    from coalint.engine.verification.verify import Verification
    from coalint.rule import Rule


_FOR_PEOPLE = frozenset({"full", "concise", "html", "junit", "markdown"})
"""Formats whose places are read by people: those in notebooks are named by their cells."""
STREAMED = ("full", "concise", "jsonl")
"""Formats in which findings can be written as they come."""
_MODULES = {
    **{name: f"coalint.reporters.lint.{name}" for name in FORMATS},
    "html": "coalint.reporters.html",
}


def render_report(
    report: Report, output_format: str, color: str, rules: Iterable[type[Rule]] = (), detail: Detail = SHORT
) -> None:
    """Write a report to stdout; `rules` are those that SARIF and the page describe, `detail` is for text."""
    report = report_in_cells(report) if output_format in _FOR_PEOPLE else report
    if output_format == "full":
        from coalint.reporters.lint.full import print_report
        from coalint.reporters.shared.console import console

        print_report(report, console(color), detail)
    else:
        sys.stdout.write(report_text(report, output_format, color, rules, detail))


def render_findings(report: Report, output_format: str, color: str, detail: Detail = SHORT) -> None:
    """Write the findings of a part of a run to stdout, without a summary, as one of `STREAMED`."""
    if output_format == "full":
        from coalint.reporters.lint.full import print_findings
        from coalint.reporters.shared.console import console

        print_findings(report_in_cells(report), console(color), detail)
    else:
        render_report(report, output_format, color)


def render_summary(report: Report, color: str, detail: Detail = SHORT) -> None:
    """Write what a run came to, to stdout, for people."""
    from coalint.reporters.lint.full import print_summary
    from coalint.reporters.shared.console import console

    print_summary(report_in_cells(report), console(color), detail)


def report_text(
    report: Report, output_format: str, color: str, rules: Iterable[type[Rule]] = (), detail: Detail = SHORT
) -> str:
    """Return a report in one of `coalint.engine.config.outputs.FORMATS`, as a file holds it."""
    report = report_in_cells(report) if output_format in _FOR_PEOPLE else report
    if output_format == "full":
        from coalint.reporters.lint.full import print_report
        from coalint.reporters.shared.console import console

        text = io.StringIO()
        print_report(report, console(color, text), detail)
        return text.getvalue()
    if output_format in ("sarif", "html"):
        return str(import_module(_MODULES[output_format]).report_text(report, rules))
    return str(import_module(_MODULES[output_format]).report_text(report))


def inspection_text(inspection: Inspection, output_format: str, color: str) -> str:
    """Return an inspection as `text` or `json`."""
    if output_format == "json":
        from coalint.reporters.inspect import json

        return json.inspection_text(inspection)
    from coalint.reporters.inspect.text import print_inspection
    from coalint.reporters.shared.console import console

    text = io.StringIO()
    print_inspection(inspection_in_cells(inspection), console(color, text))
    return text.getvalue()


def render_inspection(inspection: Inspection, output_format: str, color: str) -> None:
    """Write an inspection to stdout as `text` or `json`."""
    if output_format == "json":
        from coalint.reporters.inspect.json import inspection_text

        sys.stdout.write(inspection_text(inspection))
    else:
        from coalint.reporters.inspect.text import print_inspection
        from coalint.reporters.shared.console import console

        print_inspection(inspection_in_cells(inspection), console(color))


def render_profile(profile: Profile, output_format: str, color: str) -> None:
    """Write a profile to stdout as `text`, `json` or `html`."""
    if output_format == "text":
        from coalint.reporters.profile.text import print_profile
        from coalint.reporters.shared.console import console

        print_profile(profile, console(color))
    else:
        sys.stdout.write(profile_text(profile, output_format, color))


def profile_text(profile: Profile, output_format: str, color: str) -> str:
    """Return a profile as `text`, `json` or `html`, as a file holds it."""
    if output_format == "text":
        from coalint.reporters.profile.text import print_profile
        from coalint.reporters.shared.console import console

        text = io.StringIO()
        print_profile(profile, console(color, text))
        return text.getvalue()
    return str(import_module(f"coalint.reporters.profile.{output_format}").profile_text(profile))


def render_verification(verification: Verification, output_format: str, color: str) -> None:
    """Write a verification to stdout as `text` or `json`."""
    if output_format == "json":
        from coalint.reporters.verify.json import verification_text

        sys.stdout.write(verification_text(verification))
    else:
        from coalint.reporters.shared.console import console
        from coalint.reporters.verify.text import print_verification

        print_verification(verification, console(color))


def render_explanations(explained: Explanations, output_format: str, color: str) -> None:
    """Write how files are compiled to stdout as `text` or `json`."""
    if output_format == "json":
        from coalint.reporters.explain.json import explanations_text

        sys.stdout.write(explanations_text(explained))
    else:
        from coalint.reporters.explain.text import print_explanations
        from coalint.reporters.shared.console import console

        print_explanations(explained, console(color))


def render_showing(showing: Showing, output_format: str, color: str, lanes: Sequence[int]) -> None:
    """Write maps to stdout as `text`, `json` or `svg`; text lists the addresses of these lanes."""
    if output_format == "text":
        from coalint.reporters.shared.console import console
        from coalint.reporters.show.text import print_showing

        print_showing(showing, console(color), lanes)
    else:
        sys.stdout.write(showing_text(showing, output_format, color, lanes))


def render_lead(title: str, command: Iterable[str], color: str) -> None:
    """Write to stdout what a further command shows, and its command line, of these parts."""
    from rich.text import Text

    from coalint.reporters.shared.console import console

    line = Text(f"{title}: ", "coalint.quiet")
    console(color).print(line.append(" ".join(part for part in command if part), "coalint.place"))


def showing_text(showing: Showing, output_format: str, color: str, lanes: Sequence[int]) -> str:
    """Return maps as `text`, `json` or `svg`, as a file holds them."""
    if output_format == "text":
        from coalint.reporters.shared.console import console
        from coalint.reporters.show.text import print_showing

        text = io.StringIO()
        print_showing(showing, console(color, text), lanes)
        return text.getvalue()
    return str(import_module(f"coalint.reporters.show.{output_format}").showing_text(showing))
