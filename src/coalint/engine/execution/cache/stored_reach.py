"""Stores which kernels of a repository nothing launches, so that a later run over the same files need not read them."""

from __future__ import annotations

import json
from pathlib import Path

from coalint.core.serialization import as_data, from_data
from coalint.engine.execution.cache.entries import read_sealed, write_sealed
from coalint.engine.execution.cache.include_names import digest_of
from coalint.engine.execution.cache.versions import code_digest
from coalint.engine.findings.repository_reach import Reach


class StoredReach:
    """The answers about repositories, of earlier runs.

    Args:
        folder: The folder of entries.
        packages: The packages of the rules of the run, whose code names the entries as it does those of results.
    """

    def __init__(self, folder: Path, packages: tuple[str, ...]) -> None:
        self._folder, self._packages = folder, packages

    def find(self, state: str) -> Reach | None:
        """Return the answers about a repository in this state; None where there are none, or they cannot be read."""
        name = self._name(state)
        try:
            answers: Reach = from_data(Reach, json.loads(read_sealed(self._path(name), name)))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        return answers

    def keep(self, state: str, answers: Reach) -> None:
        """Store the answers about a repository in this state."""
        name = self._name(state)
        write_sealed(self._path(name), name, json.dumps(as_data(answers), separators=(",", ":")))

    def _name(self, state: str) -> str:
        return digest_of(f"{code_digest(self._packages)}\n{state}".encode())

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f"{name[2:]}.json"
