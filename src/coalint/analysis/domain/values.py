"""The values of expressions: numbers, addresses, structs, closures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Any

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.derivations import Definition
from coalint.core.facts.access import Memory
from coalint.core.records import record


class Region(Enum):
    """The kind of object that an address points into."""

    GLOBAL = "global"
    SHARED = "shared"
    CONSTANT = "constant"
    LOCAL = "local"  # a variable of this thread (or a by-value parameter)
    UNKNOWN = "unknown"


@record(frozen=True, slots=True, eq=False)
class Base:
    """The object that an address is relative to; two addresses are comparable when they share it.

    `level` is DIVERGENT for a pointer that differs between threads in a way that is not followed, and `reason` says
    why. `storage` numbers a local variable's cells, `initial` those of what an array that nothing changes holds.
    `is_named`: it is a variable of the module itself, and not what a pointer leads to.
    `loaded_at` is from where a pointer was loaded: threads that loaded it from one place have the same.
    """

    region: Region
    memory: Memory
    level: Level = Level.UNIFORM
    reason: str = ""
    storage: int = -1
    data_dependent: bool = False
    initial: int = -1
    is_named: bool = False
    loaded_at: tuple[Poly, ...] = field(default=(), compare=False)


NULL = Base(Region.UNKNOWN, Memory("nullptr", 1), Level.UNIFORM, "a null pointer")
NOT_FOLLOWED = Base(Region.UNKNOWN, Memory("?", 1), Level.DIVERGENT, "a pointer that could not be followed")


def replace_base(base: Base, level: Level, reason: str, data_dependent: bool = False) -> Base:
    """Return a base that is not followed, with its reason."""
    return Base(base.region, base.memory, level, reason, data_dependent=data_dependent)


@record(frozen=True, slots=True)
class Address:
    """A pointer: `offset` bytes (a polynomial) past the base.

    `steps` are bytes of which each number that the program has added to a variable's address is a multiple, where the
    source does not tell the number: a launch may have passed it. 0 for none such, None where that is not followed.
    """

    base: Base
    offset: Poly
    steps: int | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class PointerSelect:
    """One of two addresses, by a condition."""

    condition: Poly
    then: Value
    otherwise: Value


def sides_of(address: Address | PointerSelect) -> list[Address]:
    """Return the addresses that a pointer may hold."""
    if isinstance(address, Address):
        return [address]
    return [
        side
        for part in (address.then, address.otherwise)
        if isinstance(part, Address | PointerSelect)
        for side in sides_of(part)
    ]


def without_null(address: Address | PointerSelect) -> Address | PointerSelect:
    """Return where a pointer leads that is dereferenced: not to null."""
    if isinstance(address, Address):
        return address
    sides = [
        without_null(side) for side in (address.then, address.otherwise) if isinstance(side, Address | PointerSelect)
    ]
    sound = [side for side in sides if isinstance(side, PointerSelect) or side.base is not NULL]
    if len(sound) == len(sides):
        return replace(address, then=sides[0], otherwise=sides[1]) if len(sides) == 2 else address
    return sound[0] if sound else sides[0]


@record(frozen=True, slots=True)
class AggregateValue:
    """A struct or array by value: what is known at byte offsets (sizes in bytes), and a stand-in for the rest.

    A part of a struct has the stand-in of the whole; `shift` is where in that it begins.
    """

    cells: Mapping[int, Cell]
    rest: Poly | None = None
    shift: int = 0


@record(frozen=True, slots=True, eq=False)
class Closure:
    """A lambda together with the frame that it captured; `own`: one of copies that belong to this lambda."""

    function: str
    frame: Any
    own: bool = False


@record(frozen=True, slots=True)
class FunctionValue:
    """A pointer to a function: its key in the module, NO_FUNCTION for a null pointer, None where it is not known.

    `unless` are other functions that it points to instead: the first whose condition holds.
    """

    function: str | None
    unless: tuple[tuple[Poly, str | None], ...] = ()


NO_FUNCTION = ""

Value = Poly | Address | PointerSelect | AggregateValue | Closure | FunctionValue


@record(frozen=True, slots=True)
class Cell:
    """What stands at one byte offset of a variable."""

    size: int
    value: Value
    definition: Definition | None = None
