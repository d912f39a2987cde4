"""Calls: bodies are evaluated in place, intrinsics by their meaning, the rest as unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import CROWDED, Kind, Level, Poly
from coalint.analysis.domain.values import (
    Address,
    Blob,
    Choice,
    Closure,
    Frame,
    FunctionValue,
    GuardKind,
    Place,
    Region,
    Value,
    holds_thread,
)
from coalint.analysis.interpreter import control_flow
from coalint.analysis.interpreter.calls import atomics, copies, warp_primitives
from coalint.analysis.interpreter.calls.intrinsics import (
    ARITHMETIC,
    BLOCK_BARRIERS,
    CACHED_LOADS,
    CACHED_STORES,
    ENDS,
    FENCES,
    IGNORED,
    PURE,
    SPELLED,
    TEXTURES,
    VOTES,
)
from coalint.analysis.interpreter.calls.lambdas import copied
from coalint.analysis.interpreter.calls.ptx import barriers
from coalint.analysis.interpreter.effects.escape import hand_over
from coalint.analysis.recorder.barriers import Waits
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.machine.nvcc.struct_loads import Part

if TYPE_CHECKING:
    from coalint.analysis.interpreter.state import State

MAX_DEPTH = 24
MAX_RECURSION = 3  # of one device function inside of itself: each call of two more would double the work


def call(run: State, e: ir.Call, used: tuple[Part, ...] = ()) -> Value | Place:
    """The result of a call: a value, or the place that a returned reference is bound to.

    `used` are the parts of it that are used; all where there are none.
    """
    if e.callee is not None:
        target = run.value(e.callee)
        if isinstance(target, Closure):
            return inline(run, e, target.function, None, target.frame, used)
        if isinstance(target, FunctionValue) and target.function is not None and not target.unless:
            return inline(run, e, target.function, None, None, used)
        return opaque(run, e, "a call through a pointer that could not be followed")
    if e.function is not None and e.function in run.module.functions:
        receiver, outer = None, None
        if e.constructor:
            receiver = run.place(e.receiver) if e.receiver is not None else _fresh(run, e)
        elif e.receiver is not None:
            receiver, outer = _receiver(run, e.receiver)
        result = inline(run, e, e.function, receiver, outer, () if e.constructor else used)
        return receiver if e.constructor and receiver is not None else result
    return intrinsic(run, e, used)


def _fresh(run: State, e: ir.Call) -> Place:
    storage = run.store.new()
    return Place(run.local(storage, e.name, e.type), e.type)


def _receiver(run: State, e: ir.Expression) -> tuple[Place | None, Frame | None]:
    """The object of a method call; for a lambda, the frame that it captured."""
    place = run.place(e)
    if isinstance(place.address, Address) and place.address.base.region is Region.LOCAL:
        held, _ = run.store.read(place.address.base.storage, place.address.offset, place.type, "")
        if isinstance(held, Closure):
            return None, held.frame
    return place, None


def inline(
    run: State,
    e: ir.Call,
    key: str,
    receiver: Place | None,
    outer: Frame | None = None,
    used: tuple[Part, ...] = (),
) -> Value | Place:
    """Evaluate the body of a function with these arguments; `used` is as in `call`."""
    function = run.module.functions.get(key)
    if function is None:
        return opaque(run, e, f"the body of `{e.name}` is not available")
    if run.algebra.full():
        return opaque(run, e, CROWDED)
    if run.depth >= MAX_DEPTH:
        return opaque(run, e, f"calls of `{e.name}` are nested too deeply")
    if run.recorder.model is not None and run.frame.activations(key) >= MAX_RECURSION:
        return opaque(run, e, f"`{e.name}` calls itself more than {MAX_RECURSION} times")
    frame = Frame(key, {}, outer, e.span, receiver, function.bundled, run.frame, used)
    if function.receiver is not None and receiver is not None:
        storage = run.store.new()
        run.store.write(storage, run.algebra.zero, 8, receiver.address)
        frame.variables[function.receiver.key] = storage
    for parameter, argument in zip(function.parameters, e.arguments, strict=False):
        bind(run, frame, parameter, argument)
    for parameter in function.parameters[len(e.arguments) :]:
        frame.variables[parameter.key] = run.store.new()
    return body(run, function, frame)


def bind(run: State, frame: Frame, parameter: ir.Variable, argument: ir.Expression) -> None:
    """Pass one argument: by reference its place, by value a copy."""
    if isinstance(parameter.type, ir.Reference):
        frame.variables[parameter.key] = run.place(argument)
        return
    mark = len(run.trace)
    value = copied(run, run.kept(argument, parameter, frame))
    parents = tuple(dict.fromkeys(run.trace[mark:]))
    storage = run.store.new()
    run.store.variables[storage] = parameter
    run.store.write(storage, run.algebra.zero, parameter.type.size, value, parents[-1] if parents else None)
    frame.variables[parameter.key] = storage


def body(run: State, function: ir.Function, frame: Frame) -> Value | Place:
    """Run a body in a frame and join what its returns give; its variables end with it."""
    made = run.store.newest
    result = _result(run, function, frame)
    if not _leads_behind(result, made):
        run.store.release(made, run.global_storages)
    return result


def _leads_behind(value: Value | Place, storage: int) -> bool:
    """Whether a value holds the address of a variable that was made after that storage, or a lambda, which may."""
    match value:
        case Place():
            return _leads_behind(value.address, storage)
        case Address():
            return value.base.storage > storage
        case Choice():
            return _leads_behind(value.then, storage) or _leads_behind(value.otherwise, storage)
        case Blob():
            return any(_leads_behind(cell.value, storage) for cell in value.cells.values())
        case _:
            return isinstance(value, Closure)


def _result(run: State, function: ir.Function, frame: Frame) -> Value | Place:
    caller, guards, exits = run.frame, run.guards, run.exits
    run.frame, run.exits = frame, []
    run.depth += 1
    mark = len(run.trace)
    run.recorder.enter(run)
    try:
        run.execute(function.body)
        control_flow.landed(run)
        returned = [exit for exit in run.exits if exit.kind is GuardKind.RETURN and not exit.final]
        gone = [exit for exit in run.exits if exit.final]
        control_flow.rejoin(run, returned, len(guards))
        alive = run.alive or run.recorder.model is None
    finally:
        run.recorder.leave()
        if not run.dry:
            run.recorder.barriers.returned(run.depth)
        run.depth -= 1
        del run.trace[mark:]
        run.frame, run.guards, run.exits, run.alive = caller, guards, exits, True
    run.alive = alive  # no thread comes back from what ends the kernel
    mark, run.exits = len(run.exits), [*run.exits, *gone]
    control_flow.exclude(run, mark)
    run.trace.extend(definition for exit in returned for definition in exit.trace)
    exits = [exit for exit in returned if exit.value is not None]
    if not exits and isinstance(function.result, ir.Other):
        return run.algebra.zero
    if not exits and run.recorder.model is None:
        return run.store.unknown(function.result, function.name, Level.UNIFORM, "")
    if not exits:
        reason = f"what `{function.name}` returns could not be read"
        return run.store.unknown(function.result, function.name, Level.DIVERGENT, reason)
    result = exits[-1].value
    assert result is not None
    for exit in reversed(exits[:-1]):
        assert exit.value is not None
        if exit.loops or not exit.followed:
            reason = f"a value that `{function.name}` returns from inside of a loop"
            values = (some.value.address if isinstance(some.value, Place) else some.value for some in exits)
            held = (run.store.level(value) for value in values)
            level = max([*held, *(control_flow.leaving(run, some, len(guards)) for some in exits)])
            return run.store.unknown(function.result, function.name, level, reason)
        result = _either(run, control_flow.taken_by(run, exit, len(guards)), exit.value, result)
    return result


def _either(run: State, condition: Poly, a: Value | Place, b: Value | Place) -> Value | Place:
    if isinstance(a, Place) and isinstance(b, Place):
        address = run.store.select(condition, a.address, b.address)
        assert isinstance(address, Address | Choice)
        return Place(address, a.type)
    if isinstance(a, Place) or isinstance(b, Place):
        return a if isinstance(a, Place) else b
    return run.store.select(condition, a, b)


def opaque(run: State, e: ir.Call, reason: str) -> Value:
    """An unknown result; what the arguments point to among local variables becomes unknown too."""
    if e.reason:
        run.recorder.order.doubted(run)  # what is declared nowhere need not even read its arguments
    given = hand_over(run, e, reason)
    level = max((run.store.level(value) for _, value in given), default=Level.UNIFORM)
    for argument, value in given:
        if isinstance(value, Address) and value.base.region in (Region.GLOBAL, Region.SHARED):
            known = e.function in run.module.functions
            unseen = e.reason or (reason if known else "its body is not available")
            run.recorder.unfollowed(run, value, f"`{e.name}` may access it, and {unseen}", argument)
    run.epoch += 1
    run.recorder.unsynchronised.clear()
    if e.reason or not e.name.startswith(ARITHMETIC):
        run.recorder.order.doubted(run)
    return run.store.unknown(e.type, run.text(e.span), max(level, Level.DIVERGENT), reason)


def intrinsic(run: State, e: ir.Call, used: tuple[Part, ...] = ()) -> Value:
    """A call without a body: CUDA's intrinsics by name, anything else unknown."""
    name = e.name
    if name.startswith("operator"):
        return _operator(run, e)
    if name in BLOCK_BARRIERS:
        for argument in e.arguments:
            run.value(argument)
        run.epoch += 1
        if name == "__barrier_sync_count":
            barriers.named(run, name, e.span, run.scalar(e.arguments[1]))
            return run.algebra.zero
        run.recorder.barriers.record(run, SPELLED.get(name, name), e.span, Waits())
        if isinstance(e.type, ir.Other):
            return run.algebra.zero
        return run.algebra.opaque(f"{name}()", Level.UNIFORM, "")
    if name.startswith(warp_primitives.PRIMITIVES) or name in VOTES:
        return warp_primitives.call(run, e)
    if name.startswith("atomic") and e.arguments:
        return _atomic(run, e)
    if name in CACHED_LOADS and e.arguments:
        mark = len(run.trace)
        address = run.as_address(run.value(e.arguments[0]), e.arguments[0])
        return run.load(Place(address, e.type, trace=tuple(run.trace[mark:]), used=used), e)
    if name in CACHED_STORES and len(e.arguments) == 2:
        mark = len(run.trace)
        address = run.as_address(run.value(e.arguments[0]), e.arguments[0])
        run.write(Place(address, e.arguments[1].type, trace=tuple(run.trace[mark:])), run.value(e.arguments[1]), e)
        return run.algebra.zero
    if name.startswith(("__cvta_", "__builtin_assume_aligned", "__builtin_expect")) and e.arguments:
        return run.value(e.arguments[0])  # the same address, perhaps as a number of another state space
    if name in copies.MOVED:
        return copies.call(run, e)
    if name in ("memcpy", "__builtin_memcpy") and len(e.arguments) == 3:
        return _copy(run, e)
    if name in IGNORED:
        if name in FENCES:
            run.recorder.order.doubted(run)
        for argument in e.arguments:
            run.value(argument)
        return run.algebra.zero
    if name in ENDS and run.recorder.model is not None:
        run.recorder.doom(run)
        run.alive = False
        return run.algebra.zero
    if not e.reason and (name in PURE or name.startswith(TEXTURES) or isinstance(e.type, ir.Floating)):
        return _pure(run, e)
    return opaque(run, e, e.reason or f"the body of `{name}` is not available")


