"""Checks the files of a run: in waves, where earlier results do not hold, in processes or on an executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coalint.core.facts.assumptions import NOTHING, Given
from coalint.engine.check.failures import lost_file
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Overlay, Source
from coalint.engine.config.settings import DEFAULT_ARCH, Settings, SettingsOf
from coalint.engine.execution.cache.folder import cache_folder
from coalint.engine.execution.cache.results import stored_results
from coalint.engine.execution.executors import map_on
from coalint.engine.execution.workers.pool import map_items
from coalint.engine.units.cross_file import launched_elsewhere, left_alone, switched_off
from coalint.engine.units.discovery import is_excluded
from coalint.engine.units.display_names import Names
from coalint.engine.units.fragments import units
from coalint.engine.units.plan import Plan, plan
from coalint.frontend.registry import front_end_of
from coalint.machine.architecture import architecture
from coalint.rule import Rule

if TYPE_CHECKING:
    from concurrent.futures import Executor

Progress = Callable[[int, int], None]
"""Told again and again how many files are done, and of how many."""


class Run:
    """One run over many files. `keep` keeps the analyses themselves, for `inspect`, and `models` has models in them.

    `settings` hold for the run as a whole, those of `settings_of` for each file where they differ.
    """

    def __init__(
        self,
        settings: Settings,
        rules: Sequence[type[Rule]],
        *,
        keep: bool = False,
        models: bool = False,
        progress: Progress | None = None,
        executor: Executor | None = None,
        settings_of: SettingsOf | None = None,
        overlay: Overlay = (),
        given: Given = NOTHING,
    ) -> None:
        self.settings = settings
        self.settings_of = settings_of or (lambda _: settings)
        self.progress = progress
        self.executor = executor
        folder = cache_folder(settings.cache_dir) if settings.cache else None
        self.job = Job(
            settings.assume_too,
            architecture(settings.arch or DEFAULT_ARCH),
            tuple(rules),
            keep,
            headers=None if folder is None else str(folder / "headers"),
            limits=settings.limits,
            inputs=folder is not None and not keep,  # what `inspect` keeps is too much to be stored
            overlay=overlay,
            given=given,
            models=models,
        )
        self.kept = stored_results(settings, self.job)

    def results(self, planned: Plan) -> list[FileResult]:
        """Check the files, each fragment through a file that includes it; then again what that left or turned up."""
        given = {os.path.realpath(source.path): source for source in planned.sources}
        names = Names.of(source.path for source in planned.sources)
        checked: list[tuple[Source, FileResult]] = []

        def is_wanted(path: str) -> bool:
            return path in given or not is_excluded(path, self.settings_of(path).excludes)

        def others(paths: Sequence[str]) -> Sequence[Source]:
            return plan(paths, self.settings, self.settings_of).sources

        def check(sources: Sequence[Source]) -> None:
            checked.extend(zip(sources, map(names.result, self._wave(sources, len(checked))), strict=True))

        check(units([(c.source, c.includes.files) for c in planned.compilations], is_wanted, others))
        check(left_alone(checked, given))
        check(switched_off(checked))
        check(launched_elsewhere(checked))
        if self.kept:
            self.kept.prune()
        return [result for _, result in checked]

    def _wave(self, sources: Sequence[Source], before: int) -> Iterator[FileResult]:
        """The results in the order of the sources: those of earlier runs where they hold, the others made now."""
        found = {source: result for source in sources if self.kept and (result := self.kept.find(source)) is not None}
        rest = [source for source in sources if source not in found]

        def tick(done: int) -> None:
            if self.progress is not None:
                self.progress(before + len(found) + done, before + len(sources))

        made = self._checked(rest, tick)
        for source in sources:
            result = found.get(source)
            if result is None:
                result = next(made)
                if self.kept:
                    self.kept.keep(source, result)
            yield result

    def _checked(self, sources: Sequence[Source], tick: Callable[[int], None]) -> Iterator[FileResult]:
        def lost(source: Source, cause: str) -> FileResult:
            return lost_file(source.path, cause)

        def again(source: Source) -> Source:
            return replace(source, precompiled=False)

        check = partial(check_file, job=self.job)
        if self.executor is not None:
            return map_on(self.executor, check, sources, lost, tick, again)
        if sources:
            # Before workers are forked, so that each need not import it.
            import coalint.analysis.evaluate  # noqa: F401

            for front_end in {front_end_of(source.path) for source in sources}:
                front_end.prepare()
        sizes = [_size(source.path) for source in sources]
        limits = self.job.limits
        return map_items(check, sources, self.settings.jobs, lost, limits, sizes=sizes, tick=tick, again=again)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
