"""The list of known findings, matched by file, kernel and expression, so that it holds while lines move."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coalint.core.records import record
from coalint.core.source.json_text import parse_json
from coalint.core.source.reading import FileKind, read_bytes
from coalint.core.source.writing import replace_file
from coalint.engine.findings.filters.baseline.entry import BaselineEntry
from coalint.engine.findings.fingerprints import Lines, expression
from coalint.engine.report import Diagnostic

SCHEMA = "coalint-baseline/1"
NAME = "coalint-baseline.json"
"""The default file of the list."""
_FIELDS = {"file": str, "kernel": str | None, "code": str, "rule": str, "expression": str, "count": int}


class BaselineError(Exception):
    """A list cannot be read or written; the text says which and what to do."""


@record(frozen=True)
class Baseline:
    """The known findings of a file.

    Attributes:
        path: The file.
        entries: Its entries.
    """

    path: str
    entries: tuple[BaselineEntry, ...] = ()

    def divided(self, diagnostics: Iterable[Diagnostic], lines: Lines) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """Return new findings and known ones; of findings that are alike, the first ones are the known."""
        left = Counter({known.key: known.count for known in self.entries})
        new: list[Diagnostic] = []
        old: list[Diagnostic] = []
        for diagnostic in diagnostics:
            key = self._entry(diagnostic, lines).key
            left[key] -= 1
            (old if left[key] >= 0 else new).append(diagnostic)
        return new, old

    def stale(
        self, diagnostics: Iterable[Diagnostic], lines: Lines, is_judged: Callable[[str, str], bool]
    ) -> tuple[BaselineEntry, ...]:
        """Return the entries whose findings are gone, each with their number.

        `is_judged` says whether the run made all findings of a rule (its code) in a file (an absolute path). Entries of
        files that no longer exist are stale too.
        """
        current = Counter(self._entry(diagnostic, lines).key for diagnostic in diagnostics)
        stale: list[BaselineEntry] = []
        for known in self.entries:
            path = os.path.join(self.folder, known.file)
            rest = known.count - current[known.key]
            if rest > 0 and (is_judged(path, known.code) or not os.path.exists(path)):
                stale.append(replace(known, count=rest))
        return tuple(stale)

    def without(self, stale: Sequence[BaselineEntry]) -> Baseline:
        """Return the list without stale entries."""
        gone = Counter({known.key: known.count for known in stale})
        remaining = (replace(known, count=known.count - gone[known.key]) for known in self.entries)
        return replace(self, entries=tuple(known for known in remaining if known.count > 0))

    def listing(self, diagnostics: Iterable[Diagnostic], lines: Lines) -> Baseline:
        """Return the list with exactly these findings."""
        merged: dict[tuple[str, str, str, str], BaselineEntry] = {}
        for known in (self._entry(diagnostic, lines) for diagnostic in diagnostics):
            before = merged.get(known.key)
            merged[known.key] = known if before is None else replace(before, count=before.count + 1)
        return replace(self, entries=tuple(merged.values()))

    @property
    def folder(self) -> str:
        """The folder that file names are relative to."""
        return os.path.dirname(os.path.realpath(self.path))

    def _entry(self, diagnostic: Diagnostic, lines: Lines) -> BaselineEntry:
        finding = diagnostic.finding
        real = os.path.realpath(finding.span.file)
        if os.path.isfile(outer := os.path.dirname(real)):  # CUDA source within a Python file
            real = outer
        file = Path(os.path.relpath(real, self.folder)).as_posix()
        return BaselineEntry(
            file=file,
            kernel=finding.kernel or "",
            code=finding.code,
            expression=expression(finding, lines),
            rule=finding.name,
            count=1,
        )

    def write(self) -> None:
        """Write the list, sorted, one entry per line. Raises BaselineError."""
        rows = [json.dumps(_as_object(known), ensure_ascii=False) for known in sorted(self.entries)]
        body = ",\n".join(f"    {row}" for row in rows)
        text = f'{{\n  "schema": "{SCHEMA}",\n  "findings": [\n{body}\n  ]\n}}\n' if rows else _EMPTY
        try:
            replace_file(self.path, text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise BaselineError(f"{self.path}: cannot be written: {error.strerror}") from None


_EMPTY = f'{{\n  "schema": "{SCHEMA}",\n  "findings": []\n}}\n'


def _as_object(known: BaselineEntry) -> dict[str, Any]:
    return {
        "file": known.file,
        "kernel": known.kernel or None,
        "code": known.code,
        "rule": known.rule,
        "expression": known.expression,
        "count": known.count,
    }


def read_baseline(path: str) -> Baseline:
    """Return the list of a file. Raises BaselineError."""
    try:
        document = parse_json(read_bytes(path, FileKind.BASELINE).decode("utf-8", "surrogateescape"))
    except FileNotFoundError:
        raise BaselineError(
            f"{path}: baseline not found; `coalint baseline create --baseline {path} PATH...` creates it"
        ) from None
    except OSError as error:
        raise BaselineError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BaselineError(f"{path}: is not valid JSON: {error}; `coalint baseline create` writes a new one") from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise BaselineError(f'{path}: is not a coalint baseline: its "schema" is not "{SCHEMA}"')
    rows = document.get("findings")
    if not isinstance(rows, list):
        raise BaselineError(f'{path}: holds no list of "findings"')
    return Baseline(path, tuple(_read(path, number, row) for number, row in enumerate(rows, 1)))


def _read(path: str, number: int, row: Any) -> BaselineEntry:
    if not isinstance(row, Mapping):
        raise BaselineError(f"{path}: finding {number} is not an object")
    for name, kind in _FIELDS.items():
        if not isinstance(row.get(name), kind) or isinstance(row.get(name), bool):
            raise BaselineError(f'{path}: finding {number} has no valid "{name}"')
    return BaselineEntry(
        file=row["file"],
        kernel=row["kernel"] or "",
        code=row["code"],
        expression=row["expression"],
        rule=row["rule"],
        count=row["count"],
    )
