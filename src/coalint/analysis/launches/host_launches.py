"""The launches that host functions make."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import TooManyAtoms
from coalint.analysis.domain.algebra.functions import function_names
from coalint.analysis.domain.frames import Frame
from coalint.analysis.domain.registers import host_registers
from coalint.analysis.interpreter.interpreter import Interpreter
from coalint.analysis.interpreter.parameters import declare_parameters
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.instruction_recorder import TooLarge
from coalint.analysis.recorder.recorder import Recorder
from coalint.analysis.recorder.source_lines import lines_of
from coalint.core import ir
from coalint.core.facts.launch import LaunchRecord
from coalint.core.source.spans import Span

MAX_HOST_STEPS = 150_000


@dataclass
class HostSteps:
    """How many more expressions of a file's host functions are evaluated."""

    left: int = MAX_HOST_STEPS


def _evaluate(
    module: ir.Module, function: ir.Function, steps: HostSteps, follow_loops: bool = False
) -> list[LaunchRecord]:
    """Return the launches in a host function; where it cannot be followed to its end, those up to there."""
    algebra = Algebra(function_names(module.spelling))
    recorder = Recorder(algebra, lines_of(module))
    interpreter = Interpreter(module, algebra, recorder, host_registers(algebra, module.spelling))
    interpreter.frame = Frame(function.key)
    interpreter.most_steps = steps.left
    interpreter.follows_host_loops = follow_loops
    declare_parameters(interpreter, function)
    with suppress(TooManyAtoms, TooLarge, control_flow.NotFollowed, RecursionError):
        interpreter.execute(function.body)
    steps.left = max(0, steps.left - interpreter.steps)
    guessed = module.guesses.get(function.key, ())
    return [replace(record, guessed=guessed) for record in recorder.launches] if guessed else recorder.launches


def launch_records(module: ir.Module, *, follow_loops: bool = False) -> dict[str, list[LaunchRecord]]:
    """Return the launches that the host functions make, by the kernel's key.

    `follow_loops` runs the iterations of loops around launches one after the other, as far as they are few.
    """
    records: dict[str, list[LaunchRecord]] = {}
    roots = _roots(module)
    seen: set[Span] = set()
    steps = HostSteps()
    for host in (*roots, *(host for host in module.hosts if host not in roots)):
        if host not in roots and _launch_places(host.body) <= seen:
            continue
        for record in _evaluate(module, host, steps, follow_loops):
            records.setdefault(record.kernel, []).append(record)
            seen.add(record.span)
    return records


def _roots(module: ir.Module) -> list[ir.Function]:
    """Return the host functions that no other one calls; they evaluate the others, with their arguments."""
    called: set[str] = set()
    for host in module.hosts:
        pending: list[ir.Expression | ir.Statement] = [host.body]
        seen: set[str] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, ir.Call | ir.Lambda) and node.function is not None and node.function not in seen:
                seen.add(node.function)
                callee = module.functions.get(node.function)
                if callee is not None and not callee.bundled:
                    pending.append(callee.body)
            pending.extend(ir.children(node))
        called |= seen - {host.key}
    roots = [host for host in module.hosts if host.key not in called]
    return roots or list(module.hosts)


def _launch_places(node: ir.Expression | ir.Statement) -> set[Span]:
    """Return where a host function itself launches kernels."""
    places = {node.span} if isinstance(node, ir.Launch) else set[Span]()
    for child in ir.children(node):
        places |= _launch_places(child)
    return places
