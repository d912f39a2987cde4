"""The comments of one file: which findings they hide, which of them hide nothing, which are malformed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from coalint.core.findings import Finding, Severity
from coalint.core.source.comments import Commented, Directive, Word, read_comments
from coalint.core.source.spans import Span
from coalint.engine.findings.filters.comments.removal import unused_suppression
from coalint.engine.findings.filters.comments.suppression import Suppression
from coalint.engine.registry import Registry, RegistryError
from coalint.frontend.registry import front_end_of
from coalint.rules.own.invalid_comment import InvalidComment
from coalint.rules.own.unused_suppression import UnusedSuppression

_ABOUT_COMMENTS = frozenset({UnusedSuppression.code, InvalidComment.code})


class Suppressions:
    """The comments of one file; `hides` records which of them hide something.

    Attributes:
        file: The file.
        commented: Its text with its comments.
        registry: The installed rules.
        problems: Findings about malformed comments.
    """

    def __init__(self, file: str, text: str, registry: Registry) -> None:
        self.file = file
        spelling = front_end_of(file).spelling
        self.mark = spelling.comment
        self.commented: Commented = read_comments(text, self.mark, spelling.fact)
        self.registry = registry
        self.problems: list[Finding] = []
        self._entries: list[Suppression] = []
        self._read()

    def hides(self, finding: Finding) -> bool:
        """Whether a comment hides a finding, and record that it does.

        A finding about comments is hidden only by a comment that names its rule.
        """
        hidden = False
        for entry in self._entries:
            named = entry.codes is not None and finding.code in entry.codes
            anything = entry.codes is None and finding.code not in _ABOUT_COMMENTS
            if (named or anything) and entry.covers(finding.span, finding.code):
                entry.used.add(finding.code)
                hidden = True
        return hidden

    def unused(self, ran: frozenset[str], all_ran: bool, judged: Callable[[int, int], bool]) -> Iterator[Finding]:
        """Yield a finding for each comment that hides nothing, with the fix that removes it.

        Args:
            ran: The codes of the rules that ran; only comments that name them are considered.
            all_ran: Whether all rules ran, so that comments without names are considered.
            judged: Whether the run made all findings that there are between two lines.
        """
        for entry in self._entries:
            if not judged(entry.first, entry.last):
                continue
            if entry.codes is None:
                if all_ran and not entry.used:
                    yield unused_suppression(self.file, self.commented, entry, ())
                continue
            idle = [code for code in entry.codes if code in ran - entry.used - _ABOUT_COMMENTS]
            if len(idle) == len(entry.codes):
                yield unused_suppression(self.file, self.commented, entry, ())
            elif idle:
                yield unused_suppression(self.file, self.commented, entry, idle)

    # --- reading

    def _read(self) -> None:
        opened: list[Suppression] = []
        for directive in self.commented.directives:
            if directive.word is Word.ASSUME and not directive.error:
                continue
            error = directive.error or self._misplaced(directive)
            if error or directive.word is None:
                self._problem(directive, error)
                continue
            codes = self._codes(directive)
            if codes is not None and not codes:
                continue
            line = self.commented.line(directive.start)
            if directive.word is Word.ENABLE:
                self._close(opened, directive, codes, line)
            elif directive.word is Word.DISABLE:
                entry = Suppression(directive, codes, line, len(self.commented.starts))
                opened.append(entry)
                self._entries.append(entry)
            elif directive.word is Word.IGNORE_FILE:
                self._entries.append(Suppression(directive, codes, 1, len(self.commented.starts)))
            elif directive.alone:
                statement = self.commented.statement(directive.end)
                if statement is None:
                    self._problem(directive, "no statement follows that it could apply to")
                else:
                    self._entries.append(Suppression(directive, codes, *statement))
            else:
                last = self.commented.line(directive.end)
                self._entries.append(Suppression(directive, codes, line, last, exact=True))
        for entry in opened:
            span = self._span(entry.directive.start, entry.directive.end)
            text = "no `coalint: enable` of the same rules ends this `disable`, so that it holds to the end of the file"
            self.problems.append(_invalid(text, span, self.mark))

    def _misplaced(self, directive: Directive) -> str:
        if directive.word is Word.IGNORE_FILE and directive.start > self.commented.first_code:
            return "ignore-file must be at the top of a file, before any code; from here on, use disable"
        if directive.names is None and directive.text and directive.word is not Word.ASSUME:
            first = directive.text.split()[0].strip(",;:")
            if any(first in (rule.code, rule.name) for rule in self.registry):
                return f"rules must be in brackets, as in {directive.word.value if directive.word else ''}[{first}]"
        return ""

    def _codes(self, directive: Directive) -> dict[str, tuple[str, int]] | None:
        """Return the codes that a directive names, each with its name as written and its offset; None for no names.

        Adds a problem for each name that is not a rule's.
        """
        if directive.names is None:
            return None
        codes: dict[str, tuple[str, int]] = {}
        for name, offset in directive.names:
            try:
                codes.setdefault(self.registry.named(name).code, (name, offset))
            except RegistryError as error:
                span = self._span(offset, offset + len(name))
                self.problems.append(_invalid(f"a comment for coalint names an unknown rule: {error}", span, self.mark))
        return codes

    def _close(
        self, opened: list[Suppression], directive: Directive, codes: dict[str, tuple[str, int]] | None, line: int
    ) -> None:
        """End the last `disable` of the same rules; without names, every open one."""
        if codes is None and opened:
            for entry in opened:
                entry.last, entry.closer = line, directive if len(opened) == 1 else None
            opened.clear()
            return
        for entry in reversed(opened):
            if codes is not None and entry.codes is not None and set(codes) == set(entry.codes):
                entry.last, entry.closer = line, directive
                opened.remove(entry)
                return
        self._problem(directive, "no `coalint: disable` of the same rules comes before it")

    def _problem(self, directive: Directive, error: str) -> None:
        span = self._span(directive.start, directive.end)
        self.problems.append(_invalid(f"a comment for coalint has no effect: {error}", span, self.mark))

    def _span(self, start: int, end: int) -> Span:
        return Span(self.file, *self.commented.place(start), *self.commented.place(end))


def _invalid(message: str, span: Span, mark: str) -> Finding:
    help = f"write it as `{mark} coalint: ignore[rule, ...] reason`; docs/suppressions.md has the other forms"
    finding: Finding = InvalidComment.report(message, span, None, Severity.WARNING, help)
    return finding
