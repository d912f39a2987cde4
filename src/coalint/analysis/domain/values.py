"""What variables hold during evaluation: numbers, addresses, structs, closures; and where the values came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.conditions import Condition
from coalint.core import ir
from coalint.core.facts.access import Memory, RecordField
from coalint.core.findings import Note
from coalint.core.source.spans import Span
from coalint.machine.nvcc.struct_loads import Part


class Region(Enum):
    """The kind of object that an address points into."""

    GLOBAL = "global"
    SHARED = "shared"
    CONSTANT = "constant"
    LOCAL = "local"  # a variable of this thread (or a by-value parameter)
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """The object that an address is relative to; two addresses are comparable when they share it.

    `level` is DIVERGENT for a pointer that differs between threads in a way that is not followed, and `reason` says
    why. `storage` numbers a local variable's cells.
    """

    region: Region
    memory: Memory
    level: Level = Level.UNIFORM
    reason: str = ""
    storage: int = -1
    data_dependent: bool = False


NULL = Base(Region.UNKNOWN, Memory("nullptr", 1), Level.UNIFORM, "a null pointer")
NOT_FOLLOWED = Base(Region.UNKNOWN, Memory("?", 1), Level.DIVERGENT, "a pointer that could not be followed")


def replace_base(base: Base, level: Level, reason: str, data_dependent: bool = False) -> Base:
    """A base that is not followed, with its reason."""
    return Base(base.region, base.memory, level, reason, data_dependent=data_dependent)


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: `offset` bytes (a polynomial) past the base."""

    base: Base
    offset: Poly


@dataclass(frozen=True, slots=True)
class PointerSelect:
    """One of two addresses, by a condition."""

    condition: Poly
    then: Value
    otherwise: Value


def without_null(address: Address | PointerSelect) -> Address | PointerSelect:
    """Where a pointer leads that is dereferenced: not to null."""
    if isinstance(address, Address):
        return address
    sides = [
        without_null(side) for side in (address.then, address.otherwise) if isinstance(side, Address | PointerSelect)
    ]
    sound = [side for side in sides if isinstance(side, PointerSelect) or side.base is not NULL]
    if len(sound) == len(sides):
        return replace(address, then=sides[0], otherwise=sides[1]) if len(sides) == 2 else address
    return sound[0] if sound else sides[0]


@dataclass(frozen=True, slots=True)
class AggregateValue:
    """A struct or array by value: what is known at byte offsets (sizes in bytes), and a stand-in for the rest.

    A part of a struct has the stand-in of the whole; `shift` is where in that it begins.
    """

    cells: Mapping[int, Cell]
    rest: Poly | None = None
    shift: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A lambda together with the frame that it captured; `own`: one of copies that belong to this lambda."""

    function: str
    frame: Any
    own: bool = False


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """A pointer to a function: its key in the module, or None.

    `unless` are other functions that it points to instead: the first whose condition holds.
    """

    function: str | None
    unless: tuple[tuple[Poly, str | None], ...] = ()


Value = Poly | Address | PointerSelect | AggregateValue | Closure | FunctionValue


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One step of the chain from threadIdx to an index.

    `is_thread`: the reading of threadIdx itself, with which it begins.
    """

    text: str
    span: Span
    parents: tuple[Definition, ...] = ()
    is_thread: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands at one byte offset of a variable."""

    size: int
    value: Value
    definition: Definition | None = None


@dataclass(frozen=True, slots=True)
class Lvalue:
    """An lvalue: an address and the type of what stands there.

    `field` says which struct's field was picked, `trace` what was read to find the address. `bit_bytes` is as in
    ir.Member. `within` are the bytes (begin and end, from the base) of the array around what an index leads to.
    `packed` is the alignment in bytes of the struct that it is a field of; 0 where there is none. `used` are the parts
    that are used of the struct that stands there; none where it may be all of it.
    """

    address: Address | PointerSelect
    type: ir.Type
    field: RecordField | None = None
    trace: tuple[Definition, ...] = ()
    bit_bytes: int = 0
    within: tuple[int, int] | None = None
    packed: int = 0
    used: tuple[Part, ...] = ()


Cells = dict[int, dict[int, Cell]]


class GuardKind(Enum):
    """Why only some threads may be here."""

    BRANCH = "branch"
    LOOP = "loop"
    RETURN = "return"  # out of the kernel: the thread is gone
    LEAVE = "leave"  # back from a function to its caller: the thread comes to what is there
    BREAK = "break"
    CONTINUE = "continue"
    JUMP = "jump"  # ahead by goto


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition under which the current statement runs; `depth` counts the calls around it, 0 in the kernel."""

    condition: Condition
    kind: GuardKind
    span: Span
    trace: tuple[Definition, ...] = ()
    depth: int = 0


@dataclass(slots=True)
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


@dataclass(slots=True)
class Frame:
    """One call: its variables (a storage number, or the place that a reference is bound to) and what returned.

    `used` are the parts that the caller uses of the struct that it returns; none where it may be all of it.
    """

    function: str
    variables: dict[str, int | Lvalue] = field(default_factory=dict)
    outer: Frame | None = None
    call: Span | None = None
    receiver: Lvalue | None = None
    bundled: bool = False
    caller: Frame | None = None
    used: tuple[Part, ...] = ()

    def activations(self, function: str) -> int:
        """How often a function is among the calls that lead here."""
        count, frame = 0, self
        while frame.caller is not None:
            count += frame.function == function
            frame = frame.caller
        return count + (frame.function == function)

    def find(self, key: str) -> int | Lvalue | None:
        """The variable here or, in a lambda, in the frame that it captured."""
        frame: Frame | None = self
        while frame is not None:
            found = frame.variables.get(key)
            if found is not None:
                return found
            frame = frame.outer
        return None


def _within(inner: Span, outer: Span) -> bool:
    """Whether a place is part of another: `threadIdx.x` in `int i = threadIdx.x`."""
    same = inner.file == outer.file
    return (
        same
        and (outer.line, outer.column) <= (inner.line, inner.column)
        and ((inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column))
    )


def holds_thread(trace: tuple[Definition, ...]) -> bool:
    """Whether threadIdx is among what was read, whatever the launch leaves of it."""
    seen = {id(definition) for definition in trace}
    waiting = list(trace)
    while waiting:
        definition = waiting.pop()
        if definition.is_thread:
            return True
        waiting.extend(parent for parent in definition.parents if id(parent) not in seen)
        seen.update(id(parent) for parent in definition.parents)
    return False


def provenance(trace: tuple[Definition, ...], limit: int = 8) -> tuple[Note, ...]:
    """The chain from threadIdx to the end of the trace as notes, first cause first, each place once."""
    ordered: dict[tuple[str, Span], None] = {}

    def visit(definition: Definition, depth: int) -> None:
        if depth > 12 or (definition.text, definition.span) in ordered:
            return
        for parent in definition.parents:
            inside = _within(parent.span, definition.span)  # part of what the definition itself shows
            for further in parent.parents if inside else (parent,):
                visit(further, depth + 1)
        ordered[(definition.text, definition.span)] = None

    for definition in trace:
        visit(definition, 0)
    return tuple(Note(text, span) for text, span in list(ordered)[:limit])
