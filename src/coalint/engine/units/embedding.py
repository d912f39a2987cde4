"""Takes Python files and notebooks apart: what they hold is handed to the pipeline as files of its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from coalint.core.findings import Finding, Severity
from coalint.core.records import record
from coalint.core.source.overlay import contents_of, overlaid
from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.check.records import Overlay
from coalint.engine.units.discovery import modules_of
from coalint.engine.units.embedded import Embedding
from coalint.engine.units.embedded_unit import EmbeddedUnit, Lines, cells_unit, cuda_unit, host_span
from coalint.frontend.python import notebooks
from coalint.frontend.python.embedded.files import cells_with_cuda, python_file
from coalint.frontend.python.embedded.sources import PythonFile
from coalint.frontend.python.notebooks import Notebook, read_notebook
from coalint.frontend.python.numba.marks import launching_imports
from coalint.frontend.registry import holds_marked_kernels
from coalint.rules.own.not_analysed import NotAnalysed
from coalint.rules.own.translation_unit_error import TranslationUnitError

SUFFIXES = (".py", ".pyi", notebooks.SUFFIX)


def embedding(files: Sequence[str], overlay: Overlay = ()) -> Embedding:
    """Take the Python files and notebooks among the files apart; without any, nothing changes."""
    if not any(file.endswith(SUFFIXES) for file in files):
        return Embedding(tuple(files), tuple(files), overlay)
    taken = _Taken()
    with overlaid(overlay):
        for file in files:
            data = _contents(file) if file.endswith(SUFFIXES) else None
            if data is None:
                taken.files.append(file)
            elif file.endswith(notebooks.SUFFIX):
                taken.notebook(file, data)
            else:
                taken.python(file, data)
        taken.add_launchers()
    added = tuple((path, unit.text) for path, unit in taken.units.items())
    return Embedding(
        tuple(files), tuple(taken.files), (*overlay, *added), tuple(taken.problems), taken.texts, taken.units
    )


@record
class _Taken:
    files: list[str] = field(default_factory=list)
    units: dict[str, EmbeddedUnit] = field(default_factory=dict)
    problems: list[Finding] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    importing: dict[str, frozenset[str]] = field(default_factory=dict)

    def python(self, file: str, data: bytes) -> None:
        content = python_file(data)
        self.texts[file] = content.text
        if holds_marked_kernels(file, data):
            self.files.append(file)
            content = replace(content, error=None)  # its own front end says so
        elif imported := launching_imports(data):
            self.importing[file] = imported
        self._hold(file, content, Lines(content.text))

    def add_launchers(self) -> None:
        """Take files that hold no kernels, but may launch those of other files of the run."""
        modules = modules_of(self.files)
        self.files += (file for file, imported in self.importing.items() if imported & modules)

    def notebook(self, file: str, data: bytes) -> None:
        text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        notebook = read_notebook(text)
        lines = Lines(text)
        self.texts[file] = text
        if notebook.error is not None:
            offset, reason = notebook.error
            message = f"the notebook could not be read, so that no kernel in it was found: {reason}"
            help = "open it in Jupyter and save it again"
            span = host_span(file, lines, offset, min(offset + 1, len(text)))
            self.problems.append(TranslationUnitError.report(message, span, None, Severity.WARNING, help))
            return
        unit = cells_unit(file, notebook, lines)
        if holds_marked_kernels(unit.path, notebook.text.encode(errors="replace")):
            self._add(unit)
        content = cells_with_cuda(notebook)
        self._hold(file, content, lines, notebook)

    def _hold(self, file: str, content: PythonFile, lines: Lines, notebook: Notebook | None = None) -> None:
        self.problems += _problems(file, content, lines, notebook)
        for source in content.sources:
            unit = cuda_unit(file, source, lines, {unit.path for unit in self.units.values()}, notebook)
            if unit is not None:
                self._add(unit)

    def _add(self, unit: EmbeddedUnit) -> None:
        self.units[os.path.realpath(unit.path)] = unit
        self.files.append(unit.path)


def _contents(file: str) -> bytes | None:
    changed = contents_of(file)
    if changed is not None:
        return changed
    try:
        return read_bytes(file, FileKind.SOURCE)
    except OSError:
        return None  # the front end says why


def _problems(file: str, content: PythonFile, lines: Lines, notebook: Notebook | None) -> Iterable[Finding]:
    if content.error is not None:
        line, reason = content.error
        message = f"the Python file could not be parsed, so that no CUDA source in it was found: {reason}"
        help = "coalint reads the syntax of the Python that it runs on"
        begin = lines.offset(line, 1)
        span = host_span(file, lines, begin, begin + 1)
        yield TranslationUnitError.report(message, span, None, Severity.WARNING, help)
    for gap in content.gaps:
        span = host_span(file, lines, gap.begin, gap.end, notebook)
        help = "string literals, their concatenation, and names that are assigned one once are followed"
        yield NotAnalysed.report(gap.message, span, None, NotAnalysed.severity, help)
