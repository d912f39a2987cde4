"""One file through the pipeline: load, specialize, analyse, check. Nothing here filters."""

from __future__ import annotations

import os
import re
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import ArgumentError
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import PurePath
from typing import TYPE_CHECKING

from coalint import __version__, lazily
from coalint.analysis.access import Access, Analysis, LaunchRecord, Specialization
from coalint.analysis.launching.given import NOTHING, Given
from coalint.comments import MARK
from coalint.diagnostics import Finding, Severity, Span
from coalint.garbage import kept, swept, uncollected
from coalint.inputs import Files, Inputs
from coalint.limits import TOO_LONG, TOO_MUCH, UNBOUNDED, Limits, OvertimeError, deadline
from coalint.machine.arch import Architecture, architecture
from coalint.machine.traffic import Traffic, settled
from coalint.own import NotAnalysed, TranslationUnitError
from coalint.problems import problem_findings
from coalint.records import VOLATILE
from coalint.report import Coverage, Failure, FailureKind
from coalint.rule import Block, Context, Rule

if TYPE_CHECKING:
    from coalint import ir


Overlay = tuple[tuple[str, str], ...]
"""Real paths of files, each with the text that stands in for it."""

_FILES = Files()
_NAME = re.compile(r"[A-Za-z_]\w*")
_MOMENT = 1e-3  # seconds
TOO_DEEP = "it is too deeply nested"
_MORE = "give the file more with --timeout-per-file; "


@dataclass(frozen=True, slots=True)
class Source:
    """One file of a run with all that its result depends on beside the Job.

    `flags` are what it is parsed with, folders absolute; `arch` the GPU to count for where it is not the Job's;
    `assume` comes before what the Job assumes, which wins.
    `fragments` (real paths) are files that it includes and whose kernels are checked with its own, or without them
    where the file is not wanted `itself`. Where there are `launches`, made in other files of kernels that this one
    defines (`kernel` is the symbol), these kernels alone are checked, under these launches alone; with `only`, no other
    kernels than those of these names. The macros in `supposed` are defined on the supposition that a build does so;
    `supposing` says that nothing tells how it is built, and more of them may be.
    `precompiled` says that it may be parsed behind the precompiled headers, with which libclang crashes at times.
    """

    path: str
    flags: tuple[str, ...] = ()
    arch: str | None = None
    fragments: tuple[str, ...] = ()
    itself: bool = True
    only: tuple[str, ...] = ()
    launches: tuple[LaunchRecord, ...] = ()
    supposed: tuple[str, ...] = ()
    supposing: bool = False
    assume: tuple[str, ...] = ()
    precompiled: bool = True

    @property
    def arguments(self) -> tuple[str, ...]:
        """All that it is parsed with."""
        return (*self.flags, *(f"-D{name}" for name in self.supposed))


@dataclass(frozen=True)
class Job:
    """What is the same for every file of a run. `keep` keeps the analyses themselves, for `inspect`.

    `headers` is the folder of precompiled headers: it changes what a run costs, never what it gives. `inputs` asks for
    what the files' results rest on, so that they can be kept. `overlay` holds texts that stand in for files. `given` is
    what every launch is supposed to be, whatever the source says. `models` asks for models of the accesses, where the
    analyses are kept.
    """

    assume: tuple[str, ...]
    arch: Architecture
    rules: tuple[type[Rule], ...]
    keep: bool = False
    headers: str | None = None
    limits: Limits = UNBOUNDED
    inputs: bool = False
    overlay: Overlay = ()
    given: Given = NOTHING
    models: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """A finding with what ranks and explains it: the excess traffic at its place and what that was computed from."""

    finding: Finding
    excess: float
    assumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedKernel:
    """One kernel at one specialization, as it costs on `arch` (`sm_90`).

    `outcome` is a digest of its accesses, their costs and its barriers.
    """

    kernel: str
    span: Span
    specialization: Specialization
    found: tuple[Found, ...]
    coverage: Coverage
    outcome: str = ""
    analysis: Analysis | None = field(default=None, metadata={VOLATILE: True})
    traffics: tuple[Traffic | None, ...] = field(default=(), metadata={VOLATILE: True})
    arch: str = field(default="", metadata={VOLATILE: True})


