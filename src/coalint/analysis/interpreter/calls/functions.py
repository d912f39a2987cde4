"""Calls: bodies are evaluated in place, intrinsics by their meaning, the rest as unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import CROWDED, AtomKind, Level, Poly, Sharing
from coalint.analysis.domain.algebra.functions import Function
from coalint.analysis.domain.derivations import holds_thread
from coalint.analysis.domain.frames import Frame, Lvalue
from coalint.analysis.domain.guards import GuardKind
from coalint.analysis.domain.values import Address, AggregateValue, Closure, FunctionValue, PointerSelect, Region, Value
from coalint.analysis.interpreter.calls import atomics, copies, warp_primitives
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.analysis.interpreter.calls.ptx import barriers
from coalint.analysis.interpreter.effects.escape import havoc_arguments, havoc_globals
from coalint.analysis.interpreter.statements import control_flow
from coalint.analysis.recorder.barriers import Waits
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.ir import Intrinsic
from coalint.core.ir.intrinsics import ATOMICS, BLOCK_BARRIERS, PURE_FUNCTIONS, WARP_PRIMITIVES
from coalint.machine.nvcc.struct_loads import Part

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

_IN_REGISTERS = (Intrinsic.ARITHMETIC, Intrinsic.PURE)
_OPERATORS = (Intrinsic.OPERATOR, Intrinsic.ASSIGNING_OPERATOR, Intrinsic.SUBSCRIPT_OPERATOR)
_COPIES = frozenset(copies.MOVED)
# The operators of the algebra that integer functions of one and of two arguments are.
_OF_ONE = {
    Intrinsic.POPULATION_COUNT: Function.POPULATION_COUNT,
    Intrinsic.COUNT_LEADING_ZEROS: Function.LEADING_ZEROS,
    Intrinsic.FIND_FIRST_SET: Function.FIRST_SET,
    Intrinsic.REVERSE_BITS: Function.REVERSE_BITS,
    Intrinsic.ABSOLUTE: Function.ABSOLUTE,
}
_OF_TWO = {Intrinsic.MINIMUM: Function.MINIMUM, Intrinsic.MAXIMUM: Function.MAXIMUM}

MAX_DEPTH = 24
MAX_RECURSION = 3  # of one device function inside of itself: each call of two more would double the work


def call(state: State, e: ir.Call, used: tuple[Part, ...] = ()) -> Value | Lvalue:
    """The result of a call: a value, or the place that a returned reference is bound to.

    `used` are the parts of it that are used; all where there are none.
    """
    if e.callee is not None:
        target = state.value(e.callee)
        if isinstance(target, Closure):
            return inline(state, e, target.function, None, target.frame, used)
        if isinstance(target, FunctionValue) and target.function is not None and not target.unless:
            return inline(state, e, target.function, None, None, used)
        return opaque(state, e, "a call through a pointer that could not be followed")
    if e.function is not None and e.function in state.module.functions:
        receiver, outer = None, None
        if e.constructor:
            receiver = state.place(e.receiver) if e.receiver is not None else _fresh(state, e)
        elif e.receiver is not None:
            receiver, outer = _receiver(state, e.receiver)
        result = inline(state, e, e.function, receiver, outer, () if e.constructor else used)
        return receiver if e.constructor and receiver is not None else result
    return intrinsic(state, e, used)


def _fresh(state: State, e: ir.Call) -> Lvalue:
    storage = state.store.new()
    return Lvalue(state.local(storage, e.name, e.type), e.type)


def _receiver(state: State, e: ir.Expression) -> tuple[Lvalue | None, Frame | None]:
    """The object of a method call; for a lambda, the frame that it captured."""
    place = state.place(e)
    if isinstance(place.address, Address) and place.address.base.region is Region.LOCAL:
        held, _ = state.store.read(place.address.base.storage, place.address.offset, place.type, "")
        if isinstance(held, Closure):
            return None, held.frame
    return place, None


def inline(
    state: State,
    e: ir.Call,
    key: str,
    receiver: Lvalue | None,
    outer: Frame | None = None,
    used: tuple[Part, ...] = (),
) -> Value | Lvalue:
    """Evaluate the body of a function with these arguments; `used` is as in `call`."""
    function = state.module.functions.get(key)
    if function is None:
        return opaque(state, e, f"the body of `{e.name}` is not available")
    if state.algebra.full():
        return opaque(state, e, CROWDED)
    if state.depth >= MAX_DEPTH:
        return opaque(state, e, f"calls of `{e.name}` are nested too deeply")
    if state.recorder.model is not None and state.frame.activations(key) >= MAX_RECURSION:
        return opaque(state, e, f"`{e.name}` calls itself more than {MAX_RECURSION} times")
    frame = Frame(key, {}, outer, e.span, receiver, function.bundled, state.frame, used)
    if function.receiver is not None and receiver is not None:
        storage = state.store.new()
        state.store.write(storage, state.algebra.zero, 8, receiver.address)
        frame.variables[function.receiver.key] = storage
    for parameter, argument in zip(function.parameters, e.arguments, strict=False):
        bind(state, frame, parameter, argument)
    for parameter in function.parameters[len(e.arguments) :]:
        frame.variables[parameter.key] = state.store.new()
    return body(state, function, frame)


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
        control_flow.require_resolved_gotos(state)
        returned = [exit for exit in state.exits if exit.kind is GuardKind.RETURN and not exit.final]
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


def opaque(state: State, e: ir.Call, reason: str) -> Value:
    """An unknown result; what the arguments point to among local variables becomes unknown too."""
    if e.reason:
        state.recorder.order.doubted(state)  # what is declared nowhere need not even read its arguments
    given = havoc_arguments(state, e, reason)
    level = max((state.store.level(value) for _, value in given), default=Level.UNIFORM)
    for argument, value in given:
        if isinstance(value, Address) and value.base.region in (Region.GLOBAL, Region.SHARED):
            known = e.function in state.module.functions
            unseen = e.reason or (reason if known else "its body is not available")
            state.recorder.unfollowed(state, value, f"`{e.name}` may access it, and {unseen}", argument)
    havoc_globals(state, e, reason)
    state.epoch += 1
    state.recorder.unsynchronised.clear()
    if e.reason or e.intrinsic not in _IN_REGISTERS:
        state.recorder.order.doubted(state)
    return state.store.unknown(e.type, state.text(e.span), max(level, Level.DIVERGENT), reason)


def intrinsic(state: State, e: ir.Call, used: tuple[Part, ...] = ()) -> Value:
    """A call without a body: an intrinsic by its meaning, anything else unknown."""
    meant = e.intrinsic
    if meant is not None:
        if meant in _OPERATORS:
            return _operator(state, e)
        if meant in BLOCK_BARRIERS:
            return _barrier(state, e)
        if meant in WARP_PRIMITIVES:
            return warp_primitives.call(state, e)
        if meant in _COPIES:
            return copies.call(state, e)
        handler = _HANDLERS.get(meant)
        result = None if handler is None else handler(state, e, used)
        if result is not None:
            return result
        if meant is Intrinsic.TRAP and state.recorder.model is not None:
            state.recorder.doom(state)
            state.alive = False
            return state.algebra.zero
    if not e.reason and (meant in PURE_FUNCTIONS or isinstance(e.type, ir.Floating)):
        return _pure(state, e)
    return opaque(state, e, e.reason or f"the body of `{e.name}` is not available")


def _barrier(state: State, e: ir.Call) -> Value:
    for argument in e.arguments:
        state.value(argument)
    state.epoch += 1
    if e.intrinsic is Intrinsic.SYNC_NAMED_COUNT:
        barriers.named(state, e.name, e.span, state.scalar(e.arguments[1]))
        return state.algebra.zero
    state.recorder.barriers.record(state, e.name, e.span, Waits(split=e.intrinsic is Intrinsic.SYNC_SPLIT))
    if isinstance(e.type, ir.Other):
        return state.algebra.zero
    return state.algebra.opaque(f"{e.name}()", Level.UNIFORM, "")


def _cached_load(state: State, e: ir.Call, used: tuple[Part, ...]) -> Value | None:
    if not e.arguments:
        return None
    mark = len(state.trace)
    address = state.as_address(state.value(e.arguments[0]), e.arguments[0])
    return state.load(Lvalue(address, e.type, trace=tuple(state.trace[mark:]), used=used), e)


def _cached_store(state: State, e: ir.Call, _used: tuple[Part, ...]) -> Value | None:
    if len(e.arguments) != 2:
        return None
    mark = len(state.trace)
    address = state.as_address(state.value(e.arguments[0]), e.arguments[0])
    place = Lvalue(address, e.arguments[1].type, trace=tuple(state.trace[mark:]))
    state.write(place, state.value(e.arguments[1]), e)
    return state.algebra.zero


def _same_value(state: State, e: ir.Call, _used: tuple[Part, ...]) -> Value | None:
    return state.value(e.arguments[0]) if e.arguments else None


def _without_effect(state: State, e: ir.Call, _used: tuple[Part, ...]) -> Value:
    if e.intrinsic is Intrinsic.MEMORY_FENCE:
        state.recorder.order.doubted(state)
    for argument in e.arguments:
        state.value(argument)
    return state.algebra.zero


def _operator(state: State, e: ir.Call) -> Value:
    """An operator or conversion of a class, as of half precision: its operands are loaded, a compound one stores."""
    operands = (*((e.receiver,) if e.receiver is not None else ()), *e.arguments)
    values = [value for _, value in havoc_arguments(state, e, f"the result of `{e.name}`")]
    level = max((state.store.level(value) for value in values), default=Level.UNIFORM)
    if operands and e.intrinsic is Intrinsic.ASSIGNING_OPERATOR:
        changed = state.store.unknown(operands[0].type, state.text(e.span), level, "")
        state.write(state.place(operands[0]), changed, operands[0])
    reason = (
        e.reason or f"the result of `{e.name}`" if level is not Level.UNIFORM and isinstance(e.type, ir.Integer) else ""
    )
    return state.store.unknown(e.type, state.text(e.span), level, reason)


def _atomic(state: State, e: ir.Call, _used: tuple[Part, ...]) -> Value | None:
    if not e.arguments:
        return None
    mark = len(state.trace)
    address = state.as_address(state.value(e.arguments[0]), e.arguments[0])
    trace = tuple(dict.fromkeys(state.trace[mark:]))
    mark = len(state.trace)
    operands = [state.value(argument) for argument in e.arguments[1:]]
    by_thread = holds_thread(tuple(state.trace[mark:]))
    pointer = e.arguments[0].type
    type_ = pointer.pointee if isinstance(pointer, ir.Pointer) else e.type
    manner = atomics.manner(state, e, type_, operands, by_thread=by_thread)
    state.epoch += 1
    for _, side in state.sides(address, e.span):
        if side.base.region is Region.LOCAL:
            state.store.write(
                side.base.storage, side.offset, type_.size, state.store.unknown(type_, e.name, Level.LOADED, "")
            )
        else:
            state.recorder.access(state, Lvalue(side, type_, trace=trace), Operation.ATOMIC, e, manner)
    if isinstance(e.type, ir.Floating):
        return state.store.float_loaded
    return state.algebra.atom(
        AtomKind.OPAQUE,
        state.text(e.span),
        Level.LOADED,
        key=state.algebra.fresh_key(),
        reason="index from an atomic's result",
        sharing=Sharing(varies=f"each thread has its own result of `{e.name}`", warp_divergent=True),
    )


def _copy(state: State, e: ir.Call, _used: tuple[Part, ...]) -> Value | None:
    """memcpy of a constant size: as wide as nvcc knows both ends to be aligned (seen in its code for sm_90)."""
    if len(e.arguments) != 3:
        return None
    target, source = (state.as_address(state.value(argument), argument) for argument in e.arguments[:2])
    size = state.algebra.number(state.scalar(e.arguments[2]))
    if size is None or not 0 < size <= 256:
        return opaque(state, e, f"a {state.module.spelling.copy_memory} of unknown size")
    alignment = min(_known_alignment(state, target, e.arguments[0]), _known_alignment(state, source, e.arguments[1]))
    while size % alignment:
        alignment //= 2
    moved = ir.Record(state.module.spelling.copy_memory, size, alignment, layout=ir.Layout.BYTES)
    value = state.load(Lvalue(source, moved), e.arguments[1])
    state.write(Lvalue(target, moved), value, e.arguments[0])
    return state.algebra.zero


def _known_alignment(state: State, address: Address | PointerSelect, pointer: ir.Expression) -> int:
    """The alignment in bytes that a `void *` keeps: that of a variable, or what the code assumes; 1 for the rest.

    A `float4 *` that is passed to memcpy promises nothing: only an access through it does.
    """
    called = pointer
    while isinstance(called, ir.Cast):
        called = called.operand
    if isinstance(called, ir.Call) and called.intrinsic is Intrinsic.ASSUME_ALIGNED and len(called.arguments) > 1:
        assumed = state.algebra.number(state.scalar(called.arguments[1]))
        return assumed if assumed in (1, 2, 4, 8, 16) else 16 if assumed is not None and assumed % 16 == 0 else 1
    known = {id(base) for base in state.globals.values()}
    for side in copies.sides(address):
        if side.base.region is not Region.LOCAL and id(side.base) not in known:
            return 1
    return _promised(pointer)


def _promised(pointer: ir.Expression) -> int:
    """The alignment in bytes that the type of a pointer promises, seen through its conversion to void*."""
    while isinstance(pointer, ir.Cast) and not (isinstance(pointer.type, ir.Pointer) and pointer.type.pointee.size):
        pointer = pointer.operand
    type_ = pointer.type
    pointee = (
        type_.pointee if isinstance(type_, ir.Pointer) else type_.element if isinstance(type_, ir.Array) else type_
    )
    align = pointee.align if isinstance(pointee, ir.Record) else pointee.size
    return align if align in (1, 2, 4, 8, 16) else 1


def _pure(state: State, e: ir.Call) -> Value:
    """A function of its arguments alone: as uniform as they are."""
    values = [state.value(argument) for argument in e.arguments]
    level = max((state.store.level(value) for value in values), default=Level.UNIFORM)
    if e.intrinsic is Intrinsic.TEXTURE_READ and level is not Level.UNIFORM:
        level = Level.LOADED
    if e.intrinsic is Intrinsic.UNKNOWN_VALUE and level is not Level.UNIFORM:
        level = Level.EXCHANGED
    if isinstance(e.type, ir.Floating):
        return state.store.floating(level)
    algebra = state.algebra
    numbers: list[Poly] = [
        v for v in values if not isinstance(v, Address | PointerSelect | AggregateValue | Closure | FunctionValue)
    ]
    if len(numbers) == len(values):
        if len(numbers) == 1 and e.intrinsic in _OF_ONE:
            return algebra.operation(_OF_ONE[e.intrinsic], numbers[0])
        if len(numbers) == 2 and e.intrinsic in _OF_TWO:
            return algebra.operation(_OF_TWO[e.intrinsic], *numbers)
        if len(numbers) == 2 and e.intrinsic is Intrinsic.MULTIPLY_HIGH_UNSIGNED:
            return algebra.operation(Function.MULTIPLY_HIGH, *(algebra.unsigned(number, 32) for number in numbers))
        if len(numbers) == 2 and e.intrinsic is Intrinsic.MULTIPLY_24:
            return numbers[0] * numbers[1]
    at = state.recorder.place_of(e.span)
    called = e.name if at == e.span else state.text(at)
    reason = e.reason or f"the result of `{called}`" if level is not Level.UNIFORM else ""
    return state.store.unknown(e.type, state.text(at), level, reason)


_HANDLERS: dict[Intrinsic, Callable[[State, ir.Call, tuple[Part, ...]], Value | None]] = {
    **dict.fromkeys(ATOMICS, _atomic),
    Intrinsic.CACHED_LOAD: _cached_load,
    Intrinsic.CACHED_STORE: _cached_store,
    Intrinsic.SAME_VALUE: _same_value,
    Intrinsic.ASSUME_ALIGNED: _same_value,
    Intrinsic.COPY_MEMORY: _copy,
    Intrinsic.NO_EFFECT: _without_effect,
    Intrinsic.MEMORY_FENCE: _without_effect,
}
"""What a call does, and gives; None where its arguments are not those of the intrinsic."""
