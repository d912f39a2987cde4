"""One kernel at one specialization -> its accesses and barriers."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from coalint.analysis.compiled_addresses import compiled_addresses
from coalint.analysis.counts.axes import Axes
from coalint.analysis.counts.execution_counts import ExecutionCounts
from coalint.analysis.counts.read_axes import read_axes, stated_grid
from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import CROWDED, TooManyAtoms
from coalint.analysis.domain.algebra.functions import function_names
from coalint.analysis.domain.registers import kernel_registers, thread_index
from coalint.analysis.formulas.formula import Answers
from coalint.analysis.formulas.open_addresses import OpenAddresses
from coalint.analysis.interpreter.effects.escape import StoreThroughUnknownPointer
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.elimination.certain_nodes import CertainNodes
from coalint.analysis.recorder.elimination.written_distances import WrittenDistances
from coalint.analysis.recorder.instruction_recorder import TooLarge
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.recorder.source_lines import lines_of
from coalint.analysis.running import run
from coalint.analysis.synchronization.hoisting import with_hoisting
from coalint.analysis.synchronization.other_shapes import confirmed
from coalint.analysis.synchronization.races import races
from coalint.analysis.warps.model import WarpModel
from coalint.core import ir
from coalint.core.facts.access import Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import Specialization
from coalint.core.ir.late_loads import LateLoads
from coalint.core.records import record


class AnalysisError(Exception):
    """A kernel that cannot be analysed; `span` is where the reason stands."""

    def __init__(self, reason: str, span: object = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


@record(frozen=True, slots=True)
class _Request:
    """What to evaluate: a kernel at a specialization.

    `axes` are the axes of the launch that x, y and z of the kernel's text stand for. `with_races`, `with_models` and
    `with_forms` say whether races are looked for, and accesses are given models, and formulas of their executions.
    `answers` are those that sympy has given about addresses; None where it is not asked. `with_conditions` asks it
    under which conditions accesses are good, too. Without `with_lanes` accesses have addresses only.
    """

    module: ir.Module
    kernel: ir.Kernel
    specialization: Specialization
    with_races: bool = False
    with_models: bool = False
    with_forms: bool = False
    answers: Answers | None = None
    with_conditions: bool = False
    with_lanes: bool = True
    axes: tuple[ir.Axis, ir.Axis, ir.Axis] = ir.AXES


def analyse(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    *,
    with_races: bool = False,
    with_models: bool = False,
    with_forms: bool = False,
    answers: Answers | None = None,
    with_conditions: bool = False,
    again: Callable[[Specialization], Analysis | None] | None = None,
) -> Analysis:
    """Evaluate a kernel; look for its races, give its accesses models and formulas where that is asked for.

    `answers` are those that sympy has given about open addresses; None leaves these as the polynomials have them.
    `with_conditions` asks it under which conditions accesses are good, too. `again` is `tried` for the kernel, with
    races where they are looked for here.

    Raises AnalysisError for a kernel that cannot be followed at all.
    """
    request = _Request(
        module,
        kernel,
        specialization,
        with_races=with_races,
        with_models=with_models,
        with_forms=with_forms,
        answers=answers,
        with_conditions=with_conditions,
    )

    def elsewhere(other: Specialization) -> Analysis | None:
        return tried(module, kernel, other, with_races=with_races)

    analysis = confirmed(_evaluated(request), elsewhere if again is None else again)
    analysis = replace(analysis, barriers=with_hoisting(module, analysis.barriers))
    return _with_free_models(analysis, module, kernel) if with_models else analysis


def exchanged(module: ir.Module, kernel: ir.Kernel, specialization: Specialization) -> Analysis:
    """Evaluate a kernel as if it said x for y and y for x wherever it names threads, blocks and their extents.

    Raises AnalysisError as `analyse`.
    """
    return _evaluated(_Request(module, kernel, specialization, axes=(ir.Axis.Y, ir.Axis.X, ir.Axis.Z)))


def tried(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    *,
    with_races: bool = False,
    with_lanes: bool = True,
) -> Analysis | None:
    """Evaluate a kernel at another specialization; None where it cannot be followed there.

    What it says rests on that specialization alone: no verdict or race is compared with other blocks. Without
    `with_lanes` no access has lanes: its address alone is asked for.
    """
    try:
        return _evaluated(_Request(module, kernel, specialization, with_races=with_races, with_lanes=with_lanes))
    except AnalysisError:
        return None


def _evaluated(request: _Request) -> Analysis:
    """Evaluate a kernel, again where it stores through a pointer that is not followed. Raises AnalysisError."""
    span = request.kernel.span
    try:
        try:
            return _evaluate(request, may_store_unknown=False)
        except StoreThroughUnknownPointer:
            return _evaluate(request, may_store_unknown=True)
    except TooManyAtoms:
        raise AnalysisError(CROWDED, span) from None
    except TooLarge:
        raise AnalysisError("the kernel is too large to evaluate", span) from None
    except control_flow.NotFollowed as refused:
        raise AnalysisError(refused.reason, refused.span) from None
    except RecursionError:
        raise AnalysisError("expressions are nested too deeply", span) from None


def _evaluate(request: _Request, *, may_store_unknown: bool) -> Analysis:
    module, kernel, specialization = request.module, request.kernel, request.specialization
    algebra = Algebra(function_names(module.spelling))
    threads = thread_index(algebra, module.spelling, specialization.block)
    registers = kernel_registers(algebra, module.spelling, specialization, threads)
    named = dict(zip(request.axes, ir.AXES, strict=True))
    registers = {
        (register, None if axis is None else named[axis]): value for (register, axis), value in registers.items()
    }
    model = WarpModel(algebra, specialization.block, threads, dict(specialization.given))
    recorder = Recorder(algebra, lines_of(module), specialization, model, threads)
    recorder.in_body(kernel.function.body, module.spelling)
    recorder.order.wanted, recorder.with_lanes = request.with_races, request.with_lanes
    read = read_axes(module, kernel.function) if specialization.grid is None else ir.AXES
    axes = Axes.of(algebra, registers, specialization.grid or stated_grid(specialization, read), read)
    if request.with_models:
        from coalint.analysis.portable.own_models import OwnModels

        recorder.descriptions.models = OwnModels(model, threads)
    recorder.volatile, recorder.may_leave_loops = module.volatile, not module.has_volatile_assembly
    recorder.supposed_loops.restricted = frozenset(p.name for p in kernel.function.parameters if p.is_restrict)
    recorder.late_loads = LateLoads(kernel.function, module.functions)
    recorder.supposed_loops.nodes = CertainNodes(module.functions)
    recorder.supposed_loops.distances = WrittenDistances(kernel.function.body)
    if request.answers is not None:
        recorder.formulas = OpenAddresses(model, request.answers, with_conditions=request.with_conditions)
    run(module, kernel, specialization, recorder, registers, may_store_unknown=may_store_unknown)
    accesses = recorder.settled()
    shared = [(*access.calls, access.span)[0] for access in accesses if access.space is Space.SHARED]
    analysis = Analysis(
        kernel=kernel.name,
        specialization=specialization,
        span=kernel.span,
        accesses=accesses,
        barriers=recorder.barriers.finish(),
        fences=tuple(recorder.barriers.fences),
        slow_paths=tuple(recorder.slow_paths.values()),
        spelling=module.spelling,
        gaps=tuple(recorder.gaps),
        races=races(recorder.order.items, model, specialization) if request.with_races else (),
        counting=ExecutionCounts(
            model,
            axes,
            recorder.reaches,
            recorder.places,
            recorder.barriers.reaches,
            with_forms=request.with_forms,
        ),
        compiled=partial(compiled_addresses, module, kernel, shared),
    )
    recorder.release()
    return analysis


def _with_free_models(analysis: Analysis, module: ir.Module, kernel: ir.Kernel) -> Analysis:
    """Return the analysis with models that hold for every block shape, as far as there are such."""
    from coalint.analysis.portable.free_models import FreeRecorder, free_registers, freed

    algebra, specialization = Algebra(function_names(module.spelling)), analysis.specialization
    free, axes = free_registers(algebra, module.spelling)
    zeros = (algebra.zero,) * len(ir.AXES)
    recorder = FreeRecorder(algebra, lines_of(module), specialization, axes)
    with suppress(TooManyAtoms, TooLarge, control_flow.NotFollowed, RecursionError):
        run(
            module,
            kernel,
            specialization,
            recorder,
            {**kernel_registers(algebra, module.spelling, specialization, zeros), **free},
        )
    recorder.release()
    return replace(analysis, accesses=freed(analysis.accesses, recorder.models))
