"""The end of a report for people: what is info by rule, and what to fix first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.text import Text

from coalint.core.findings import Severity
from coalint.engine.findings.groups import Group
from coalint.reporters.shared.console import style_of, wrap
from coalint.reporters.shared.places import place, places
from coalint.reporters.shared.summary import counted

FIRST = 3
"""How many causes are named as those to fix first; where there are no more, the report needs no such list."""


def info_counts(notes: Sequence[Group], width: int) -> Iterator[Text]:
    """Yield how many findings of severity info each rule has."""
    if not notes:
        return
    counts = Counter(group.shown.finding.name for group in notes)
    listed = ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item)))
    head = counted(len(notes), "note")
    for number, line in enumerate(wrap(f"{head}: {listed} (--show-info shows them)", width, rest="  ")):
        text = Text(line)
        if number == 0:
            text.stylize(style_of(Severity.INFO), 0, len(head))
        yield text


def fix_first(groups: Sequence[Group], width: int) -> Iterator[Text]:
    """Yield the costliest causes: errors before all else, then those whose places cost most beyond the ideal."""
    worth = [group for group in groups if group.severity > Severity.INFO]
    if len(worth) <= FIRST:
        return
    ranked = sorted(worth, key=lambda group: (group.severity is not Severity.ERROR, -group.cost))
    yield Text("fix first:", "coalint.title")
    for number, group in enumerate(ranked[:FIRST], 1):
        finding = group.shown.finding
        count = len(places(group.members))
        more = f" ({count} places)" if count > 1 else ""
        text = f"{place(finding.span)}: {finding.name}: {finding.message}{more}"
        yield from (Text(line) for line in wrap(text, width, f"  {number}. ", "     "))
