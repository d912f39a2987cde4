"""Applies the `coalint:` comments of all files of a run to its findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from coalint.core.findings import Finding
from coalint.core.source.comments import MARK
from coalint.engine.findings.filters.comments.suppressions import Suppressions
from coalint.engine.findings.filters.completeness import Completeness
from coalint.engine.findings.filters.selection import RuleSelections
from coalint.engine.registry import Registry


class IgnoreComments:
    """The `coalint:` comments of the files of a run, by file."""

    def __init__(self, sources: Mapping[str, str], registry: Registry) -> None:
        self.files = {file: Suppressions(file, text, registry) for file, text in sources.items() if MARK in text}

    def hides(self, finding: Finding) -> bool:
        """Whether a comment hides a finding: at its place, or at its access where that stands in a helper."""
        places = dict.fromkeys((finding.span, *(subject.span for subject in finding.subjects[:1])))
        hidden = False
        for place in places:
            comments = self.files.get(place.file)
            hidden |= comments is not None and comments.hides(replace(finding, span=place))
        return hidden

    def problems(self) -> Iterator[Finding]:
        """Yield a finding for each comment that is malformed or names an unknown rule."""
        for comments in self.files.values():
            yield from comments.problems

    def unused(self, selections: RuleSelections, completeness: Completeness) -> Iterator[Finding]:
        """Yield a finding for each comment that hides nothing, where the run made all findings that it could hide."""
        for file, comments in self.files.items():
            selection = selections.for_file(file)
            conditional = comments.commented.conditional

            def is_judged(first: int, last: int, file: str = file, open: frozenset[int] = conditional) -> bool:
                return open.isdisjoint(range(first, last + 1)) and completeness.covers_lines(file, first, last)

            ran = frozenset(code for code in selection.running if selections.shows(code, file))
            yield from comments.unused(ran, selection.all_rules_run, is_judged)
