"""One memory access of one kernel at one specialization."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from coalint.core.findings import Note
from coalint.core.ir.intrinsics import Intrinsic
from coalint.core.ir.types import Record
from coalint.core.source.spans import Span

if TYPE_CHECKING:
    from coalint.core.facts.portable_model import Model
from coalint.core.facts.executions import Executions
from coalint.core.facts.lanes import Lanes, Service
from coalint.core.facts.launch import Specialization
from coalint.core.facts.operations import Operation as Operation
from coalint.core.facts.operations import Space as Space


@dataclass(frozen=True, slots=True)
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
    """

    name: str
    element_bytes: int
    extents: tuple[int | None, ...] = ()
    span: Span | None = None
    dynamic: bool = False
    type_name: str = ""
    supposed: str = ""

    @property
    def row_pitch(self) -> int | None:
        """Bytes between consecutive rows of a multidimensional array: the innermost extent times the element."""
        if len(self.extents) < 2 or self.extents[-1] is None:
            return None
        return self.extents[-1] * self.element_bytes


@dataclass(frozen=True, slots=True)
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
    """

    record: str
    record_bytes: int
    field: str
    offset: int
    bytes: int
    declared: str = ""
    record_align: int = 1


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
    """

    variable: str
    bytes: int | None
    text: str
    trips: int | None
    span: Span
    values: tuple[int, ...] = ()
    unroll: int | None = None
    inner_depth: int = 0


UNKNOWN_TRIPS = 8
"""How many iterations a loop counts as, where costs are ranked, whose number is not known."""


@dataclass(frozen=True, slots=True)
class Access:
    """One memory instruction of a kernel, as written in the source, at one specialization.

    `bytes` is what one lane moves in one instruction. `strides` are the forward differences of the byte address in
    threadIdx.x, .y and .z, in bytes: an int where constant, None where it is not; `stride` is the x one as text,
    symbolic where the source is (`4*width`), `?` where the address is no polynomial in threadIdx.x.
    `lanes` is None exactly when `unknown` gives the reason, or when the space is not counted (local, constant).
    `exact` says that the numbers computed from `lanes` are what the hardware counts under the launch of the
    specialization; `assumed` lists what else that rests on. `symbolic` names the unknown quantities (`pitch`) that
    the lane addresses are multiples of, and `provenance` is the chain by which threadIdx reached the address.
    `common` is the unknown part of the address that all lanes share, as text: the distance between two accesses of one
    array is known only where theirs are equal. `common_names` are the quantities in it, and `common_is_chosen` says
    that it holds a choice between values, or is too long to be written out.
    `pointer` is the variable that the access goes through, by name; `names` are all identifiers of the access and of
    the assignments in `provenance`.
    `open` names the uniform quantities that address and guards rest on and the launch gives no number for: parameters,
    counters of loops, `blockIdx.x`; `lacking` those, or expressions, without whose numbers it is not known how the
    lanes lie to each other. `permuted` says that the lanes of a warp are these in an order that is not known.
    `partner` holds the lanes at the other end of an asynchronous copy, row by row those of `lanes`. `since` is the
    least compute capability for which `lanes` are right, where they are a library's or the compiler's choice. `atomic`
    is there where an atomic function was called, rather than written in PTX. `index_load` is what was loaded to make
    the address of an access that is `data_dependent`, where that is known (`index[i]`). `aggregate` is the struct
    that is moved in several pieces, or in part, of which this is one.
    `model` is what `lanes` can be computed from anew, where that was asked for; `not_portable` says why there is none.
    `executions` is how often the launch executes it, where that was counted.
    `calls` are the user's calls that lead to it from the kernel, outermost first.
    `aligned_if` is the condition, in words, under which alone the numbers are exact: that an unknown offset is a
    multiple of 32 bytes. Empty where they are exact anyhow, or rest on more.
    `fitting` are numbers for quantities that are not known with which the access would be good, though it is bad for a
    general number, and nothing in the kernel speaks against them.
    `traps` says that each thread that makes it then comes to a `__trap()`, which ends the kernel with an error.
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
    stride_texts: tuple[str, str, str] = ("?", "?", "?")
    lanes: Lanes | None = None
    guard: tuple[str, ...] = ()
    loops: tuple[LoopStride, ...] = ()
    field: RecordField | None = None
    provenance: tuple[Note, ...] = ()
    exact: bool = False
    assumed: tuple[str, ...] = ()
    symbolic: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    permuted: bool = False
    unknown: str | None = None
    data_dependent: bool = False
    offset_bytes: int | None = None
    common: str = ""
    common_names: tuple[str, ...] = ()
    common_is_chosen: bool = False
    pointer: str = ""
    names: frozenset[str] = frozenset()
    piece: tuple[int, int] = (1, 1)
    service: Service = Service.PLAIN
    partner: Lanes | None = None
    since: tuple[int, int] = (0, 0)
    atomic: Atomic | None = None
    index_load: str = ""
    aggregate: Record | None = None
    model: Model | None = None
    not_portable: str = ""
    traps: bool = False
    executions: Executions | None = None
    calls: tuple[Span, ...] = ()
    aligned_if: str = ""
    fitting: tuple[tuple[str, int], ...] = ()

    @property
    def weight(self) -> float:
        """How often a thread makes the access, as far as the loops around it tell: to rank costs, and for no number."""
        return prod((UNKNOWN_TRIPS if loop.trips is None else loop.trips for loop in self.loops), start=1.0)
