"""Asynchronous copies from global to shared memory, as instructions ask for them (`cp.async`).

A lane may fill its place with zeros in part or whole (PTX ISA, cp.async: `src-size` and `ignore-src`). Where the number
of bytes that it reads can be seen to be none or all, nvcc 13 makes of it one instruction whose lanes read under a
predicate; of any other number it makes one (`LDGSTS.ZFILL`) for whose wavefronts no law is known.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import generator
from coalint.analysis.domain.conditions import Condition
from coalint.analysis.domain.frames import Lvalue
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.values import Address, PointerSelect, Region, sides_of
from coalint.core import ir
from coalint.core.facts.access import Operation
from coalint.core.facts.lanes import Service
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.interpreter.state import State

DIVIDED = "how an asynchronous copy is divided into instructions is not known"
IN_PART = "how an asynchronous copy is served that fills in zeros after a number of bytes is not known"
NO_LAW = "how an asynchronous copy between such addresses is served is not known"


@record(frozen=True, slots=True)
class Ends:
    """What one asynchronous copy is between: the addresses that its pointers may hold."""

    targets: tuple[Address, ...]
    sources: tuple[Address, ...]
    expression: ir.Expression

    def places(self, size: int) -> tuple[Lvalue, Lvalue] | None:
        """Return the source and the target of `size` bytes, where there is but one of each."""
        if len(self.targets) != 1 or len(self.sources) != 1:
            return None
        return _place(self.sources[0], size), _place(self.targets[0], size)


def move(state: State, ends: Ends, size: int | None, service: Service, reads: Poly | None) -> None:
    """Record one asynchronous copy.

    Args:
        state: The evaluation.
        ends: The addresses.
        size: Bytes that a lane writes, and that its addresses are multiples of; None where they are not known.
        service: Through L1 or past it.
        reads: The truth value that says whether a lane reads, or fills its place with zeros; None where it may do both.
    """
    state.epoch += 1
    if reads is None or size not in (4, 8, 16):
        lost(state, ends, IN_PART if reads is None else DIVIDED, size)
    elif reads == 1:
        _moved(state, ends, size, service)
    else:
        _filled(state, ends, size, service, reads)


def _moved(state: State, ends: Ends, size: int, service: Service) -> None:
    places = ends.places(size)
    if places is None or not state.recorder.copy(state, *places, ends.expression, service):
        _apart(state, ends, size, service, (Operation.LOAD, Operation.STORE))


def _filled(state: State, ends: Ends, size: int, service: Service, reads: Poly) -> None:
    """Record a copy of which some lanes read nothing.

    Past L1 its store costs what any other of all lanes does; through L1 the lanes that read have a part in it.
    """
    places, e, outer = ends.places(size), ends.expression, state.guards
    text = state.recorder.printer.text(reads).removeprefix("(").removesuffix(")")
    state.guards = (*outer, Guard(Condition(reads, text), GuardKind.BRANCH, e.span))
    stores_alike = service is Service.BYPASS or reads == 0
    known = reads == 0 or (places is not None and state.recorder.copy_filled(state, *places, e, service))
    if not known:
        _apart(state, ends, size, service, (Operation.LOAD,) if stores_alike else (Operation.LOAD, Operation.STORE))
    state.guards = outer
    if stores_alike and len(ends.targets) == 1:
        state.recorder.access(state, _place(ends.targets[0], size), Operation.STORE, e)
    elif stores_alike:
        lost(state, ends, NO_LAW, size, (Operation.STORE,))


def _apart(state: State, ends: Ends, size: int, service: Service, operations: Collection[Operation]) -> None:
    """Record what is known of these ends of a copy without the other one: what is read through L1 costs as any load."""
    places, e = ends.places(size), ends.expression
    if service is Service.COPY and len(ends.sources) == 1:
        state.recorder.access(state, _place(ends.sources[0], size), Operation.LOAD, e)
        operations = tuple(operation for operation in operations if operation is not Operation.LOAD)
    if places is None or not state.recorder.copy_lacking(state, *places, e, service, operations, NO_LAW):
        lost(state, ends, NO_LAW, size, operations)


def _place(address: Address, size: int) -> Lvalue:
    return Lvalue(address, ir.Record("cp.async", size, size))


def lost(
    state: State,
    ends: Ends,
    reason: str,
    size: int | None,
    operations: Collection[Operation] = (Operation.LOAD, Operation.STORE),
) -> None:
    """Record these ends of a copy as unknown for the reason; `size` as `move` takes it."""
    for operation, addresses in ((Operation.LOAD, ends.sources), (Operation.STORE, ends.targets)):
        for address in addresses if operation in operations else ():
            not_followed(state, address, ends.expression, operation, reason, size)


def not_followed(
    state: State,
    address: Address | PointerSelect,
    e: ir.Expression,
    operation: Operation,
    reason: str,
    width: int | None = None,
) -> None:
    """Record that what a pointer may point to is moved in a way that is not known; `width` as the recorder takes it."""
    for side in sides_of(address):
        if side.base.region is not Region.LOCAL:
            state.recorder.unfollowed(state, side, reason, e, operation, width)


def reads_all(algebra: Algebra, bytes_read: Poly, size: int) -> Poly | None:
    """Return the truth value that says whether a lane reads all `size` bytes; None where it may read some of them."""
    number = algebra.number(bytes_read)
    if number is not None:
        return {0: algebra.zero, size: algebra.one}.get(number)
    terms = algebra.terms(bytes_read)
    if all(coefficient % size == 0 for coefficient, _ in terms):
        whole = algebra.divide(bytes_read, algebra.constant(size))
        return whole if algebra.range(whole, sure=True) == (0, 1) else None
    atoms = algebra.atoms_of(bytes_read)
    if len(atoms) != 1 or atoms[0].operator != "?:" or bytes_read != generator(atoms[0].index):
        return None
    condition, then, otherwise = atoms[0].operands
    first, second = reads_all(algebra, then, size), reads_all(algebra, otherwise, size)
    if first is None or second is None:
        return None
    return algebra.either(algebra.both(condition, first), algebra.both(1 - condition, second))
