"""The kernels of one module: launched, analysed and checked, each within its share of the file's time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coalint.core.facts.launch import LaunchRecord
from coalint.core.findings import Finding
from coalint.core.source.spans import Span
from coalint.engine.check.clock import Clock
from coalint.engine.check.failures import internal_error, lost_file
from coalint.engine.check.idle import Reached, idle_kernels
from coalint.engine.check.kernel import launched_as
from coalint.engine.check.kernel_check import KernelCheck, KernelOutcome
from coalint.engine.check.limits import OvertimeError, deadline
from coalint.engine.check.lines import with_line
from coalint.engine.check.losses import too_long
from coalint.engine.check.module_result import module_result
from coalint.engine.check.other_blocks import analysed_again
from coalint.engine.check.problems import gap_findings, problem_findings
from coalint.engine.check.records import CheckedKernel, FileResult, Job, Source
from coalint.engine.check.slight import without_slight
from coalint.engine.check.vendored_folders import lies_in_vendored
from coalint.engine.execution.cache.stored_kernels import KernelResults, stores_kernels
from coalint.engine.execution.cache.stored_launches import launches_of
from coalint.engine.execution.workers.shared_out import shared_out
from coalint.engine.registry import packages_of
from coalint.engine.report import Failure
from coalint.frontend.registry import front_end_of

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.facts.launch import Specialization

    Pair = tuple[ir.Kernel, Specialization]

Outcome = tuple[object, ...]
"""What decides the outcome of a kernel's specialization."""


