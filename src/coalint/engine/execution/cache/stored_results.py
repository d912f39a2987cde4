"""What files gave in earlier runs: kept as data, found by everything that it rests on.

An entry is named by what is known before a parse: the file's contents and name, its flags, the working folder, the
rules, the settings and the program. It holds what the parse turned out to read besides, and counts only while that is
as it was.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from coalint.core.serialization import as_data, from_data
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache.cache_folder import cache_folder
from coalint.engine.execution.cache.inputs import VARIABLES, Files, digest_of
from coalint.engine.execution.cache.versions import code_digest
from coalint.engine.registry import packages_of
from coalint.frontend.registry import is_bundled

FOLDER = "results"
DAY = 86_400
OLDEST = 30 * DAY
"""Seconds after which an entry goes that no run has used."""
LARGEST = 256 << 20
"""Bytes that all entries may take; those that were used last stay."""
_PRUNED = "pruned"


@dataclass
class Results:
    """The results in a cache folder that fit one Job."""

    folder: Path
    job: Job
    packages: tuple[str, ...]
    files: Files = field(default_factory=Files)
    _stored: int = 0

    def find(self, source: Source) -> FileResult | None:
        """The result for a file, if an earlier run left one that still holds."""
        return self._entry(source, self._name(source)) or self._entry(source, self._name(source, self.job.limits))

    def _entry(self, source: Source, name: str | None) -> FileResult | None:
        if name is None:
            return None
        path = self._path(name)
        try:
            digest, _, text = path.read_text(encoding="utf-8").partition("\n")
            if digest != digest_of(text.encode()):
                return None
            result: FileResult = from_data(FileResult, json.loads(text))
        except (OSError, ValueError, TypeError, KeyError):
            return None
        if result.inputs is None or not self.files.unchanged(result.inputs):
            return None
        self._used(path)
        readable = {name for name, _ in result.inputs.opened}
        sources = {name: self._text(name) for name in result.sources if name in readable or is_bundled(name)}
        return replace(result, sources=sources)

    def keep(self, source: Source, result: FileResult) -> None:
        """Leave a result for later runs, where all that it rests on is known.

        What a limit cut short is for runs with the same limits: with others there may be more.
        """
        name = self._name(source) if result.whole else self._name(source, self.job.limits)
        inputs = result.inputs
        if name is None or inputs is None or result.failures:
            return
        if (source.path, self.files.digest(source.path)) not in inputs.opened:
            return  # it changed during the run
        with suppress(OSError, TypeError):  # no space left; a rule's finding that holds what is no data
            data = as_data(replace(result, sources=dict.fromkeys(result.sources, "")))
            text = json.dumps(data, separators=(",", ":"))
            _write(self._path(name), f"{digest_of(text.encode())}\n{text}")
            self._stored += 1

    def prune(self) -> None:
        """Once a day, when something was kept: remove what is old, and what was used longest ago of too much."""
        with suppress(OSError):
            marker = self.folder / _PRUNED
            if not self._stored or (marker.exists() and time.time() - marker.stat().st_mtime < DAY):
                return
            marker.touch()
            _prune(self.folder, time.time())

    def _name(self, source: Source, limits: Limits | None = None) -> str | None:
        contents = self.files.digest(source.path)
        if contents is None:
            return None
        rests_on = [contents, as_data(source), self._run, *([] if limits is None else [as_data(limits)])]
        return digest_of(json.dumps(rests_on).encode("utf-8", "surrogateescape"))

    @cached_property
    def _run(self) -> list[object]:
        """What names an entry beside its file."""
        job = self.job
        rules = [f"{rule.__module__}.{rule.__qualname__}" for rule in job.rules]
        environment = [os.environ.get(name, "") for name in VARIABLES]
        supposed = [job.assume, as_data(job.given)]
        return [code_digest(self.packages), os.getcwd(), environment, supposed, as_data(job.arch), rules, job.keep]

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name[2:]}.json"

    def _text(self, name: str) -> str:
        return (self.files.read(name) or b"").decode("utf-8", errors="replace")

    def _used(self, path: Path) -> None:
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > DAY:
                os.utime(path)


def stored_results(settings: Settings, job: Job) -> Results | None:
    """The results of earlier runs that fit; None where nothing is to be kept."""
    folder = cache_folder(settings.cache_dir) if job.inputs else None
    return None if folder is None else Results(folder / FOLDER, job, packages_of(job.rules))


def _write(path: Path, text: str) -> None:
    """Whole or not at all, whoever else writes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _prune(folder: Path, now: float) -> None:
    entries = sorted(_entries(folder), reverse=True)
    total = 0
    for used, size, path in entries:
        total += size
        if now - used > OLDEST or total > LARGEST or (path.suffix == ".tmp" and now - used > DAY):
            with suppress(OSError):
                path.unlink()


def _entries(folder: Path) -> Iterator[tuple[float, int, Path]]:
    """When each was used last (seconds), its bytes, its name."""
    for path in folder.glob("*/*"):
        with suppress(OSError):
            state = path.stat()
            yield state.st_mtime, state.st_size, path
