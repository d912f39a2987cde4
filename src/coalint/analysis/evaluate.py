"""One kernel at one specialization -> its accesses and barriers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import CROWDED, AtomKind, Level, TooManyAtoms
from coalint.analysis.domain.frames import Frame
from coalint.analysis.domain.registers import Registers, host_registers, kernel_registers, thread_index
from coalint.analysis.domain.values import Address
from coalint.analysis.interpreter.effects.escape import StoreThroughUnknownPointer
from coalint.analysis.interpreter.interpreter import Interpreter
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.recorder import Recorder, TooLarge
from coalint.analysis.synchronization.hoisting import with_hoisting
from coalint.analysis.synchronization.other_shapes import confirmed
from coalint.analysis.synchronization.races import races
from coalint.analysis.warps.model import WarpModel
from coalint.core import ir
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.launch import LaunchRecord, LaunchSource, Specialization

MAX_HOST_STEPS = 150_000


class AnalysisError(Exception):
    """A kernel that cannot be analysed; `span` is where the reason stands."""

    def __init__(self, reason: str, span: object = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


def exchanged(module: ir.Module, kernel: ir.Kernel, specialization: Specialization) -> Analysis:
    """Evaluate a kernel as if it said x for y and y for x wherever it names threads, blocks and their extents.

    Raises AnalysisError as `analyse`.
    """
    return _evaluated(module, kernel, specialization, with_races=False, axes=(ir.Axis.Y, ir.Axis.X, ir.Axis.Z))


def analyse(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    *,
    with_races: bool = False,
    with_models: bool = False,
) -> Analysis:
    """Evaluate a kernel; its races are looked for, and its accesses given models, where asked.

    Raises AnalysisError when it uses what is not followed at all.
    """
    analysis = confirmed(
        _evaluated(module, kernel, specialization, with_races, with_models=with_models),
        lambda other: _tried(module, kernel, other, with_races),
    )
    analysis = replace(analysis, barriers=with_hoisting(module, analysis.barriers))
    return _with_free_models(analysis, module, kernel) if with_models else analysis


def _tried(module: ir.Module, kernel: ir.Kernel, specialization: Specialization, with_races: bool) -> Analysis | None:
    try:
        return _evaluated(module, kernel, specialization, with_races)
    except AnalysisError:
        return None


def _evaluated(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    with_races: bool,
    axes: tuple[ir.Axis, ir.Axis, ir.Axis] = ir.AXES,
    with_models: bool = False,
) -> Analysis:
    try:
        try:
            return _analyse(module, kernel, specialization, with_races, axes, with_models)
        except StoreThroughUnknownPointer:
            return _analyse(module, kernel, specialization, with_races, axes, with_models, may_store_unknown=True)
    except TooManyAtoms:
        raise AnalysisError(CROWDED, kernel.span) from None
    except TooLarge:
        raise AnalysisError("the kernel is too large to evaluate", kernel.span) from None
    except control_flow.NotFollowed as refused:
        raise AnalysisError(refused.reason, refused.span) from None
    except RecursionError:
        raise AnalysisError("expressions are nested too deeply", kernel.span) from None


def _analyse(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    with_races: bool,
    axes: tuple[ir.Axis, ir.Axis, ir.Axis],
    with_models: bool,
    may_store_unknown: bool = False,
) -> Analysis:
    algebra = Algebra()
    threads = thread_index(algebra, module.spelling, specialization.block)
    registers = kernel_registers(algebra, module.spelling, specialization, threads)
    named = dict(zip(axes, ir.AXES, strict=True))
    registers = {
        (register, None if axis is None else named[axis]): value for (register, axis), value in registers.items()
    }
    model = WarpModel(algebra, specialization.block, threads, dict(specialization.given))
    recorder = Recorder(algebra, lines_of(module), specialization, model, threads)
    recorder.order.wanted = with_races
    if with_models:
        from coalint.analysis.portable.own_models import OwnModels

        recorder.models = OwnModels(model, threads)
    _run(module, kernel, specialization, recorder, registers, may_store_unknown=may_store_unknown)
    return Analysis(
        kernel=kernel.name,
        specialization=specialization,
        span=kernel.span,
        accesses=tuple(recorder.accesses.values()),
        barriers=recorder.barriers.finish(),
        spelling=module.spelling,
        gaps=tuple(recorder.gaps),
        races=races(recorder.order.items, model, specialization) if with_races else (),
    )


def _with_free_models(analysis: Analysis, module: ir.Module, kernel: ir.Kernel) -> Analysis:
    """The analysis with models that hold for every block shape, as far as there are such."""
    from coalint.analysis.portable.free_models import FreeRecorder, free_registers, freed

    algebra, specialization = Algebra(), analysis.specialization
    free, axes = free_registers(algebra, module.spelling)
    zeros = (algebra.zero,) * len(ir.AXES)
    recorder = FreeRecorder(algebra, lines_of(module), specialization, axes)
    with suppress(TooManyAtoms, TooLarge, control_flow.NotFollowed, RecursionError):
        _run(
            module,
            kernel,
            specialization,
            recorder,
            {**kernel_registers(algebra, module.spelling, specialization, zeros), **free},
        )
    return replace(analysis, accesses=freed(analysis.accesses, recorder.found))


def _run(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    recorder: Recorder,
    registers: Registers,
    may_store_unknown: bool = True,
) -> None:
    interpreter = Interpreter(module, recorder.algebra, recorder, registers)
    interpreter.may_store_unknown = may_store_unknown
    interpreter.frame = Frame(kernel.function.key)
    recorder.uniformity.parameters = frozenset(parameter.name for parameter in kernel.function.parameters)
    recorder.uniformity.divisors = dict(specialization.divisors)
    if specialization.source is LaunchSource.LAUNCH:
        recorder.uniformity.launch = f"the {specialization.launched}"
    _bind_parameters(interpreter, kernel.function, dict(specialization.arguments), dict(specialization.multiples))
    for name, by in specialization.shifts:
        _bind_shift(interpreter, kernel.function, name, by)
    for name, offset, size, value in specialization.members:
        _bind_member(interpreter, kernel.function, name, offset, size, value)
    interpreter.execute(kernel.function.body)
    control_flow.require_resolved_gotos(interpreter)


@dataclass
class HostSteps:
    """How many more expressions of a file's host functions are evaluated."""

    left: int = MAX_HOST_STEPS


