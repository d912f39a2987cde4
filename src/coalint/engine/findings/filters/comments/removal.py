"""Findings about comments that hide nothing, with the fixes that remove them."""

from __future__ import annotations

from collections.abc import Sequence

from coalint.core.findings import Finding, Fix
from coalint.core.source.comments import Commented, Directive, Word
from coalint.core.source.spans import Edit, Span
from coalint.engine.findings.filters.comments.suppression import Suppression
from coalint.frontend.registry import front_end_of
from coalint.rules.own.unused_suppression import UnusedSuppression


def unused_suppression(file: str, commented: Commented, entry: Suppression, idle: Sequence[str]) -> Finding:
    """Return the finding about a comment that hides nothing, or about those of its rules that are `idle`."""
    directive = entry.directive
    word = directive.word.value if directive.word else ""
    if idle and entry.codes is not None:
        names = [entry.codes[code][0] for code in idle]
        first = entry.codes[idle[0]][1]
        span = _span(file, commented, first, first + len(names[0]))
        fix = _without_names(file, commented, entry, idle)
    else:
        names = [] if entry.codes is None else [name for name, _ in entry.codes.values()]
        span = _span(file, commented, directive.start, directive.end)
        fix = _removal(file, commented, entry)
    about = f" of {', '.join(names)}" if names else ""
    message = f"this `{word}`{about} hides no finding"
    help = "remove it (--fix does), so that it cannot hide later findings"
    severity = UnusedSuppression.severity
    finding: Finding = UnusedSuppression.report(message, span, None, severity, help, fix)
    return finding


def _without_names(file: str, commented: Commented, entry: Suppression, idle: Sequence[str]) -> Fix | None:
    directive = entry.directive
    if directive.brackets is None or directive.names is None or entry.codes is None or directive.word is Word.DISABLE:
        return None
    removed = {entry.codes[code][1] for code in idle}
    names = [name for name, offset in directive.names if offset not in removed]
    edit = Edit(_span(file, commented, *directive.brackets), f"[{', '.join(names)}]")
    return Fix("remove the rules that hide nothing", (edit,), safe=True)


def _removal(file: str, commented: Commented, entry: Suppression) -> Fix | None:
    both = [entry.directive]
    if entry.directive.word is Word.DISABLE:
        if entry.closer is None:
            return None
        both.append(entry.closer)
    edits = [_deletion(file, commented, directive) for directive in both]
    if None in edits:
        return None
    return Fix("remove the comment", tuple(edit for edit in edits if edit is not None), safe=True)


def _deletion(file: str, commented: Commented, directive: Directive) -> Edit | None:
    """Return the edit that deletes a comment with the blanks before it, or with its line where that becomes empty.

    None where the comment is part of a macro of several lines.
    """
    text, start, end = commented.text, directive.start, directive.end
    if "\\\n" in text[start:end] or "\\\r\n" in text[start:end] or text[:start].rstrip(" \t\r\n").endswith("\\"):
        return None  # part of a macro, which the line ends belong to
    if directive.alone:
        first = text.rfind("\n", 0, start) + 1
        first += text.startswith("\ufeff", first)
        line_end = text.find("\n", end)
        if line_end >= 0:
            return Edit(_span(file, commented, first, line_end + 1), "")
        return Edit(_span(file, commented, max(0, first - 1), len(text)), "")
    before = start - len(text[:start].rstrip(" \t")) if start else 0
    behind = text[end : end + 1]
    if text[start:end].startswith(front_end_of(file).spelling.comment) or behind in ("\n", "\r", ""):
        return Edit(_span(file, commented, start - before, end), "")
    if before and behind in (" ", "\t"):
        return Edit(_span(file, commented, start - before, end), "")
    return Edit(_span(file, commented, start, end), "" if before or behind in (" ", "\t") else " ")


def _span(file: str, commented: Commented, start: int, end: int) -> Span:
    return Span(file, *commented.place(start), *commented.place(end))
