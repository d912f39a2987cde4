"""Names for findings that survive edits elsewhere in the file: no line numbers, no counts."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from coalint.core.findings import Finding
from coalint.core.source.spans import Span
from coalint.engine.findings.filters.baseline_entry import without_spaces
from coalint.engine.report import Diagnostic
from coalint.rule import is_own

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SPACE = re.compile(r"\s+")

Lines = Mapping[str, Sequence[str]]
"""The lines of each source file."""


def lines_of(sources: Mapping[str, str]) -> Lines:
    """The lines of sources."""
    return {file: text.split("\n") for file, text in sources.items()}


def with_fingerprints(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Give each finding its fingerprint; equal ones in a file are told apart by their order."""
    met: Counter[tuple[str, str]] = Counter()
    lines = lines_of(sources)
    named: list[Diagnostic] = []
    for diagnostic in diagnostics:
        finding = diagnostic.finding
        text = without_spaces(expression(finding, lines))
        key = "\0".join((finding.code, PurePath(finding.span.file).name, finding.kernel or "", text))
        met[finding.span.file, key] += 1
        ordinal = met[finding.span.file, key]
        digest = hashlib.sha256(f"{key}\0{ordinal}".encode(errors="replace")).hexdigest()[:16]
        named.append(replace(diagnostic, finding=replace(finding, fingerprint=digest)))
    return tuple(named)


def expression(finding: Finding, lines: Lines) -> str:
    """What a finding is about, in one line: the source text of its place, else its message without its numbers.

    What coalint could not read is known by its message: its place is a whole kernel, or a file.
    """
    text = "" if is_own(finding.code) else _text(finding.span, lines)
    return _SPACE.sub(" ", text).strip() or _NUMBER.sub("#", finding.message)


def _text(span: Span, lines: Lines) -> str:
    """The source text of a span; empty where the file's text is not at hand."""
    found = list(lines.get(span.file, ())[span.line - 1 : span.end_line])
    if not found:
        return ""
    found[-1] = found[-1][: span.end_column - 1]
    found[0] = found[0][span.column - 1 :]
    return "\n".join(found)
