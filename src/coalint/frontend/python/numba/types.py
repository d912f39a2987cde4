"""Types of Numba's language, as far as they decide where memory is touched: scalars, records, arrays."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from coalint.core import ir
from coalint.core.records import record


class ScalarKind(Enum):
    """What a scalar is; arithmetic of two kinds gives the later one."""

    BOOLEAN = "bool"
    UNSIGNED = "uint"
    SIGNED = "int"
    FLOAT = "float"
    COMPLEX = "complex"


class Layout(Enum):
    """How an array lies in memory: by rows, by columns, or with strides of its own."""

    C = "C"
    FORTRAN = "F"
    ANY = "A"


@record(frozen=True, slots=True)
class Scalar:
    """A number of `bits` bits."""

    kind: ScalarKind
    bits: int

    @property
    def size(self) -> int:
        """Size in bytes."""
        return max(1, self.bits // 8)

    @property
    def is_integer(self) -> bool:
        """Whether it is an integer or a boolean."""
        return self.kind in (ScalarKind.BOOLEAN, ScalarKind.UNSIGNED, ScalarKind.SIGNED)

    @property
    def name(self) -> str:
        """As NumPy calls it: `float32`."""
        return "bool" if self.kind is ScalarKind.BOOLEAN else f"{self.kind.value}{self.bits}"


@record(frozen=True, slots=True)
class Field:
    """A field of a record, at `offset` bytes; `extents` are those of one that is an array."""

    name: str
    offset: int
    type: Scalar | Structure
    extents: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Size in bytes."""
        count = 1
        for extent in self.extents:
            count *= extent
        return count * self.type.size


@record(frozen=True, slots=True)
class Structure:
    """A record of `size` bytes; `align` is 1 for a packed one, as NumPy's are unless they say `align=True`.

    Messages call it by its `name`.
    """

    fields: tuple[Field, ...]
    size: int
    align: int
    name: str = "record"

    def field(self, name: str) -> Field | None:
        """Return the field of that name."""
        return next((field for field in self.fields if field.name == name), None)


Element = Scalar | Structure


@record(frozen=True, slots=True)
class ArrayType:
    """An array; `extents` are those that are constants of the kernel, None where they are passed at run time.

    Its elements are the fields called `field` of an array of records, where there is a `record`. `supposed` names what
    of it nothing in the source says.
    """

    element: Element
    layout: Layout
    extents: tuple[int | None, ...]
    record: Structure | None = None
    field: str = ""
    supposed: str = ""

    @property
    def item(self) -> Element:
        """What lies in memory item by item: the element, or the record around it."""
        return self.record or self.element

    @property
    def ndim(self) -> int:
        """How many indices an element has."""
        return len(self.extents)


@record(frozen=True, slots=True)
class TupleType:
    """A tuple of values of these types."""

    items: tuple[Type, ...]


@record(frozen=True, slots=True)
class UnknownType:
    """What could not be typed, with the reason."""

    reason: str


@record(frozen=True, slots=True)
class Static:
    """What no variable of a kernel holds, as an argument: a function, a string, a type."""

    value: object


Type = Scalar | Structure | ArrayType | TupleType | UnknownType | Static

BOOLEAN = Scalar(ScalarKind.BOOLEAN, 1)
INT32 = Scalar(ScalarKind.SIGNED, 32)
UINT32 = Scalar(ScalarKind.UNSIGNED, 32)
INT64 = Scalar(ScalarKind.SIGNED, 64)
UINT64 = Scalar(ScalarKind.UNSIGNED, 64)
FLOAT32 = Scalar(ScalarKind.FLOAT, 32)
FLOAT64 = Scalar(ScalarKind.FLOAT, 64)


def ir_type(type_: Scalar | Structure) -> ir.Type:
    """Return the IR's type of a scalar or a record."""
    if isinstance(type_, Structure):
        return ir.Record(type_.name, type_.size, type_.align)
    match type_.kind:
        case ScalarKind.BOOLEAN:
            return ir.Integer(1, signed=False)
        case ScalarKind.UNSIGNED | ScalarKind.SIGNED:
            return ir.Integer(type_.bits, type_.kind is ScalarKind.SIGNED)
        case ScalarKind.FLOAT:
            return ir.Floating(type_.size)
        case ScalarKind.COMPLEX:
            return ir.Record(type_.name, type_.size, type_.size // 2)


def complex_record(type_: Scalar) -> Structure:
    """Return a complex number as a record of its parts."""
    half = Scalar(ScalarKind.FLOAT, type_.bits // 2)
    return Structure((Field("real", 0, half), Field("imag", half.size, half)), type_.size, half.size, type_.name)


def array_type(type_: ArrayType) -> ir.Type:
    """Return the IR's type of an array of constant extents; its item's where there are none."""
    lowered = ir_type(type_.item)
    for extent in reversed(type_.extents):
        lowered = ir.Array(lowered, extent)
    return lowered


def arithmetic(left: Scalar, right: Scalar) -> Scalar:
    """Return the type of `left + right` (Numba Enhancement Proposal 1: integers become as wide as a pointer)."""
    kinds = {left.kind, right.kind}
    if ScalarKind.COMPLEX in kinds:
        return Scalar(
            ScalarKind.COMPLEX, max(64 if _is_narrow(left) and _is_narrow(right) else 128, left.bits, right.bits)
        )
    if ScalarKind.FLOAT in kinds:
        return FLOAT32 if _is_narrow(left) and _is_narrow(right) else FLOAT64
    return UINT64 if kinds == {ScalarKind.UNSIGNED} else INT64


def _is_narrow(type_: Scalar) -> bool:
    match type_.kind:
        case ScalarKind.COMPLEX:
            return type_.bits <= 64
        case ScalarKind.FLOAT:
            return type_.bits <= 32
        case _:
            return type_.bits <= 16


def joined(left: Type, right: Type) -> Type:
    """Return the type of a variable that holds values of both types."""
    if left == right:
        return left
    match left, right:
        case Scalar(), Scalar():
            if left.is_integer and right.is_integer:
                if ScalarKind.BOOLEAN in (left.kind, right.kind) or left.kind is right.kind:
                    return max(left, right, key=lambda one: (one.bits, one.kind is not ScalarKind.BOOLEAN))
                return INT64
            return arithmetic(left, right)
        case ArrayType(), ArrayType() if _is_alike(left, right):
            layout = left.layout if left.layout is right.layout else Layout.ANY
            extents = tuple(a if a == b else None for a, b in zip(left.extents, right.extents, strict=True))
            return replace(left, layout=layout, extents=extents, supposed=left.supposed or right.supposed)
        case TupleType(), TupleType() if len(left.items) == len(right.items):
            return TupleType(tuple(joined(a, b) for a, b in zip(left.items, right.items, strict=True)))
        case UnknownType(), _:
            return left
        case _, UnknownType():
            return right
    return UnknownType("a variable that holds values of different kinds")


def _is_alike(left: ArrayType, right: ArrayType) -> bool:
    return (left.element, left.ndim, left.record, left.field) == (right.element, right.ndim, right.record, right.field)