def _operator(run: State, e: ir.Call) -> Value:
    """An operator or conversion of a class, as of half precision: its operands are loaded, a compound one stores."""
    operands = (*((e.receiver,) if e.receiver is not None else ()), *e.arguments)
    values = [value for _, value in hand_over(run, e, f"the result of `{e.name}`")]
    level = max((run.store.level(value) for value in values), default=Level.UNIFORM)
    symbol = e.name.removeprefix("operator")
    if operands and symbol.endswith("=") and symbol not in ("==", "!=", "<=", ">="):
        changed = run.store.unknown(operands[0].type, run.text(e.span), level, "")
        run.write(run.place(operands[0]), changed, operands[0])
    reason = (
        e.reason or f"the result of `{e.name}`" if level is not Level.UNIFORM and isinstance(e.type, ir.Integer) else ""
    )
    return run.store.unknown(e.type, run.text(e.span), level, reason)


def _atomic(run: State, e: ir.Call) -> Value:
    mark = len(run.trace)
    address = run.as_address(run.value(e.arguments[0]), e.arguments[0])
    trace = tuple(dict.fromkeys(run.trace[mark:]))
    mark = len(run.trace)
    operands = [run.value(argument) for argument in e.arguments[1:]]
    by_thread = holds_thread(tuple(run.trace[mark:]))
    pointer = e.arguments[0].type
    type_ = pointer.pointee if isinstance(pointer, ir.Pointer) else e.type
    manner = atomics.manner(run, e, type_, operands, by_thread=by_thread)
    run.epoch += 1
    for _, side in run.sides(address, e.span):
        if side.base.region is Region.LOCAL:
            run.store.write(
                side.base.storage, side.offset, type_.size, run.store.unknown(type_, e.name, Level.LOADED, "")
            )
        else:
            run.recorder.access(run, Place(side, type_, trace=trace), Operation.ATOMIC, e, manner)
    if isinstance(e.type, ir.Floating):
        return run.store.float_loaded
    return run.algebra.atom(
        Kind.OPAQUE,
        run.text(e.span),
        Level.LOADED,
        key=run.algebra.fresh_key(),
        reason="index from an atomic's result",
        varies=f"each thread has its own result of `{e.name}`",
        apart=True,
    )


