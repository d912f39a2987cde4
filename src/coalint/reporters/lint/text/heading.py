"""The first lines of a finding: severity, rule, message, place."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from coalint.core.addresses import rule_page
from coalint.core.findings import Finding
from coalint.reporters.shared.console import linked, style_of, wrap
from coalint.reporters.shared.places import place


def headline(finding: Finding, width: int) -> Iterator[Text]:
    """Yield severity, rule and message."""
    label = f"{finding.severity.label}[{finding.name}]"
    for index, line in enumerate(wrap(f"{label} {finding.message}", width)):
        text = Text(line, "coalint.title")
        if index == 0:
            text.stylize(style_of(finding.severity), 0, len(label))
        yield text


def place_line(finding: Finding, gutter: int) -> Text:
    """Return the line that says where a finding is; it is never wrapped, so that terminals can open the path."""
    span = finding.span
    where = Text()
    where.append(" " * (gutter + 1) + "--> ", "coalint.gutter")
    where.append(f"{span.file}:{span.line}:{span.column}", "coalint.place")
    about = [f"kernel {finding.kernel}"] if finding.kernel else []
    about += [f"access at {place(subject.span)}" for subject in finding.subjects[:1] if subject.span != span]
    where.append("  ")
    where.append(finding.code, linked("coalint.quiet", rule_page(finding.code, finding.name)))
    where.append("".join(f", {text}" for text in about), "coalint.quiet")
    return where
