"""The variables of a thread: storages of cells, read, written, joined after branches."""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import islice, pairwise

from coalint import ir
from coalint.analysis.access import Memory
from coalint.analysis.atoms import Kind, Level, Poly
from coalint.analysis.polynomial import Polynomial
from coalint.analysis.symbolic import Algebra
from coalint.analysis.values import (
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
)

MAX_CHOICES = 4  # elements of a local array that a selection by the index names
WHOLE = -1  # the cell offset that stands for "anywhere in this storage"


class Store:
    """All local storages of one evaluation. `cells` maps storage number and byte offset to what stands there."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.cells: Cells = {}
        self.parameters: dict[int, str] = {}
        self._given: dict[tuple[int, int], Cell] = {}  # what stood in parameters before something was written there
        self._next = 0
        self._pointers: dict[object, Address] = {}
        self.float_uniform: Poly = algebra.opaque("floating point", Level.UNIFORM, "")
        self.float_divergent: Poly = algebra.opaque("floating point", Level.DIVERGENT, "")
        self.float_loaded: Poly = algebra.opaque("floating point", Level.LOADED, "")
        self.floats = {
            Level.UNIFORM: self.float_uniform,
            Level.DIVERGENT: self.float_divergent,
            Level.LOADED: self.float_loaded,
            Level.EXCHANGED: algebra.opaque("floating point", Level.EXCHANGED, ""),
        }

    def new(self) -> int:
        """A fresh storage without contents."""
        self._next += 1
        self.cells[self._next] = {}
        return self._next

    @property
    def newest(self) -> int:
        """The number of the storage that was made last."""
        return self._next

    @property
    def pointer_count(self) -> int:
        """How many pointers from outside are known, for `forget_since`."""
        return len(self._pointers)

    def floating(self, level: Level) -> Poly:
        """A floating-point value, of which only the level is followed."""
        return self.floats[level]

    def is_float(self, value: Poly) -> bool:
        """Whether a value is one of the stand-ins for floating point."""
        return value in self.floats.values()

    # --- levels and stand-ins

    def level(self, value: Value | None) -> Level:
        """Whether a value is the same for all threads of the block."""
        if value is None:
            return Level.UNIFORM
        if isinstance(value, Address):
            return max(value.base.level, self.algebra.level(value.offset))
        if isinstance(value, Choice):
            return max(self.algebra.level(value.condition), self.level(value.then), self.level(value.otherwise))
        if isinstance(value, Blob):
            inside = max((self.level(cell.value) for cell in value.cells.values()), default=Level.UNIFORM)
            return inside if value.rest is None else max(inside, self.algebra.level(value.rest))
        if isinstance(value, Closure | FunctionValue):
            return Level.UNIFORM
        return self.algebra.level(value)

    def unknown(self, type_: ir.Type, name: str, level: Level, reason: str) -> Value:
        """A value of a type of which only the level is known."""
        if isinstance(type_, ir.Floating) and not reason:
            return self.floating(level)
        poly = self.algebra.opaque(name, level, reason)
        if isinstance(type_, ir.Record | ir.Array):
            return Blob({}, poly)
        return poly

    # --- reading

    def read(self, storage: int, offset: Poly, type_: ir.Type, name: str) -> tuple[Value, Definition | None]:
        """What stands at `offset` bytes of a storage, as a value of `type_`."""
        cells = self.cells.get(storage, {})
        at = self.algebra.number(offset)
        if at is None:
            levels = [self.level(cell.value) for cell in cells.values()] + [self.algebra.level(offset)]
            if storage in self.parameters:
                return self._parameter(storage, offset, type_, name), None
            element = self._in_steps(cells, offset) or self._one_of(cells, offset)
            if element is not None:
                return element, next((cell.definition for cell in cells.values() if cell.definition), None)
            return self.unknown(type_, name, max(levels), ""), None
        cell = cells.get(at)
        if isinstance(type_, ir.Record | ir.Array) and type_.size:
            if cell is not None and cell.size == type_.size:
                return cell.value, cell.definition
            inside = {o - at: c for o, c in cells.items() if at <= o < at + type_.size}
            rest = self._rest(storage, cells, offset, type_, name)
            return Blob(inside, rest), next((c.definition for c in inside.values() if c.definition), None)
        if cell is not None and not isinstance(cell.value, Blob):
            return cell.value, cell.definition
        for start, other in cells.items():
            if start != WHOLE and start <= at < start + other.size and isinstance(other.value, Blob):
                return self.piece(other.value, at - start, type_, name), other.definition
        if storage in self.parameters:
            return self._parameter(storage, offset, type_, name), None
        anywhere = cells.get(WHOLE)
        if anywhere is not None:
            rest = self._rest(storage, cells, offset, type_, name)
            return self.piece(Blob({}, rest), at, type_, name), anywhere.definition
        return self.unknown(type_, name, Level.DIVERGENT, f"`{name}` is read before it is given a value"), None

    def _in_steps(self, cells: dict[int, Cell], offset: Poly) -> Value | None:
        """An element of an array whose elements rise in equal steps: the first plus that many steps."""
        low, high = self.algebra.close_range(offset)
        if low is None or high is None or len(cells) < 2 or WHOLE in cells:
            return None
        size = cells[min(cells)].size
        places = range(low, high + 1, size)
        if any(at not in cells or cells[at].size != size for at in places) or len(places) < 2 or (high - low) % size:
            return None
        index = self.algebra.divide(offset - low, self.algebra.constant(size))
        values = [cells[at].value for at in places]
        first = values[0]
        pointers = [value for value in values if isinstance(value, Address)]
        if isinstance(first, Address) and all(pointer.base is first.base for pointer in pointers):
            numbers: list[Poly] = [pointer.offset for pointer in pointers]
        else:
            numbers = [v for v in values if isinstance(v, Polynomial) and not self.is_float(v)]
        if len(numbers) < len(values) or len({after - before for before, after in pairwise(numbers)}) > 1:
            return None
        number = numbers[0] + (numbers[1] - numbers[0]) * index
        return Address(first.base, number) if isinstance(first, Address) else number

    def _one_of(self, cells: dict[int, Cell], offset: Poly) -> Value | None:
        """An element of an array of which all are known: numbers as a table, few others as a selection."""
        low, high = self.algebra.close_range(offset)
        if low is None or high is None or len(cells) < 2 or WHOLE in cells:
            return None
        size = cells[min(cells)].size
        places = range(low, high + 1, size)
        if any(at not in cells or cells[at].size != size for at in places) or len(places) < 2 or (high - low) % size:
            return None
        index = self.algebra.divide(offset - low, self.algebra.constant(size))
        values = [cells[at].value for at in places]
        numbers = [self.algebra.number(v) if isinstance(v, Polynomial) else None for v in values]
        known = tuple(number for number in numbers if number is not None)
        if len(known) == len(values):
            facts = {"operands": (index,), "values": known, "low": min(known), "high": max(known)}
            level = self.algebra.level(offset)
            return self.algebra.atom(Kind.TABLE, "element", level, key=("table", index, known), **facts)
        if len(values) > MAX_CHOICES or any(isinstance(v, Blob) or v in self.floats.values() for v in values):
            return None
        chosen = values[-1]
        for position, value in enumerate(values[:-1]):
            here = self.algebra.compare("==", index, self.algebra.constant(position))
            chosen = self.select(here, value, chosen)
        return chosen

    def _rest(self, storage: int, cells: dict[int, Cell], offset: Poly, type_: ir.Type, name: str) -> Poly | None:
        if storage in self.parameters:
            return self.algebra.atom(Kind.UNIFORM, name, Level.UNIFORM, key=("parameter", storage, offset, type_.size))
        whole = cells.get(WHOLE)
        if whole is None:
            return None
        if isinstance(whole.value, Polynomial):
            return whole.value
        return self.algebra.opaque(name, self.level(whole.value), "element of a local array")

    def _parameter(self, storage: int, offset: Poly, type_: ir.Type, name: str) -> Value:
        """A part of a by-value parameter that nothing has written: one unknown for the whole grid."""
        level = self.algebra.level(offset)
        key = ("parameter", storage, offset)
        if isinstance(type_, ir.Pointer):
            return self.pointer(name, type_, level, key)
        if isinstance(type_, ir.Record | ir.Array):
            return Blob({}, self.algebra.atom(Kind.UNIFORM, name, level, key=(*key, type_.size)))
        if isinstance(type_, ir.Floating):
            return self.floating(level)
        low = 0 if isinstance(type_, ir.Integer) and not type_.signed else None
        high = 1 if isinstance(type_, ir.Integer) and type_.bits == 1 else None
        return self.algebra.atom(Kind.UNIFORM, name, level, key=key, low=low, high=high)

    def pointer(self, name: str, type_: ir.Type, level: Level, key: object, reason: str = "") -> Address:
        """A pointer that came from outside (a parameter, a field of one): the same key gives the same base."""
        found = self._pointers.get(key)
        if found is None:
            element = type_.pointee.size if isinstance(type_, ir.Pointer) else 1
            base = Base(Region.GLOBAL, Memory(name, element), level, reason, data_dependent=level is not Level.UNIFORM)
            found = self._pointers[key] = Address(base, self.algebra.zero)
        return found

    def pointers_known(self) -> frozenset[object]:
        """The pointers so far, for `forget_pointers`."""
        return frozenset(self._pointers)

    def forget_pointers(self, kept: frozenset[object]) -> None:
        """Drop the pointers that only a dry run has seen."""
        self._pointers = {key: address for key, address in self._pointers.items() if key in kept}

    def release(self, newest: int, kept: Container[int]) -> None:
        """End the variables that were made after the one of that number, but for those `kept`."""
        if self._next - newest < len(self.cells):
            for storage in range(newest + 1, self._next + 1):
                if storage not in kept:
                    self.cells.pop(storage, None)
        else:
            self.cells = {n: cells for n, cells in self.cells.items() if n <= newest or n in kept}

    def forget_since(self, storage: int, pointers: int, kept: Container[int]) -> None:
        """Drop what is known of storages made later and not kept, and the pointers that were met later."""
        self._given = {at: cell for at, cell in self._given.items() if at[0] <= storage or at[0] in kept}
        self._pointers = dict(islice(self._pointers.items(), pointers))

    def given(self) -> Iterator[Value]:
        """What parameters held before something was written there."""
        return (cell.value for cell in self._given.values())

    def piece(self, blob: Blob, at: int, type_: ir.Type, name: str) -> Value:
        """The part of a struct value at a byte offset."""
        cell = blob.cells.get(at)
        if cell is not None and (cell.size == type_.size or not isinstance(type_, ir.Record | ir.Array)):
            return cell.value
        inside = {o - at: c for o, c in blob.cells.items() if at <= o < at + type_.size}
        if isinstance(type_, ir.Record | ir.Array):
            return Blob(inside, blob.rest)
        for start, other in blob.cells.items():
            if start <= at < start + other.size and isinstance(other.value, Blob):
                return self.piece(other.value, at - start, type_, name)
        if blob.rest is None:
            return self.unknown(type_, name, Level.DIVERGENT, f"`{name}` is read before it is given a value")
        if self.algebra.number(blob.rest) == 0:
            if isinstance(type_, ir.Pointer):
                return Address(NULL, self.algebra.zero)
            return self.floating(Level.UNIFORM) if isinstance(type_, ir.Floating) else self.algebra.zero
        level = self.algebra.level(blob.rest)
        if isinstance(type_, ir.Floating):
            return self.floating(level)
        source = self.algebra.atoms_of(blob.rest)
        if isinstance(type_, ir.Pointer):
            if len(source) == 1 and source[0].kind is Kind.OPAQUE:
                reason = source[0].reason or "a pointer that could not be followed"
                lost = Base(Region.UNKNOWN, Memory(name, type_.pointee.size), Level.DIVERGENT, reason)
                return Address(lost, self.algebra.zero)
            return self.pointer(name, type_, level, ("piece", blob.rest, at))
        if len(source) == 1 and source[0].kind is Kind.LOAD:
            return self.algebra.atom(
                Kind.LOAD, name, level, key=("piece", blob.rest, at, type_), operands=source[0].operands
            )
        if len(source) == 1 and source[0].kind is Kind.UNIFORM:
            return self.algebra.atom(Kind.UNIFORM, name, level, key=("piece", blob.rest, at, type_))
        reason = source[0].reason if source else ""
        return self.algebra.atom(Kind.OPAQUE, name, level, key=("piece", blob.rest, at, type_), reason=reason)

    # --- writing

    def keep_given(self, storage: int, offset: Poly, type_: ir.Type, name: str) -> None:
        """Remember what a parameter holds where it is about to be written: another branch may leave it as it is."""
        at = self.algebra.number(offset)
        cells = self.cells.get(storage, {})
        if at is not None and not cells.keys() & {at, WHOLE} and (storage, at) not in self._given:
            self._given[storage, at] = Cell(type_.size, self._parameter(storage, offset, type_, name))

    def write(self, storage: int, offset: Poly, size: int, value: Value, definition: Definition | None = None) -> None:
        """Store a value; a write at an unknown offset makes the whole storage unknown."""
        cells = self.cells.get(storage, {})
        at = self.algebra.number(offset)
        if at is None:
            levels = [self.level(c.value) for c in cells.values()] + [self.level(value), self.algebra.level(offset)]
            whole = self.algebra.opaque("element of a local array", max(levels), "")
            self.cells[storage] = {WHOLE: Cell(size, whole, definition)}
            return
        if isinstance(value, Blob):
            kept = {o: c for o, c in cells.items() if not at <= o < at + size}
            kept.update({at + o: Cell(c.size, c.value, c.definition or definition) for o, c in value.cells.items()})
            if value.rest is not None and at not in kept:
                kept[at] = Cell(size, value, definition)
            elif value.rest is not None:
                kept[WHOLE] = Cell(size, value.rest, definition)
            self.cells[storage] = kept
            return
        kept = dict(cells)
        for start, other in cells.items():
            if start != WHOLE and start <= at < start + other.size and isinstance(other.value, Blob):
                del kept[start]
                kept.update({start + o: c for o, c in other.value.cells.items()})
                if other.value.rest is not None:
                    kept[WHOLE] = Cell(other.size, other.value.rest, other.definition)
        kept[at] = Cell(size, value, definition)
        self.cells[storage] = kept

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
            joined: dict[int, Cell] = {}
            for offset in {**mine, **theirs}:
                given = self._given.get((storage, offset))
                a, b = mine.get(offset, given), theirs.get(offset, given)
                if a is None or b is None or a is b:
                    joined[offset] = a or b  # type: ignore[assignment]
                else:
                    definition = a.definition or b.definition or chosen
                    joined[offset] = Cell(a.size, self.select(condition, a.value, b.value), definition)
            merged[storage] = joined
        return merged

    def blur(self, a: Cells, b: Cells, leaving: Level) -> Cells:
        """The contents where it is not known which of two sides a thread comes from, by conditions of a level."""
        blurred = dict(b)
        for storage, mine in a.items():
            theirs = b.get(storage, {})
            if theirs is mine:
                continue
            blurred[storage] = {**mine, **theirs}
            for offset in {**mine, **theirs}:
                x, y = mine.get(offset), theirs.get(offset)
                if x is None or y is None or (x is not y and x.value != y.value):
                    cell = y or x
                    assert cell is not None
                    level = max(leaving, *(self.level(side.value) for side in (x, y) if side is not None))
                    value = self.algebra.opaque("a variable", level, "a variable after a loop is not followed")
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
            cells = {
                o: Cell(c.size, self.select(condition, c.value, b.cells[o].value), c.definition)
                for o, c in a.cells.items()
                if o in b.cells
            }
            complete = len(cells) == len(a.cells) == len(b.cells) and a.rest is None and b.rest is None
            return Blob(cells, None if complete else self.algebra.opaque("struct", level, ""))
        if isinstance(a, FunctionValue) and isinstance(b, FunctionValue):
            first = tuple((self.algebra.both(condition, c), function) for c, function in a.unless)
            return FunctionValue(b.function, (*first, (condition, a.function), *b.unless))
        structured = (Address, Choice, Blob, Closure, FunctionValue)
        if isinstance(a, structured) or isinstance(b, structured):
            if isinstance(a, Address | Choice | Closure | FunctionValue):
                return a
            return (
                b
                if isinstance(b, Address | Choice | Closure | FunctionValue)
                else self.algebra.opaque("value", level, "")
            )
        if self.is_float(a) or self.is_float(b):
            return self.floating(level)
        return self.algebra.select(condition, a, b)
