"""One finding in a dozen lines of 100 columns: headline, frame, then why, help, basis and the other places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from coalint.core.findings import Finding, Fix
from coalint.core.source.source_lines import SourceLines
from coalint.engine.findings.groups import Group
from coalint.engine.report import Diagnostic
from coalint.reporters.lint.text.heading import headline, place_line
from coalint.reporters.lint.text.quoted_lines import frame
from coalint.reporters.shared.console import style_of
from coalint.reporters.shared.launch_costs import launch_cost_text
from coalint.reporters.shared.places import other_places
from coalint.reporters.shared.source_frames import quote
from coalint.reporters.shared.summary import counted, prose

MOST = 12
"""How many lines a finding takes at most where lines are wrapped; its longest parts are cut until it does."""
ALSO = "also at"


def short_finding(group: Group, lines: SourceLines, width: int) -> Iterator[Text]:
    """Yield the lines of a finding."""
    diagnostic = group.shown
    finding = diagnostic.finding
    span = finding.span
    gutter = len(str(span.line))
    quoted = list(
        frame(list(quote(lines.of_file(span.file), span, width - gutter - 4)), gutter, style_of(finding.severity))
    )
    places = other_places(group, width=width - len(ALSO) - 4)
    parts = [
        list(headline(finding, width)),
        _part("why", why(finding), "coalint.note", width),
        _part("help", finding.help, "coalint.help", width),
        _part("fix", offered(finding.fix), "coalint.help", width),
        _part("basis", basis(diagnostic), "coalint.quiet", width),
        _part(ALSO, places, "coalint.quiet", width),
    ]
    head, *rest = _cut(parts, MOST - 1 - len(quoted), width)
    yield from head
    yield place_line(finding, gutter)
    yield from quoted
    for part in rest:
        yield from part


def offered(fix: Fix | None) -> str:
    """Return what a fix does, after the options that apply it; empty where there is none."""
    if fix is None:
        return ""
    return f"--fix{'' if fix.safe else ' --unsafe-fixes'}: {fix.description}"


def why(finding: Finding) -> str:
    """Return the first reason; empty where the finding gives none."""
    return next((note.message for note in finding.notes if note.span is None), "")


def basis(diagnostic: Diagnostic) -> str:
    """Return the launch that the numbers are for, what part of it is at fault, how many more the finding holds for."""
    more = counted(len(diagnostic.also), "more launch", "more launches") if diagnostic.also else ""
    parts = (diagnostic.basis, launch_cost_text(diagnostic.finding.launch_cost), more)
    return "; ".join(part for part in parts if part)


def _part(label: str, message: str, style: str, width: int) -> list[Text]:
    return list(prose(label, message, style, width)) if message else []


def _cut(parts: Sequence[list[Text]], room: int, width: int) -> list[list[Text]]:
    """Return the parts with lines of the longest left out until they fit; a cut part ends in an ellipsis."""
    kept = [len(part) for part in parts]
    while sum(kept) > room and max(kept) > 1:
        kept[kept.index(max(kept))] -= 1
    return [
        part if count == len(part) else _ended(part[:count], width) for part, count in zip(parts, kept, strict=True)
    ]


def _ended(lines: list[Text], width: int) -> list[Text]:
    last = lines[-1].copy()
    last.truncate(width - 1)
    last.rstrip()
    return [*lines[:-1], last.append("…")]
