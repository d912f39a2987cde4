"""One file through the pipeline: load, specialize, analyse, check. Nothing here filters."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterable, Sequence
from ctypes import ArgumentError
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from coalint.core import lazy
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchRecord
from coalint.core.facts.suppositions import Supposed, Supposition
from coalint.core.findings import Finding
from coalint.core.source.boundary import confined, hidden_names
from coalint.core.source.comments import MARK
from coalint.core.source.overlay import overlaid
from coalint.core.source.spans import Span
from coalint.engine.check.call_sites import CallSites
from coalint.engine.check.clock import Clock
from coalint.engine.check.failures import MORE_TIME, internal_error, lost_file, lost_kernel
from coalint.engine.check.garbage import kept, swept, uncollected
from coalint.engine.check.idle import idle_kernels
from coalint.engine.check.kernel import (
    analyse_kernel,
    analysed_again,
    check_kernel,
    exchanged_axes,
    launched_as,
    reshaped,
)
from coalint.engine.check.limits import OvertimeError, deadline
from coalint.engine.check.lines import with_line
from coalint.engine.check.losses import TOO_DEEP, too_long, too_much
from coalint.engine.check.problems import gap_findings, problem_findings
from coalint.engine.check.records import CheckedKernel, FileResult, Job, Source
from coalint.engine.execution.cache.inputs import Files
from coalint.engine.execution.cache.stored_kernels import KernelResults, stores_kernels
from coalint.engine.execution.cache.stored_launches import launches_of
from coalint.engine.registry import packages_of
from coalint.engine.report import Failure
from coalint.frontend.interface import FrontendError, LoadRequest, Scope
from coalint.frontend.registry import front_end_of
from coalint.machine.architecture import architecture

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.core.facts.launch import Specialization


_FILES = Files()


def check_file(source: Source, job: Job) -> FileResult:
    """Check one file; never raises: what goes wrong costs a kernel or the file, and is in the result."""
    import coalint.analysis.evaluate  # noqa: F401 (takes long the first time, which is not the file's)

    lazy.loaded()
    path, clock, began = source.path, Clock(job.limits), time.time_ns()
    arch = job.arch if source.arch is None else architecture(source.arch)
    job = replace(job, arch=arch, assume=(*source.assume, *job.assume))
    try:
        with overlaid(job.overlay), confined(source.boundary, source.hidden):
            with uncollected():
                loaded = front_end_of(path).load(_request(source, job))
            with kept():
                result = _check_module(path, loaded.module, job, clock, source)
            opened, missing = loaded.opened, loaded.missing
            arguments, sought, refused = source.arguments, loaded.sought, hidden_names() - {*source.hidden}
            inputs = _FILES.inputs(path, opened, missing, arguments, began, sought, refused) if job.inputs else None
        return replace(result, inputs=inputs)
    except MemoryError:
        return lost_file(path, too_much(job.limits.memory_text))
    except RecursionError:
        return lost_file(path, TOO_DEEP)
    except FrontendError as error:
        return FileResult(path, failures=(Failure.input(error.message.removeprefix(f"{path}: "), error.remedy, path),))
    except Exception as error:
        if isinstance(error, ArgumentError) and RecursionError.__name__ in str(error):  # as ctypes hands it on
            return lost_file(path, TOO_DEEP)
        return FileResult(path, failures=(internal_error(path, error, "while it was read"),))


def _request(source: Source, job: Job) -> LoadRequest:
    return LoadRequest(
        path=source.path,
        arguments=source.arguments,
        headers=job.headers if source.precompiled else None,
        scope=Scope(fragments=source.fragments, itself=source.itself, only=source.only, profiled=job.profiled),
        supposing=source.supposing,
    )


def _check_module(path: str, module: ir.Module, job: Job, clock: Clock, source: Source) -> FileResult:
    from coalint.analysis.launches.assumptions import assumption_problems, parse_assumption
    from coalint.analysis.launches.host_launches import launch_records
    from coalint.analysis.launches.selection import outcome_key
    from coalint.analysis.launches.specializations import specialize
    from coalint.analysis.launches.stated import without_effect
    from coalint.engine.findings.fixes.padding_safety import drop_unsafe_fixes

    launches = source.launches
    records: dict[str, list[LaunchRecord]] = {}
    if launches:
        module, records = _launched_elsewhere(module, launches)
    problems = list(problem_findings((*module.problems, *assumption_problems(module))))
    failures: list[Failure] = []
    checked: list[CheckedKernel] = []
    analysed: list[tuple[ir.Kernel, Analysis]] = []
    constant: dict[Span, dict[tuple[Span, str], bool]] = {}
    whole = True
    facts: tuple[tuple[str, bool], ...] = ()
    sites = CallSites(module)
    try:
        with deadline(clock.left):
            if not launches:
                stored = job.kernels if stores_kernels(job) else None
                if stored is None:
                    follow = job.forms or any(asked.grid is not None for asked in job.profiled)
                    records = launch_records(module, follow_loops=follow)
                else:
                    records = launches_of(module, stored)
            assumptions = tuple(parse_assumption(text, module.spelling) for text in job.assume)
            more: list[ir.Problem] = []
            specializations = specialize(module, assumptions, records, more, job.profiled)
            problems.extend(problem_findings(more))
            facts = tuple(without_effect(assumptions, specializations))
            pairs = tuple(
                (kernel, job.given.applied(kernel, specialization)) for kernel, specialization in specializations
            )
            if job.line is not None:
                pairs = with_line(module, pairs, job.line)
    except OvertimeError:
        return lost_file(path, too_long(job.limits.seconds))
    except Exception as error:
        failures.append(internal_error(path, error, "while its launches were read"))
        pairs = ()
    keys = [outcome_key(module, kernel, specialization) for kernel, specialization in pairs]
    distinct: dict[tuple[object, ...], tuple[ir.Kernel, Specialization]] = {}
    for key, pair in zip(keys, pairs, strict=True):
        distinct.setdefault(key, pair)
    supposed = (*source.supposed, *module.supposed)
    computed = [name for name in supposed if front_end_of(path).computes_with(name, module.sources.values())]
    earlier = earlier_results(module, job, supposed)
    # By what decides the outcome.
    done = {
        key: drop_unsafe_fixes(result, module)
        for key, result in (earlier.find(distinct) if earlier is not None else {}).items()
    }
    active = {result.span for result in done.values()}  # only kernels with accesses are stored
    for key, (kernel, specialization) in zip(keys, pairs, strict=True):
        if key in done:
            checked.append(launched_as(done[key], specialization))
            continue
        share = clock.share
        if clock.is_over:
            whole = False
            problems.append(
                lost_kernel(kernel, f"its file took longer than {job.limits.seconds:g} s", remedy=MORE_TIME)
            )
            continue
        try:
            wrong, began = len(failures), time.process_time()
            with swept(), deadline(share):
                analysis = analyse_kernel(path, module, kernel, specialization, problems, failures, job)
                if analysis is not None:
                    analysed.append((kernel, analysis))
                    analysis = _supposing(analysis, supposed, computed)
                    again = partial(reshaped, module, kernel, specialization)
                    exchange = partial(exchanged_axes, module, kernel, specialization)
                    same = constant.setdefault(kernel.span, {})
                    confirm = partial(again, races=any(rule.wants_races for rule in job.rules))
                    kernel_checked = check_kernel(path, analysis, job, failures, again, exchange, same, confirm)
                    kernel_checked = replace(
                        kernel_checked,
                        findings=tuple(
                            replace(item, moved=sites.moved(item.finding)) for item in kernel_checked.findings
                        ),
                    )
                    if earlier is not None and len(failures) == wrong:
                        earlier.keep(key, kernel, kernel_checked, time.process_time() - began)
                    done[key] = drop_unsafe_fixes(kernel_checked, module)
                    checked.append(done[key])
        except OvertimeError:
            whole = False
            problems.append(lost_kernel(kernel, too_long(max(1, round(share))), remedy=MORE_TIME))
        except MemoryError:
            whole = False
            problems.append(lost_kernel(kernel, too_much(job.limits.memory_text)))
        except RecursionError:
            problems.append(lost_kernel(kernel, TOO_DEEP))
    problems.extend(gap_findings(checked))
    try:
        with deadline(clock.share):
            fresh = [(kernel, analysis) for kernel, analysis in analysed if kernel.span not in active]
            problems.extend(idle_kernels(fresh, partial(analysed_again, module)))
    except (OvertimeError, MemoryError):
        whole = False
    quoted = {span.file for span in _spans(checked, problems)}
    if job.models:
        quoted |= {access.span.file for kernel in checked if kernel.analysis for access in kernel.analysis.accesses}
    return FileResult(
        path,
        tuple((kernel.name, kernel.span) for kernel in module.kernels),
        tuple(checked),
        tuple(problems),
        tuple(failures),
        {name: text for name, text in module.sources.items() if name in quoted or MARK in text},
        tuple(
            (_real(kernel.declaration), os.path.realpath(kernel.span.file))
            for kernel in module.kernels
            if kernel.declaration is not None
        ),
        tuple(os.path.realpath(name) for name in module.fragments),
        tuple(
            (_real(declaration), replace(record, kernel=declaration.symbol))
            for key, declaration in module.declared.items()
            for record in records.get(key, ())
        ),
        tuple((p.kernel, p.span.file, p.switches) for p in module.problems if p.kernel is not None and p.switches),
        whole,
        facts=facts,
        functions=tuple(sorted({f.span for f in module.functions.values() if not f.bundled})),
        in_part=tuple((name, p.span.file) for p in module.problems for name in p.in_part),
    )


def earlier_results(module: ir.Module, job: Job, supposed: Sequence[str]) -> KernelResults | None:
    """Return the store of results of the module's kernels; None where those of the job are not stored."""
    return KernelResults(job, module, packages_of(job.rules), supposed) if stores_kernels(job) else None


