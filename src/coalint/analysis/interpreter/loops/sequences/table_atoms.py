"""Tables of values, one for each iteration, as atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.values import Address, Value

if TYPE_CHECKING:
    from coalint.analysis.interpreter.loops.changes.records import Carried, Slot
    from coalint.analysis.interpreter.loops.state import LoopState

MAX_TABLE = 1024  # iterations that are followed one by one
MAX_CYCLE = 64  # iterations after which a repeating state must have come back


def table_of(
    loop: LoopState,
    slot: Slot,
    values: tuple[int, ...],
    marks: dict[Slot, Poly],
    place: Poly | None = None,
    supposed: str = "",
) -> Poly:
    """Return the atom of a table of a variable's values, looked up by the iteration or by `place`.

    `supposed` says what is supposed where these are not certain.
    """
    name = loop.algebra.atoms_of(marks[slot])[0].name
    row = place if place is not None else loop.counter
    assert row is not None
    return loop.algebra.atom(
        AtomKind.TABLE,
        name,
        Level.UNIFORM,
        key=loop.algebra.fresh_key(),
        operands=(row,),
        values=values,
        low=1 if supposed else min(values),
        high=None if supposed else max(values),
        supposed=supposed,
    )


def recount(loop: LoopState, carried: list[Carried], trips: int) -> None:
    """Set the number of iterations that a table has, which is the same for all threads."""
    loop.trips, loop.varying = trips, False
    loop.surely = loop.monotone = True
    loop.counter = loop.new_counter(trips)
    loop.close(carried, loop.counter)


def offset_of(value: Value | None) -> Poly | None:
    """Return the number in a value: itself, or the offset of an address."""
    if isinstance(value, Address):
        return value.offset
    return value if isinstance(value, Polynomial) else None