@dataclass(frozen=True, slots=True)
class FileResult:
    """Everything that one file gave.

    `kernels` are those that it defines, analysed or not, by name and place; `definitions` what other files know them
    by, with the file (all files here are real paths) that holds each; `functions` where the functions stand that its
    kernels reach. `sources` are the texts that places lie in, or comments to coalint. `fragments` are those of its
    Source's that it was found to include. `launches` are those that it makes of kernels which it only declares, by
    symbol. `switched` are kernels that the preprocessor leaves out, by name and file, with the macros that may be
    wanted for them. `whole` is False where a limit on time or memory cut the check short, so that a run with another
    may give more. `inputs` are None where the Job does not ask for them, and where they are not all known.
    """

    path: str
    kernels: tuple[tuple[str, Span], ...] = ()
    checked: tuple[CheckedKernel, ...] = ()
    problems: tuple[Finding, ...] = ()
    failures: tuple[Failure, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    definitions: tuple[tuple[ir.Declaration, str], ...] = ()
    fragments: tuple[str, ...] = ()
    launches: tuple[tuple[ir.Declaration, LaunchRecord], ...] = ()
    switched: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    whole: bool = True
    inputs: Inputs | None = None
    functions: tuple[Span, ...] = ()


def check_file(source: Source, job: Job) -> FileResult:
    """Check one file; never raises: what goes wrong costs a kernel or the file, and is in the result."""
    import coalint.analysis.evaluate  # noqa: F401 (takes long the first time, which is not the file's)
    from coalint.frontend.clang import FrontendError
    from coalint.frontend.load import Scope, load
    from coalint.frontend.opened import recorded
    from coalint.frontend.overlay import overlaid

    lazily.loaded()
    path, clock, began = source.path, _Clock(job.limits), time.time_ns()
    arch = job.arch if source.arch is None else architecture(source.arch)
    job = replace(job, arch=arch, assume=(*source.assume, *job.assume))
    try:
        with recorded() as opened, overlaid(job.overlay):
            headers = job.headers if source.precompiled else None
            with uncollected():
                scope = Scope(source.fragments, source.itself, source.only)
                module = load(path, source.arguments, headers, scope, source.supposing)
            with kept():
                result = _check_module(path, module, job, clock, source)
            inputs = _FILES.inputs(path, opened.names, opened.missing, source.arguments, began) if job.inputs else None
        return replace(result, inputs=inputs)
    except MemoryError:
        return lost_file(path, f"{TOO_MUCH} {job.limits.memory_text}")
    except RecursionError:
        return lost_file(path, TOO_DEEP)
    except FrontendError as error:
        return FileResult(path, failures=(Failure.input(error.message.removeprefix(f"{path}: "), error.remedy, path),))
    except Exception as error:
        if isinstance(error, ArgumentError) and RecursionError.__name__ in str(error):  # as ctypes hands it on
            return lost_file(path, TOO_DEEP)
        return FileResult(path, failures=(internal_error(path, error, "while it was read"),))


def lost_file(path: str, cause: str) -> FileResult:
    """The result for a file whose check was ended; `cause` says by what."""
    message = f"the file was not analysed: {cause}"
    span = Span(path, 1, 1, 1, 2)
    problem = TranslationUnitError.report(message, span, None, Severity.WARNING, _remedy(cause))
    return FileResult(path, problems=(problem,), whole=False)


def _remedy(cause: str) -> str:
    if cause.startswith(TOO_LONG):
        return "give it more with --timeout-per-file, or leave it out with --exclude; the other files were checked"
    if cause.startswith(TOO_MUCH):
        return "give it more with --memory-per-file, or leave it out with --exclude; the other files were checked"
    return "please report it with the file; --exclude leaves it out, and the other files were checked"


class _Clock:
    """How much of a file's processor time is left. A kernel gets a quarter at most, all together four fifths."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.begin = time.process_time()

    @property
    def left(self) -> float:
        """Seconds until what is done must be handed over; 0 for no bound."""
        seconds = self.limits.seconds
        return max(_MOMENT, self.begin + 0.8 * seconds - time.process_time()) if seconds else 0

    @property
    def is_over(self) -> bool:
        """Whether there is no time left for another kernel."""
        return bool(self.limits.seconds) and self.left <= _MOMENT

    @property
    def share(self) -> float:
        """Seconds for the next kernel; 0 for no bound."""
        return min(self.left, self.limits.seconds / 4)


def _check_module(path: str, module: ir.Module, job: Job, clock: _Clock, source: Source) -> FileResult:
    from coalint.analysis.launching.facts import assumption_problems, launch_records, parse_assumption, specialize
    from coalint.paddable import vetted

    launches = source.launches
    records: dict[str, list[LaunchRecord]] = {}
    if launches:
        module, records = _launched_elsewhere(module, launches)
    problems = list(problem_findings((*module.problems, *assumption_problems(module))))
    failures: list[Failure] = []
    checked: list[CheckedKernel] = []
    constant: dict[Span, dict[tuple[Span, str], bool]] = {}
    whole = True
    try:
        with deadline(clock.left):
            if not launches:
                records = launch_records(module)
            found = specialize(module, tuple(map(parse_assumption, job.assume)), records)
            pairs = tuple((kernel, job.given.applied(kernel, specialization)) for kernel, specialization in found)
    except OvertimeError:
        return lost_file(path, f"{TOO_LONG} {job.limits.seconds:g} s")
    except Exception as error:
        failures.append(internal_error(path, error, "while its launches were read"))
        pairs = ()
    for kernel, specialization in pairs:
        share = clock.share
        if clock.is_over:
            whole = False
            problems.append(_lost_kernel(kernel, f"its file took longer than {job.limits.seconds:g} s", remedy=_MORE))
            continue
        try:
            with swept(), deadline(share):
                analysis = _analyse(path, module, kernel, specialization, problems, failures, job)
                if analysis is not None:
                    analysis = _supposing(analysis, (*source.supposed, *module.supposed))
                    again = partial(_reshaped, module, kernel, specialization)
                    exchange = partial(_exchanged, module, kernel, specialization)
                    same = constant.setdefault(kernel.span, {})
                    kernel_checked = check_kernel(path, analysis, job, failures, again, exchange, same)
                    checked.append(vetted(kernel_checked, module))
        except OvertimeError:
            whole = False
            problems.append(_lost_kernel(kernel, f"{TOO_LONG} {max(1, round(share))} s", remedy=_MORE))
        except MemoryError:
            whole = False
            problems.append(_lost_kernel(kernel, f"{TOO_MUCH} {job.limits.memory_text}"))
        except RecursionError:
            problems.append(_lost_kernel(kernel, TOO_DEEP))
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
        functions=tuple(sorted({f.span for f in module.functions.values() if not f.bundled})),
    )


def _supposing(analysis: Analysis, macros: Sequence[str]) -> Analysis:
    """The analysis with the macros that it rests on."""
    if not macros:
        return analysis
    values = [macro.partition("=") for macro in macros]
    texts = tuple(f"`{name}` is {value or 'defined'}" for name, _, value in values)
    constants = tuple(f"{name} = {value}" for name, _, value in values if value)
    given = replace(analysis.specialization, constants=constants)
    accesses = tuple(
        replace(
            access,
            specialization=given,
            assumed=(*access.assumed, *texts),
            exact=access.exact and not constants,
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
    """The module with those of its kernels alone that other files launch, and these launches by the kernels' keys."""
    records: dict[str, list[LaunchRecord]] = {}
    for kernel in module.kernels:
        symbol = kernel.declaration.symbol if kernel.declaration is not None else None
        made = [replace(record, kernel=kernel.key) for record in launches if record.kernel == symbol]
        if made:
            records[kernel.key] = made
    return replace(module, kernels=tuple(kernel for kernel in module.kernels if kernel.key in records)), records


def _lost_kernel(kernel: ir.Kernel, cause: str, span: Span | None = None, remedy: str = "") -> Finding:
    message = f"the kernel {kernel.name} was not analysed: {cause}"
    help = f"{remedy}the other kernels of the file are not affected"
    return NotAnalysed.report(message, span or kernel.span, kernel.name, NotAnalysed.severity, help)


def _analyse(
    path: str,
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    problems: list[Finding],
    failures: list[Failure],
    job: Job,
) -> Analysis | None:
    from coalint.analysis.evaluate import AnalysisError, analyse

    try:
        races = any(rule.wants_races for rule in job.rules)
        return analyse(module, kernel, specialization, with_races=races, with_models=job.models)
    except AnalysisError as error:
        problems.append(_lost_kernel(kernel, str(error), error.span if isinstance(error.span, Span) else None))
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        failures.append(internal_error(path, error, f"while the kernel {kernel.name} was analysed"))
    return None


def _reshaped(module: ir.Module, kernel: ir.Kernel, specialization: Specialization, block: Block) -> Analysis | None:
    """The kernel at another block; its grid has as many threads along each axis, as far as that goes."""
    from coalint.analysis.evaluate import AnalysisError, analyse

    grid = specialization.grid
    if grid is not None:
        x, y, z = (max(1, -(-n * old // new)) for n, old, new in zip(grid, specialization.block, block, strict=True))
        grid = (x, y, z)
    try:
        return analyse(module, kernel, replace(specialization, block=block, grid=grid))
    except AnalysisError:
        return None


def _exchanged(module: ir.Module, kernel: ir.Kernel, specialization: Specialization) -> Analysis | None:
    from coalint.analysis.evaluate import AnalysisError, exchanged

    try:
        return exchanged(module, kernel, specialization)
    except AnalysisError:
        return None


def check_kernel(
    path: str,
    analysis: Analysis,
    job: Job,
    failures: list[Failure],
    again: Callable[[Block], Analysis | None] | None = None,
    exchange: Callable[[], Analysis | None] | None = None,
    constant: dict[tuple[Span, str], bool] | None = None,
) -> CheckedKernel:
    """Run the rules over one analysed kernel; a rule that fails costs its own findings only.

    They do not see what is doomed: it is done once at most.
    """
    analysis = replace(analysis, accesses=tuple(settled(access, job.arch) for access in analysis.accesses))
    whole = Context(analysis, job.arch, again, exchange, {} if constant is None else constant)
    lasting = tuple(access for access in analysis.accesses if not access.doomed)
    some_doomed = len(lasting) < len(analysis.accesses)
    context = replace(whole, analysis=replace(analysis, accesses=lasting)) if some_doomed else whole
    found: list[Found] = []
    for rule in job.rules:
        try:
            found.extend(_found(finding, context) for finding in rule().check(context))
        except (MemoryError, RecursionError):
            raise
        except Exception as error:
            where = f"in the rule {rule.name} on the kernel {analysis.kernel}"
            failures.append(internal_error(path, error, where))
    return CheckedKernel(
        analysis.kernel,
        analysis.span,
        analysis.specialization,
        tuple(found),
        Coverage.of(analysis.accesses),
        _outcome(analysis, whole),
        analysis if job.keep else None,
        tuple(traffic for _, traffic in whole.traffics) if job.keep else (),
        job.arch.name if job.keep else "",
    )


def _outcome(analysis: Analysis, context: Context) -> str:
    accesses = [
        (at.span.line, at.span.column, at.op, at.space, at.bytes, at.unknown, at.stride, at.assumed, cost)
        for at, cost in context.traffics
    ]
    barriers = [(at.span.line, at.span.column, at.verdict, at.because) for at in analysis.barriers]
    return blake2b(repr((accesses, barriers)).encode(), digest_size=16).hexdigest()


def _found(finding: Finding, context: Context) -> Found:
    at = context.by_span.get(finding.span, ())
    excess = max((cost.excess for _, cost in at if cost is not None), default=0.0)
    accesses = [access for access, _ in at]
    assumed = dict.fromkeys(text for access in accesses for text in access.assumed)
    return Found(finding, excess, (*_arguments(accesses), *assumed))


def _arguments(accesses: Iterable[Access]) -> tuple[str, ...]:
    """The constant arguments of the launch that the accesses speak of, as `width = 1024`."""
    named: dict[str, None] = {}
    for access in accesses:
        texts = (access.expression, *access.guard, *(note.message for note in access.provenance))
        words = {word for text in texts for word in _NAME.findall(text)}
        named |= {f"{name} = {value}": None for name, value in access.specialization.arguments if name in words}
    return tuple(named)


def _spans(checked: Iterable[CheckedKernel], problems: Iterable[Finding]) -> Iterable[Span]:
    findings = [*problems, *(found.finding for kernel in checked for found in kernel.found)]
    for finding in findings:
        yield finding.span
        yield from (note.span for note in finding.notes if note.span is not None)


def internal_error(path: str | None, error: BaseException, doing: str) -> Failure:
    """A failure that is coalint's own fault, with the place in coalint and how to report it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return Failure(
        FailureKind.INTERNAL,
        f"{type(error).__name__}{place} {doing}: {str(error)[:300]}",
        f"this is a bug in coalint {__version__}, not in your code: please report it with this line and "
        "the kernel; everything else was checked as usual",
        path,
    )
