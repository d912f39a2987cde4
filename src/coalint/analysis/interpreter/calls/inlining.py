"""Bodies of functions are evaluated in place: arguments are bound, returns are joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import CROWDED, Level, Poly
from coalint.analysis.domain.frames import NO_PART, Frame, Lvalue
from coalint.analysis.domain.values import Address, AggregateValue, Closure, PointerSelect, Value
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.analysis.interpreter.calls.unknown_calls import opaque
from coalint.analysis.interpreter.statements import control_flow
from coalint.core import ir
from coalint.machine.nvcc.struct_loads import StructPart

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

MAX_DEPTH = 24
MAX_HOST_DEPTH = 64  # of host functions: templates choose among sizes by calling themselves with the next one
MAX_RECURSION = 3  # of one device function inside of itself: each call of two more would double the work
MAX_HOST_RECURSION = 8  # of a host function, where a condition in it that is not known led to the call


def inline(
    state: State,
    e: ir.Call,
    key: str,
    receiver: Lvalue | None,
    outer: Frame | None = None,
    used: tuple[StructPart, ...] = (),
) -> Value | Lvalue:
    """Evaluate the body of a function with these arguments; `used` is as in `call`."""
    function = state.module.functions.get(key)
    if function is None:
        return opaque(state, e, f"the body of `{e.name}` is not available")
    if state.algebra.full():
        return _left_out(state, e, CROWDED)
    if state.depth >= (MAX_HOST_DEPTH if state.recorder.model is None else MAX_DEPTH):
        return _left_out(state, e, f"calls of `{e.name}` are nested too deeply")
    most = _most_recursion(state, function)
    if state.frame.activations(key) >= most:
        return _left_out(state, e, f"`{e.name}` calls itself more than {most} times")
    wanted = state.narrowed.wanted(state.frame.function, e, state.frame.wanted)
    is_dropped = used == NO_PART
    used = () if is_dropped else used
    frame = Frame(key, {}, outer, e.span, receiver, function.bundled, state.frame, used, wanted, is_dropped, id(e))
    if function.receiver is not None and receiver is not None:
        storage = state.store.new()
        state.store.write(storage, state.algebra.zero, 8, receiver.address)
        frame.variables[function.receiver.key] = storage
    for parameter, argument in zip(function.parameters, e.arguments, strict=False):
        bind(state, frame, parameter, argument)
    for parameter in function.parameters[len(e.arguments) :]:
        frame.variables[parameter.key] = state.store.new()
    return body(state, function, frame)


def _most_recursion(state: State, function: ir.Function) -> int:
    """Return how many calls of a function are followed inside of each other.

    Those of a host function that known numbers decide are all followed; trial runs of loops are made in each of them.
    """
    if state.recorder.model is not None:
        return MAX_RECURSION
    own = function.span
    inside = (at for at in (guard.span for guard in state.guards) if at.file == own.file)
    if not any(own.line <= at.line <= own.end_line for at in inside):
        return MAX_DEPTH
    return MAX_RECURSION if state.dry else MAX_HOST_RECURSION


def _left_out(state: State, e: ir.Call, reason: str) -> Value:
    """Return the unknown result of a call whose body is not evaluated; the kernel is said to be analysed in part.

    Of a kernel that is too large this is said of the first call: it holds for all that follow.
    """
    if state.recorder.model is not None and not state.dry:
        once = CROWDED if reason == CROWDED else ""
        state.recorder.gap(f"a call of `{e.name}` is not followed, since {reason}", e.span, once=once)
    return opaque(state, e, reason)


def bind(state: State, frame: Frame, parameter: ir.Variable, argument: ir.Expression) -> None:
    """Pass one argument: by reference its place, by value a copy."""
    if isinstance(parameter.type, ir.Reference):
        frame.variables[parameter.key] = state.place(argument)
        return
    mark = len(state.trace)
    value = copied(state, state.kept(argument, parameter, frame))
    parents = tuple(dict.fromkeys(state.trace[mark:]))
    storage = state.store.new()
    state.store.variables[storage] = parameter
    state.store.write(storage, state.algebra.zero, parameter.type.size, value, parents[-1] if parents else None)
    frame.variables[parameter.key] = storage


def body(state: State, function: ir.Function, frame: Frame) -> Value | Lvalue:
    """Run a body in a frame and join what its returns give; its variables end with it."""
    made = state.store.newest
    result = _result(state, function, frame)
    if not _leads_behind(result, made):
        state.store.release(made, state.global_storages)
    return result


def _leads_behind(value: Value | Lvalue, storage: int) -> bool:
    """Whether a value holds the address of a variable that was made after that storage, or a lambda, which may."""
    match value:
        case Lvalue():
            return _leads_behind(value.address, storage)
        case Address():
            return value.base.storage > storage
        case PointerSelect():
            return _leads_behind(value.then, storage) or _leads_behind(value.otherwise, storage)
        case AggregateValue():
            return any(_leads_behind(cell.value, storage) for cell in value.cells.values())
        case _:
            return isinstance(value, Closure)


def _result(state: State, function: ir.Function, frame: Frame) -> Value | Lvalue:
    caller, guards, exits = state.frame, state.guards, state.exits
    state.frame, state.exits = frame, []
    state.depth += 1
    mark = len(state.trace)
    state.recorder.enter(state)
    try:
        state.execute(function.body)
        if state.recorder.model is not None:
            control_flow.require_resolved_gotos(state)
        returned = [exit for exit in state.exits if exit.kind in control_flow.FARTHER and not exit.final]
        gone = [exit for exit in state.exits if exit.final]
        control_flow.rejoin(state, returned, len(guards))
        alive = state.alive or state.recorder.model is None
    finally:
        state.recorder.leave()
        if not state.dry:
            state.recorder.barriers.returned(state.depth)
        state.depth -= 1
        del state.trace[mark:]
        state.frame, state.guards, state.exits, state.alive = caller, guards, exits, True
    state.alive = alive  # no thread comes back from what ends the kernel
    mark, state.exits = len(state.exits), [*state.exits, *gone]
    control_flow.exclude(state, mark)
    state.trace.extend(definition for exit in returned for definition in exit.trace)
    exits = [exit for exit in returned if exit.value is not None]
    if not exits and isinstance(function.result, ir.Other):
        return state.algebra.zero
    if not exits and state.recorder.model is None:
        return state.store.unknown(function.result, function.name, Level.UNIFORM, "")
    if not exits:
        reason = f"what `{function.name}` returns could not be read"
        return state.store.unknown(function.result, function.name, Level.DIVERGENT, reason)
    result = exits[-1].value
    assert result is not None
    for exit in reversed(exits[:-1]):
        assert exit.value is not None
        if exit.loops or not exit.followed:
            reason = f"a value that `{function.name}` returns from inside of a loop"
            values = (some.value.address if isinstance(some.value, Lvalue) else some.value for some in exits)
            held = (state.store.level(value) for value in values)
            level = max([*held, *(control_flow.leaving(state, some, len(guards)) for some in exits)])
            return state.store.unknown(function.result, function.name, level, reason)
        result = _either(state, control_flow.taken_by(state, exit, len(guards)), exit.value, result)
    return result


def _either(state: State, condition: Poly, a: Value | Lvalue, b: Value | Lvalue) -> Value | Lvalue:
    if isinstance(a, Lvalue) and isinstance(b, Lvalue):
        address = state.store.select(condition, a.address, b.address)
        assert isinstance(address, Address | PointerSelect)
        return Lvalue(address, a.type)
    if isinstance(a, Lvalue) or isinstance(b, Lvalue):
        return a if isinstance(a, Lvalue) else b
    return state.store.select(condition, a, b)
