"""Why a finding is made, as data: the kind of the cause, with its numbers and the names that it concerns."""

from __future__ import annotations

from enum import Enum

from coalint.core.records import record


class CauseKind(Enum):
    """What makes an access cost more than its ideal, makes code wrong, or keeps it from being read."""

    STRIDE = "stride"  # lanes are apart by an even step
    IRREGULAR = "irregular"  # lanes are apart by no even step
    PIECES = "pieces"  # a value is moved in several instructions
    IDLE_LANES = "idle-lanes"  # the lanes that take part lie among idle ones
    NARROW_BLOCK = "narrow-block"  # a warp lies on several rows of the block
    FIELD = "field"  # one field of each struct
    PARTIAL_COPY = "partial-copy"  # what is used of each struct
    SWAPPED_AXES = "swapped-axes"  # threadIdx.x steps over rows
    CHUNK = "chunk"  # each thread walks elements of its own
    OFFSET = "offset"  # warps begin off a sector boundary
    DATA = "data"  # the address was loaded
    MEETING_LANES = "meeting-lanes"  # lanes meet at one address
    BANKS = "banks"  # lanes meet in one bank
    TURNS = "turns"  # lanes of an atomic take turns at one bank
    COLUMN = "column"  # lanes walk down a column of a tile
    PADDING = "padding"  # rows of a tile have a length that does not help
    LANES_APART = "lanes-apart"  # lanes are misaligned to each other
    START = "start"  # all lanes are misaligned alike
    PARTING = "parting"  # a branch or loop parts the threads
    LOCKSTEP = "lockstep"  # lanes of a warp are taken to run in lockstep
    IN_PLACE = "in-place"  # threads read and write one element in one statement
    UNDECLARED = "undeclared"  # nothing declares names
    NOT_FOUND = "not-found"  # headers are not found
    BUILD = "build"  # the build defines macros
    SWITCHED_OFF = "switched-off"  # the preprocessor leaves a kernel out
    UNUSED = "unused"  # no file uses a header
    UNGIVEN = "ungiven"  # no file gives the template arguments of a header's or source's kernels
    UNNAMED = "unnamed"  # lanes call a primitive whose mask does not name them


@record(frozen=True, slots=True)
class Cause:
    """Why a finding is made.

    Attributes:
        kind: What it is.
        numbers: Its numbers by name: distances and sizes in bytes, counts of lanes, ways or pieces.
        names: Texts of the program by name: a struct, an index, a symbolic stride.
        declared: Where what causes it stands, a real path and a line: it tells structs of one name and branches of one
            condition apart. Empty where that is not known, and for the language's own types.
    """

    kind: CauseKind
    numbers: tuple[tuple[str, float], ...] = ()
    names: tuple[tuple[str, str], ...] = ()
    declared: str = ""


def cause(kind: CauseKind, declared: str = "", **values: float | str | None) -> Cause:
    """Return the cause with these numbers and names; those that are None are left out."""
    return Cause(
        kind=kind,
        numbers=tuple((name, float(value)) for name, value in values.items() if isinstance(value, int | float)),
        names=tuple((name, value) for name, value in values.items() if isinstance(value, str)),
        declared=declared,
    )
