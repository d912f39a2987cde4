"""What is changed of the texts of a file and its headers, so that libclang takes them as nvcc does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from coalint.core.records import record
from coalint.frontend.cuda.libclang.errors import Error
from coalint.frontend.cuda.repair import (
    backslashes,
    prologue,
    shared_constructors,
    single_percent,
    sized_shared,
    template_keyword,
)

TextOf = Callable[[str], str]
"""The text of a file by its name."""


@record
class TextEdits:
    """The edits of one file and of its headers; no line moves to another number by them.

    `constructed` are places of `__shared__` objects whose constructors do not run. The others are names of files: with
    backslashes in their includes (`windows`), with a single `%` in `asm` (`percents`) or shared objects that are
    `extern` and have a size (`sized`; the file itself is looked through for both always), with operands that lack a
    comma (`beside`), with a prologue that stands apart (`apart`), and headers with members that are called without the
    word `template`, with these (`templated`).
    """

    constructed: shared_constructors.Marks = frozenset()
    percents: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    beside: frozenset[str] = frozenset()
    sized: frozenset[str] = frozenset()
    windows: frozenset[str] = frozenset()
    templated: dict[str, frozenset[str]] = field(default_factory=dict)

    def learn_includes(self, errors: Sequence[Error], path: str, flags: Sequence[str], text_of: TextOf) -> bool:
        """Add the files whose includes have backslashes, where headers are missing; whether there are any.

        `path` is the file itself, here and below.
        """
        if self.windows or not backslashes.are_missed(errors):
            return False
        self.windows = backslashes.includers(path, flags, text_of)
        return True

    def learn(self, errors: Sequence[Error], path: str, text: str, text_of: TextOf) -> bool:
        """Add what errors ask for; whether there was anything new."""
        constructed = shared_constructors.refused(errors, path, text) - self.constructed
        percents = single_percent.refused(errors) - self.percents - {path}
        apart = prologue.apart(errors, path, text_of) - self.apart
        beside = single_percent.without_comma(errors, text_of) - self.beside
        sized = sized_shared.refused(errors) - self.sized - {path}
        self.constructed |= constructed
        self.percents |= percents
        self.apart |= apart
        self.beside |= beside
        self.sized |= sized
        return bool(constructed or percents or apart or beside or sized)

    def own(self, path: str, text: str) -> str:
        """Return the file's text with its edits."""
        own = shared_constructors.marked(text, self.constructed)
        own = backslashes.with_slashes(own) if path in self.windows else own
        own = sized_shared.defined(single_percent.doubled(own) if "asm" in own else own)
        return single_percent.parted(own) if path in self.beside else own

    def others(self, path: str, served: dict[str, str], text_of: TextOf) -> dict[str, str]:
        """Return the texts of other files that stand in for what they hold; `served` are some of them already."""
        others = served | {file: prologue.closed_up(text_of(file)) for file in self.apart}
        for file in self.windows - {path}:
            others[file] = backslashes.with_slashes(others.get(file, text_of(file)))
        for file in self.percents:
            others[file] = single_percent.doubled(others.get(file, text_of(file)))
        for file in self.sized:
            others[file] = sized_shared.defined(others.get(file, text_of(file)))
        for file in self.beside - {path}:
            others[file] = single_percent.parted(others.get(file, text_of(file)))
        for file, names in self.templated.items():
            others[file] = template_keyword.told(others.get(file, text_of(file)), names)
        return others