def launches(module: ir.Module, function: ir.Function, steps: HostSteps) -> list[LaunchRecord]:
    """Evaluate a host function for the launches in it; where it cannot be followed to its end, those up to there."""
    algebra = Algebra()
    recorder = Recorder(algebra, lines_of(module))
    interpreter = Interpreter(module, algebra, recorder, host_registers(algebra, module.spelling))
    interpreter.frame = Frame(function.key)
    interpreter.most_steps = steps.left
    _bind_parameters(interpreter, function, {}, {})
    with suppress(TooManyAtoms, TooLarge, control_flow.NotFollowed, RecursionError):
        interpreter.execute(function.body)
    steps.left = max(0, steps.left - interpreter.steps)
    found = recorder.launches
    guessed = module.guesses.get(function.key, ())
    return [replace(record, guessed=guessed) for record in found] if guessed else found


def lines_of(module: ir.Module) -> dict[str, list[str]]:
    """The source lines of every file of the module."""
    return {file: _lines(text) for file, text in module.sources.items()}


@lru_cache(maxsize=64)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def _bind_parameters(
    interpreter: Interpreter, function: ir.Function, arguments: dict[str, int], multiples: dict[str, int]
) -> None:
    for parameter in function.parameters:
        storage = interpreter.store.new()
        interpreter.frame.variables[parameter.key] = storage
        interpreter.store.parameters[storage] = parameter.name
        interpreter.store.variables[storage] = parameter
        known = arguments.get(parameter.name)
        if known is not None:
            interpreter.store.write(
                storage, interpreter.algebra.zero, parameter.type.size, interpreter.algebra.constant(known)
            )
        elif parameter.name in multiples:
            divisor = multiples[parameter.name]
            quotient = interpreter.algebra.atom(AtomKind.UNIFORM, f"({parameter.name} / {divisor})", Level.UNIFORM)
            interpreter.store.write(storage, interpreter.algebra.zero, parameter.type.size, divisor * quotient)


def _bind_shift(interpreter: Interpreter, function: ir.Function, name: str, by: int) -> None:
    """A pointer that the launch passes as `array + n`."""
    for parameter in function.parameters:
        storage = interpreter.frame.variables[parameter.key]
        if parameter.name == name and isinstance(storage, int) and isinstance(parameter.type, ir.Pointer):
            start = interpreter.store.pointer(
                name, parameter.type, Level.UNIFORM, ("parameter", storage, interpreter.algebra.zero)
            )
            shifted = Address(start.base, interpreter.algebra.constant(by))
            interpreter.store.write(storage, interpreter.algebra.zero, parameter.type.size, shifted)


def _bind_member(
    interpreter: Interpreter, function: ir.Function, name: str, offset: int, size: int, value: int
) -> None:
    for parameter in function.parameters:
        storage = interpreter.frame.variables[parameter.key]
        if parameter.name == name and isinstance(storage, int):
            interpreter.store.write(
                storage, interpreter.algebra.constant(offset), size, interpreter.algebra.constant(value)
            )
