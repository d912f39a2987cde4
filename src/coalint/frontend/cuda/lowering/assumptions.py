"""What the user's comments say of a kernel."""

from __future__ import annotations

from coalint.core.source.comments import Word, read_comments
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.locations import Locations


def assumptions(locations: Locations, span: Span) -> tuple[str, ...]:
    """Return `// coalint: assume(...)` inside the kernel or in the comment lines directly above it."""
    commented = read_comments(locations.texts.get(span.file, ""))
    if not commented.directives:
        return ()
    lines = locations.lines(span.file)
    first = span.line - 1
    while first > 0 and _belongs_to_head(lines[first - 1]):
        first -= 1
    return tuple(
        directive.text
        for directive in commented.directives
        if directive.word is Word.ASSUME
        and not directive.error
        and first < commented.line(directive.start) <= span.end_line
    )


def _belongs_to_head(line: str) -> bool:
    """Whether a line above a kernel is a comment on it, or the beginning of its declaration."""
    text = line.strip()
    if text.startswith("//") or (text.startswith("/*") and text.endswith("*/")):
        return True
    return text.startswith(("template", "__global__", "extern", "static")) and not text.endswith((";", "}", "{"))
