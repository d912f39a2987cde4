"""The end of a report: counts of findings, coverage, what was read only in part, what is unknown and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from coalint.core.findings import Severity
from coalint.engine.findings.groups import Group
from coalint.engine.report import Coverage, Diagnostic, Hidden, Report
from coalint.reporters.shared.console import style_of, wrap
from coalint.reporters.shared.escape_controls import without_controls
from coalint.rule import is_own

REASONS = 3
FEW = 3
"""Up to this many findings about coalint's own reading are shown one by one; more are folded into counts."""
GROUPS = 4


def fold(diagnostics: Sequence[Diagnostic], *, every: bool = False) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the findings to show, and those to fold into counts: what was read only in part, where there is much.

    With `every`, few are folded too.
    """
    shown: list[Diagnostic] = []
    folded: list[Diagnostic] = []
    for diagnostic in diagnostics:
        minor = is_own(diagnostic.finding.code) and diagnostic.finding.severity is Severity.INFO
        (folded if minor else shown).append(diagnostic)
    return (list(diagnostics), []) if len(folded) <= FEW and not every else (shown, folded)


def summary(
    report: Report, groups: Sequence[Group], folded: Sequence[Diagnostic], width: int, *, info: bool = True
) -> Iterator[Text]:
    """Yield the closing lines; without `info`, findings of that severity are not among the counts."""
    yield from _folded(folded, width)
    coverage = report.coverage
    counts = [(severity, words) for severity, words in severity_counts(groups) if info or severity > Severity.INFO]
    line = Text()
    for index, (severity, words) in enumerate(counts):
        line.append(", " if index else "")
        line.append(words, style_of(severity))
    if not counts:
        line.append("no errors or warnings" if groups else "no findings", "coalint.title")
    line.append(f" in {counted(report.files, 'file')}: {coverage_text(coverage)}")
    yield from _wrapped(line, width)
    for text in (*hidden(report.hidden), *gaps(coverage), *installed_headers(coverage)):
        yield from (Text(part) for part in wrap(text, width, rest="  "))


def severity_counts(groups: Sequence[Group]) -> list[tuple[Severity, str]]:
    """Return the severities that occur, the worst first, each with its count in words: `2 errors`, `5 info`."""
    numbers = Counter(group.severity for group in groups)
    counts = [(severity, numbers[severity]) for severity in sorted(Severity, reverse=True)]
    return [(s, f"{n} {s.label if s is Severity.INFO else plural(n, s.label)}") for s, n in counts if n]


def coverage_text(coverage: Coverage) -> str:
    """Return the counts of kernels and accesses in words."""
    kernels = counted(coverage.kernels, "kernel")
    accesses = counted(coverage.accesses, "access", "accesses")
    text = f"{kernels}, {accesses}"
    if coverage.accesses:
        text += f" ({coverage.exact} exact, {coverage.symbolic} symbolic, {coverage.unknown} unknown)"
    return text


def hidden(counts: Hidden) -> Iterator[str]:
    """Yield how many findings are not reported, and for what reasons."""
    parts = (
        (counts.comments, "by comments"),
        (counts.baseline, "by the baseline"),
        (counts.unchanged, "outside of what changed"),
        (counts.severity, "below --min-severity"),
    )
    reasons = ", ".join(f"{count} {reason}" for count, reason in parts if count)
    if reasons:
        yield f"not reported: {reasons}"
    if counts.more:
        yield f"not printed: {counted(counts.more, 'more finding')} (--max-findings)"


def gaps(coverage: Coverage) -> Iterator[str]:
    """Yield how many kernels and accesses were not analysed, and why."""
    lost = coverage.kernels - coverage.analysed - coverage.partial
    if coverage.partial:
        yield f"read in part: {counted(coverage.partial, 'kernel')} (what could not be parsed is not analysed)"
    if lost:
        yield f"not analysed: {counted(lost, 'kernel')} (the findings COA902 and COA903 say why)"
    if coverage.unknown:
        shown = list(coverage.reasons.items())[:REASONS]
        rest = coverage.unknown - sum(count for _, count in shown)
        parts = [f"{count}x {reason}" for reason, count in shown] + ([f"{rest} for other reasons"] if rest else [])
        yield f"unknown: {counted(coverage.unknown, 'access', 'accesses')}: {'; '.join(parts)}"


def installed_headers(coverage: Coverage) -> Iterator[str]:
    """Yield which headers are of this machine and not of coalint: without them results may differ."""
    if coverage.installed:
        read = "; ".join(f"{_first_of(names)} in {folder}" for folder, names in coverage.installed.items())
        yield f"headers of this machine, which coalint's own lack (--toolkit): {read}"


def _first_of(names: Sequence[str]) -> str:
    more = f" and {len(names) - REASONS} more" if len(names) > REASONS else ""
    return ", ".join(names[:REASONS]) + more


def plural(count: int, word: str, words: str | None = None) -> str:
    """Return the singular or plural of a word for a count."""
    return word if count == 1 else words or f"{word}s"


def counted(count: int, word: str, words: str | None = None) -> str:
    """Return `3 kernels`."""
    return f"{count} {plural(count, word, words)}"


def _wrapped(line: Text, width: int) -> Iterator[Text]:
    for part in line.wrap(Console(width=width), width):
        part.rstrip()
        yield part


def _folded(folded: Sequence[Diagnostic], width: int) -> Iterator[Text]:
    if not folded:
        return
    files = len({diagnostic.finding.span.file for diagnostic in folded})
    head = f"read only in part: {counted(len(folded), 'place')} in {counted(files, 'file')}"
    yield Text(f"{head} (--output-format concise lists them)", "coalint.info")
    groups: dict[str, list[Diagnostic]] = {}
    for diagnostic in folded:
        groups.setdefault(diagnostic.finding.message, []).append(diagnostic)
    # What a file was lost to comes before the kernels that it cost, as the codes do.
    ordered = sorted(groups.items(), key=lambda item: (item[1][0].finding.code, -len(item[1])))
    for message, group in ordered[:GROUPS]:
        first = group[0].finding.span
        text = f"{len(group)}x {message}, first at {first.file}:{first.line}:{first.column}"
        yield from (Text(line) for line in wrap(text, width, "  ", "     "))
    rest = len(folded) - sum(len(group) for _, group in ordered[:GROUPS])
    if rest:
        yield Text(f"  and {rest} more")
    for help in dict.fromkeys(group[0].finding.help for _, group in ordered[:GROUPS]):
        yield from prose("help", help, "coalint.help", width)
    yield Text()


def prose(label: str, message: str, style: str, width: int) -> Iterator[Text]:
    """Yield the lines of a labelled paragraph, wrapped and indented."""
    indent = " " * (len(label) + 4)
    for index, paragraph in enumerate(without_controls(message).splitlines() or [""]):
        first = f"  {label}: " if index == 0 else indent
        for number, line in enumerate(wrap(paragraph, width, first, indent)):
            text = Text(line)
            if index == 0 and number == 0:
                text.stylize(style, 0, len(first) - 1)
            yield text
