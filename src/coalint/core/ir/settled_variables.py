"""Shared variables of a kernel that nothing changes after its first statements: each holds one value from there on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from coalint.core.ir.expressions import (
    AddressOf,
    Assign,
    Call,
    Dereference,
    Increment,
    Lambda,
    Member,
    Name,
    Subscript,
    Unresolved,
)
from coalint.core.ir.module import Function
from coalint.core.ir.nodes import Expression, Statement, Storage
from coalint.core.ir.statements import Assembly, Declare, Labelled, Loop, Unanalysed
from coalint.core.ir.types import Integer, Reference
from coalint.core.ir.walk import children, nodes

_WRITES = ("=", "+")
"""How the constraint of an operand of inline assembly begins that is written."""


def settled_uses(kernel: Function, functions: Mapping[str, Function]) -> tuple[Name, ...]:
    """Return the uses of shared integers after the statement of a kernel's body that is the last to set them.

    Each is set as a whole, once by a thread at most, and nothing else can change it: `if (threadIdx.x == 0) n = a[0];`.
    A barrier has to follow before all threads find that value. `functions` are those of the module by their keys.
    """
    declared = [one.variable for one in nodes(kernel.body) if isinstance(one, Declare)]
    shared = {one.key for one in declared if one.storage is Storage.SHARED and isinstance(one.type, Integer)}
    if not shared or any(isinstance(one, Lambda | Labelled | Unanalysed) for one in nodes(kernel.body)):
        return ()
    shared -= set(_changed(kernel.body, functions, in_loop=False))
    uses: dict[str, list[Name]] = {}
    for statement in kernel.body.statements:
        inside = list(nodes(statement))
        for one in inside:
            if isinstance(one, Name) and one.variable.key in shared:
                uses.setdefault(one.variable.key, []).append(one)
        for one in inside:
            if isinstance(one, Assign) and isinstance(one.target, Name):
                uses.pop(one.target.variable.key, None)
    return tuple(name for names in uses.values() for name in names)


def _changed(node: Expression | Statement, functions: Mapping[str, Function], *, in_loop: bool) -> Iterator[str]:
    """Yield the variables that may be changed otherwise than by one assignment to the whole of them."""
    match node:
        case Assign(target=Name() as target, operator=operator):
            if operator is not None or in_loop:
                yield target.variable.key
        case Assign(target=target) | Increment(target=target) | AddressOf(target=target):
            yield from _changed_by_place(target)
        case Declare(variable=variable, initializer=value) if value is not None:
            if isinstance(variable.type, Reference):
                yield from _named(value)
        case Assembly(operands=operands):
            for operand in operands:
                if operand.constraint[:1] in _WRITES:
                    yield from _changed_by_place(operand.expression)
        case Unresolved(parts=parts):
            for given in parts:
                yield from _named(given)
        case Call():
            for argument in _references(node, functions):
                yield from _named(argument)
        case Loop():
            in_loop = True
    for part in children(node):
        yield from _changed(part, functions, in_loop=in_loop)


def _changed_by_place(place: Expression) -> Iterator[str]:
    """Yield the variables that a change of a place may change; not those that an index or a pointer is made of."""
    while isinstance(place, Member | Subscript):
        place = place.object if isinstance(place, Member) else place.base
    if not isinstance(place, Dereference):
        yield from _named(place)


def _named(value: Expression) -> Iterator[str]:
    return (one.variable.key for one in nodes(value) if isinstance(one, Name))


def _references(call: Call, functions: Mapping[str, Function]) -> Iterator[Expression]:
    """Yield the arguments that a function may be given itself, not as what they hold."""
    if call.receiver is not None:
        yield call.receiver
    function = functions.get(call.function or "")
    for position, argument in enumerate(call.arguments):
        if function is not None and position < len(function.parameters):
            if isinstance(function.parameters[position].type, Reference):
                yield argument
        elif function is not None or position in (call.changes or ()) or (call.changes is None and not call.intrinsic):
            yield argument
