"""Prints a report for people: every finding with its source, numbers, reasons and remedy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from coalint.core.findings import Note
from coalint.core.source.spans import Span
from coalint.engine.report import Diagnostic, Report
from coalint.reporters.shared.console import style_of, wrap
from coalint.reporters.shared.repeated_findings import repeats, repeats_text
from coalint.reporters.shared.source_frames import FrameLine, quote
from coalint.reporters.shared.summary import fold, prose, summary

CONTEXT = 2
ALSO = 3
"""How many other launches are named; the rest are counted."""
CHAIN = "the index gets there by"
"""Printed before assignments, which are quoted with their lines."""


def print_report(report: Report, console: Console) -> None:
    """Print all diagnostics, then the summary."""
    lines = _SourceLines(report.sources)
    shown, folded = fold(report.diagnostics)
    for diagnostic, others in repeats(shown):
        for text in _diagnostic(diagnostic, lines, console.width):
            console.print(text)
        if others:
            for text in prose("same", repeats_text(others), "coalint.quiet", console.width):
                console.print(text)
        console.print()
    for text in summary(report, folded, console.width):
        console.print(text)


class _SourceLines:
    """The lines of each file, split at line feeds only, as the compiler counts them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._split: dict[str, list[str]] = {}

    def of(self, file: str) -> list[str]:
        if file not in self._split:
            self._split[file] = self._sources.get(file, "").split("\n")
        return self._split[file]


def _diagnostic(diagnostic: Diagnostic, lines: _SourceLines, width: int) -> Iterator[Text]:
    finding = diagnostic.finding
    span = finding.span
    label = f"{finding.severity.label}[{finding.name}]"
    head = wrap(f"{label} {finding.message}", width)
    for index, line in enumerate(head):
        text = Text(line, "coalint.title")
        if index == 0:
            text.stylize(style_of(finding.severity), 0, len(label))
        yield text
    gutter = len(str(_last_line(diagnostic, lines)))
    where = Text(" " * (gutter + 1) + "--> ", "coalint.gutter")
    where.append(f"{span.file}:{span.line}:{span.column}", "coalint.place")
    where.append(f"  {finding.code}" + (f", kernel {finding.kernel}" if finding.kernel else ""), "coalint.quiet")
    yield where
    frame = list(quote(lines.of(span.file), span, width - gutter - 4, CONTEXT))
    if frame:
        yield Text(" " * (gutter + 2) + "|", "coalint.gutter")
        yield from _frame(frame, gutter, style_of(finding.severity))
        yield Text(" " * (gutter + 2) + "|", "coalint.gutter")
    quoted = False
    for note in finding.notes:
        quotes = _only_quotes(note, lines)
        if not (quotes and quoted):
            yield from _note(replace(note, message=CHAIN) if quotes else note, span, width)
        if note.span is not None and note.span != span:
            frame = list(quote(lines.of(note.span.file), note.span, width - gutter - 4))
            yield from _frame(frame, gutter, "coalint.note")
        quoted = quotes
    if finding.help:
        yield from prose("help", finding.help, "coalint.help", width)
    if finding.fix is not None:
        yield from prose("fix", finding.fix.description, "coalint.help", width)
    if diagnostic.basis:
        yield from prose("basis", diagnostic.basis, "coalint.quiet", width)
    if diagnostic.also:
        yield from prose("also", also_text(diagnostic.also), "coalint.quiet", width)


def _only_quotes(note: Note, lines: _SourceLines) -> bool:
    """Whether a note's message only quotes the code at its place, which is printed anyway."""
    span = note.span
    if span is None or not note.quote:
        return False
    text = "".join("".join(lines.of(span.file)[span.line - 1 : span.end_line]).split())
    return "".join(note.quote.split()) in text


def _note(note: Note, at: Span, width: int) -> Iterator[Text]:
    span = note.span
    elsewhere = span is not None and span.file != at.file
    message = f"{note.message} ({span.file}:{span.line}:{span.column})" if span and elsewhere else note.message
    yield from prose("note", message, "coalint.note", width)


def _frame(frame: list[FrameLine], gutter: int, mark: str) -> Iterator[Text]:
    for line in frame:
        number = "" if line.number is None else str(line.number)
        text = Text(f" {number:>{gutter}} | ", "coalint.gutter")
        text.append(line.text, mark if line.number is None else "")
        text.rstrip()
        yield text


def _last_line(diagnostic: Diagnostic, lines: _SourceLines) -> int:
    """Return the highest line number that is printed beside a source line."""
    span = diagnostic.finding.span
    last = min(span.line + CONTEXT, max(span.line, len(lines.of(span.file))))
    return max([last, *(note.span.line for note in diagnostic.finding.notes if note.span is not None)])


def also_text(also: tuple[str, ...]) -> str:
    """Return the first few other launches, and how many more there are."""
    rest = len(also) - ALSO
    return "; ".join(also[:ALSO]) + (f"; and {rest} more" if rest > 0 else "")
