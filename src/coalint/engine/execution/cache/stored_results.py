"""Stores the results of files, and finds those of earlier runs that still hold.

An entry is named by a digest of what is known before a parse: the file's contents and name, its flags, the working
directory, the rules, the settings and the program. The entry lists what the parse turned out to read besides, and holds
only while that is unchanged.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from pathlib import Path

from coalint.core.records import record
from coalint.core.serialization import as_data, from_data
from coalint.core.source.reading import FileKind, read_bytes
from coalint.engine.check.limits import Limits
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.config.settings import Settings
from coalint.engine.execution.cache.cache_folder import cache_folder
from coalint.engine.execution.cache.entries import ANSWERS, KERNELS, REACH, RESULTS, mark_used, seal, write_entry
from coalint.engine.execution.cache.include_names import digest_of
from coalint.engine.execution.cache.inputs import Files
from coalint.engine.execution.cache.search_paths import VARIABLES
from coalint.engine.execution.cache.space import prune
from coalint.engine.execution.cache.versions import code_digest
from coalint.engine.registry import packages_of
from coalint.frontend.registry import is_bundled


@record
class Results:
    """The stored results for one Job.

    Attributes:
        folder: The folder of entries.
        job: The job that results are for.
        packages: The packages of its rules.
        files: The contents and existence of files.
    """

    folder: Path
    job: Job
    packages: tuple[str, ...]
    files: Files = field(default_factory=Files)
    _has_stored: bool = False

    def find(self, source: Source) -> FileResult | None:
        """Return the stored result of a file, if there is one that still holds."""
        return self._entry(source, self._name(source)) or self._entry(source, self._name(source, self.job.limits))

    def _entry(self, source: Source, name: str | None) -> FileResult | None:
        if name is None:
            return None
        path = self._path(name)
        try:
            digest, _, text = read_bytes(path, FileKind.CACHE_ENTRY).decode().partition("\n")
            if digest != seal(name, text):
                return None
            result: FileResult = from_data(FileResult, json.loads(text))
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        if result.inputs is None or not self.files.unchanged(result.inputs):
            return None
        mark_used(path)
        readable = {name for name, _ in result.inputs.opened}
        sources = {name: self._text(name) for name in result.sources if name in readable or is_bundled(name)}
        return replace(result, sources=sources)

    def keep(self, source: Source, result: FileResult) -> None:
        """Store a result for later runs, if all of its inputs are known and there is room for it.

        A result that a limit cut short is stored for runs with the same limits only.
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
            write_entry(self._path(name), f"{seal(name, text)}\n{text}")
            self._has_stored = True

    def prune(self) -> None:
        """Remove old entries, once a day."""
        if self._has_stored:
            for folder in (self.folder, *(self.folder.parent / kind for kind in (ANSWERS, KERNELS, REACH))):
                if folder.is_dir():
                    prune(folder)

    def _name(self, source: Source, limits: Limits | None = None) -> str | None:
        contents = self.files.digest(source.path)
        if contents is None:
            return None
        name_parts = [contents, as_data(source), self._run, *([] if limits is None else [as_data(limits)])]
        return digest_of(json.dumps(name_parts).encode("utf-8", "surrogateescape"))

    @cached_property
    def _run(self) -> list[object]:
        """What names an entry beside its source."""
        job = self.job
        rules = [f"{rule.__module__}.{rule.__qualname__}" for rule in job.rules]
        environment = [os.environ.get(name, "") for name in VARIABLES]
        supposed = [job.assume, as_data(job.given), job.formulas]
        return [code_digest(self.packages), os.getcwd(), environment, supposed, as_data(job.arch), rules, job.keep]

    def _path(self, name: str) -> Path:
        return self.folder / name[:2] / f"{name[2:]}.json"

    def _text(self, name: str) -> str:
        return (self.files.read(name) or b"").decode("utf-8", errors="replace")


def stored_results(settings: Settings, job: Job) -> Results | None:
    """Return the stored results for a job; None where results are not to be stored."""
    folder = cache_folder(settings.cache_dir) if job.inputs else None
    return None if folder is None else Results(folder / RESULTS, job, packages_of(job.rules))
