"""Names for findings that survive edits elsewhere in the file: no line numbers, no counts."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from coalint.diagnostics import Finding, Span
from coalint.report import Diagnostic

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SPACE = re.compile(r"\s+")


def with_fingerprints(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Give each finding its fingerprint; equal ones in a file are told apart by their order."""
    met: Counter[str] = Counter()
    lines = {file: text.split("\n") for file, text in sources.items()}
    named: list[Diagnostic] = []
    for diagnostic in diagnostics:
        key = _key(diagnostic.finding, lines)
        met[key] += 1
        digest = hashlib.sha256(f"{key}\0{met[key]}".encode(errors="replace")).hexdigest()[:16]
        named.append(replace(diagnostic, finding=replace(diagnostic.finding, fingerprint=digest)))
    return tuple(named)


def _key(finding: Finding, sources: Mapping[str, Sequence[str]]) -> str:
    text = _text(finding.span, sources) or _NUMBER.sub("#", finding.message)
    return "\0".join((finding.code, PurePath(finding.span.file).name, finding.kernel or "", _SPACE.sub("", text)))


def _text(span: Span, sources: Mapping[str, Sequence[str]]) -> str:
    """The source text of a span on one line, else its first line; empty where the file's text is not at hand."""
    lines = sources.get(span.file, ())
    if not 1 <= span.line <= len(lines):
        return ""
    end = span.end_column - 1 if span.end_line == span.line else None
    return lines[span.line - 1][span.column - 1 : end]