def _copy(run: State, e: ir.Call) -> Value:
    """memcpy of a constant size: as wide as nvcc knows both ends to be aligned (seen in its code for sm_90)."""
    target, source = (run.as_address(run.value(argument), argument) for argument in e.arguments[:2])
    size = run.algebra.number(run.scalar(e.arguments[2]))
    if size is None or not 0 < size <= 256:
        return opaque(run, e, "a memcpy of unknown size")
    alignment = min(_known_alignment(run, target, e.arguments[0]), _known_alignment(run, source, e.arguments[1]))
    while size % alignment:
        alignment //= 2
    moved = ir.Record("memcpy", size, alignment)
    value = run.load(Place(source, moved), e.arguments[1])
    run.write(Place(target, moved), value, e.arguments[0])
    return run.algebra.zero


def _known_alignment(run: State, address: Address | Choice, pointer: ir.Expression) -> int:
    """The alignment in bytes that a `void *` keeps: that of a variable, or what the code assumes; 1 for the rest.

    A `float4 *` that is passed to memcpy promises nothing: only an access through it does.
    """
    called = pointer
    while isinstance(called, ir.Cast):
        called = called.operand
    if isinstance(called, ir.Call) and called.name == "__builtin_assume_aligned" and len(called.arguments) > 1:
        assumed = run.algebra.number(run.scalar(called.arguments[1]))
        return assumed if assumed in (1, 2, 4, 8, 16) else 16 if assumed is not None and assumed % 16 == 0 else 1
    known = {id(base) for base in run.globals.values()}
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


