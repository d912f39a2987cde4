"""Writes a comment that hides each finding, where a comment can stand without changing the program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from coalint.core.findings import Finding
from coalint.core.records import record
from coalint.core.source.comments import Commented, Directive, Word, line_kinds, read_comments
from coalint.core.source.spans import Edit, Span
from coalint.engine.findings.fixes.apply import FixOutcome, Lint, still_there
from coalint.engine.registry import Registry, RegistryError
from coalint.engine.units.embedding import SUFFIXES
from coalint.frontend.registry import front_end_of
from coalint.rules.own.invalid_comment import InvalidComment
from coalint.rules.own.unused_suppression import UnusedSuppression

_ABOUT_COMMENTS = {UnusedSuppression.code, InvalidComment.code}


def add_ignores(lint: Lint, fixed: FixOutcome, registry: Registry) -> FixOutcome:
    """Add comments for all findings of a report, and check that they hide them.

    `fixed` is the outcome of fixes before. The count of the new outcome is the number of findings hidden; a remark
    names each finding that is not hidden.
    """
    state, report = fixed.workspace, fixed.report
    by_file: dict[str, list[Finding]] = defaultdict(list)
    remarks: dict[str, None] = {}
    for diagnostic in report.diagnostics:
        finding = diagnostic.finding
        if finding.code in _ABOUT_COMMENTS:
            continue
        refusal = _python(finding.span.file) or state.refuses(finding.span.file, report.sources)
        if refusal is None:
            by_file[finding.span.file].append(finding)
        else:
            remarks[refusal] = None
    edits = [
        edit
        for file, in_file in by_file.items()
        for edit in _CommentWriter(file, report.sources[file], registry).edits(in_file)
    ]
    after = state.edited(edits)
    checked = lint(after.overlay) if edits else report
    findings = [finding for in_file in by_file.values() for finding in in_file]
    left = still_there(findings, checked)
    for finding in left:
        place = f"{finding.span.file}:{finding.span.line}:{finding.span.column}"
        remarks[f"{place}: no comment can be placed here to hide {finding.code}; write one by hand"] = None
    return FixOutcome(
        report=checked,
        workspace=after,
        count=len(findings) - len(left),
        remarks=(*fixed.remarks, *remarks),
    )


def comments_for(finding: Finding, text: str, registry: Registry) -> list[Edit]:
    """Return the edits that add a comment to hide a finding in a file with this text.

    There are none where no comment can stand, or where the finding is about comments.
    """
    if finding.code in _ABOUT_COMMENTS or _python(finding.span.file) is not None:
        return []
    return _CommentWriter(finding.span.file, text, registry).edits([finding])


def _python(file: str) -> str | None:
    """Return why no comment is written into a file: in Python, the end of a line need not be CUDA. None elsewhere."""
    return f"{file}: add comments to CUDA source in Python by hand" if file.endswith(SUFFIXES) else None


@record
class _CommentWriter:
    """Writes comments into one file."""

    file: str
    text: str
    registry: Registry

    def edits(self, findings: Iterable[Finding]) -> list[Edit]:
        """Return one edit for each line with findings for which a comment can be written."""
        commented = read_comments(self.text, self.mark)
        kinds = line_kinds(self.text, self.mark)
        lines = self.text.split("\n")
        by_line: dict[int, dict[str, None]] = defaultdict(dict)
        for finding in findings:
            by_line[finding.span.line][finding.name] = None
        edits: list[Edit] = []
        for line, names in sorted(by_line.items()):
            present = self._present(commented, line)
            if present is not None:
                edits.append(self._extended(commented, present, tuple(names)))
            elif line in kinds.open_ends:
                if line not in kinds.inside:
                    edits.append(self._above(lines[line - 1], line, tuple(names)))
            else:
                written = lines[line - 1].removesuffix("\r")
                end = len(written) + 1
                gap = "" if written[-1:].isspace() else "  "
                edits.append(Edit(Span(self.file, line, end, line, end), gap + self._comment(tuple(names))))
        return edits

    def _present(self, commented: Commented, line: int) -> Directive | None:
        """Return the `ignore` comment with rules that the line already has."""
        for directive in commented.directives:
            usable = directive.word is Word.IGNORE and directive.brackets is not None and not directive.error
            if usable and not directive.alone and commented.line(directive.start) == line:
                return directive
        return None

    def _extended(self, commented: Commented, directive: Directive, names: Sequence[str]) -> Edit:
        listed = [name for name, _ in directive.names or ()]
        known = {self._name(name) for name in listed}
        start, end = directive.brackets or (0, 0)
        text = ", ".join((*listed, *(name for name in names if name not in known)))
        return Edit(Span(self.file, *commented.place(start), *commented.place(end)), f"[{text}]")

    def _name(self, written: str) -> str:
        try:
            return self.registry.named(written).name
        except RegistryError:
            return written

    def _above(self, written: str, line: int, names: Sequence[str]) -> Edit:
        """Return the edit that adds a line above, with the same indentation."""
        indent = written[: len(written) - len(written.lstrip(" \t"))]
        return Edit(Span(self.file, line, 1, line, 1), f"{indent}{self._comment(names)}\n")

    @property
    def mark(self) -> str:
        """What begins a comment in the file."""
        return front_end_of(self.file).spelling.comment

    def _comment(self, names: Sequence[str]) -> str:
        return f"{self.mark} coalint: ignore[{', '.join(names)}]"
