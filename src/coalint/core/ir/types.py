"""Types of the IR: sizes and alignments in bytes, widths in bits."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


@record(frozen=True, slots=True)
class Integer:
    """An integer, character, boolean or enumeration type."""

    bits: int
    signed: bool

    @property
    def size(self) -> int:
        """Size in bytes."""
        return max(1, self.bits // 8)


@record(frozen=True, slots=True)
class Floating:
    """A floating-point type."""

    size: int


@record(frozen=True, slots=True)
class Pointer:
    """A pointer, or the address form of an array."""

    pointee: Type
    size: int = 8


@record(frozen=True, slots=True)
class Reference:
    """A C++ reference; evaluating one means evaluating what it is bound to."""

    target: Type
    size: int = 8


@record(frozen=True, slots=True)
class Array:
    """A constant-size array; `count` is None for `T a[]`."""

    element: Type
    count: int | None

    @property
    def size(self) -> int:
        """Size in bytes, 0 when the extent is open."""
        return (self.count or 0) * self.element.size


class Layout(Enum):
    """Who decides how a record lies in memory."""

    DECLARED = "declared"  # the program
    LIBRARY = "library"  # a library, which keeps it to itself
    BYTES = "bytes"  # nobody: bytes that are copied, whatever their type was


@record(frozen=True, slots=True)
class Record:
    """A struct, class or union; `name` is without `const`.

    `is_volatile`: each access moves it as it is written. `has_word_lanes`: it is one of the language's own vectors, of
    numbers of 4 bytes called x, y, z and w. `holds_extents`: it may be a copy of a special register with three
    components. `is_nameless`: `name` is none that the program gives it. `wider_vector` names the language's vector with
    one element more, where that is moved in one access and this one, of three, is not. `declared` is where it is
    declared, a real path and a line; empty for the language's own.
    """

    name: str
    size: int
    align: int
    is_volatile: bool = False
    has_word_lanes: bool = False
    holds_extents: bool = False
    layout: Layout = Layout.DECLARED
    is_nameless: bool = False
    wider_vector: str = ""
    declared: str = ""


@record(frozen=True, slots=True)
class Other:
    """Void, function types, and types that the front end could not resolve (size 0), with the reason."""

    name: str
    size: int = 0
    reason: str = ""


Type = Integer | Floating | Pointer | Reference | Array | Record | Other
