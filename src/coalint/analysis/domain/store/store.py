"""The variables of a thread: storages of cells, read, written, joined after branches."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.atoms import Kind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.contents import Outside
from coalint.analysis.domain.store.elements import in_steps, one_of
from coalint.analysis.domain.store.extents import WHOLE, aligned, cut, gaps
from coalint.analysis.domain.store.part_names import Parts
from coalint.analysis.domain.store.scalars import overlapping, scalar
from coalint.analysis.domain.values import (
    NOT_FOLLOWED,
    NULL,
    Address,
    Base,
    Blob,
    Cell,
    Cells,
    Choice,
    Closure,
    Definition,
    FunctionValue,
    Region,
    Value,
    replace_base,
)
from coalint.core import ir
from coalint.core.facts.access import Memory

UNNAMED = "a variable"


class Store(Outside):
    """All local storages of one evaluation. `cells` maps storage number and byte offset to what stands there."""

    def __init__(self, algebra: Algebra, parts: Parts) -> None:
        super().__init__(algebra)
        self.parts = parts
        self.cells: Cells = {}
        self.parameters: dict[int, str] = {}
        self.variables: dict[int, ir.Variable] = {}  # what the storages are in the source
        self._next = 0

    def new(self) -> int:
        """A fresh storage without contents."""
        self._next += 1
        self.cells[self._next] = {}
        return self._next

    @property
    def newest(self) -> int:
        """The number of the storage that was made last."""
        return self._next

    def called(self, storage: int, at: int, cell: Cell) -> str:
        """What stands at a byte offset of a storage, in the words of the source; `UNNAMED` for what has no name."""
        variable = self.variables.get(storage)
        if variable is None:
            return self.parameters.get(storage, UNNAMED)
        return variable.name + self.parts.path(variable.type, at, cell.size, struct=isinstance(cell.value, Blob))

    # --- reading

    def read(
        self, storage: int, offset: Poly, type_: ir.Type, name: str, within: tuple[int, int] | None = None
    ) -> tuple[Value, Definition | None]:
        """What stands at `offset` bytes of a storage (in the bytes `within`), as a value of `type_`."""
        cells = self.cells.get(storage, {})
        at = self.algebra.number(offset)
        if at is None:
            span = self._span(offset, type_.size, within)
            if storage in self.parameters and not _meets(cells, span):
                return self._parameter(storage, offset, type_, name), None
            undivided = self._undivided(cells, span)
            if undivided is not None:
                start, blob = undivided
                return self._out_of(blob, offset - start, type_, name), cells[start].definition
            element = in_steps(self, cells, offset, type_) or one_of(self, cells, offset, type_)
            if element is not None:
                return element, next((cell.definition for cell in cells.values() if cell.definition), None)
            levels = [self.level(cell.value) for cell in cells.values()] + [self.algebra.level(offset)]
            return self.unknown(type_, name, max(levels), ""), None
        cell = cells.get(at)
        if isinstance(type_, ir.Record | ir.Array) and type_.size:
            if cell is not None and cell.size == type_.size:
                return cell.value, cell.definition
            parts = cut(cells, at, type_.size)
            inside = {o - at: c for o, c in parts.items() if at <= o < at + type_.size}
            rest = self._rest(storage, cells, offset, type_, name)
            return Blob(inside, rest), next((c.definition for c in inside.values() if c.definition), None)
        found = scalar(self, cells, at, type_, name)
        if found is not None:
            return found.value, found.definition
        for start, other in cells.items():
            if start != WHOLE and start <= at < start + other.size and isinstance(other.value, Blob):
                return self.piece(other.value, at - start, type_, name), other.definition
        anywhere = cells.get(WHOLE)
        if anywhere is not None:
            rest = self._rest(storage, cells, offset, type_, name)
            return self.piece(Blob({}, rest), at, type_, name), anywhere.definition
        if storage in self.parameters:
            return self._parameter(storage, offset, type_, name), None
        return self.unknown(type_, name, Level.DIVERGENT, f"`{name}` is read before it is given a value"), None

    def _rest(self, storage: int, cells: dict[int, Cell], offset: Poly, type_: ir.Type, name: str) -> Poly | None:
        whole = cells.get(WHOLE)
        if whole is None and storage in self.parameters:
            return self.algebra.atom(Kind.UNIFORM, name, Level.UNIFORM, key=("parameter", storage, offset, type_.size))
        if whole is None:
            return None
        if isinstance(whole.value, Polynomial):
            return whole.value
        return self.algebra.opaque(name, self.level(whole.value), "element of a local array")

    def release(self, newest: int, kept: Container[int]) -> None:
        """End the variables that were made after the one of that number, but for those `kept`."""
        if self._next - newest < len(self.cells):
            for storage in range(newest + 1, self._next + 1):
                if storage not in kept:
                    self.cells.pop(storage, None)
        else:
            self.cells = {n: cells for n, cells in self.cells.items() if n <= newest or n in kept}

    def piece(self, blob: Blob, at: int, type_: ir.Type, name: str) -> Value:
        """The part of a struct value at a byte offset."""
        cell = blob.cells.get(at)
        if not isinstance(type_, ir.Record | ir.Array):
            cell = scalar(self, blob.cells, at, type_, name)
        if cell is not None and (cell.size == type_.size or not isinstance(type_, ir.Record | ir.Array)):
            return cell.value
        if isinstance(type_, ir.Record | ir.Array):
            parts = cut(blob.cells, at, type_.size)
            inside = {o - at: c for o, c in parts.items() if at <= o < at + type_.size}
            return Blob(inside, blob.rest, blob.shift + at)
        for start, other in blob.cells.items():
            if start <= at < start + other.size and isinstance(other.value, Blob):
                return self.piece(other.value, at - start, type_, name)
        if blob.rest is None:
            return self.unknown(type_, name, Level.DIVERGENT, f"`{name}` is read before it is given a value")
        return self._out_of(blob, at, type_, name)

    def _undivided(self, cells: dict[int, Cell], span: tuple[int, int] | None) -> tuple[int, Blob] | None:
        """The struct or array, and where it begins, that an unknown offset stays in; None where parts are known."""
        met = {at: cell for at, cell in cells.items() if span is None or at == WHOLE or _meets({at: cell}, span)}
        if len(met) != 1:
            return None
        ((start, cell),) = met.items()
        blob = cell.value
        if start == WHOLE or not isinstance(blob, Blob) or blob.rest is None:
            return None
        low, high = (0, cell.size) if span is None else (span[0] - start, span[1] - start)
        apart = not _meets(blob.cells, (low, high)) and low >= 0 and high <= cell.size
        return (start, blob) if apart else None

    def _out_of(self, blob: Blob, at: int | Poly, type_: ir.Type, name: str) -> Value:
        """The part of a struct value at a byte offset, where nothing is known of the part but of the whole."""
        assert blob.rest is not None
        whole = isinstance(type_, ir.Record | ir.Array)
        if self.algebra.number(blob.rest) == 0:
            if isinstance(type_, ir.Pointer):
                return Address(NULL, self.algebra.zero)
            if whole:
                return Blob({}, blob.rest)
            return self.floating(Level.UNIFORM) if isinstance(type_, ir.Floating) else self.algebra.zero
        level = self.algebra.level(blob.rest)
        if not isinstance(at, int):
            level = max(level, self.algebra.level(at))
        if isinstance(type_, ir.Floating):
            return self.floating(level)
        source = self.algebra.atoms_of(blob.rest)
        kind = source[0].kind if len(source) == 1 else Kind.OPAQUE
        key = ("piece", blob.rest, at + blob.shift)
        if isinstance(type_, ir.Pointer):
            if len(source) == 1 and kind is Kind.OPAQUE:
                reason = source[0].reason or "a pointer that could not be followed"
                lost = Base(Region.UNKNOWN, Memory(name, type_.pointee.size), Level.DIVERGENT, reason)
                return Address(lost, self.algebra.zero)
            return self.pointer(name, type_, level, key)
        if kind is Kind.LOAD:
            operands = source[0].operands if isinstance(at, int) else (*source[0].operands, at)
            part = self.algebra.atom(Kind.LOAD, name, level, key=(*key, type_.size), operands=operands)
        elif kind is Kind.UNIFORM:
            part = self.algebra.atom(Kind.UNIFORM, name, level, key=(*key, type_.size))
        else:
            reason = source[0].reason if source else ""
            part = self.algebra.atom(Kind.OPAQUE, name, level, key=(*key, type_.size), reason=reason)
        return Blob({}, part) if whole else part

    # --- writing

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
        if storage in self.parameters and isinstance(like.value, Blob):
            self._fill(storage, at, like.size)
        cell = self.standing(storage, self.cells.get(storage, {}), at, like)
        if cell is not None:
            self.write(storage, self.algebra.constant(at), like.size, cell.value, cell.definition)

    def _fill(self, storage: int, at: int, size: int) -> None:
        """Put what a parameter was given where nothing has been written in these bytes."""
        cells = self.cells.get(storage, {})
        for low, high in gaps(cells, at, size):
            given = self.standing(storage, {}, low, Cell(high - low, Blob({})))
            cells = {**cells, low: given} if given is not None else cells
        self.cells[storage] = cells

    def keep_given(self, storage: int, offset: Poly, type_: ir.Type) -> None:
        """Remember what a parameter holds where it is about to be written: another branch may leave it as it is."""
        at = self.algebra.number(offset)
        cells = self.cells.get(storage, {})
        if at is not None and not cells.keys() & {at, WHOLE} and (storage, at) not in self._given:
            like = Cell(type_.size, Blob({}) if isinstance(type_, ir.Record | ir.Array) else self.algebra.zero)
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
            elif start != at and not isinstance(other.value, Blob) and not at <= start:
                level = max(self.level(other.value), self.level(value))
                name = self.called(storage, start, other)
                kept[start] = Cell(other.size, self.algebra.opaque(name, level, "it is written in parts"))
        if isinstance(value, Blob) and value.rest is None:
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
            apart = {at: cell for at, cell in cells.items() if not _meets({at: cell}, span) or at == WHOLE}
        levels = [self.level(cell.value) for at, cell in cells.items() if at not in apart]
        levels += [self.level(value), self.algebra.level(offset)]
        unknown = self.algebra.opaque("element of a local array", max(levels), "")
        if span is None or not (apart or storage in self.parameters):
            self.cells[storage] = {WHOLE: Cell(size, unknown, definition)}
        else:
            apart[span[0]] = Cell(span[1] - span[0], Blob({}, unknown), definition)
            self.cells[storage] = apart

    def _span(self, offset: Poly, size: int, within: tuple[int, int] | None) -> tuple[int, int] | None:
        """The bytes (begin and end) that an unknown offset leads to; None where these may be any."""
        low, high = self.algebra.close_range(offset)
        begin, end = within if within is not None else (low, None if high is None else high + size)
        if begin is None or end is None:
            return None
        if low is not None:
            begin = max(begin, low)
        if high is not None:
            end = min(end, high + size)
        return (begin, end) if begin < end else within

    def standing(self, storage: int, cells: Mapping[int, Cell], at: int, like: Cell) -> Cell | None:
        """What stands at a byte offset, as a value such as `like`; None where nothing was written."""
        found = cells.get(at)
        whole = isinstance(like.value, Blob)
        if found is not None and isinstance(found.value, Blob) is whole and (found.size == like.size or not whole):
            return found
        if whole:
            parts = {o - at: c for o, c in cut(cells, at, like.size).items() if at <= o < at + like.size}
            if parts:
                return Cell(like.size, Blob(parts))
        for start, other in cells.items():
            if start != WHOLE and start <= at < start + other.size and isinstance(other.value, Blob):
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
        return Cell(like.size, self._piece_like(Blob({}, rest), at, like, name), anywhere.definition)

    def _piece_like(self, blob: Blob, at: int, like: Cell, name: str = UNNAMED) -> Value:
        """The part of a struct value at a byte offset, as a value such as `like`; called as the whole if not `name`."""
        source = () if blob.rest is None or name != UNNAMED else self.algebra.atoms_of(blob.rest)
        return self.piece(blob, at, self._type_like(like), source[0].name if source else name)

    def _type_like(self, like: Cell) -> ir.Type:
        """A type of the kind and size of what stands in a cell."""
        if isinstance(like.value, Blob):
            return ir.Record("struct", like.size, 1)
        if isinstance(like.value, Address | Choice):
            return ir.Pointer(ir.Other("?", 1))
        is_float = isinstance(like.value, Polynomial) and self.is_float(like.value)
        return ir.Floating(like.size) if is_float else ir.Integer(8 * like.size, True)

    # --- joining

    def snapshot(self) -> Cells:
        """The contents as they are; later writes do not change the snapshot."""
        return dict(self.cells)

    def merge(self, condition: Poly, then: Cells, otherwise: Cells, chosen: Definition | None = None) -> Cells:
        """The contents after a branch: where the sides differ, a selection by the condition, as `chosen` says."""
        merged = dict(otherwise)
        for storage, mine in then.items():
            theirs = otherwise.get(storage)
            if theirs is mine:
                continue
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
                elif a.size != b.size and not isinstance(a.value, Blob) and not isinstance(b.value, Blob):
                    level = max(self.algebra.level(condition), self.level(a.value), self.level(b.value))
                    unknown = self.algebra.opaque("a variable", level, "it is written in parts")
                    joined[offset] = Cell(max(a.size, b.size), unknown, a.definition or b.definition)
                else:
                    definition = a.definition or b.definition or chosen
                    name = self.called(storage, offset, a if isinstance(b.value, Blob) else b)
                    joined[offset] = Cell(a.size, self._chosen(condition, a, b, name), definition)
            merged[storage] = joined
        return merged

    def _chosen(self, condition: Poly, a: Cell, b: Cell, name: str = UNNAMED) -> Value:
        """condition ? a : b for what stands at one place."""
        if isinstance(a.value, Blob) and not isinstance(b.value, Blob):
            return self.select(condition, self._piece_like(a.value, 0, b, name), b.value)
        if isinstance(b.value, Blob) and not isinstance(a.value, Blob):
            return self.select(condition, a.value, self._piece_like(b.value, 0, a, name))
        return self.select(condition, a.value, b.value)

    def blur(self, a: Cells, b: Cells, leaving: Level) -> Cells:
        """The contents where it is not known which of two sides a thread comes from, by conditions of a level."""
        blurred = dict(b)
        for storage, mine in a.items():
            theirs = b.get(storage, {})
            if theirs is mine:
                continue
            mine, theirs = aligned(mine, theirs)
            blurred[storage] = {**mine, **theirs}
            for offset in {**mine, **theirs}:
                x, y = mine.get(offset), theirs.get(offset)
                if x is None or y is None or (x is not y and x.value != y.value):
                    cell = y or x
                    assert cell is not None
                    level = max(leaving, *(self.level(side.value) for side in (x, y) if side is not None))
                    name = self.called(storage, offset, cell)
                    unknown = self.algebra.opaque(name, level, f"`{name}` after a loop is not followed")
                    value = Blob({}, unknown) if isinstance(cell.value, Blob) else unknown
                    blurred[storage][offset] = Cell(cell.size, value, cell.definition)
        return blurred

    def select(self, condition: Poly, a: Value, b: Value) -> Value:
        """condition ? a : b for values of any kind."""
        if a is b or a == b:
            return a
        known = self.algebra.number(condition)
        if known is not None:
            return a if known else b
        if isinstance(a, Address) and isinstance(b, Address):
            if a.base is b.base:
                return Address(a.base, self.algebra.select(condition, a.offset, b.offset))
            return Choice(condition, a, b)
        if isinstance(a, Address | Choice) and isinstance(b, Address | Choice):
            return Choice(condition, a, b)
        level = max(self.algebra.level(condition), self.level(a), self.level(b))
        if isinstance(a, Blob) and isinstance(b, Blob):
            return self._select_struct(condition, a, b, level)
        if isinstance(a, FunctionValue) and isinstance(b, FunctionValue):
            first = tuple((self.algebra.both(condition, c), function) for c, function in a.unless)
            return FunctionValue(b.function, (*first, (condition, a.function), *b.unless))
        if isinstance(a, Address | Choice) or isinstance(b, Address | Choice):
            return Choice(condition, self._pointer_of(a), self._pointer_of(b))
        if not (isinstance(a, Polynomial) and isinstance(b, Polynomial)):
            reason = "which function is called is not known" if isinstance(a, Closure | FunctionValue) else ""
            return self.algebra.opaque("value", level if not reason else Level.DIVERGENT, reason)
        if self.is_float(a) or self.is_float(b):
            return self.floating(level)
        return self.algebra.select(condition, a, b)

    def _pointer_of(self, value: Value) -> Address | Choice:
        """A value as a pointer: what is none leads to a place that is not followed."""
        if isinstance(value, Address | Choice):
            return value
        if isinstance(value, Polynomial) and self.algebra.number(value) == 0:
            return Address(NULL, self.algebra.zero)
        return Address(replace_base(NOT_FOLLOWED, self.level(value), NOT_FOLLOWED.reason), self.algebra.zero)

    def _select_struct(self, condition: Poly, a: Blob, b: Blob, level: Level) -> Blob:
        """condition ? a : b for structs: member by member, as far as they are known."""
        same = a.rest == b.rest and a.shift == b.shift
        rest = a.rest if same else self.algebra.opaque("struct", level, "")
        mine, theirs = aligned(dict(a.cells), dict(b.cells))
        cells: dict[int, Cell] = {}
        for offset in {**mine, **theirs}:
            x, y = mine.get(offset), theirs.get(offset)
            if x is None and y is not None and a.rest is not None:
                x = Cell(y.size, self._piece_like(a, offset, y))
            elif y is None and x is not None and b.rest is not None:
                y = Cell(x.size, self._piece_like(b, offset, x))
            if x is not None and y is not None:
                cells[offset] = Cell(x.size, self._chosen(condition, x, y), x.definition or y.definition)
        return Blob(cells, rest, a.shift if same else 0)


def _meets(cells: Mapping[int, Cell], span: tuple[int, int] | None) -> bool:
    """Whether something stands in these bytes (None: anywhere)."""
    if span is None:
        return bool(cells)
    return any(at == WHOLE or (at < span[1] and at + cell.size > span[0]) for at, cell in cells.items())