def _supposing(analysis: Analysis, macros: Sequence[str], computed: Collection[str]) -> Analysis:
    """Return the analysis with the macros that it rests on, of which sources compute something with `computed`."""
    if not macros:
        return analysis
    values = [macro.partition("=") for macro in macros]
    kinds = [Supposed.MACRO if value or name in computed else Supposed.SWITCH for name, _, value in values]
    texts = tuple(
        Supposition(f"`{name}` is {value or 'defined'}", kind)
        for (name, _, value), kind in zip(values, kinds, strict=True)
    )
    constants = tuple(f"{name} = {value}" for name, _, value in values if value)
    given = replace(analysis.specialization, constants=constants)
    accesses = tuple(
        replace(
            access,
            specialization=given,
            result=replace(
                access.result,
                assumed=(*access.result.assumed, *texts),
                exact=access.result.exact and not constants,
            ),
        )
        for access in analysis.accesses
    )
    barriers = tuple(replace(barrier, specialization=given) for barrier in analysis.barriers)
    races = () if constants else analysis.races  # others may part the threads by themselves
    return replace(analysis, specialization=given, accesses=accesses, barriers=barriers, races=races)


def _real(declaration: ir.Declaration) -> ir.Declaration:
    return replace(declaration, file=os.path.realpath(declaration.file))


def _launched_elsewhere(
    module: ir.Module, launches: Sequence[LaunchRecord]
) -> tuple[ir.Module, dict[str, list[LaunchRecord]]]:
    """Return the module with only those kernels that other files launch, and these launches by the kernels' keys."""
    records: dict[str, list[LaunchRecord]] = {}
    for kernel in module.kernels:
        symbol = kernel.declaration.symbol if kernel.declaration is not None else None
        made = [replace(record, kernel=kernel.key) for record in launches if record.kernel == symbol]
        if made:
            records[kernel.key] = made
    return replace(module, kernels=tuple(kernel for kernel in module.kernels if kernel.key in records)), records


def _spans(checked: Iterable[CheckedKernel], problems: Iterable[Finding]) -> Iterable[Span]:
    items = [item for kernel in checked for item in kernel.findings]
    findings = [*problems, *(item.finding for item in items), *(item.moved for item in items if item.moved is not None)]
    for finding in findings:
        yield finding.span
        yield from (note.span for note in finding.notes if note.span is not None)
