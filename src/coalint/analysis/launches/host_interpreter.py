"""An interpreter for what the host computes, or the compiler: without threads."""

from __future__ import annotations

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.functions import function_names
from coalint.analysis.domain.frames import Frame
from coalint.analysis.domain.registers import host_registers
from coalint.analysis.interpreter.interpreter import Interpreter
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.recorder.source_lines import lines_of
from coalint.core import ir


def host_interpreter(module: ir.Module, key: str, most_steps: int) -> Interpreter:
    """Return an interpreter in the function of a key, which evaluates at most so many expressions."""
    algebra = Algebra(function_names(module.spelling))
    recorder = Recorder(algebra, lines_of(module))
    interpreter = Interpreter(module, algebra, recorder, host_registers(algebra, module.spelling))
    interpreter.frame = Frame(key)
    interpreter.most_steps = most_steps
    return interpreter
