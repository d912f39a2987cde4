"""The memory of the interpreted program: the variables of a thread, read and written."""

from __future__ import annotations

from dataclasses import replace

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.derivations import Definition
from coalint.analysis.domain.store.elements import function_of_table, in_steps, one_of
from coalint.analysis.domain.store.extents import WHOLE, cut, gaps, is_occupied
from coalint.analysis.domain.store.joins import Joins
from coalint.analysis.domain.store.scalars import scalar
from coalint.analysis.domain.values import AggregateValue, Cell, Value
from coalint.core import ir


class Store(Joins):
    """All local storages of one evaluation, as they are read, written and joined."""

    def read(
        self, storage: int, offset: Poly, type_: ir.Type, name: str, within: tuple[int, int] | None = None
    ) -> tuple[Value, Definition | None]:
        """Return what stands at `offset` bytes of a storage (in the bytes `within`), as a value of `type_`."""
        cells = self.cells.get(storage, {})
        at = self.algebra.number(offset)
        if at is None:
            span = self._span(offset, type_.size, within)
            if storage in self.parameters and not is_occupied(cells, span):
                return self._parameter(storage, offset, type_, name), None
            undivided = self._undivided(cells, span)
            if undivided is not None:
                start, blob = undivided
                return self._out_of(blob, offset - start, type_, name), cells[start].definition
            element = (
                function_of_table(self, cells, offset)
                or in_steps(self, cells, offset, type_)
                or one_of(self, cells, offset, type_, self.select)
            )
            if element is not None:
                return element, next((cell.definition for cell in cells.values() if cell.definition), None)
            levels = [self.level(cell.value) for cell in cells.values()] + [self.algebra.level(offset)]
            doubt = self.doubt([*(cell.value for cell in cells.values()), offset])
            return self.unknown(type_, name, max(levels), doubt), None
        cell = cells.get(at)
        if isinstance(type_, ir.Record | ir.Array) and type_.size:
            if cell is not None and cell.size == type_.size:
                return cell.value, cell.definition
            parts = cut(cells, at, type_.size)
            inside = {o - at: c for o, c in parts.items() if at <= o < at + type_.size}
            rest = self._rest(storage, cells, offset, type_, name)
            return AggregateValue(inside, rest), next((c.definition for c in inside.values() if c.definition), None)
        scalar_cell = scalar(self, cells, at, type_, name)
        if scalar_cell is not None:
            return scalar_cell.value, scalar_cell.definition
        for start, other in cells.items():
            if start != WHOLE and start <= at < start + other.size and isinstance(other.value, AggregateValue):
                return self.piece(other.value, at - start, type_, name), other.definition
        anywhere = cells.get(WHOLE)
        if anywhere is not None:
            rest = self._rest(storage, cells, offset, type_, name)
            return self.piece(AggregateValue({}, rest), at, type_, name), anywhere.definition
        if storage in self.parameters:
            return self._parameter(storage, offset, type_, name), None
        return self.unknown(type_, name, Level.DIVERGENT, f"`{name}` is read before it is given a value"), None

    def known_element(self, storage: int, offset: Poly, type_: ir.Integer) -> Poly | None:
        """Return the number that a table holds at `offset` bytes; None where none of this size is known there."""
        cells, at = self.tables.get(storage, {}), self.algebra.number(offset)
        if at is not None:
            cell = cells.get(at)
            element: Value | None = cell.value if cell is not None and cell.size == type_.size else None
        elif self.algebra.level(offset) > Level.DIVERGENT:
            return None
        else:
            element = in_steps(self, cells, offset, type_) or one_of(self, cells, offset, type_, self.select)
        return element if isinstance(element, Polynomial) else None

    def _rest(self, storage: int, cells: dict[int, Cell], offset: Poly, type_: ir.Type, name: str) -> Poly | None:
        whole = cells.get(WHOLE)
        if whole is None and storage in self.parameters:
            self.asked.add(storage)
            return self.algebra.atom(
                AtomKind.UNIFORM, name, Level.UNIFORM, key=("parameter", storage, offset, type_.size)
            )
        if whole is None:
            return None
        if isinstance(whole.value, Polynomial):
            return whole.value
        return self.algebra.opaque(name, self.level(whole.value), "element of a local array")

    def settle(self, storage: int, offset: Poly, type_: ir.Type) -> None:
        """Give a parameter that nothing has written yet a cell, to be followed where it changes."""
        at, cells = self.algebra.number(offset), self.cells.get(storage, {})
        if storage not in self.parameters or at is None or cells.keys() & {at, WHOLE}:
            return
        if isinstance(type_, ir.Integer | ir.Floating | ir.Pointer):
            self.keep_given(storage, offset, type_)
            self.write(storage, offset, type_.size, self._given[storage, at].value)

    def give_cell(self, storage: int, at: int, like: Cell) -> None:
        """Give a part of a struct a cell of its own, with a value such as `like`, if anything stands there."""
        if storage in self.parameters and isinstance(like.value, AggregateValue):
            self._fill(storage, at, like.size)
        cell = self.standing(storage, self.cells.get(storage, {}), at, like)
        if cell is not None:
            self.write(storage, self.algebra.constant(at), like.size, cell.value, cell.definition)

    def _fill(self, storage: int, at: int, size: int) -> None:
        """Put what a parameter was given where nothing has been written in these bytes."""
        cells = self.cells.get(storage, {})
        for low, high in gaps(cells, at, size):
            given = self.standing(storage, {}, low, Cell(high - low, AggregateValue({})))
            cells = {**cells, low: given} if given is not None else cells
        self.cells[storage] = cells

    def keep_given(self, storage: int, offset: Poly, type_: ir.Type) -> None:
        """Remember what a parameter holds where it is about to be written: another branch may leave it as it is."""
        at = self.algebra.number(offset)
        cells = self.cells.get(storage, {})
        if at is not None and not cells.keys() & {at, WHOLE} and (storage, at) not in self._given:
            like = Cell(
                type_.size, AggregateValue({}) if isinstance(type_, ir.Record | ir.Array) else self.algebra.zero
            )
            given = self._parameter(storage, offset, type_, self.called(storage, at, like))
            self._given[storage, at] = replace(like, value=given)

    def write(
        self,
        storage: int,
        offset: Poly,
        size: int,
        value: Value,
        definition: Definition | None = None,
        within: tuple[int, int] | None = None,
    ) -> None:
        """Store a value; a write at an unknown offset makes all unknown that it may reach (`within` these bytes)."""
        cells = self.cells.get(storage, {})
        at = self.algebra.number(offset)
        if at is None:
            self._write_somewhere(storage, offset, size, value, definition, within)
            return
        kept: dict[int, Cell] = {}
        for start, other in cut(cells, at, size).items():
            if start == WHOLE or start + other.size <= at or start >= at + max(size, 1):
                kept[start] = other
            elif start != at and not isinstance(other.value, AggregateValue) and not at <= start:
                level = max(self.level(other.value), self.level(value))
                name = self.called(storage, start, other)
                kept[start] = Cell(other.size, self.algebra.opaque(name, level, "it is written in parts"))
        if isinstance(value, AggregateValue) and value.rest is None:
            kept.update({at + o: Cell(c.size, c.value, c.definition or definition) for o, c in value.cells.items()})
        else:
            kept[at] = Cell(size, value, definition)
        self.cells[storage] = kept

    def _write_somewhere(
        self,
        storage: int,
        offset: Poly,
        size: int,
        value: Value,
        definition: Definition | None,
        within: tuple[int, int] | None,
    ) -> None:
        cells, span = self.cells.get(storage, {}), self._span(offset, size, within)
        apart: dict[int, Cell] = {}
        if span is not None:
            cells = cut(cells, span[0], span[1] - span[0])
            apart = {at: cell for at, cell in cells.items() if not is_occupied({at: cell}, span) or at == WHOLE}
        values = [*(cell.value for at, cell in cells.items() if at not in apart), value, offset]
        level = max(map(self.level, values))
        unknown = self.algebra.opaque("element of a local array", level, self.doubt(values))
        if span is None or not (apart or storage in self.parameters):
            self.cells[storage] = {WHOLE: Cell(size, unknown, definition)}
        else:
            apart[span[0]] = Cell(span[1] - span[0], AggregateValue({}, unknown), definition)
            self.cells[storage] = apart

    def _span(self, offset: Poly, size: int, within: tuple[int, int] | None) -> tuple[int, int] | None:
        """Return the bytes (begin and end) that an unknown offset leads to; None where these may be any."""
        low, high = self.algebra.close_range(offset)
        begin, end = within if within is not None else (low, None if high is None else high + size)
        if begin is None or end is None:
            return None
        if low is not None:
            begin = max(begin, low)
        if high is not None:
            end = min(end, high + size)
        return (begin, end) if begin < end else within
