"""One comment that hides findings, with what it has hidden so far."""

from __future__ import annotations

from dataclasses import field

from coalint.core.records import record
from coalint.core.source.comments import Directive
from coalint.core.source.spans import Span
from coalint.rule import is_own


@record
class Suppression:
    """What one comment hides.

    Attributes:
        directive: The comment.
        codes: The codes of the rules that it names, each with the name and its offset; None where it names none.
        first: The first line, from 1, of the findings that it hides.
        last: The last line of these.
        exact: Whether it stands after code, so that it hides findings whose span includes its line.
        closer: The `enable` that ends a `disable`; None where there is none.
        used: The codes of the findings that it has hidden.
    """

    directive: Directive
    codes: dict[str, tuple[str, int]] | None
    first: int
    last: int
    exact: bool = False
    closer: Directive | None = None
    used: set[str] = field(default_factory=set)

    def covers(self, span: Span, code: str) -> bool:
        """Whether a finding of a rule at a span lies on the lines of the comment."""
        if self.exact:
            end = span.line if is_own(code) else max(span.line, span.end_line)
            return span.line <= self.first <= end
        return self.first <= span.line <= self.last
