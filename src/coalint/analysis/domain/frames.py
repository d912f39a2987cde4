"""Calls and the places in them: lvalues, frames of variables, exits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import compress
from operator import is_not

from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.guards import Guard, GuardKind
from coalint.analysis.domain.values import Address, Cell, PointerSelect, Value
from coalint.analysis.domain.wants import WHOLE, Want
from coalint.core import ir
from coalint.core.facts.access import RecordField
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.machine.nvcc.struct_loads import StructPart

NO_PART = (StructPart(0, 0, ""),)
"""What is used of the result of a call that nothing uses."""


@record(frozen=True, slots=True)
class Lvalue:
    """An lvalue: an address and the type of what stands there.

    `field` says which struct's field was picked, `trace` what was read to find the address. `bit_bytes` is as in
    ir.Member. `within` are the bytes (begin and end, from the base) of the array around what an index leads to.
    `packed` is the alignment in bytes of the struct that it is a field of; 0 where there is none. `used` are the parts
    that are used of the struct that stands there; none where it may be all of it.
    `narrowed` are the bytes that are loaded of the integer that stands there; 0 for all of them.
    """

    address: Address | PointerSelect
    type: ir.Type
    field: RecordField | None = None
    trace: tuple[Definition, ...] = ()
    bit_bytes: int = 0
    within: tuple[int, int] | None = None
    packed: int = 0
    used: tuple[StructPart, ...] = ()
    narrowed: int = 0

    def read_with(self, trace: tuple[Definition, ...]) -> Lvalue:
        """Return the lvalue with what was read to find its address; there is one for each place in the code."""
        return Lvalue(
            self.address,
            self.type,
            self.field,
            trace,
            self.bit_bytes,
            self.within,
            self.packed,
            self.used,
            self.narrowed,
        )


Cells = dict[int, dict[int, Cell]]
"""What stands in each storage, by byte offset. What stands in one is replaced as a whole, never changed in place."""


def other_storages(cells: Cells, before: Cells) -> Iterator[int]:
    """Yield the storages with other contents than before: host functions have thousands, of which few are written."""
    return compress(cells, map(is_not, cells.values(), map(before.get, cells)))


@record(slots=True)
class Exit:
    """A return, break or continue: the guards under which it was reached, and the variables there.

    `loops` are the counters (atom indices, innermost first) of loops that it has left; `followed` is False where these
    may count it in an iteration that its thread had no part in. `final` leaves the kernel from inside of a function;
    `label` is where a goto goes.
    """

    kind: GuardKind
    path: tuple[Guard, ...]
    span: Span
    value: Value | Lvalue | None = None
    trace: tuple[Definition, ...] = ()
    cells: Cells = field(default_factory=dict)
    loops: tuple[int, ...] = ()
    followed: bool = True
    final: bool = False
    label: str = ""


@record(slots=True)
class Frame:
    """One call: its variables (a storage number, or the place that a reference is bound to) and what returned.

    `used` are the parts that the caller uses of the struct that it returns; none where it may be all of it;
    `wanted` are the bytes of a number. `is_dropped` says that the caller uses nothing of what it returns. `call_id` is
    the `id` of the call's expression.
    """

    function: str
    variables: dict[str, int | Lvalue] = field(default_factory=dict)
    outer: Frame | None = None
    call: Span | None = None
    receiver: Lvalue | None = None
    bundled: bool = False
    caller: Frame | None = None
    used: tuple[StructPart, ...] = ()
    wanted: Want = WHOLE
    is_dropped: bool = False
    call_id: int = 0

    def activations(self, function: str) -> int:
        """Return how often a function is among the calls that lead here."""
        count, frame = 0, self
        while frame.caller is not None:
            count += frame.function == function
            frame = frame.caller
        return count + (frame.function == function)

    def find(self, key: str) -> int | Lvalue | None:
        """Return the variable here or, in a lambda, in the frame that it captured."""
        frame: Frame | None = self
        while frame is not None:
            variable = frame.variables.get(key)
            if variable is not None:
                return variable
            frame = frame.outer
        return None
