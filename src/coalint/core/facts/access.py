"""One memory access of one kernel at one specialization."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, IntEnum
from math import prod
from typing import TYPE_CHECKING

from coalint.core.findings import Note
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.types import Record
from coalint.core.records import record
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.core.facts.portable_model import Model
from coalint.core.facts.address import NOTHING_OPEN, UNKNOWN_ADDRESS, AddressForm, OpenQuantities
from coalint.core.facts.executions import Executions
from coalint.core.facts.lane_result import NOT_COUNTED, LaneResult
from coalint.core.facts.lanes import SERVED_PLAINLY, Lanes, Served
from coalint.core.facts.launch import Specialization
from coalint.core.facts.operations import Operation as Operation
from coalint.core.facts.operations import Space as Space


@record(frozen=True, slots=True)
class Memory:
    """The object that an address points into.

    Attributes:
        name: The name of the variable or parameter.
        element_bytes: The size of one innermost array element, in bytes.
        extents: The array extents in elements, outermost first; None where unknown or dynamic.
        span: The declaration.
        dynamic: Whether it is shared memory whose size the launch gives.
        type_name: The element's type as the user wrote it; empty where that is not known.
        supposed: What the numbers suppose of it that the source does not say; empty where there is nothing.
        is_number: Whether an element is sure to be one number, no struct or vector.
    """

    name: str
    element_bytes: int
    extents: tuple[int | None, ...] = ()
    span: Span | None = None
    dynamic: bool = False
    type_name: str = ""
    supposed: str = ""
    is_number: bool = False

    @property
    def row_pitch(self) -> int | None:
        """Bytes between consecutive rows of a multidimensional array: the innermost extent times the element.

        None where that is not known, as of elements of a type that no header declares.
        """
        if len(self.extents) < 2 or self.extents[-1] is None:
            return None
        return self.extents[-1] * self.element_bytes or None


@record(frozen=True, slots=True)
class RecordField:
    """The field of a struct (an array's element) that an access picks out.

    Attributes:
        record: The name of the struct.
        record_bytes: The size of the struct, in bytes.
        field: The name of the field.
        offset: Where the field begins in the struct, in bytes.
        bytes: The size of the field, in bytes.
        declared: Where the struct is declared, a real path and a line; empty for the language's own.
        record_align: The struct's alignment in bytes; 1 where it is not known. The compiler may merge accesses to the
            fields of a struct that is aligned to 8 or 16 bytes.
        is_library: Whether a library decides how the struct lies in memory.
    """

    record: str
    record_bytes: int
    field: str
    offset: int
    bytes: int
    declared: str = ""
    record_align: int = 1
    is_library: bool = False


@record(frozen=True, slots=True)
class Atomic:
    """An atomic function as it is called.

    Attributes:
        function: Its name as the user wrote it.
        intrinsic: What it means; None where that is not known.
        type_name: The type of what stands at the address (`float`, `unsigned long long`).
        bytes: The size of that type, in bytes.
        is_integer: Whether that type is an integer of 4 or 8 bytes.
        is_used: Whether the old value is used; None where that is not known.
        is_combined: Whether nvcc lets one lane act for all that meet at the address, as it can where it knows the
            address and the function to allow it (analysis.recorder.atomics); None where that is not known.
    """

    function: str
    intrinsic: Intrinsic | None
    type_name: str
    bytes: int
    is_integer: bool
    is_used: bool | None
    is_combined: bool | None


class Join(Enum):
    """What nvcc may make of two accesses, where a condition parts the threads that come to them.

    `ONE_PLACE`: one instruction for both, at a place that is the same; `TWO_PLACES`: one at a place that it chooses.
    `HELD`: the other leaves in a register what this one loads, which is loaded for the other threads alone; `HOLDS` is
    that other one.
    """

    ONE_PLACE = "one_place"
    TWO_PLACES = "two_places"
    HELD = "held"
    HOLDS = "holds"


@record(frozen=True, slots=True)
class Side:
    """One of two accesses that nvcc may join.

    Attributes:
        number: What the two have in common, and no other access of the kernel has.
        join: What nvcc may make of them.
    """

    number: int
    join: Join


class Conditions(IntEnum):
    """Conditions that an access stands under in a loop's body: none, some, or some that iterations may differ in.

    LEFT: it stands under none of those, but iterations may be left out, or the loop may be left before its count is up,
    by what they differ in.
    """

    NONE = 0
    ALIKE = 1
    LEFT = 2
    DIFFERENT = 3


@record(frozen=True, slots=True)
class LoopStride:
    """How an address moves with one enclosing loop.

    Attributes:
        variable: The name of the loop's variable.
        bytes: How far the address moves per iteration, in bytes; None where that is no constant.
        text: The same as the user would write it.
        trips: The number of iterations; None where it is not known.
        span: Where the loop stands.
        values: The values of the variable at the start of each iteration, where they are few and known.
        unroll: How many copies of the body the source asks for, as `ir.Loop.unroll`.
        inner_depth: How deep other loops are nested in its body; 0 for the innermost loop.
        inner_rounds: How often the innermost body of these runs in an iteration; None where that is no constant.
        conditions: Under what the access stands in its body.
        most: How many iterations there are at most, where their number is not known but bounded; None elsewhere.
        multiple: What divides how far an iteration moves the address, where that is no constant; 0 where it is.
        by_launch: Whether its condition names what only the launch tells, so that nvcc knows no number of iterations.
        is_counted: Whether its header alone tells how often it runs, so that nvcc may copy its body.
        is_given: Whether the access is that of one iteration, for which a number is given, and not of the first.
    """

    variable: str
    bytes: int | None
    text: str
    trips: int | None
    span: Span
    values: tuple[int, ...] = ()
    unroll: int | None = None
    inner_depth: int = 0
    inner_rounds: int | None = 1
    conditions: Conditions = Conditions.NONE
    most: int | None = None
    multiple: int = 0
    by_launch: bool = False
    is_counted: bool = False
    is_given: bool = False

    @property
    def is_told(self) -> bool:
        """Whether a compiler knows the number of iterations."""
        return self.trips is not None and not (self.by_launch and self.is_counted and self.unroll is None)

    @property
    def rounds(self) -> int:
        """How many iterations the loop counts as where costs are ranked."""
        if self.trips is not None:
            return self.trips
        return UNKNOWN_TRIPS if self.most is None else min(self.most, MOST_ROUNDS)


UNKNOWN_TRIPS = 8
"""How many iterations a loop counts as, where costs are ranked, whose number is not known."""
MOST_ROUNDS = 1024
"""How many iterations a loop counts as at most whose number is bounded alone, as by the size of a block."""


@record(frozen=True, slots=True)
class Portable:
    """What the lanes of an access can be computed from anew: the HTML report does, at other numbers.

    Attributes:
        model: The formulas of its lanes, where they were asked for.
        why_not: Why there is no `model`; empty where there is one, or none was asked for.
    """

    model: Model | None = None
    why_not: str = ""


@record(frozen=True, slots=True)
class Access:
    """One memory instruction of a kernel, as written in the source, at one specialization.

    Attributes:
        kernel: The name of the kernel.
        specialization: What the kernel was analysed with.
        space: The memory that it goes to.
        op: What it does.
        bytes: What one lane moves in one instruction, in bytes.
        expression: Its text in the source.
        span: Where it stands.
        memory: The object that the address points into; None where that is not known.
        stride: The forward difference of the byte address in threadIdx.x as text: symbolic where the source is
            (`4*width`), `?` where the address is no polynomial in threadIdx.x.
        strides: The forward differences in threadIdx.x, .y and .z, in bytes; None where not constant.
        address: What else is known of its address.
        open: What its address and its guards rest on and the launch gives no number for.
        result: Its lanes, and how sure they are.
        served: How the hardware serves its lanes.
        guard: The conditions under which it is executed, as texts.
        loops: How the address moves with the enclosing loops.
        field: The field of a struct that it picks out; None where there is none.
        provenance: The chain by which threadIdx reached the address.
        piece: Which instruction it is of how many that move the value, from 1.
        atomic: The atomic function that is called; None where there is none, or it is written in PTX.
        aggregate: The struct that is moved in several pieces, or in part, of which this is one.
        portable: What its lanes can be computed from anew.
        traps: Whether each thread that makes it then comes to a `__trap()`, which ends the kernel with an error.
        executions: How often the launch executes it, where that was counted.
        calls: The user's calls that lead to it from the kernel, outermost first.
        is_volatile: Whether the source asks that it is made as it is written, by itself.
        is_narrowed: Whether it loads fewer bytes than the integer has, as a smaller one is all that is made of it.
        branches: The sides of branches that it stands in: a number for each time one is come to.
        sides: With which accesses nvcc may join it, where a condition parts the threads that come to them.
    """

    kernel: str
    specialization: Specialization
    space: Space
    op: Operation
    bytes: int
    expression: str
    span: Span
    memory: Memory | None
    stride: str
    strides: tuple[int | None, int | None, int | None] = (None, None, None)
    address: AddressForm = UNKNOWN_ADDRESS
    open: OpenQuantities = NOTHING_OPEN
    result: LaneResult = NOT_COUNTED
    served: Served = SERVED_PLAINLY
    guard: tuple[str, ...] = ()
    loops: tuple[LoopStride, ...] = ()
    field: RecordField | None = None
    provenance: tuple[Note, ...] = ()
    piece: tuple[int, int] = (1, 1)
    atomic: Atomic | None = None
    aggregate: Record | None = None
    portable: Portable = Portable()
    traps: bool = False
    executions: Executions | None = None
    calls: tuple[Span, ...] = ()
    is_narrowed: bool = False
    is_volatile: bool = False
    branches: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()

    def with_lanes(self, lanes: Lanes | None, partner: Lanes | None = None) -> Access:
        """Return the same access with other lanes, and others at the far end of a copy."""
        result = replace(self.result, lanes=lanes)
        return replace(self, result=result, served=replace(self.served, partner=partner))

    @property
    def weight(self) -> float:
        """How often a thread makes the access, as far as the loops around it tell: to rank costs, and for no number."""
        return prod((loop.rounds for loop in self.loops), start=1.0)
