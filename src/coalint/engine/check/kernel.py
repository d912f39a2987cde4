"""One kernel at one specialization: analysed, judged by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

from coalint.core.facts.access import Access, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.costs import Cost
from coalint.core.facts.launch import Specialization
from coalint.core.facts.suppositions import without_opposites
from coalint.core.findings import Finding
from coalint.core.source.quoting import identifiers
from coalint.core.source.spans import Span
from coalint.engine.check.failures import internal_error, lost_kernel
from coalint.engine.check.launch_costs import weighed
from coalint.engine.check.records import CheckedKernel, Job, RankedFinding
from coalint.engine.check.shapes import confirmed
from coalint.engine.report import Coverage, Failure
from coalint.machine.traffic import settled
from coalint.rule import Block, Context

if TYPE_CHECKING:
    from coalint.core import ir
    from coalint.engine.check.arithmetic import Arithmetic
    from coalint.engine.check.other_blocks import OtherBlocks
    from coalint.engine.open_blocks.forms import BlockCounts
    from coalint.machine.architecture import Architecture
    from coalint.machine.nvcc.instructions import MachineInstruction


def wants_races(job: Job) -> bool:
    """Whether a rule of a job asks for races."""
    return any(rule.wants_races for rule in job.rules)


def analyse_kernel(
    path: str,
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    problems: list[Finding],
    failures: list[Failure],
    job: Job,
    again: Callable[[Specialization], Analysis | None] | None = None,
) -> Analysis | None:
    """Return the analysis of a kernel; None where it cannot be analysed, with a finding or failure that says why.

    `again` analyses it at another specialization, with races where a rule wants them.
    """
    from coalint.analysis.evaluate import AnalysisError, analyse
    from coalint.analysis.formulas.open_addresses import KNOWN
    from coalint.engine.execution.cache.stored_answers import answers_in
    from coalint.engine.registry import packages_of

    try:
        return analyse(
            module,
            kernel,
            specialization,
            with_races=wants_races(job),
            with_models=job.models,
            with_forms=job.forms,
            answers=KNOWN if job.answers is None else answers_in(job.answers, packages_of(job.rules)),
            with_conditions=job.keep,
            again=again,
        )
    except AnalysisError as error:
        problems.append(lost_kernel(kernel, str(error), error.span if isinstance(error.span, Span) else None))
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        failures.append(internal_error(path, error, f"while the kernel {kernel.name} was analysed"))
    return None


def exchanged_axes(module: ir.Module, kernel: ir.Kernel, specialization: Specialization) -> Analysis | None:
    """Return the analysis with x and y exchanged; None where the kernel cannot be analysed so."""
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
    blocks: OtherBlocks | None = None,
    exchange: Callable[[], Analysis | None] | None = None,
    constant: dict[tuple[Span, str], bool] | None = None,
    arithmetic: Arithmetic | None = None,
) -> CheckedKernel:
    """Run the rules over one analysed kernel; a rule that fails costs its own findings only.

    They do not see what comes to a trap: it is done once at most. `blocks` analyses the kernel at other blocks; without
    it, nothing is compared with these. `arithmetic` is what the kernel computes beside its accesses.
    """
    analysis = replace(analysis, accesses=tuple(settled(access, job.arch) for access in analysis.accesses))
    whole = Context(
        analysis,
        job.arch,
        again=None if blocks is None else blocks.reshaped,
        exchange=exchange,
        constant={} if constant is None else constant,
        sketch=None if blocks is None else blocks.sketched,
    )
    context = whole.lasting
    findings: list[Finding] = []
    for rule in job.rules:
        try:
            findings.extend(rule().check(context))
        except (MemoryError, RecursionError):
            raise
        except Exception as error:
            where = f"in the rule {rule.name} on the kernel {analysis.kernel}"
            failures.append(internal_error(path, error, where))
    behind: _Behind = {}  # many findings may stand at the place of one helper
    counts = None
    if blocks is not None and (job.forms or job.formulas):
        counts = _block_counts(analysis, whole.instructions, blocks.in_same_grid, job.arch)
    heavy = weighed(
        findings,
        whole.instructions,
        analysis.counting,
        with_formulas=job.formulas,
        by_block=counts,
        arithmetic=arithmetic,
    )
    from coalint.analysis.launches.refuted_shapes import is_refuted

    confirm = None
    if blocks is not None and not is_refuted(analysis.specialization, analysis.accesses):
        confirm = partial(blocks.reshaped, races=wants_races(job))
    sure = confirmed(heavy, job.rules, whole, confirm)
    ranked = [_ranked(finding, context, behind) for finding in sure]
    return CheckedKernel(
        kernel=analysis.kernel,
        span=analysis.span,
        specialization=analysis.specialization,
        findings=tuple(ranked),
        coverage=Coverage.of(made.access for made in whole.instructions),
        outcome=_outcome(analysis, whole),
        gaps=analysis.gaps,
        moves=tuple(_moves(whole.instructions)),
        analysis=analysis.counted() if job.keep else None,
        instructions=whole.instructions if job.keep else (),
        block_forms=counts.forms() if counts is not None and job.forms and job.keep else None,
        arch=job.arch.name,
    )


def _moves(instructions: Sequence[MachineInstruction]) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Yield the places of accesses to global memory, each with what lanes are multiples of there."""
    symbolic: dict[Span, dict[str, None]] = {}
    for access in (made.written for made in instructions):
        if access.space is Space.GLOBAL:
            symbolic.setdefault(access.span, {}).update(dict.fromkeys(access.result.symbolic))
    yield from ((span, tuple(names)) for span, names in symbolic.items())


