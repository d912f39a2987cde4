"""One run of the interpreter over the body of a kernel."""

from __future__ import annotations

from coalint.analysis.domain.frames import Frame
from coalint.analysis.domain.registers import Registers
from coalint.analysis.interpreter.interpreter import Interpreter
from coalint.analysis.interpreter.memory.settled import Settled
from coalint.analysis.interpreter.parameters import bind_parameters
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.uniformity.last_branches import LastBranches
from coalint.core import ir
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.ir.settled_variables import settled_uses


def run(
    module: ir.Module,
    kernel: ir.Kernel,
    specialization: Specialization,
    recorder: Recorder,
    registers: Registers,
    may_store_unknown: bool = True,
) -> None:
    """Evaluate the body of a kernel; what it does is in the recorder then."""
    interpreter = Interpreter(module, recorder.algebra, recorder, registers)
    interpreter.may_store_unknown = may_store_unknown
    interpreter.frame = Frame(kernel.function.key)
    interpreter.settled = Settled(settled_uses(kernel.function, module.functions))
    recorder.uniformity.parameters = frozenset(parameter.name for parameter in kernel.function.parameters)
    recorder.uniformity.divisors = dict(specialization.divisors)
    recorder.uniformity.multiples = dict(specialization.multiples)
    recorder.uniformity.lost = frozenset(specialization.lost)
    recorder.uniformity.last_branches = LastBranches(kernel.function.body, module.functions)
    recorder.uniformity.last_barriers = LastBranches(kernel.function.body, module.functions, of_barriers=True)
    if specialization.source is LaunchSource.LAUNCH:
        recorder.uniformity.launch = f"the {specialization.launched}"
    bind_parameters(interpreter, kernel.function, specialization)
    interpreter.execute(kernel.function.body)
    control_flow.require_resolved_gotos(interpreter)
