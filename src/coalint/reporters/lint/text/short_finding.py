"""One finding in a dozen lines of 100 columns: headline, frame, a line each of why, help, basis and other places."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from coalint.core.findings import Finding
from coalint.engine.findings.groups import Group
from coalint.engine.report import Diagnostic
from coalint.reporters.lint.text.heading import headline, limited, place_line
from coalint.reporters.lint.text.source_lines import SourceLines, frame
from coalint.reporters.shared.console import style_of
from coalint.reporters.shared.places import places_text
from coalint.reporters.shared.source_frames import quote
from coalint.reporters.shared.summary import counted, prose

HEADLINE = 2
WHY = 2
HELP = 3
"""How many lines each part has at most, where lines are wrapped at all."""


def short_finding(group: Group, lines: SourceLines, width: int) -> Iterator[Text]:
    """Yield the lines of a finding: twelve at most at 100 columns."""
    diagnostic = group.shown
    finding = diagnostic.finding
    span = finding.span
    yield from headline(finding, width, HEADLINE)
    gutter = len(str(span.line))
    yield place_line(finding, gutter)
    yield from frame(list(quote(lines.of(span.file), span, width - gutter - 4)), gutter, style_of(finding.severity))
    yield from _cut("why", why(finding), "coalint.note", width, WHY)
    yield from _cut("help", finding.help, "coalint.help", width, HELP - (finding.fix is not None))
    if finding.fix is not None:
        yield from _cut("fix", f"--fix: {finding.fix.description}", "coalint.help", width, 1)
    yield from _cut("basis", basis(diagnostic), "coalint.quiet", width, 1)
    if group.others:
        label = "also at"
        yield from prose(label, places_text(group.others, width=width - len(label) - 4), "coalint.quiet", width)


def why(finding: Finding) -> str:
    """Return the first reason; empty where the finding gives none."""
    return next((note.message for note in finding.notes if note.span is None), "")


def basis(diagnostic: Diagnostic) -> str:
    """Return the launch that the numbers are for, and how many more the finding holds for."""
    if not diagnostic.also:
        return diagnostic.basis
    more = counted(len(diagnostic.also), "more launch", "more launches")
    return f"{diagnostic.basis}; {more}" if diagnostic.basis else more


def _cut(label: str, message: str, style: str, width: int, most: int) -> Iterator[Text]:
    if not message:
        return
    written = list(prose(label, message, style, width))
    for text, plain in zip(written, limited([text.plain for text in written], most, width), strict=False):
        cut = text.copy()
        cut.plain = plain
        yield cut
