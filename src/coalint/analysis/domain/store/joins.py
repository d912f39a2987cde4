"""What storages hold where threads that came by several ways meet."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atoms import Level, Poly
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.frames import Cells, other_storages
from coalint.analysis.domain.store.extents import WHOLE, aligned
from coalint.analysis.domain.store.storages import Storages
from coalint.analysis.domain.values import AggregateValue, Cell


class Joins(Storages):
    """Storages, joined after branches and loops."""

    def merge(self, condition: Poly, then: Cells, otherwise: Cells, chosen: Definition | None = None) -> Cells:
        """Return the contents after a branch.

        Where the sides differ, a selection by the condition, as `chosen` says.
        """
        merged = dict(otherwise)
        for storage in other_storages(then, otherwise):
            mine, theirs = then[storage], otherwise.get(storage)
            if theirs is None:
                merged[storage] = mine
                continue
            mine, theirs = aligned(mine, theirs)
            joined: dict[int, Cell] = {}
            for offset in {**mine, **theirs}:
                a, b = mine.get(offset), theirs.get(offset)
                if a is None and b is not None and offset != WHOLE:
                    a = self.standing(storage, mine, offset, b)
                elif b is None and a is not None and offset != WHOLE:
                    b = self.standing(storage, theirs, offset, a)
                if a is None or b is None or a is b:
                    joined[offset] = a or b  # type: ignore[assignment]
                elif (
                    a.size != b.size
                    and not isinstance(a.value, AggregateValue)
                    and not isinstance(b.value, AggregateValue)
                ):
                    level = max(self.algebra.level(condition), self.level(a.value), self.level(b.value))
                    unknown = self.algebra.opaque("a variable", level, "it is written in parts")
                    joined[offset] = Cell(max(a.size, b.size), unknown, a.definition or b.definition)
                else:
                    definition = a.definition or b.definition or chosen
                    name = self.called(storage, offset, a if isinstance(b.value, AggregateValue) else b)
                    joined[offset] = Cell(a.size, self._chosen(condition, a, b, name), definition)
            merged[storage] = joined
        return merged

    def havoc_join(self, a: Cells, b: Cells, leaving: Level) -> Cells:
        """Return the contents where the side that a thread comes from is not known, by conditions of a level."""
        blurred = dict(b)
        for storage in other_storages(a, b):
            mine, theirs = aligned(a[storage], b.get(storage, {}))
            blurred[storage] = {**mine, **theirs}
            for offset in {**mine, **theirs}:
                x, y = mine.get(offset), theirs.get(offset)
                if x is None or y is None or (x is not y and x.value != y.value):
                    cell = y or x
                    assert cell is not None
                    level = max(leaving, *(self.level(side.value) for side in (x, y) if side is not None))
                    name = self.called(storage, offset, cell)
                    unknown = self.algebra.opaque(name, level, f"`{name}` after a loop is not followed")
                    value = AggregateValue({}, unknown) if isinstance(cell.value, AggregateValue) else unknown
                    blurred[storage][offset] = Cell(cell.size, value, cell.definition)
        return blurred
