"""A file with the declarations, macros and edits with which it is parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import field
from typing import Any
from weakref import WeakKeyDictionary

from clang.cindex import TranslationUnit

from coalint.core.records import record
from coalint.core.source.boundary import roots
from coalint.core.source.overlay import text_of
from coalint.core.source.reading import FileKind, read_text
from coalint.frontend.cuda.build.include_folders import INCLUDE
from coalint.frontend.cuda.build.includes import search_path
from coalint.frontend.cuda.libclang.bindings import ast_bytes
from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.libclang.inclusions import names_of
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.repair import template_keyword
from coalint.frontend.cuda.repair.declarations import Undeclared
from coalint.frontend.cuda.repair.installed import Served
from coalint.frontend.cuda.repair.missing_kernels import without_comments
from coalint.frontend.cuda.repair.text_edits import TextEdits
from coalint.frontend.cuda.repair.wide_text import WideText
from coalint.frontend.cuda.templates.instances import NO_PROBE, Probe
from coalint.frontend.interface import BuildMacro

MARKS = re.compile(r"__global__|__device__|<<<|\b[A-Z_]*(?:GLOBAL|KERNEL|DEVICE)\b")
"""What shows that a text holds device code."""

LARGEST_KEPT = 32 << 20  # bytes of the syntax tree of a parse that was not taken

State = tuple[tuple[str, ...], str, str, dict[str, str]]
"""What a parse is of: flags, the file's text, declarations, and texts of other files."""

Places = dict[str, tuple[str, int, int]]
"""File, line and column by name; that of the empty name is for names of which nothing else is known."""


@record(frozen=True)
class Saved:
    """What a strategy changes of a file: enough to undo it."""

    flags: Sequence[str]
    supposed: tuple[str, ...]
    known: Undeclared