def _block_counts(
    analysis: Analysis,
    instructions: Sequence[MachineInstruction],
    at_block: Callable[[Block], Analysis | None],
    arch: Architecture,
) -> BlockCounts | None:
    """Return what finds formulas in open extents of the block; None where none is open. This loads no sympy."""
    from coalint.engine.open_blocks.forms import BlockCounts
    from coalint.engine.open_blocks.shapes import OpenBlock
    from coalint.engine.open_blocks.views import View

    open_block, view = OpenBlock.of(analysis.specialization, analysis.spelling), View.of(analysis, instructions)
    return None if open_block is None or view is None else BlockCounts(open_block, view, at_block, arch)


def launched_as(checked: CheckedKernel, specialization: Specialization) -> CheckedKernel:
    """Return a checked kernel at another launch of the same outcome."""
    specialization = replace(specialization, constants=checked.specialization.constants)
    analysis = checked.analysis
    if analysis is None:
        return replace(checked, specialization=specialization)
    accesses = tuple(replace(access, specialization=specialization) for access in analysis.accesses)
    barriers = tuple(replace(barrier, specialization=specialization) for barrier in analysis.barriers)
    races = tuple(replace(race, specialization=specialization) for race in analysis.races)
    analysis = replace(analysis, specialization=specialization, accesses=accesses, barriers=barriers, races=races)
    instructions = tuple(made.placed(access) for made, access in zip(checked.instructions, accesses, strict=True))
    return replace(checked, specialization=specialization, analysis=analysis, instructions=instructions)


def _outcome(analysis: Analysis, context: Context) -> str:
    start = analysis.span
    accesses = [
        (
            at.span.line - start.line if at.span.file == start.file else at.span.line,
            at.span.column,
            at.op,
            at.space,
            at.bytes,
            at.result.unknown,
            at.stride,
            at.result.assumed,
            made.traffic,
        )
        for made in context.instructions
        for at in (made.access,)
    ]
    barriers = [(at.span.line - start.line, at.span.column, at.verdict, at.because) for at in analysis.barriers]
    return blake2b(repr((accesses, barriers)).encode(), digest_size=16).hexdigest()


_Behind = dict[tuple[Span, Cost | None], tuple[float, tuple[str, ...]]]


def _ranked(finding: Finding, context: Context, behind: _Behind) -> RankedFinding:
    """Return a finding with what is `behind` its place and cost: the excess there, and what that rests on."""
    key = finding.span, finding.cost
    known = behind.get(key)
    if known is None:
        at = context.by_span.get(finding.span, ())
        excess = max((made.traffic.excess for made in at if made.traffic is not None), default=0.0)
        meant = [made for made in at if finding.cost is not None and made.cost == finding.cost] or at
        assumed = without_opposites(text for made in meant for text in made.access.result.assumed)
        known = behind[key] = excess, (*_arguments(made.written for made in at), *(assumed if at else finding.assumed))
    excess = known[0] if finding.cost is None else finding.cost.excess
    return RankedFinding(finding=finding, excess=excess, assumed=known[1])


def _arguments(accesses: Iterable[Access]) -> tuple[str, ...]:
    """Return the constant arguments of the launch that the accesses speak of, as `width = 1024`."""
    named: dict[str, None] = {}
    for access in accesses:
        names = {*access.address.names, *(name for text in access.guard for name in identifiers(text))}
        named |= {f"{name} = {value}": None for name, value in access.specialization.passed if name in names}
    return tuple(named)
