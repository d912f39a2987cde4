"""Names and members that the next parse would miss, learned from the text before it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import accumulate
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.libclang.skipped import skipped_lines
from coalint.frontend.cuda.repair.complaints import Complaint
from coalint.frontend.cuda.repair.foreseen import Source, foreseen, missed
from coalint.frontend.cuda.repair.relevant_errors import idle_hosts
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.frontend.cuda.repair.stubs import read_complaints

_STEPS = 2  # what is in a namespace, and the members of that


def learn_foreseen(file: RepairedFile, unit: TranslationUnit, errors: Iterable[Any], before: Collection[str]) -> None:
    """Declare what follows from these errors' names, wherever the files say so that the errors stand in.

    The names themselves are declared already; `before` are the namespaces that were so before them.
    """
    errors = list(errors)
    roots = missed((error.spelling for error in errors), file.known.top.inner.keys() - before)
    names = dict.fromkeys(error.location.file.name for error in errors)
    sources = {name: _source(file, unit, name) for name in names} if roots else {}
    for _ in range(_STEPS):
        for name, source in sources.items():
            found = list(foreseen(roots, file.known, [source]))
            read_complaints(found, file.known)
            for complaint in found:
                _place(file, name, complaint)


def _place(file: RepairedFile, name: str, complaint: Complaint) -> None:
    """Note where a name will be complained of."""
    code, at = complaint.text, complaint.offset
    assert at is not None
    place = (name, code.count("\n", 0, at) + 1, at - (code.rfind("\n", 0, at) + 1) + 1)
    file.places.setdefault(complaint.message.split("'")[1], place)


def _source(file: RepairedFile, unit: TranslationUnit, name: str) -> Source:
    code = file.code_of(name)
    starts = [0, *accumulate(len(line) + 1 for line in code.split("\n"))]
    return Source(code, tuple(sorted(_hidden(file, unit, name, starts))))


def _hidden(file: RepairedFile, unit: TranslationUnit, name: str, starts: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the offsets of what the preprocessor leaves out of a file, and of its functions that launch nothing."""
    last = len(starts) - 1
    for first, end in skipped_lines(unit, name):
        yield starts[min(first - 1, last)], starts[min(end, last)]
    for (line, column), (end_line, end_column) in idle_hosts(file, unit).get(name, ()):
        yield starts[min(line - 1, last)] + column - 1, starts[min(end_line - 1, last)] + end_column - 1
