"""Calls each file as the user did, however an include reached it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import PurePath

from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import Specialization
from coalint.core.findings import Finding, Note
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.engine.check.records import CheckedKernel, FileResult
from coalint.machine.nvcc.instructions import MachineInstruction


def placed(instructions: Sequence[MachineInstruction], analysis: Analysis) -> tuple[MachineInstruction, ...]:
    """Return the instructions of the accesses of an analysis in its names of files."""
    return tuple(made.placed(access) for made, access in zip(instructions, analysis.accesses, strict=True))


@record
class Names:
    """Maps the names that the front end uses to those that are printed.

    `given` maps the real path of every file of the run to the name under which the user gave it, `folders` those of
    the folders above them, as far as the names tell.
    """

    given: Mapping[str, str]
    folders: Mapping[str, str] = field(default_factory=dict)
    _seen: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Iterable[str]) -> Names:
        """Return the names of a run over `files`; the first name of a file counts."""
        given: dict[str, str] = {}
        for file in files:
            given.setdefault(os.path.realpath(file), file)
        folders: dict[str, str] = {}
        for folder in sorted({str(folder) for name in given.values() for folder in PurePath(name).parents}):
            folders.setdefault(os.path.realpath(folder), folder)
        return cls(given, folders)

    def file(self, name: str) -> str:
        """Return the name to print for a file."""
        if name not in self._seen:
            real = os.path.realpath(name)
            self._seen[name] = self.given.get(real) or self._near(real) or self._short(os.path.normpath(name))
        return self._seen[name]

    def _near(self, path: str) -> str | None:
        """Return the name of a file in or below a folder of the run, one for all the spellings in includes."""
        folder, rest = os.path.split(path)
        while folder not in self.folders:
            folder, last = os.path.split(folder)
            if not last:
                return None
            rest = os.path.join(last, rest)
        return os.path.normpath(os.path.join(self.folders[folder], rest))

    def _short(self, name: str) -> str:
        """Return a header's name: relative to the working directory when that is how the files were given."""
        below = os.path.join(os.getcwd(), "")
        if name.startswith(below) and not all(map(os.path.isabs, self.given.values())):
            return name.removeprefix(below)
        return name

    def result(self, result: FileResult) -> FileResult:
        """Return the same result in printed names."""
        return replace(
            result,
            kernels=tuple((name, self.span(span)) for name, span in result.kernels),
            checked=tuple(map(self._checked, result.checked)),
            problems=tuple(map(self.finding, result.problems)),
            functions=tuple(map(self.span, result.functions)),
            in_part=tuple((name, self.file(file)) for name, file in result.in_part),
            sources={self.file(name): text for name, text in result.sources.items()},
        )

    def span(self, span: Span) -> Span:
        """Return a place in printed names."""
        name = self.file(span.file)
        return span if name == span.file else replace(span, file=name)

    def _note(self, note: Note) -> Note:
        return note if note.span is None else replace(note, span=self.span(note.span))

    def finding(self, finding: Finding) -> Finding:
        """Return a finding in printed names."""
        fix = finding.fix
        if fix is not None:
            edits = (replace(edit, span=self.span(edit.span)) for edit in fix.edits)
            check = fix.check and replace(fix.check, declared=self.span(fix.check.declared))
            fix = replace(fix, edits=tuple(edits), check=check)
        return replace(
            finding,
            span=self.span(finding.span),
            message=self._in_words(finding.message, finding.notes),
            help=self._in_words(finding.help, finding.notes),
            notes=tuple(map(self._note, finding.notes)),
            fix=fix,
            subjects=tuple(
                replace(subject, span=self.span(subject.span), calls=tuple(map(self.span, subject.calls)))
                for subject in finding.subjects
            ),
        )

    def _in_words(self, text: str, notes: Iterable[Note]) -> str:
        """Return what a finding says, with the printed names of the files of its notes."""
        for file in {note.span.file for note in notes if note.span is not None}:
            text = text.replace(f" {file}:", f" {self.file(file)}:")
        return text

    def _checked(self, kernel: CheckedKernel) -> CheckedKernel:
        analysis = None if kernel.analysis is None else self.analysis(kernel.analysis)
        return replace(
            kernel,
            span=self.span(kernel.span),
            specialization=self.specialization(kernel.specialization),
            findings=tuple(
                replace(
                    item,
                    finding=self.finding(item.finding),
                    moved=None if item.moved is None else self.finding(item.moved),
                )
                for item in kernel.findings
            ),
            gaps=tuple(map(self._note, kernel.gaps)),
            analysis=analysis,
            instructions=() if analysis is None else placed(kernel.instructions, analysis),
        )

    def specialization(self, specialization: Specialization) -> Specialization:
        """Return a specialization in printed names."""
        file = specialization.file
        return specialization if file is None else replace(specialization, file=self.file(file))

    def analysis(self, analysis: Analysis) -> Analysis:
        """Return an analysis in printed names."""
        return replace(
            analysis,
            span=self.span(analysis.span),
            accesses=tuple(replace(access, span=self.span(access.span)) for access in analysis.accesses),
            barriers=tuple(replace(barrier, span=self.span(barrier.span)) for barrier in analysis.barriers),
            gaps=tuple(map(self._note, analysis.gaps)),
        )
