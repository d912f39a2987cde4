"""Stores what sympy answered about open addresses, by the formula, so that a later run need not load it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from coalint.analysis.formulas.formula import Answer, Answers, Formula, KnownAnswers
from coalint.core.serialization import as_data, from_data
from coalint.engine.execution.cache.entries import read_sealed, write_sealed
from coalint.engine.execution.cache.include_names import digest_of
from coalint.engine.execution.cache.versions import code_digest


class StoredAnswers:
    """The answers of this process and of earlier ones.

    Args:
        folder: The folder of entries.
        packages: The packages of the rules of the run, whose code names the entries as it does those of results.
    """

    def __init__(self, folder: Path, packages: tuple[str, ...]) -> None:
        self._folder, self._packages, self._known = folder, packages, KnownAnswers()

    def find(self, formula: Formula) -> Answer | None:
        """Return the answer; None where there is none yet, or it cannot be read."""
        known = self._known.find(formula)
        if known is not None:
            return known
        name = self._name(formula)
        try:
            answer: Answer = from_data(Answer, json.loads(read_sealed(self._path(name), name)))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        self._known.keep(formula, answer)
        return answer

    def keep(self, formula: Formula, answer: Answer) -> None:
        """Store an answer for later runs."""
        self._known.keep(formula, answer)
        name, text = self._name(formula), json.dumps(as_data(answer), separators=(",", ":"))
        write_sealed(self._path(name), name, text)

    def _name(self, formula: Formula) -> str:
        return digest_of(json.dumps([code_digest(self._packages), as_data(formula)]).encode())

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name[2:]}.json"


@cache
def answers_in(folder: str, packages: tuple[str, ...]) -> Answers:
    """Return the answers that are stored in a folder, one object for each process."""
    return StoredAnswers(Path(folder), packages)
