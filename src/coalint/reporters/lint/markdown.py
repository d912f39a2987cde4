"""Prints a summary for a comment on a pull request: the worst findings first, with details folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coalint.engine.findings.groups import Group, groups
from coalint.engine.findings.order import worst_first
from coalint.engine.report import Diagnostic, Report
from coalint.reporters.shared.escape_controls import without_controls
from coalint.reporters.shared.markdown import comment_code, comment_text, fence_for
from coalint.reporters.shared.paragraphs import derivation, paragraphs
from coalint.reporters.shared.places import other_places
from coalint.reporters.shared.positions import Positions
from coalint.reporters.shared.summary import counted, coverage_text, gaps, installed_headers, severity_counts

LARGEST = 65_536
"""How many characters GitHub accepts in a comment."""
_CLOSING = 200
"""Characters reserved for the line that counts what was left out."""


def report_text(report: Report, largest: int = LARGEST) -> str:
    """Return the comment in at most `largest` characters; findings that do not fit are counted in the last line."""
    grouped = groups(worst_first(report.diagnostics))
    text = "".join(f"{line}\n" for line in _head(report, grouped))
    closing = "".join(
        f"\n{comment_text(gap)}\n" for gap in (*gaps(report.coverage), *installed_headers(report.coverage))
    )
    room = largest - len(text) - len(closing) - _CLOSING
    positions = Positions(report.sources)
    shown = 0
    for group in grouped:
        for details in (True, False):
            entry = _entry(group, positions, details)
            if len(entry) <= room:
                break
        else:
            break
        text += entry
        room -= len(entry)
        shown += 1
    left = len(grouped) - shown
    if left:
        text += f"\n{counted(left, 'more finding')} did not fit into this comment; the log or a file (`-o`) has all.\n"
    return without_controls(text + closing)


def _head(report: Report, grouped: Sequence[Group]) -> Iterator[str]:
    counts = ", ".join(words for _, words in severity_counts(grouped)) or "no findings"
    yield f"### coalint: {counts}"
    yield ""
    yield comment_text(f"{counted(report.files, 'file')}: {coverage_text(report.coverage)}")


def _entry(group: Group, positions: Positions, details: bool) -> str:
    """Return one finding, with or without its details, which may be long."""
    diagnostic = group.shown
    finding = diagnostic.finding
    place = comment_code(f"{positions.path(finding.span.file)}:{finding.span.line}")
    head = f"<b>{finding.severity.label}</b> <code>{place}</code> {comment_text(finding.message)}"
    if not details:
        return f"\n- {head}\n"
    lines = [f"\n<details><summary>{head}</summary>\n"]
    lines += _quoted(diagnostic, positions)
    kernel = f", kernel <code>{comment_code(finding.kernel)}</code>" if finding.kernel else ""
    lines.append(f"- {comment_text(finding.name)} ({finding.code}){kernel}")
    lines += [f"- {comment_text(paragraph)}" for paragraph in paragraphs(diagnostic)[1:]]
    for note in derivation(diagnostic):
        if note.span is not None:
            place = f"{positions.path(note.span.file)}:{note.span.line}"
            lines.append(f"- {comment_text(note.message)} ({comment_text(place)})")
    if group.others:
        lines.append(f"- {comment_text(f'also at {other_places(group, positions.path)}')}")
    return "\n".join([*lines, "\n</details>\n"])


def _quoted(diagnostic: Diagnostic, positions: Positions) -> list[str]:
    """Return the source line in a fence longer than any row of backticks in it."""
    span = diagnostic.finding.span
    line = positions.line(span.file, span.line).strip()
    if not line:
        return []
    fence = fence_for(line, 3)
    return [f"{fence}cuda", line, f"{fence}\n"]
