"""What a run makes of source within files of another kind: results in the places of these files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import Specialization
from coalint.core.findings import Finding
from coalint.core.records import record
from coalint.core.source.spans import Span, cell_name
from coalint.engine.check.records import CheckedKernel, FileResult, Overlay
from coalint.engine.findings.filters.changes.changed_lines import EVERYTHING, Changed, Changes
from coalint.engine.report import Diagnostic, Failure, Inspected, Inspection, Report
from coalint.engine.units.display_names import Names, placed
from coalint.engine.units.embedded_unit import EmbeddedUnit


@record
class Embedding:
    """The files of a run with what Python files and notebooks hold in place of these.

    `overlay` has their texts beside those that were given. `problems` are about the Python files and notebooks
    themselves, of which `texts` are the texts.
    """

    asked: tuple[str, ...]
    files: tuple[str, ...]
    overlay: Overlay
    problems: tuple[Finding, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[str, EmbeddedUnit] = field(default_factory=dict)

    @property
    def cells(self) -> Mapping[str, str]:
        """The text of each cell of the notebooks that hold code for a GPU, by its name in reports."""
        cells: dict[str, str] = {}
        for unit in self.units.values():
            for cell in unit.notebook.cells if unit.notebook is not None else ():
                assert unit.notebook is not None
                cells[cell_name(unit.host, cell.number)] = unit.notebook.text[cell.begin : cell.end]
        return cells

    def report(self, report: Report, problems: Iterable[Diagnostic] = ()) -> Report:
        """Return the same in the places of the hosts, with what is wrong with these."""
        if not self.texts:
            return report
        names = _Placed(self.units)
        diagnostics = [*(self._diagnostic(d, names) for d in report.diagnostics), *problems]
        hidden = {unit.path for unit in self.units.values()}
        sources = {name: text for name, text in report.sources.items() if name not in hidden}
        return replace(
            report,
            diagnostics=tuple(sorted(diagnostics, key=lambda d: (d.finding.span, d.finding.code))),
            failures=self._failures(report.failures),
            sources={**sources, **self.texts, **self.cells},
            inspected=tuple(map(names.inspected, report.inspected)),
        )

    def inspection(self, inspection: Inspection) -> Inspection:
        """Return the same in the places of the hosts."""
        if not self.texts:
            return inspection
        names = _Placed(self.units)
        diagnostics = [*(self._diagnostic(d, names) for d in inspection.diagnostics), *map(Diagnostic, self.problems)]
        return replace(
            inspection,
            kernels=tuple(map(names.inspected, inspection.kernels)),
            diagnostics=tuple(sorted(diagnostics, key=lambda d: d.finding.span)),
            failures=self._failures(inspection.failures),
        )

    def with_cells(self, results: Sequence[FileResult]) -> Sequence[FileResult]:
        """Return the results with the cells in which notebooks launch kernels; places stay those of the units."""
        units = {name: unit for name, unit in self.units.items() if unit.notebook is not None}
        names = _LaunchCells(units)
        return [names.result(result) for result in results] if units else results

    def changes(self, changes: Changes | None) -> Changes | None:
        """Return what git says of the hosts, as said of the units."""
        return changes if changes is None or not self.units else _Changes(changes.base, units=self.units)

    def _diagnostic(self, diagnostic: Diagnostic, names: _Placed) -> Diagnostic:
        made_for, kernel = diagnostic.specialization, diagnostic.kernel_span
        return replace(
            diagnostic,
            finding=names.finding(diagnostic.finding),
            specialization=None if made_for is None else names.specialization(made_for, kernel),
            kernel_span=None if kernel is None else names.span(kernel),
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
            text = text.replace(unit.path, unit.host)
        return text


class _Placed(Names):
    """Names places in units as places of their hosts."""

    def __init__(self, units: Mapping[str, EmbeddedUnit]) -> None:
        super().__init__({})
        self.units = units

    def _unit(self, file: str) -> EmbeddedUnit | None:
        return self.units.get(os.path.realpath(file))

    def file(self, name: str) -> str:
        unit = self._unit(name)
        return name if unit is None else unit.host

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
        """Return a kernel in the places of its host."""
        analysis = self.analysis(item.analysis)
        return replace(item, analysis=analysis, instructions=placed(item.instructions, analysis))


class _LaunchCells(Names):
    """Adds to launches in notebooks the cell that they stand in."""

    def __init__(self, units: Mapping[str, EmbeddedUnit]) -> None:
        super().__init__({})
        self.units = units

    def file(self, name: str) -> str:
        return name

    def _checked(self, kernel: CheckedKernel) -> CheckedKernel:
        line = kernel.specialization.line
        unit = self.units.get(os.path.realpath(kernel.specialization.file or kernel.span.file))
        if unit is None or line is None:
            return kernel
        cell = unit.span(Span(unit.path, line, 1, line, 2)).cell
        if cell is None:
            return kernel
        given = replace(kernel.specialization, cell=(cell.number, cell.line))
        analysis = kernel.analysis
        if analysis is not None:
            accesses = tuple(replace(access, specialization=given) for access in analysis.accesses)
            analysis = replace(analysis, specialization=given, accesses=accesses)
        instructions = kernel.instructions if analysis is None else placed(kernel.instructions, analysis)
        return replace(kernel, specialization=given, analysis=analysis, instructions=instructions)


@record
class _Changes(Changes):
    units: Mapping[str, EmbeddedUnit] = field(default_factory=dict)

    def in_file(self, path: str) -> Changed:
        unit = self.units.get(os.path.realpath(path))
        if unit is None:
            return super().in_file(path)
        return super().in_file(unit.host) if unit.aligned else EVERYTHING