class ModuleCheck:
    """One module on its way from launches to findings; what goes wrong costs a kernel and is in the result."""

    def __init__(self, path: str, module: ir.Module, job: Job, clock: Clock, source: Source) -> None:
        self._path, self._job, self._clock, self._source = path, job, clock, source
        self._module, self._records = _launched_elsewhere(module, source.launches)
        self._problems: list[Finding] = []
        self._failures: list[Failure] = []
        self._checked: list[CheckedKernel] = []
        self._analysed: list[Reached] = []
        self._whole = True
        self._facts: tuple[tuple[str, bool], ...] = ()
        self._supposed = (*source.supposed, *self._module.supposed)

    def run(self) -> FileResult:
        """Return the result of the module's file."""
        from coalint.analysis.launches.assumptions import assumption_problems

        is_part = self._source.included or front_end_of(self._path).is_header(self._path)
        is_part = is_part or lies_in_vendored(self._path, self._source.boundary)
        self._problems.extend(problem_findings(self._module.problems, is_part=is_part))
        self._problems.extend(problem_findings(assumption_problems(self._module)))
        try:
            pairs = self._specialized()
        except OvertimeError:
            return lost_file(self._path, too_long(self._job.limits.seconds))
        except Exception as error:
            self._failures.append(internal_error(self._path, error, "while its launches were read"))
            pairs = ()
        stored = self._check(pairs)
        self._checked = without_slight(self._checked, self._module, self._records, self._source.boundary)
        self._problems.extend(gap_findings(self._checked))
        self._tell_idle(stored)
        return module_result(
            self._path,
            self._module,
            self._checked,
            self._problems,
            self._failures,
            self._records,
            facts=self._facts,
            whole=self._whole,
            models=self._job.models,
        )

    def _specialized(self) -> tuple[Pair, ...]:
        """Return the kernels with the launches to analyse them for. Raises OvertimeError."""
        from coalint.analysis.launches.assumptions import parse_assumption
        from coalint.analysis.launches.computed_bounds import with_bounds
        from coalint.analysis.launches.specializations import specialize
        from coalint.analysis.launches.stated import without_effect

        job = self._job
        with deadline(self._clock.left):
            self._module = module = with_bounds(self._module)
            more: list[ir.Problem] = []
            if not self._source.launches:
                self._records = self._launches_or_none(more)
            assumptions = tuple(parse_assumption(text, module.spelling) for text in job.assume)
            specializations = specialize(module, assumptions, self._records, more, job.profiled)
            self._problems.extend(problem_findings(more))
            self._facts = tuple(without_effect(assumptions, specializations))
            pairs = tuple((kernel, job.given.applied(kernel, launched)) for kernel, launched in specializations)
            return pairs if job.line is None else with_line(module, pairs, job.line)

    def _launches_or_none(self, problems: list[ir.Problem]) -> dict[str, list[LaunchRecord]]:
        """Return the launches; none, and a failure says so, where an error of coalint's ends the search for them."""
        try:
            return self._launches(problems)
        except (OvertimeError, MemoryError):
            raise
        except Exception as error:
            self._failures.append(internal_error(self._path, error, "while its launches were read"))
            return {}

    def _launches(self, problems: list[ir.Problem]) -> dict[str, list[LaunchRecord]]:
        """Return the launches that the module makes, by the kernels' keys; `problems` says which are lost."""
        from coalint.analysis.launches.host_launches import launch_records

        stored = self._job.kernels if stores_kernels(self._job) else None
        if stored is not None:
            return launches_of(self._module, stored, problems)
        follow = self._job.forms or any(asked.grid is not None for asked in self._job.profiled)
        return launch_records(self._module, follow_loops=follow, problems=problems)

    def _check(self, pairs: Sequence[Pair]) -> set[Span]:
        """Check each kernel once for launches of one outcome; return the kernels of which results were stored."""
        from coalint.analysis.launches.selection import OutcomeKeys
        from coalint.engine.findings.fixes.padding_safety import drop_unsafe_fixes

        outcomes = OutcomeKeys(self._module)
        keys = [outcomes.of(kernel, specialization) for kernel, specialization in pairs]
        distinct: dict[Outcome, Pair] = {}
        for key, pair in zip(keys, pairs, strict=True):
            distinct.setdefault(key, pair)
        earlier = self._earlier_results()
        stored = {} if earlier is None else earlier.find(distinct)
        done = {key: drop_unsafe_fixes(result, self._module) for key, result in stored.items()}
        spans = {result.span for result in done.values()}  # only kernels with accesses are stored
        fresh = [key for key in distinct if key not in done]
        check = KernelCheck(self._path, self._module, self._job, self._clock, self._supposed, earlier)
        results = shared_out(lambda key: check.outcome(key, *distinct[key]), fresh, self._job.processes, self._clock)
        for key, result in zip(fresh, results, strict=True):
            self._add(result, distinct[key])
            if result.checked is not None:
                done[key] = result.checked
        self._checked = [
            launched_as(done[key], specialization)
            for key, (_, specialization) in zip(keys, pairs, strict=True)
            if key in done
        ]
        return spans

    def _add(self, result: KernelOutcome, pair: Pair) -> None:
        self._problems.extend(result.problems)
        self._failures.extend(result.failures)
        self._whole &= result.whole
        if result.accesses is not None:
            self._analysed.append(Reached(*pair, result.accesses))

    def _earlier_results(self) -> KernelResults | None:
        """Return the store of results of the module's kernels; None where those of the job are not stored."""
        if not stores_kernels(self._job):
            return None
        return KernelResults(self._job, self._module, packages_of(self._job.rules), self._supposed)

    def _tell_idle(self, stored: set[Span]) -> None:
        """Add what says that no thread of a launch does anything, but for kernels whose results were stored."""
        try:
            with deadline(self._clock.share):
                fresh = [one for one in self._analysed if one.kernel.span not in stored]
                self._problems.extend(idle_kernels(fresh, partial(analysed_again, self._module)))
        except (OvertimeError, MemoryError):
            self._whole = False


def _launched_elsewhere(
    module: ir.Module, launches: Sequence[LaunchRecord]
) -> tuple[ir.Module, dict[str, list[LaunchRecord]]]:
    """Return the module with only those kernels that other files launch, and these launches by the kernels' keys.

    Where no launches are given, that is all of the module, and no launch yet.
    """
    if not launches:
        return module, {}
    records: dict[str, list[LaunchRecord]] = {}
    for kernel in module.kernels:
        symbol = kernel.declaration.symbol if kernel.declaration is not None else None
        made = [replace(record, kernel=kernel.key) for record in launches if record.kernel == symbol]
        if made:
            records[kernel.key] = made
    return replace(module, kernels=tuple(kernel for kernel in module.kernels if kernel.key in records)), records
