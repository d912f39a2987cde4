"""Lambdas: what they see of the variables around them, as these are or as they were when the lambda was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint import ir
from coalint.analysis.values import Closure, Frame

if TYPE_CHECKING:
    from coalint.analysis.interpreter import Interpreter


def closure(run: Interpreter, e: ir.Lambda) -> Closure:
    """A lambda with the variables around it, copies of those that it captures by value."""
    frame = run.frame
    function = run.module.functions.get(e.function)
    if function is None or not (e.by_value or e.others):
        return Closure(e.function, frame)
    copies: dict[str, int] = {}
    for variable in _seen(run, function):
        held = frame.find(variable.key)
        if held is None or (variable.name in e.others) is e.by_value:
            continue
        if isinstance(held, int):
            run.store.settle(held, run.algebra.zero, variable.type)
            contents = run.store.cells.get(held, {})
            if contents:
                copies[variable.key] = run.store.new()
                run.store.variables[copies[variable.key]] = variable
                run.store.cells[copies[variable.key]] = contents
        else:
            copies[variable.key] = run.store.new()
            value = run.load(held, None)
            run.store.write(copies[variable.key], run.algebra.zero, held.type.size, value)
    if not copies:
        return Closure(e.function, frame)
    own = Frame(frame.function, dict(copies), frame, frame.call, frame.receiver, frame.bundled, frame.caller)
    return Closure(e.function, own)


def _seen(run: Interpreter, function: ir.Function) -> tuple[ir.Variable, ...]:
    """The variables that a lambda's body names and does not declare."""
    found = run.captured.get(function.key)
    if found is None:
        named: dict[str, ir.Variable] = {}
        declared = {parameter.key for parameter in function.parameters}
        waiting: list[ir.Expression | ir.Statement] = [function.body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ir.Name) and node.variable.storage in (ir.Storage.LOCAL, ir.Storage.PARAMETER):
                named[node.variable.key] = node.variable
            elif isinstance(node, ir.Declare):
                declared.add(node.variable.key)
            elif isinstance(node, ir.Lambda) and node.function in run.module.functions:
                named |= {inner.key: inner for inner in _seen(run, run.module.functions[node.function])}
            waiting.extend(ir.children(node))
        found = tuple(variable for key, variable in named.items() if key not in declared)
        run.captured[function.key] = found
    return found
