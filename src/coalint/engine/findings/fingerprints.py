"""Fingerprints identify findings across edits elsewhere in the file: they contain no line numbers and no counts."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from coalint.core.findings import Finding
from coalint.core.source.spans import Span
from coalint.engine.findings.filters.baseline.entry import without_spaces
from coalint.engine.report import Diagnostic
from coalint.rule import is_own

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SPACE = re.compile(r"\s+")

Lines = Mapping[str, Sequence[str]]
"""The lines of each source file."""


def lines_of(sources: Mapping[str, str]) -> Lines:
    """Return the lines of each source."""
    return {file: text.split("\n") for file, text in sources.items()}


def with_fingerprints(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics with fingerprints; findings of a file that are alike are numbered in their order."""
    ordinals: Counter[tuple[str, str]] = Counter()
    lines = lines_of(sources)
    identified: list[Diagnostic] = []
    for diagnostic in diagnostics:
        finding = diagnostic.finding
        text = without_spaces(expression(finding, lines))
        key = "\0".join((finding.code, PurePath(finding.span.file).name, finding.kernel or "", text))
        ordinals[finding.span.file, key] += 1
        ordinal = ordinals[finding.span.file, key]
        digest = hashlib.sha256(f"{key}\0{ordinal}".encode(errors="replace")).hexdigest()[:16]
        identified.append(replace(diagnostic, finding=replace(finding, fingerprint=digest)))
    return tuple(identified)


def expression(finding: Finding, lines: Lines) -> str:
    """Return what a finding is about, in one line: the source text of its place, else its message without numbers.

    Findings of coalint's own rules are identified by their message: their place may be a whole kernel or file, and they
    have no other property that tells two of them apart.
    """
    text = "" if is_own(finding.code) else _text(finding.span, lines)
    return _SPACE.sub(" ", text).strip() or _NUMBER.sub("#", finding.message)


def _text(span: Span, lines: Lines) -> str:
    """Return the source text of a span; empty where the file's text is not available."""
    text = list(lines.get(span.file, ())[span.line - 1 : span.end_line])
    if not text:
        return ""
    text[-1] = text[-1][: span.end_column - 1]
    text[0] = text[0][span.column - 1 :]
    return "\n".join(text)
