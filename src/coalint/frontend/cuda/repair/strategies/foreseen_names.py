"""Names and members that the next parse would miss, learned from the text before it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from clang.cindex import TranslationUnit

from coalint.frontend.cuda.libclang.skipped import skipped_lines
from coalint.frontend.cuda.repair.complaints import Complaint
from coalint.frontend.cuda.repair.foreseen import SourceCode, foreseen, missed
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
    texts = {name: file.code_of(name) for name in names} if roots else {}
    starts = {name: [0, *accumulate(len(line) + 1 for line in code.split("\n"))] for name, code in texts.items()}
    sources = {name: SourceCode(code, _hidden(file, unit, name, starts[name])) for name, code in texts.items()}
    for _ in range(_STEPS):
        for name, source in sources.items():
            found = list(foreseen(roots, file.known, source))
            read_complaints(found, file.known)
            for complaint in found:
                _place(file, name, complaint, starts[name])


def _place(file: RepairedFile, name: str, complaint: Complaint, starts: Sequence[int]) -> None:
    """Note where a name will be complained of."""
    missed_name, at = complaint.message.split("'")[1], complaint.offset
    if at is not None and missed_name not in file.places:
        line = bisect_right(starts, at)
        file.places[missed_name] = (name, line, at - starts[line - 1] + 1)


def _hidden(file: RepairedFile, unit: TranslationUnit, name: str, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the offsets of what the preprocessor leaves out of a file, and of its functions that launch nothing."""
    last = len(starts) - 1
    for first, end in skipped_lines(unit, name):
        yield starts[min(first - 1, last)], starts[min(end, last)]
    for (line, column), (end_line, end_column) in idle_hosts(file, unit).get(name, ()):
        yield starts[min(line - 1, last)] + column - 1, starts[min(end_line - 1, last)] + end_column - 1
