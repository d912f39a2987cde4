"""Moves a finding out of a helper that is not its cause: to the call at which the user chose what is accessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from coalint.core import ir
from coalint.core.facts.causes import CauseKind
from coalint.core.findings import Finding, Note
from coalint.core.source import quoting
from coalint.core.source.source_lines import SourceLines
from coalint.core.source.spans import Span

_NAMES = re.compile(r"[\w\s.\[\]()&*,:>]*")
_ARITHMETIC = re.compile(r"[\w)\]]\s*\*|\(\s*\w+\s*\)\s*\*\s*\w+\s*[\[*]")
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"(?<!\w)\d")
_OF_THE_CALLER = {CauseKind.STRIDE, CauseKind.IRREGULAR, CauseKind.CHUNK, CauseKind.SWAPPED_AXES, CauseKind.OFFSET}
"""Causes that lie in an index, and with it in who computes it. Others lie in a layout, a tile or an operation."""
_OF_THE_TILE = {CauseKind.BANKS, CauseKind.COLUMN, CauseKind.PADDING}
"""Causes that lie in a tile, and so in who uses it where a helper has no more of it than a reference to an element."""
_OF_THE_ADDRESS = {CauseKind.MEETING_LANES}
"""Causes that lie in an address, and so in who hands it to a helper that does not name the array itself."""
_OF_THE_RECORD = {CauseKind.FIELD, CauseKind.PARTIAL_COPY, CauseKind.PIECES}
"""Causes that lie in a struct, and so in who hands a part of it to a helper that does not name the struct."""
_REFERENCE = re.compile(r"\*?\s*\w+(?:\.\w+)*")


class CallSites:
    """The functions of a module, with their text."""

    def __init__(self, module: ir.Module) -> None:
        self.sources = SourceLines(module.sources)
        self.functions: Sequence[Span] = [f.span for f in module.functions.values() if not f.bundled]
        self.index = module.spelling.thread_index

    def moved(self, finding: Finding) -> Finding | None:
        """Return the finding at the outermost call below which helpers hand everything on, with a note on the access.

        None where the access stands in the kernel itself, or its helper has a part in where the lanes go.
        """
        if finding.cause is None or not finding.subjects:
            return None
        subject = finding.subjects[0]
        if not subject.calls or subject.span != finding.span:
            return None
        is_handed = finding.cause.kind in _OF_THE_TILE and _REFERENCE.fullmatch(subject.expression) is not None
        is_callers = finding.cause.kind in _OF_THE_CALLER and len(finding.subjects) == 1
        is_given = finding.cause.kind in _OF_THE_ADDRESS | _OF_THE_RECORD
        is_given = is_given and subject.array not in _WORD.findall(subject.expression)
        if is_given and finding.cause.kind in _OF_THE_RECORD:
            is_given = not self._declares(subject.span, dict(finding.cause.names).get("record", ""))
        if not is_callers and not is_handed and not is_given:
            return None
        here = (*subject.calls, subject.span)
        steps = [note.span for note in finding.notes if note.span is not None and note.span not in here]
        at, text = subject.span, subject.expression
        for call in reversed(subject.calls):
            picks = not is_callers and "[" in text
            if picks or not self._hands_on(text) or not self._is_silent(at, steps):
                break
            at, text = call, quoting.text(self.sources, call)
        if at == subject.span:
            return None
        helper = Note(f"the access stands in a helper: `{subject.expression}`", subject.span)
        left = tuple(note for note in finding.notes if note.span != at)
        return replace(finding, span=at, notes=(*left, helper))

    def _declares(self, at: Span, record: str) -> bool:
        """Whether the head of the function around a place names a struct."""
        heads = (quoting.text(self.sources, span).partition("{")[0] for span in self.functions if _holds(span, at))
        return any(record in _WORD.findall(head) for head in heads)

    def _hands_on(self, text: str) -> bool:
        """Whether an access or a call is written with names alone: no index is computed in it."""
        text = text.replace("->", ".")
        plain = _NAMES.fullmatch(text) is not None and _ARITHMETIC.search(text) is None
        return plain and _DIGITS.search(text) is None and self.index not in text

    def _is_silent(self, at: Span, steps: Iterable[Span]) -> bool:
        """Whether no step of the index is computed in the function around a place."""
        around = [span for span in self.functions if _holds(span, at)]
        if not around:
            return False
        function = max(around, key=lambda span: (span.line, span.column))
        return not any(_holds(function, step) for step in steps)


def _holds(outer: Span, inner: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return outer.file == inner.file and begins and (inner.line, inner.column) <= (outer.end_line, outer.end_column)
