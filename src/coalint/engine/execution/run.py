"""Checks the files of a run in waves: reuses stored results, checks the rest in processes or on an executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from coalint.engine.check.failures import lost_file
from coalint.engine.check.file import check_file
from coalint.engine.check.losses import Loss
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.config.settings import DEFAULT_ARCH
from coalint.engine.execution.cache.cache_folder import cache_folder
from coalint.engine.execution.cache.entries import ANSWERS, KERNELS, REACH
from coalint.engine.execution.cache.stored_reach import StoredReach
from coalint.engine.execution.cache.stored_results import stored_results
from coalint.engine.execution.executors import map_on
from coalint.engine.execution.preparation import prepare
from coalint.engine.execution.progress import Progress, Tick
from coalint.engine.execution.share import Share
from coalint.engine.execution.workers.pool import map_items
from coalint.engine.execution.workers.process import cores
from coalint.engine.execution.workers.shared_out import processes_for_each
from coalint.engine.findings.example_folders import ExampleFolders
from coalint.engine.findings.lockstep_files import LockstepFiles
from coalint.engine.findings.slow_variants import without_slow_variants
from coalint.engine.findings.unreached_kernels import UnreachedKernels
from coalint.engine.registry import packages_of
from coalint.engine.request import RunRequest
from coalint.engine.units.cross_file import launched_elsewhere, left_alone, switched_off
from coalint.engine.units.discovery import is_excluded
from coalint.engine.units.display_names import Names
from coalint.engine.units.fragments import units
from coalint.engine.units.header_kernels import lost_in_headers
from coalint.engine.units.plan import Plan, plan
from coalint.frontend.registry import WithFrontEnds, front_ends
from coalint.machine.architecture import architecture
from coalint.rule import Rule


class Run:
    """One run over many files: the Job that all of them share, and the results of earlier runs that still hold."""

    def __init__(
        self,
        request: RunRequest,
        rules: Sequence[type[Rule]],
        *,
        keep_analyses: bool = False,
        finished: Callable[[FileResult], None] | None = None,
    ) -> None:
        """Prepare a run of `rules`; `keep_analyses` keeps every access, for `inspect` and reports that draw them.

        `finished` is called with each result as soon as it is there, whatever its place in the order.
        """
        settings = request.settings
        self.request = request
        folder = cache_folder(settings.cache_dir) if settings.cache else None
        self.job = Job(
            assume=settings.assume_too,
            arch=architecture(settings.arch or DEFAULT_ARCH),
            rules=tuple(rules),
            keep=keep_analyses,
            headers=None if folder is None else str(folder / "headers"),
            limits=settings.limits,
            inputs=folder is not None and not keep_analyses,  # analyses are too large to be stored
            overlay=request.overlay,
            given=request.given,
            models=request.with_models,
            forms=request.with_forms,
            formulas=request.with_formulas,
            line=request.line,
            profiled=request.profiled,
            answers=None if folder is None else str(folder / ANSWERS),
            kernels=None if folder is None else str(folder / KERNELS),
        )
        self.stored = stored_results(settings, self.job)
        self._reach = None if folder is None else StoredReach(folder / REACH, packages_of(self.job.rules))
        self._finished = finished
        self._kernels = 0
        self._share = Share()
        self._unreached, self._lockstep = UnreachedKernels(()), LockstepFiles(())

    def results(self, planned: Plan) -> list[FileResult]:
        """Return the result of each check.

        Each fragment is checked through a file that includes it. Further checks follow for fragments that no file
        turned out to include, for kernels that macros switch off, and for kernels that other files launch. Kernels of
        headers below the named folders that none of these gave are named.
        """
        planned_paths = {os.path.realpath(source.path): source for source in planned.sources}
        names = Names.of(source.path for source in planned.sources)
        if not self.request.overlay:  # an editor's answer waits for no repository
            self._unreached = UnreachedKernels.of(planned.compilations, self.request.named, self._reach)
        self._lockstep = LockstepFiles(self._unreached.roots)
        checked: list[tuple[Source, FileResult]] = []

        def is_wanted(path: str) -> bool:
            return path in planned_paths or not is_excluded(path, self.request.settings_for(path).excludes)

        def others(paths: Sequence[str]) -> Sequence[Source]:
            return plan(paths, self.request.settings, self.request.settings_of, self.request.named).sources

        def check(sources: Sequence[Source]) -> None:
            checked.extend(zip(sources, map(names.result, self._wave(sources, len(checked), names)), strict=True))

        check(units([(c.source, c.includes.files) for c in planned.compilations], is_wanted, others))
        check(left_alone(checked, planned_paths))
        check(switched_off(checked))
        check(launched_elsewhere(checked))
        if self.stored:
            self.stored.prune()
        results = [self._judged(result) for _, result in checked]
        self._unreached.save()
        return [*results, *lost_in_headers(self.request.named, results, is_wanted)]

    def _judged(self, result: FileResult) -> FileResult:
        """Return the result of a file with what the files around it make little of as infos."""
        examples = ExampleFolders(self._unreached.sources_around)
        return without_slow_variants(examples.lowered(self._lockstep.lowered(self._unreached.lowered(result))))

    def _wave(self, sources: Sequence[Source], before: int, names: Names) -> Iterator[FileResult]:
        """Yield the results in the order of the sources: stored ones where they still hold, new ones elsewhere.

        `before` is the number of files that earlier waves checked, for the progress.
        """
        reused = {
            source: result for source in sources if self.stored and (result := self.stored.find(source)) is not None
        }
        rest = [source for source in sources if source not in reused]

        self._share.expect(source.path for source in sources)

        def tick(done: int, running: Sequence[tuple[int, float]]) -> None:
            if self.request.progress is not None:
                slowest = sorted(((rest[index].path, taken) for index, taken in running), key=lambda item: -item[1])
                self.request.progress(
                    Progress(
                        done=before + len(reused) + done,
                        total=before + len(sources),
                        kernels=self._kernels,
                        share=self._share.done,
                        running=tuple(slowest),
                    )
                )

        def finished(result: FileResult) -> None:
            self._kernels += len(result.checked)
            self._share.finish(result.path)
            if self._finished is not None:
                self._finished(self._judged(names.result(result)))

        for result in reused.values():
            finished(result)
        with closing(self._checked(rest, tick, finished)) as checked:  # else an interrupt while it ends would be lost
            for source in sources:
                result = reused.get(source)
                if result is None:
                    result = next(checked)
                    if self.stored:
                        self.stored.keep(source, result)
                yield result

    def _checked(
        self, sources: Sequence[Source], tick: Tick, finished: Callable[[FileResult], None]
    ) -> Generator[FileResult, None, None]:
        def lost(source: Source, loss: Loss) -> FileResult:
            return lost_file(source.path, loss)

        def again(source: Source) -> Source:
            return replace(source, precompiled=False)

        if self.request.executor is not None:
            check = WithFrontEnds(partial(check_file, job=self.job), front_ends())
            return map_on(self.request.executor, check, sources, lost, tick, again, finished)
        jobs = self.request.settings.jobs or cores()
        job = replace(self.job, processes=processes_for_each(len(sources), jobs))
        check = WithFrontEnds(partial(check_file, job=job), front_ends())
        if sources:
            prepare(sources, job)
        return map_items(
            check,
            sources,
            jobs,
            lost,
            self.job.limits,
            sizes=[self._share.sizes[source.path] for source in sources],
            tick=tick,
            finished=finished,
            again=again,
        )