def _pure(run: State, e: ir.Call) -> Value:
    """A function of its arguments alone: as uniform as they are."""
    values = [run.value(argument) for argument in e.arguments]
    level = max((run.store.level(value) for value in values), default=Level.UNIFORM)
    if e.name.startswith(TEXTURES) and level is not Level.UNIFORM:
        level = Level.LOADED
    if e.name == "__coalint_opaque" and level is not Level.UNIFORM:
        level = Level.EXCHANGED
    if isinstance(e.type, ir.Floating):
        return run.store.floating(level)
    algebra = run.algebra
    numbers: list[Poly] = [v for v in values if not isinstance(v, Address | Choice | Blob | Closure | FunctionValue)]
    if len(numbers) == len(values):
        if e.name in ("__popc", "__clz", "__ffs", "__brev", "abs", "labs", "llabs") and len(numbers) == 1:
            return algebra.operation("abs" if e.name.endswith("abs") else e.name, numbers[0])
        if e.name in ("min", "max", "umin", "umax", "ullmin", "ullmax", "llmin", "llmax") and len(numbers) == 2:
            return algebra.operation(e.name[-3:], *numbers)
        if e.name == "__umulhi" and len(numbers) == 2:
            return algebra.operation(e.name, *(algebra.unsigned(number, 32) for number in numbers))
        if e.name in ("__mul24", "__umul24") and len(numbers) == 2:
            return numbers[0] * numbers[1]
    at = run.recorder.place_of(e.span)
    called = e.name if at == e.span else run.text(at)
    reason = e.reason or f"the result of `{called}`" if level is not Level.UNIFORM else ""
    return run.store.unknown(e.type, run.text(at), level, reason)
