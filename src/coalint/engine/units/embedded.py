"""CUDA source in Python files: handed to the pipeline as files of its own, and reported where it stands."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import Specialization
from coalint.core.findings import Finding, Severity
from coalint.core.source.overlay import contents_of, overlaid
from coalint.core.source.reading import Kind, read_bytes
from coalint.core.source.spans import Span
from coalint.engine.check.records import Overlay
from coalint.engine.findings.filters.changes.changed_lines import EVERYTHING, Changed, Changes
from coalint.engine.report import Diagnostic, Failure, Inspected, Inspection, Report
from coalint.engine.units.display_names import Names, placed
from coalint.frontend.cuda.build.kernel_marks import first_kernel
from coalint.frontend.python.embedded_cuda import CudaSource, PythonFile, python_file
from coalint.frontend.python.string_literals import Piece
from coalint.frontend.registry import holds_marked_kernels
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

SUFFIXES = (".py", ".pyi")


@dataclass(frozen=True)
class _Unit:
    """One CUDA source, under a name of its own below that of its Python file: so what is said of that holds for it.

    Its lines have the numbers that they have in the Python file, where that is possible (`aligned`). For each
    character there are the offsets in the Python file at which what stands for it begins and ends.
    """

    path: str
    python: str
    text: str
    begins: Sequence[int]
    ends: Sequence[int]
    pieces: tuple[Piece, ...]
    aligned: bool
    lines: _Lines
    own: _Lines

    def span(self, span: Span) -> Span:
        """The place in the Python file."""
        first, last = self._offsets(span)
        begin = self.begins[first]
        end = self.ends[last - 1] if last > first else begin
        return Span(self.python, *self.lines.place(begin), *self.lines.place(end))

    def takes(self, span: Span, replacement: str) -> bool:
        """Whether a text can be written there as it is: within one literal, and as that spells it."""
        first, last = self._offsets(span)
        piece = next((p for p in self.pieces if p.first <= first and last <= p.last), None)
        if piece is None or self.ends[max(first, last - 1)] - self.begins[first] != max(1, last - first):
            return False
        refused = "\\\"'" + ("{}" if piece.formatted else "") + ("" if piece.triple else "\n")
        return not any(character in refused for character in replacement)

    def _offsets(self, span: Span) -> tuple[int, int]:
        last = len(self.text) - 1
        first = min(self.own.offset(span.line, span.column), last)
        return first, max(first, min(self.own.offset(span.end_line, span.end_column), last + 1))


class _Lines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))[:-1]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column, from 1."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        return self.starts[min(line, len(self.starts)) - 1] + column - 1


@dataclass
class Embedding:
    """The files of a run with the CUDA source that Python files hold in place of these.

    `overlay` has their texts beside those that were given. `problems` are about the Python files themselves.
    """

    asked: tuple[str, ...]
    files: tuple[str, ...]
    overlay: Overlay
    problems: tuple[Finding, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, _Unit] = field(default_factory=dict)

    def report(self, report: Report, problems: Iterable[Diagnostic] = ()) -> Report:
        """The same in the places of the Python files, with what is wrong with these."""
        if not self.texts:
            return report
        names = _Placed(self.units)
        found = [*(self._diagnostic(d, names) for d in report.diagnostics), *problems]
        hidden = {unit.path for unit in self.units.values()}
        sources = {name: text for name, text in report.sources.items() if name not in hidden}
        return replace(
            report,
            diagnostics=tuple(sorted(found, key=lambda d: (d.finding.span, d.finding.code))),
            failures=self._failures(report.failures),
            sources={**sources, **self.texts},
            inspected=tuple(map(names.inspected, report.inspected)),
        )

    def inspection(self, inspection: Inspection) -> Inspection:
        """The same in the places of the Python files."""
        if not self.texts:
            return inspection
        names = _Placed(self.units)
        found = [*(self._diagnostic(d, names) for d in inspection.diagnostics), *map(Diagnostic, self.problems)]
        return replace(
            inspection,
            kernels=tuple(map(names.inspected, inspection.kernels)),
            diagnostics=tuple(sorted(found, key=lambda d: d.finding.span)),
            failures=self._failures(inspection.failures),
        )

    def changes(self, changes: Changes | None) -> Changes | None:
        """What git says of the Python files, as said of the units."""
        return changes if changes is None or not self.units else _Changes(changes.base, units=self.units)

    def _diagnostic(self, diagnostic: Diagnostic, names: _Placed) -> Diagnostic:
        return replace(
            diagnostic,
            finding=names.finding(diagnostic.finding),
            basis=self._renamed(diagnostic.basis),
            also=tuple(map(self._renamed, diagnostic.also)),
        )

    def _failures(self, failures: Iterable[Failure]) -> tuple[Failure, ...]:
        renamed = (
            replace(f, message=self._renamed(f.message), file=f.file and self._renamed(f.file)) for f in failures
        )
        return tuple(renamed)

    def _renamed(self, text: str) -> str:
        for unit in self.units.values():
            text = text.replace(unit.path, unit.python)
        return text


class _Placed(Names):
    """Names places in units as places of their Python files."""

    def __init__(self, units: Mapping[str, _Unit]) -> None:
        super().__init__({})
        self.units = units

    def _unit(self, file: str) -> _Unit | None:
        return self.units.get(os.path.realpath(file))

    def file(self, name: str) -> str:
        unit = self._unit(name)
        return name if unit is None else unit.python

    def span(self, span: Span) -> Span:
        unit = self._unit(span.file)
        return span if unit is None else unit.span(span)

    def finding(self, finding: Finding) -> Finding:
        fix = finding.fix
        for edit in fix.edits if fix is not None else ():
            unit = self._unit(edit.span.file)
            if unit is not None and not unit.takes(edit.span, edit.replacement):
                finding = replace(finding, fix=None)
        return super().finding(finding)

    def specialization(self, specialization: Specialization, home: Span | None = None) -> Specialization:
        unit = self._unit(specialization.file or (home.file if home is not None else ""))
        if unit is None or specialization.line is None:
            return super().specialization(specialization)
        line = unit.span(Span("", specialization.line, 1, specialization.line, 1)).line
        return super().specialization(replace(specialization, line=line))

    def analysis(self, analysis: Analysis) -> Analysis:
        specialization = self.specialization(analysis.specialization, analysis.span)
        accesses = tuple(replace(access, specialization=specialization) for access in analysis.accesses)
        return super().analysis(replace(analysis, specialization=specialization, accesses=accesses))

    def inspected(self, item: Inspected) -> Inspected:
        """A kernel in the places of its Python file."""
        analysis = self.analysis(item.analysis)
        return replace(item, analysis=analysis, instructions=placed(item.instructions, analysis))


@dataclass
class _Changes(Changes):
    units: Mapping[str, _Unit] = field(default_factory=dict)

    def of(self, path: str) -> Changed:
        unit = self.units.get(os.path.realpath(path))
        if unit is None:
            return super().of(path)
        return super().of(unit.python) if unit.aligned else EVERYTHING


def embedding(files: Sequence[str], overlay: Overlay = ()) -> Embedding:
    """Take the Python files among the files apart; without any, nothing changes."""
    if not any(file.endswith(SUFFIXES) for file in files):
        return Embedding(tuple(files), tuple(files), overlay)
    taken: list[str] = []
    units: dict[str, _Unit] = {}
    problems: list[Finding] = []
    texts: dict[str, str] = {}
    with overlaid(overlay):
        for file in files:
            data = _contents(file) if file.endswith(SUFFIXES) else None
            if data is None:
                taken.append(file)
                continue
            found = python_file(data)
            texts[file] = found.text
            lines = _Lines(found.text)
            if holds_marked_kernels(file, data):
                taken.append(file)
                found = replace(found, error=None)  # its own front end says so
            problems += _problems(file, found, lines)
            for source in found.sources:
                unit = _unit(file, source, lines, {unit.path for unit in units.values()})
                if unit is not None:
                    units[os.path.realpath(unit.path)] = unit
                    taken.append(unit.path)
    added = tuple((path, unit.text) for path, unit in units.items())
    return Embedding(tuple(files), tuple(taken), (*overlay, *added), tuple(problems), texts, units)


def _contents(file: str) -> bytes | None:
    changed = contents_of(file)
    if changed is not None:
        return changed
    try:
        return read_bytes(file, Kind.SOURCE)
    except OSError:
        return None  # the front end says why


def _problems(file: str, found: PythonFile, lines: _Lines) -> Iterable[Finding]:
    if found.error is not None:
        line, reason = found.error
        message = f"the Python file could not be parsed, so that no CUDA source in it was found: {reason}"
        help = "coalint reads the syntax of the Python that it runs on"
        yield TranslationUnitError.report(message, Span(file, line, 1, line, 2), None, Severity.WARNING, help)
    for gap in found.gaps:
        span = Span(file, *lines.place(gap.begin), *lines.place(gap.end))
        help = "string literals, their concatenation, and names that are assigned one once are followed"
        yield NotAnalysed.report(gap.message, span, None, NotAnalysed.severity, help)


def _unit(file: str, source: CudaSource, lines: _Lines, names: set[str]) -> _Unit | None:
    """The unit for a source; None where it is empty."""
    parts = [part for part in source.parts if part.text]
    if not parts:
        return None
    text = "".join(f"{line}\n" for line in source.prelude)
    begins = [parts[0].begins[0]] * len(text)
    ends = list(begins)
    pieces: list[Piece] = []
    for part in parts:
        line = lines.place(part.begins[0])[0]
        # What comes before is moved down: a prelude needs lines of Python above it, as there are for the imports.
        gap = max(line - 1 - text.count("\n"), 1 if begins and text[-1:] != "\n" else 0)
        text, begins, ends = text + "\n" * gap, [*begins, *[part.begins[0]] * gap], [*ends, *[part.begins[0]] * gap]
        shift = len(text)
        pieces += (Piece(p.first + shift, p.last + shift, p.triple, p.formatted) for p in part.pieces)
        text += part.text
        begins += part.begins
        ends += part.ends
    text, begins, ends = text + "\n", [*begins, ends[-1]], [*ends, ends[-1]]
    own = _Lines(text)
    numbered = ((own.place(shift + n)[0], lines.place(begin)[0]) for n, begin in enumerate(part.begins))
    aligned = all(mine == theirs for mine, theirs in numbered)
    stem = first_kernel(text) or "source"
    name, number = os.path.join(file, f"{stem}.cu"), 1
    while name in names:
        number += 1
        name = os.path.join(file, f"{stem}-{number}.cu")
    return _Unit(name, file, text, begins, ends, tuple(pieces), aligned, lines, own)
