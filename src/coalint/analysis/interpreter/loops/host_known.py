"""What loops of host functions were found to change: the next run of the same loop begins with it.

Where a loop is inside of others it is run for each run of these. What it changes is confirmed each time, and found but
once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.atoms import Poly
from coalint.analysis.domain.algebra.opaque_values import as_opaque
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.extents import is_occupied
from coalint.analysis.domain.values import AggregateValue, Value
from coalint.analysis.interpreter.loops.changes.records import Slot
from coalint.analysis.interpreter.loops.pointers.reached import current, key_of, way_to
from coalint.core import ir
from coalint.core.records import record

if TYPE_CHECKING:
    from coalint.analysis.domain.algebra.algebra import Algebra
    from coalint.analysis.domain.site import Site


@record(frozen=True, slots=True)
class Part:
    """A part of a variable: its size in bytes, and whether it holds a struct or array."""

    size: int
    aggregate: bool


Changes = dict[Slot, Part]
"""What a loop changes, by storage and byte offset."""


class KnownChanges:
    """What loops change beside what they assign to by name, by the calls that lead to them."""

    def __init__(self) -> None:
        self._found: dict[tuple[object, ...], list[tuple[str, Slot, Part]]] = {}

    def find(self, site: Site, loop: ir.Loop) -> Changes:
        """Return what a loop is known to change, of that of which nothing is known now: to forget it loses nothing."""
        changes: Changes = {}
        for key, (old, offset), part in self._found.get(way_to(site, loop), ()):
            storage = current(site, old, key)
            if storage is not None and _is_open(site, storage, offset, part.size):
                changes[storage, offset] = part
        return changes

    def keep(self, site: Site, loop: ir.Loop, changes: Changes) -> None:
        """Write down what a loop changes."""
        self._found[way_to(site, loop)] = [(key_of(site, slot[0]), slot, part) for slot, part in changes.items()]


def _is_open(site: Site, storage: int, offset: int, size: int) -> bool:
    """Whether what stands there is not known at all, or nothing does."""
    cells = site.store.cells.get(storage, {})
    cell = cells.get(offset)
    if cell is not None:
        return cell.size == size and _is_unknown(site.algebra, cell.value)
    return storage not in site.store.parameters and not is_occupied(cells, (offset, offset + size))


def _is_unknown(algebra: Algebra, value: Value) -> bool:
    if isinstance(value, AggregateValue):
        return not value.cells and value.rest is not None and _is_plain(algebra, value.rest)
    return isinstance(value, Polynomial) and _is_plain(algebra, value)


def _is_plain(algebra: Algebra, value: Poly) -> bool:
    return as_opaque(algebra, value) is not None and algebra.range(value) == (None, None)
