"""Comments that hide findings: which finding each hides, which hide none, which are wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from coalint.core.findings import Finding, Fix, Severity
from coalint.core.source.comments import Commented, Directive, Word, read_comments
from coalint.core.source.spans import Edit, Span
from coalint.engine.registry import Registry, RegistryError
from coalint.frontend.registry import front_end_of
from coalint.rule import is_own
from coalint.rules.own.invalid_comment import InvalidComment
from coalint.rules.own.unused_suppression import UnusedSuppression

_ABOUT_COMMENTS = frozenset({UnusedSuppression.code, InvalidComment.code})


@dataclass
class _Entry:
    """What one comment hides: findings of `codes` (None: of any rule) from line `first` to line `last`.

    `exact` says that it stands behind code, so that a finding of several lines counts by all of them. `closer` is the
    `enable` of a `disable`. `used` are the codes of what it has hidden.
    """

    directive: Directive
    codes: dict[str, tuple[str, int]] | None
    first: int
    last: int
    exact: bool = False
    closer: Directive | None = None
    used: set[str] = field(default_factory=set)

    def covers(self, span: Span, code: str) -> bool:
        if self.exact:
            end = span.line if is_own(code) else max(span.line, span.end_line)
            return span.line <= self.first <= end
        return self.first <= span.line <= self.last


class Suppressions:
    """The comments of one file. Each call of `hides` marks the comment that hides a finding as used."""

    def __init__(self, file: str, text: str, registry: Registry) -> None:
        self.file = file
        self.mark = front_end_of(file).spelling.comment
        self.commented: Commented = read_comments(text, self.mark)
        self.registry = registry
        self.problems: list[Finding] = []
        self._entries: list[_Entry] = []
        self._read()

    def hides(self, finding: Finding) -> bool:
        """Whether a comment hides a finding; one about comments is hidden only where a comment names its rule."""
        hidden = False
        for entry in self._entries:
            named = entry.codes is not None and finding.code in entry.codes
            anything = entry.codes is None and finding.code not in _ABOUT_COMMENTS
            if (named or anything) and entry.covers(finding.span, finding.code):
                entry.used.add(finding.code)
                hidden = True
        return hidden

    def unused(self, ran: frozenset[str], all_ran: bool, judged: Callable[[int, int], bool]) -> Iterator[Finding]:
        """The comments that hide nothing, each with the fix that removes it.

        Only of rules that `ran` (codes); those without names only where `all_ran`. `judged` says of first and last
        line whether all findings are known that there are.
        """
        for entry in self._entries:
            if not judged(entry.first, entry.last):
                continue
            if entry.codes is None:
                if all_ran and not entry.used:
                    yield self._unused(entry, ())
                continue
            idle = [code for code in entry.codes if code in ran - entry.used - _ABOUT_COMMENTS]
            if len(idle) == len(entry.codes):
                yield self._unused(entry, ())
            elif idle:
                yield self._unused(entry, idle)

    # --- reading

    def _read(self) -> None:
        opened: list[_Entry] = []
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
                entry = _Entry(directive, codes, line, len(self.commented.starts))
                opened.append(entry)
                self._entries.append(entry)
            elif directive.word is Word.IGNORE_FILE:
                self._entries.append(_Entry(directive, codes, 1, len(self.commented.starts)))
            elif directive.alone:
                statement = self.commented.statement(directive.end)
                if statement is None:
                    self._problem(directive, "no statement follows that it could stand for")
                else:
                    self._entries.append(_Entry(directive, codes, *statement))
            else:
                last = self.commented.line(directive.end)
                self._entries.append(_Entry(directive, codes, line, last, exact=True))
        for entry in opened:
            span = self._span(entry.directive.start, entry.directive.end)
            text = "no `coalint: enable` of the same rules ends this `disable`, so that it holds to the end of the file"
            self.problems.append(_invalid(text, span, self.mark))

    def _misplaced(self, directive: Directive) -> str:
        if directive.word is Word.IGNORE_FILE and directive.start > self.commented.first_code:
            return "it stands at the top of a file, before any code; from here on: disable"
        if directive.names is None and directive.text and directive.word is not Word.ASSUME:
            first = directive.text.split()[0].strip(",;:")
            if any(first in (rule.code, rule.name) for rule in self.registry):
                return f"rules stand in brackets, as in {directive.word.value if directive.word else ''}[{first}]"
        return ""

    def _codes(self, directive: Directive) -> dict[str, tuple[str, int]] | None:
        """The codes that a directive names, each with its name as written; a finding for each that is no rule."""
        if directive.names is None:
            return None
        found: dict[str, tuple[str, int]] = {}
        for name, offset in directive.names:
            try:
                found.setdefault(self.registry.named(name).code, (name, offset))
            except RegistryError as error:
                span = self._span(offset, offset + len(name))
                self.problems.append(_invalid(f"a comment to coalint names a rule wrongly: {error}", span, self.mark))
        return found

    def _close(
        self, opened: list[_Entry], directive: Directive, codes: dict[str, tuple[str, int]] | None, line: int
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
        self._problem(directive, "no `coalint: disable` of the same rules stands before it")

    def _problem(self, directive: Directive, error: str) -> None:
        span = self._span(directive.start, directive.end)
        self.problems.append(_invalid(f"a comment to coalint has no effect: {error}", span, self.mark))

    # --- removing

    def _unused(self, entry: _Entry, idle: Sequence[str]) -> Finding:
        """The finding about a whole comment, or about those of its rules that are `idle`."""
        directive = entry.directive
        word = directive.word.value if directive.word else ""
        if idle and entry.codes is not None:
            names = [entry.codes[code][0] for code in idle]
            first = entry.codes[idle[0]][1]
            span = self._span(first, first + len(names[0]))
            fix = self._without(entry, idle)
        else:
            names = [] if entry.codes is None else [name for name, _ in entry.codes.values()]
            span = self._span(directive.start, directive.end)
            fix = self._removal(entry)
        about = f" of {', '.join(names)}" if names else ""
        message = f"this `{word}`{about} hides no finding"
        help = "remove it (--fix does), so that it hides nothing that comes later"
        severity = UnusedSuppression.severity
        finding: Finding = UnusedSuppression.report(message, span, None, severity, help, fix)
        return finding

    def _without(self, entry: _Entry, idle: Sequence[str]) -> Fix | None:
        directive = entry.directive
        if (
            directive.brackets is None
            or directive.names is None
            or entry.codes is None
            or directive.word is Word.DISABLE
        ):
            return None
        gone = {entry.codes[code][1] for code in idle}
        kept = [name for name, offset in directive.names if offset not in gone]
        edit = Edit(self._span(*directive.brackets), f"[{', '.join(kept)}]")
        return Fix("remove the rules that it need not name", (edit,), safe=True)

    def _removal(self, entry: _Entry) -> Fix | None:
        both = [entry.directive]
        if entry.directive.word is Word.DISABLE:
            if entry.closer is None:
                return None
            both.append(entry.closer)
        edits = [self._deletion(directive) for directive in both]
        if None in edits:
            return None
        return Fix("remove the comment", tuple(edit for edit in edits if edit is not None), safe=True)

    def _deletion(self, directive: Directive) -> Edit | None:
        """Without the line that it leaves empty, and without what separates it from the code before it."""
        text, start, end = self.commented.text, directive.start, directive.end
        if "\\\n" in text[start:end] or "\\\r\n" in text[start:end] or text[:start].rstrip(" \t\r\n").endswith("\\"):
            return None  # part of a macro, which the line ends belong to
        if directive.alone:
            first = text.rfind("\n", 0, start) + 1
            first += text.startswith("\ufeff", first)
            line_end = text.find("\n", end)
            if line_end >= 0:
                return Edit(self._span(first, line_end + 1), "")
            return Edit(self._span(max(0, first - 1), len(text)), "")
        before = start - len(text[:start].rstrip(" \t")) if start else 0
        behind = text[end : end + 1]
        if text[start:end].startswith(self.mark) or behind in ("\n", "\r", ""):
            return Edit(self._span(start - before, end), "")
        if before and behind in (" ", "\t"):
            return Edit(self._span(start - before, end), "")
        return Edit(self._span(start, end), "" if before or behind in (" ", "\t") else " ")

    def _span(self, start: int, end: int) -> Span:
        return Span(self.file, *self.commented.place(start), *self.commented.place(end))


def _invalid(message: str, span: Span, mark: str) -> Finding:
    help = f"write it as `{mark} coalint: ignore[rule, ...] reason`; docs/suppressions.md has the other forms"
    finding: Finding = InvalidComment.report(message, span, None, Severity.WARNING, help)
    return finding
