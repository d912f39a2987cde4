"""One finding at full length: source with context, every note, place and launch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rich.text import Text

from coalint.core.findings import Note
from coalint.core.source.source_lines import SourceLines
from coalint.core.source.spans import Span
from coalint.engine.findings.groups import Group
from coalint.engine.report import Diagnostic
from coalint.reporters.lint.text.heading import headline, place_line
from coalint.reporters.lint.text.quoted_lines import frame
from coalint.reporters.shared.console import style_of
from coalint.reporters.shared.launch_costs import launch_cost_text
from coalint.reporters.shared.places import other_places, place
from coalint.reporters.shared.source_frames import quote
from coalint.reporters.shared.summary import prose

CONTEXT = 2
INDEX = "the index is computed from:"
"""Printed before assignments, which are quoted with their lines."""
CONDITION = "the condition is computed from:"
"""The same in a finding about no access: on a barrier that part of the threads reach."""


def long_finding(group: Group, lines: SourceLines, width: int) -> Iterator[Text]:
    """Yield the lines of a finding."""
    diagnostic = group.shown
    finding = diagnostic.finding
    span = finding.span
    yield from headline(finding, width)
    gutter = len(str(_last_line(diagnostic, lines)))
    yield place_line(finding, gutter)
    quoted_lines = list(quote(lines.of_file(span.file), span, width - gutter - 4, CONTEXT))
    if quoted_lines:
        yield Text(" " * (gutter + 2) + "|", "coalint.gutter")
        yield from frame(quoted_lines, gutter, style_of(finding.severity))
        yield Text(" " * (gutter + 2) + "|", "coalint.gutter")
    quoted, chain = False, INDEX if finding.subjects else CONDITION
    for note in finding.notes:
        quotes = _only_quotes(note, lines)
        if quotes and note.span == span:
            continue  # what a macro computes stands at its use, which is quoted already
        if not (quotes and quoted):
            yield from _note(replace(note, message=chain) if quotes else note, span, width)
        if note.span is not None and note.span != span:
            at_note = list(quote(lines.of_file(note.span.file), note.span, width - gutter - 4))
            yield from frame(at_note, gutter, "coalint.note")
        quoted = quotes
    if finding.help:
        yield from prose("help", finding.help, "coalint.help", width)
    if finding.fix is not None:
        yield from prose("fix", finding.fix.description, "coalint.help", width)
    if diagnostic.basis:
        yield from prose("basis", diagnostic.basis, "coalint.quiet", width)
    weight = launch_cost_text(finding.launch_cost, with_formula=True)
    if weight:
        yield from prose("launch", weight, "coalint.quiet", width)
    if diagnostic.also:
        yield from prose("also for", "; ".join(diagnostic.also), "coalint.quiet", width)
    if group.others:
        yield from prose("also at", other_places(group), "coalint.quiet", width)
    for other in group.others:
        if other.finding.message != finding.message:
            yield from prose(place(other.finding.span), other.finding.message, "coalint.quiet", width)


def _only_quotes(note: Note, lines: SourceLines) -> bool:
    """Whether a note's message only quotes the code at its place, which is printed anyway."""
    span = note.span
    if span is None or not note.quote:
        return False
    text = "".join("".join(lines.of_file(span.file)[span.line - 1 : span.end_line]).split())
    return "".join(note.quote.split()) in text


def _note(note: Note, at: Span, width: int) -> Iterator[Text]:
    span = note.span
    elsewhere = span is not None and span.file != at.file
    message = f"{note.message} ({span.file}:{span.line}:{span.column})" if span and elsewhere else note.message
    yield from prose("note", message, "coalint.note", width)


def _last_line(diagnostic: Diagnostic, lines: SourceLines) -> int:
    """Return the highest line number that is printed beside a source line."""
    span = diagnostic.finding.span
    last = min(span.line + CONTEXT, max(span.line, len(lines.of_file(span.file))))
    return max([last, *(note.span.line for note in diagnostic.finding.notes if note.span is not None)])
