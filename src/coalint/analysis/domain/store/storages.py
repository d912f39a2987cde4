"""The storages of one thread, and what stands in them."""

from __future__ import annotations

from collections.abc import Container, Mapping

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.frames import Cells
from coalint.analysis.domain.store.extents import WHOLE, cut
from coalint.analysis.domain.store.part_names import Parts
from coalint.analysis.domain.store.scalars import overlapping
from coalint.analysis.domain.store.structs import UNNAMED, Structs
from coalint.analysis.domain.values import AggregateValue, Cell


class Storages(Structs):
    """All local storages of one evaluation. `cells` maps storage number and byte offset to what stands there."""

    def __init__(self, algebra: Algebra, parts: Parts) -> None:
        super().__init__(algebra, parts)
        self.cells: Cells = {}
        self.parameters: dict[int, str] = {}
        self._next = 0

    def new(self) -> int:
        """Return a fresh storage without contents."""
        self._next += 1
        self.cells[self._next] = {}
        return self._next

    @property
    def newest(self) -> int:
        """The number of the storage that was made last."""
        return self._next

    def release(self, newest: int, kept: Container[int]) -> None:
        """End the variables that were made after the one of that number, but for those `kept`."""
        if self._next - newest < len(self.cells):
            for storage in range(newest + 1, self._next + 1):
                if storage not in kept:
                    self.cells.pop(storage, None)
        else:
            self.cells = {n: cells for n, cells in self.cells.items() if n <= newest or n in kept}

    def called(self, storage: int, at: int, cell: Cell) -> str:
        """Return what stands at a byte offset of a storage, in the words of the source.

        `UNNAMED` for what has no name.
        """
        variable = self.variables.get(storage)
        if variable is None:
            return self.parameters.get(storage, UNNAMED)
        return variable.name + self.parts.path(
            variable.type, at, cell.size, struct=isinstance(cell.value, AggregateValue)
        )

    def standing(self, storage: int, cells: Mapping[int, Cell], at: int, like: Cell) -> Cell | None:
        """Return what stands at a byte offset, as a value such as `like`; None where nothing was written."""
        cell = cells.get(at)
        whole = isinstance(like.value, AggregateValue)
        if (
            cell is not None
            and isinstance(cell.value, AggregateValue) is whole
            and (cell.size == like.size or not whole)
        ):
            return cell
        if whole:
            parts = {o - at: c for o, c in cut(cells, at, like.size).items() if at <= o < at + like.size}
            if parts:
                return Cell(like.size, AggregateValue(parts))
        for start, other in cells.items():
            if start != WHOLE and start <= at < start + other.size and isinstance(other.value, AggregateValue):
                name = self.called(storage, at, like)
                return Cell(like.size, self._piece_like(other.value, at - start, like, name), other.definition)
        beside = [] if whole else list(overlapping(cells, at, like.size))
        if beside:
            level = max(self.level(other.value) for other in beside)
            return Cell(like.size, self.algebra.opaque("a variable", level, "it is written in parts"))
        anywhere = cells.get(WHOLE)
        if anywhere is None:
            given = self._given.get((storage, at))
            if given is None and storage in self.parameters:
                type_, name = self._type_like(like), self.called(storage, at, like)
                given = Cell(like.size, self._parameter(storage, self.algebra.constant(at), type_, name))
            return given
        rest = anywhere.value
        if not isinstance(rest, Polynomial):
            rest = self.algebra.opaque("element", self.level(rest), "element of a local array")
        name = self.called(storage, at, like)
        return Cell(like.size, self._piece_like(AggregateValue({}, rest), at, like, name), anywhere.definition)

    def snapshot(self) -> Cells:
        """Return the contents as they are; later writes do not change the snapshot."""
        return dict(self.cells)
