"""The report for people: every finding with its source, its numbers, why, and what to do."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.text import Text

from coalint.diagnostics import Note, Severity, Span
from coalint.report import Coverage, Diagnostic, Report
from coalint.reporters.console import style_of
from coalint.reporters.frames import FrameLine, quote

CONTEXT = 2
ALSO = 3
"""How many other launches are named before the rest are counted."""
REASONS = 3


def print_report(report: Report, console: Console) -> None:
    """Print all diagnostics, then the summary."""
    lines = _Lines(report.sources)
    for diagnostic in report.diagnostics:
        for text in _diagnostic(diagnostic, lines, console.width):
            console.print(text)
        console.print()
    for text in _summary(report, console.width):
        console.print(text)


class _Lines:
    """The lines of each file, split once, at line feeds only, as the compiler counts them."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources
        self._split: dict[str, list[str]] = {}

    def of(self, file: str) -> list[str]:
        if file not in self._split:
            self._split[file] = self._sources.get(file, "").split("\n")
        return self._split[file]


def _diagnostic(diagnostic: Diagnostic, lines: _Lines, width: int) -> Iterator[Text]:
    finding = diagnostic.finding
    span = finding.span
    label = f"{finding.severity.label}[{finding.name}]"
    head = textwrap.wrap(f"{label} {finding.message}", width, break_long_words=False, break_on_hyphens=False)
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
    for note in finding.notes:
        yield from _note(note, span, lines, gutter, width)
    if finding.help:
        yield from _prose("help", finding.help, "coalint.help", width)
    if finding.fix is not None:
        yield from _prose("fix", finding.fix.description, "coalint.help", width)
    if diagnostic.basis:
        yield from _prose("basis", diagnostic.basis, "coalint.quiet", width)
    if diagnostic.also:
        yield from _prose("also", also_text(diagnostic.also), "coalint.quiet", width)


def _note(note: Note, at: Span, lines: _Lines, gutter: int, width: int) -> Iterator[Text]:
    span = note.span
    elsewhere = span is not None and span.file != at.file
    message = f"{note.message} ({span.file}:{span.line}:{span.column})" if span and elsewhere else note.message
    yield from _prose("note", message, "coalint.note", width)
    if span is not None and span != at:
        yield from _frame(quote(lines.of(span.file), span, width - gutter - 4), gutter, "coalint.note")


def _frame(frame: Iterator[FrameLine] | list[FrameLine], gutter: int, mark: str) -> Iterator[Text]:
    for line in frame:
        number = "" if line.number is None else str(line.number)
        text = Text(f" {number:>{gutter}} | ", "coalint.gutter")
        text.append(line.text, mark if line.number is None else "")
        text.rstrip()
        yield text


def _prose(label: str, message: str, style: str, width: int) -> Iterator[Text]:
    indent = " " * (len(label) + 4)
    for index, paragraph in enumerate(message.splitlines() or [""]):
        first = f"  {label}: " if index == 0 else indent
        wrapped = textwrap.wrap(
            paragraph,
            width,
            initial_indent=first,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [first]
        for number, line in enumerate(wrapped):
            text = Text(line)
            if index == 0 and number == 0:
                text.stylize(style, 0, len(first) - 1)
            yield text


def _last_line(diagnostic: Diagnostic, lines: _Lines) -> int:
    """The highest line number that is printed beside a source line."""
    span = diagnostic.finding.span
    last = min(span.line + CONTEXT, max(span.line, len(lines.of(span.file))))
    return max([last, *(note.span.line for note in diagnostic.finding.notes if note.span is not None)])


def also_text(also: tuple[str, ...]) -> str:
    """The first few other launches, and how many more there are."""
    rest = len(also) - ALSO
    return "; ".join(also[:ALSO]) + (f"; and {rest} more" if rest > 0 else "")


# --- the summary


def _summary(report: Report, width: int) -> Iterator[Text]:
    coverage = report.coverage
    counts = [
        (severity, report.count(severity)) for severity in sorted(Severity, reverse=True) if report.count(severity)
    ]
    line = Text()
    for index, (severity, count) in enumerate(counts):
        line.append(", " if index else "")
        word = severity.label if severity is Severity.INFO else plural(count, severity.label)
        line.append(f"{count} {word}", style_of(severity))
    line.append("" if counts else "no findings", "coalint.title")
    line.append(f" in {counted(report.files, 'file')}: {coverage_text(coverage)}")
    yield from line.wrap(_measure(), width)
    for text in gaps(coverage):
        yield from (Text(part) for part in textwrap.wrap(text, width, subsequent_indent="  "))


def coverage_text(coverage: Coverage) -> str:
    """Kernels and accesses, as both summaries say them."""
    kernels = counted(coverage.kernels, "kernel")
    accesses = counted(coverage.accesses, "access", "accesses")
    text = f"{kernels}, {accesses}"
    if coverage.accesses:
        text += f" ({coverage.exact} exact, {coverage.symbolic} symbolic, {coverage.unknown} unknown)"
    return text


def gaps(coverage: Coverage) -> Iterator[str]:
    """What was not analysed and why, in counts."""
    lost = coverage.kernels - coverage.analysed
    if lost:
        yield f"not analysed: {counted(lost, 'kernel')} (the findings COA902 and COA903 say why)"
    if coverage.unknown:
        shown = list(coverage.reasons.items())[:REASONS]
        rest = coverage.unknown - sum(count for _, count in shown)
        parts = [f"{count}x {reason}" for reason, count in shown] + ([f"{rest} for other reasons"] if rest else [])
        yield f"unknown: {counted(coverage.unknown, 'access', 'accesses')}: {'; '.join(parts)}"


def plural(count: int, word: str, words: str | None = None) -> str:
    """The word in the number that `count` asks for."""
    return word if count == 1 else words or f"{word}s"


def counted(count: int, word: str, words: str | None = None) -> str:
    """`3 kernels`."""
    return f"{count} {plural(count, word, words)}"


def _measure() -> Console:
    return Console(width=80)
