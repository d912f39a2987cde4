"""What a loop changes, as records: the variables that it carries, their steps, what it assigns."""

from __future__ import annotations

from dataclasses import field

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.extents import WHOLE
from coalint.analysis.domain.values import Address, AggregateValue, Value
from coalint.core import ir
from coalint.core.records import record

Slot = tuple[int, int]  # storage number and byte offset of a carried variable


@record(frozen=True, slots=True)
class Carried:
    """One variable that the loop changes: its value at the start, its name, and its stand-in during dry runs."""

    slot: Slot
    key: str
    name: str
    size: int
    start: Value
    integer: bool

    @property
    def offset(self) -> Poly | None:
        """The number that changes: the value itself, or a pointer's offset; None for what is not followed."""
        if not self.integer or self.slot[1] == WHOLE:
            return None
        if isinstance(self.start, Address):
            return self.start.offset
        return None if isinstance(self.start, AggregateValue) or not isinstance(self.start, Polynomial) else self.start


@record(frozen=True, slots=True)
class Step:
    """`variable operator= by`, once in every iteration."""

    operator: str
    by: ir.Expression
    type: ir.Type


@record(slots=True)
class Assigned:
    """What a loop assigns.

    `variables` are declared outside of it; `increments` are those (by key) that move by one step in every iteration;
    `counter` is the variable of the `for`'s step; `handed` are variables that calls without a body may change.
    `through_this` says that fields of `this` are assigned, `stores` that something may be through pointers, lambdas or
    references in objects, `writes` that something is through a pointer, `decays` that an array is taken for one;
    `calls` that functions are called.
    `elements`: one of an array of integers or pointers is read or written; `pointed`: one behind a pointer is.
    """

    variables: tuple[ir.Variable, ...] = ()
    increments: dict[str, Step] = field(default_factory=dict)
    counter: ir.Variable | None = None
    breaks: bool = False
    through_this: bool = False
    barriers: bool = False
    calls: bool = False
    stores: bool = False
    decays: bool = False
    elements: bool = False
    pointed: bool = False
    writes: bool = False
    handed: tuple[ir.Variable, ...] = ()


def is_floating(type_: ir.Type) -> bool:
    """Whether a variable holds floating-point values, which are not followed."""
    while isinstance(type_, ir.Array | ir.Reference):
        type_ = type_.element if isinstance(type_, ir.Array) else type_.target
    return isinstance(type_, ir.Floating)