@record
class RepairedFile:
    """One file and the fragments that count as its own, with all that is changed for it to be parsed.

    `known` is what has been declared for it so far, `places` where names were complained of first, `rounds` how often
    something was declared. `supposing` allows to suppose options of the build: `supposed` are the macros that were
    defined so, among the flags then; `built` are macros to which some build gives a value. `ranges` is source after
    everything, for loops over objects. `installed` are folders of CUDA headers on this machine, `served` what of them
    the file is given; `ahead` are headers of coalint's that come before its first line. `probe` names instances behind
    the text; `foresee` tells from a first parse which these will be.
    """

    path: str
    flags: Sequence[str]
    text: str
    headers: str | None
    fragments: Sequence[str] = ()
    supposing: bool = False
    supposed: tuple[str, ...] = ()
    built: Sequence[BuildMacro] = ()
    installed: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    served: Served = field(default_factory=Served)
    known: Undeclared = field(default_factory=Undeclared)
    places: Places = field(default_factory=dict)
    rounds: int = 0
    ranges: str = ""
    probe: Probe = NO_PROBE
    foresee: Callable[[RepairedFile, TranslationUnit], Probe] | None = None
    _probes: WeakKeyDictionary[TranslationUnit, Probe] = field(default_factory=WeakKeyDictionary)
    _states: WeakKeyDictionary[TranslationUnit, State] = field(default_factory=WeakKeyDictionary)
    _refused: tuple[State, TranslationUnit] | None = None
    _edits: TextEdits = field(default_factory=TextEdits)
    _texts: dict[str, str] = field(default_factory=dict)
    _code: dict[str, str] = field(default_factory=dict)
    _device: dict[str, bool] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _headers: dict[str, str] = field(default_factory=dict)
    _wide: dict[str, WideText] = field(default_factory=dict)

    def saved(self) -> Saved:
        """Return what `restore` brings back."""
        return Saved(flags=self.flags, supposed=self.supposed, known=deepcopy(self.known))

    def restore(self, saved: Saved) -> None:
        """Undo all flags, macros and declarations since `saved` was."""
        self.flags, self.supposed, self.known = saved.flags, saved.supposed, saved.known

    def define(self, macros: Sequence[str]) -> None:
        """Define macros on the supposition that the build does."""
        self.flags = (*self.flags, *(f"-D{macro}" for macro in macros))
        self.supposed = (*self.supposed, *macros)

    def given_macros(self) -> set[str]:
        """Return the names of the macros that the flags define or undefine."""
        return {flag[2:].partition("=")[0] for flag in self.flags if flag.startswith(("-D", "-U"))}

    def again(self, unit: TranslationUnit) -> TranslationUnit:
        """Return the file with all declarations so far, and with the instances that its parse so far asks for."""
        if self.foresee is not None:
            self.probe, self.foresee = self.foresee(self, unit), None
        return self.unit()

    def probe_of(self, unit: TranslationUnit) -> Probe:
        """Return the instances that a parse of the file names after its text."""
        return self._probes[unit]

    def unit(self) -> TranslationUnit:
        """Return the file with all declarations so far."""
        unit = self._parsed()
        if self._edits.learn_includes(errors(unit), self.path, self.flags, self.text_of):
            unit = self._parsed()
        if self._edits.learn(errors(unit), self.path, self.text, self.text_of):
            unit = self._parsed()
        return self._told(unit)

    def _told(self, unit: TranslationUnit) -> TranslationUnit:
        """Return the file with the word `template` where nvcc does without, if that leaves fewer errors."""
        names = template_keyword.untold(errors(unit), self.path, self.text_of)
        known = self._edits.templated
        self._edits.templated = template_keyword.together(known, names)
        if self._edits.templated == known:
            return unit
        again = self._parsed()
        misread = {key(error) for error in errors(again) if error.grammar and error.location.file is not None}
        if len(errors(again)) < len(errors(unit)) and misread <= set(map(key, written(unit))):
            return again
        self._edits.templated = known
        return unit

    def _parsed(self) -> TranslationUnit:
        text = "\n".join((self._edits.own(self.path, self.text), *filter(None, (self.probe.text, self.ranges))))
        others = self._edits.others(self.path, dict(self.served.texts), self.text_of)
        flags = (*self.served.first, *self.flags, *self.served.last)
        state = (flags, text, self.known.text(), others)
        if self._refused is not None and self._refused[0] == state:
            unit, self._refused = self._refused[1], None  # whoever has it may close it
            return unit
        # An installed header stands for the bundled one where it is included.
        ahead = () if self.served.first or self.served.last or self.served.texts else self.ahead
        unit = parse(self.path, flags, text, self.headers, self.known.text(), others, ahead)
        self._probes[unit] = self.probe
        self._states[unit] = state
        return unit

    def refuse(self, unit: TranslationUnit) -> None:
        """Keep a parse that was not taken, unless it is large: a later step may ask for the same one."""
        if ast_bytes(unit) <= LARGEST_KEPT:
            self._refused = (self._states[unit], unit)

    def line_of(self, error: Any) -> str:
        """Return the line that an error stands on; empty after the end of its file."""
        lines = self.lines_of(error)
        return lines[error.location.line - 1] if error.location.line <= len(lines) else ""

    def lines_of(self, error: Any) -> list[str]:
        """Return the lines of the file that an error stands in."""
        file = error.location.file.name
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = self.text_of(file).split("\n")
        return lines

    def read_by(self, unit: TranslationUnit) -> Iterator[str]:
        """Yield the texts of the file and of the user's headers that it includes."""
        yield self.text
        for name in names_of(unit):
            if not name.startswith(str(INCLUDE)):
                yield self.text_of(name)

    def holds_device_code(self, file: str) -> bool:
        """Whether a file seems to hold kernels, device functions or launches."""
        holds = self._device.get(file)
        if holds is None:
            holds = self._device[file] = MARKS.search(self.text_of(file)) is not None
        return holds

    def code_of(self, file: str) -> str:
        """Return the text of a file with blanks for its comments."""
        code = self._code.get(file)
        if code is None:
            code = self._code[file] = without_comments(self.text_of(file))
        return code

    def character(self, file: str, offset: int) -> int:
        """Return how many characters of a file stand before an offset in bytes."""
        wide = self._wide.get(file)
        if wide is None:
            wide = self._wide[file] = WideText(self.text_of(file))
        return wide.characters(offset)

    def header(self, include: str) -> str:
        """Return the text of the user's header that an include names, beside the file or in a folder of its flags."""
        if include not in self._headers:
            self._headers[include] = self._header(include)
        return self._headers[include]

    def _header(self, include: str) -> str:
        search = search_path(self.flags)
        for folder in (os.path.dirname(self.path), *search.quoted, *search.folders):
            path = os.path.join(folder, include)
            if os.path.isfile(path):
                return self.text_of(path)
        return ""

    def text_of(self, file: str) -> str:
        """Return the text of a file; empty where it cannot be read."""
        if file == self.path:
            return self.text
        if file not in self._texts:
            try:
                changed = text_of(file)
                self._texts[file] = read_text(file, FileKind.HEADER, roots()) if changed is None else changed
            except OSError:
                self._texts[file] = ""
        return self._texts[file]


def written(unit: TranslationUnit) -> list[Any]:
    """Return the errors in the user's files."""
    own = str(INCLUDE)
    return [e for e in errors(unit) if e.location.file is not None and not e.location.file.name.startswith(own)]


def key(error: Any) -> tuple[str, int, str]:
    """Return what tells an error from all others, over several parses."""
    return error.location.file.name, error.location.offset, error.spelling
