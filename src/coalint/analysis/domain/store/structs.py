"""Values of structs: their parts, and selections between values of any kind."""

from __future__ import annotations

from coalint.analysis.domain.algebra.atoms import AtomKind, Level, Poly
from coalint.analysis.domain.algebra.polynomial import Polynomial
from coalint.analysis.domain.store.contents import Outside
from coalint.analysis.domain.store.extents import WHOLE, aligned, cut, is_occupied
from coalint.analysis.domain.store.scalars import scalar
from coalint.analysis.domain.values import (
    NO_FUNCTION,
    NOT_FOLLOWED,
    NULL,
    Address,
    AggregateValue,
    Base,
    Cell,
    Closure,
    FunctionValue,
    PointerSelect,
    Region,
    Value,
    replace_base,
)
from coalint.core import ir
from coalint.core.facts.access import Memory

UNNAMED = "a variable"


class Structs(Outside):
    """Parts of struct values, and `condition ? a : b` for values of any kind."""

    def piece(self, blob: AggregateValue, at: int, type_: ir.Type, name: str) -> Value:
        """Return the part of a struct value at a byte offset."""
        cell = blob.cells.get(at)
        if not isinstance(type_, ir.Record | ir.Array):
            cell = scalar(self, blob.cells, at, type_, name)
        if cell is not None and (cell.size == type_.size or not isinstance(type_, ir.Record | ir.Array)):
            return cell.value
        if isinstance(type_, ir.Record | ir.Array):
            parts = cut(blob.cells, at, type_.size)
            inside = {o - at: c for o, c in parts.items() if at <= o < at + type_.size}
            return AggregateValue(inside, blob.rest, blob.shift + at)
        for start, other in blob.cells.items():
            if start <= at < start + other.size and isinstance(other.value, AggregateValue):
                return self.piece(other.value, at - start, type_, name)
        if blob.rest is None:
            return self.unknown(type_, name, Level.DIVERGENT, f"`{name}` is read before it is given a value")
        return self._out_of(blob, at, type_, name)

    def _undivided(self, cells: dict[int, Cell], span: tuple[int, int] | None) -> tuple[int, AggregateValue] | None:
        """Return the struct or array, and where it begins, that an unknown offset stays in.

        None where parts are known.
        """
        met = {at: cell for at, cell in cells.items() if span is None or at == WHOLE or is_occupied({at: cell}, span)}
        if len(met) != 1:
            return None
        ((start, cell),) = met.items()
        blob = cell.value
        if start == WHOLE or not isinstance(blob, AggregateValue) or blob.rest is None:
            return None
        low, high = (0, cell.size) if span is None else (span[0] - start, span[1] - start)
        apart = not is_occupied(blob.cells, (low, high)) and low >= 0 and high <= cell.size
        return (start, blob) if apart else None

    def _out_of(self, blob: AggregateValue, at: int | Poly, type_: ir.Type, name: str) -> Value:
        """Return the part of a struct value at a byte offset, where nothing is known of the part but of the whole."""
        assert blob.rest is not None
        whole = isinstance(type_, ir.Record | ir.Array)
        if self.algebra.number(blob.rest) == 0:
            if isinstance(type_, ir.Pointer):
                return Address(NULL, self.algebra.zero)
            if whole:
                return AggregateValue({}, blob.rest)
            return self.floating(Level.UNIFORM) if isinstance(type_, ir.Floating) else self.algebra.zero
        level = self.algebra.level(blob.rest)
        if not isinstance(at, int):
            level = max(level, self.algebra.level(at))
        if isinstance(type_, ir.Floating):
            return self.floating(level)
        source = self.algebra.atoms_of(blob.rest)
        kind = source[0].kind if len(source) == 1 else AtomKind.OPAQUE
        key = ("piece", blob.rest, at + blob.shift)
        if isinstance(type_, ir.Pointer):
            if len(source) == 1 and kind is AtomKind.OPAQUE:
                reason = source[0].reason or "a pointer that could not be followed"
                lost = Base(Region.UNKNOWN, Memory(name, type_.pointee.size), Level.DIVERGENT, reason)
                return Address(lost, self.algebra.zero)
            return self.pointer(name, type_, level, key)
        if kind is AtomKind.LOAD:
            operands = source[0].operands if isinstance(at, int) else (*source[0].operands, at)
            part = self.algebra.atom(AtomKind.LOAD, name, level, key=(*key, type_.size), operands=operands)
        elif kind is AtomKind.UNIFORM:
            part = self.algebra.atom(AtomKind.UNIFORM, name, level, key=(*key, type_.size))
        else:
            reason = source[0].reason if source else ""
            part = self.algebra.atom(AtomKind.OPAQUE, name, level, key=(*key, type_.size), reason=reason)
        return AggregateValue({}, part) if whole else part

    def _piece_like(self, blob: AggregateValue, at: int, like: Cell, name: str = UNNAMED) -> Value:
        """Return the part of a struct value at a byte offset, as a value such as `like`.

        Called as the whole if not `name`.
        """
        source = () if blob.rest is None or name != UNNAMED else self.algebra.atoms_of(blob.rest)
        return self.piece(blob, at, self._type_like(like), source[0].name if source else name)

    def _type_like(self, like: Cell) -> ir.Type:
        """Return a type of the kind and size of what stands in a cell."""
        if isinstance(like.value, AggregateValue):
            return ir.Record("struct", like.size, 1)
        if isinstance(like.value, Address | PointerSelect):
            return ir.Pointer(ir.Other("?", 1))
        is_float = isinstance(like.value, Polynomial) and self.is_float(like.value)
        return ir.Floating(like.size) if is_float else ir.Integer(8 * like.size, True)

    def select(self, condition: Poly, a: Value, b: Value) -> Value:
        """Return condition ? a : b for values of any kind."""
        if a is b or a == b:
            return a
        known = self.algebra.number(condition)
        if known is not None:
            return a if known else b
        if isinstance(a, Address) and isinstance(b, Address):
            if a.base is b.base:
                return Address(a.base, self.algebra.select(condition, a.offset, b.offset))
            return PointerSelect(condition, a, b)
        if isinstance(a, Address | PointerSelect) and isinstance(b, Address | PointerSelect):
            return PointerSelect(condition, a, b)
        level = max(self.algebra.level(condition), self.level(a), self.level(b))
        if isinstance(a, AggregateValue) and isinstance(b, AggregateValue):
            return self._select_struct(condition, a, b, level)
        if isinstance(a, FunctionValue) or isinstance(b, FunctionValue):
            a, b = self._or_no_function(a), self._or_no_function(b)
        if isinstance(a, FunctionValue) and isinstance(b, FunctionValue):
            first = tuple((self.algebra.both(condition, c), function) for c, function in a.unless)
            return FunctionValue(b.function, (*first, (condition, a.function), *b.unless))
        if isinstance(a, Address | PointerSelect) or isinstance(b, Address | PointerSelect):
            return PointerSelect(condition, self._pointer_of(a), self._pointer_of(b))
        if not (isinstance(a, Polynomial) and isinstance(b, Polynomial)):
            reason = "which function is called is not known" if isinstance(a, Closure | FunctionValue) else ""
            return self.algebra.opaque("value", level if not reason else Level.DIVERGENT, reason)
        if self.is_float(a) or self.is_float(b):
            return self.floating(level, reason=self._doubt_of_choice(condition, a, b))
        return self.algebra.select(condition, a, b)

    def _chosen(self, condition: Poly, a: Cell, b: Cell, name: str = UNNAMED) -> Value:
        """Return condition ? a : b for what stands at one place."""
        if isinstance(a.value, AggregateValue) and not isinstance(b.value, AggregateValue):
            return self.select(condition, self._piece_like(a.value, 0, b, name), b.value)
        if isinstance(b.value, AggregateValue) and not isinstance(a.value, AggregateValue):
            return self.select(condition, a.value, self._piece_like(b.value, 0, a, name))
        return self.select(condition, a.value, b.value)

    def _doubt_of_choice(self, condition: Poly, *sides: Value) -> str:
        """Return why threads may have alike what a condition chooses; empty where some surely differ."""
        differing = [side for side in sides if self.level(side) is not Level.UNIFORM]
        return self.doubt(differing or [condition])

    def _or_no_function(self, value: Value) -> Value:
        """Return a value beside a function as a function where it is a null pointer."""
        is_null = isinstance(value, Address) and value.base is NULL
        is_zero = isinstance(value, Polynomial) and self.algebra.number(value) == 0
        return FunctionValue(NO_FUNCTION) if is_null or is_zero else value

    def _pointer_of(self, value: Value) -> Address | PointerSelect:
        """Return a value as a pointer: what is none leads to a place that is not followed."""
        if isinstance(value, Address | PointerSelect):
            return value
        if isinstance(value, Polynomial) and self.algebra.number(value) == 0:
            return Address(NULL, self.algebra.zero)
        return Address(replace_base(NOT_FOLLOWED, self.level(value), NOT_FOLLOWED.reason), self.algebra.zero)

    def _select_struct(self, condition: Poly, a: AggregateValue, b: AggregateValue, level: Level) -> AggregateValue:
        """Return condition ? a : b for structs: member by member, as far as they are known."""
        same = a.rest == b.rest and a.shift == b.shift
        rests = [rest for rest in (a.rest, b.rest) if rest is not None]
        rest = a.rest if same else self.algebra.opaque("struct", level, self._doubt_of_choice(condition, *rests))
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
        return AggregateValue(cells, rest, a.shift if same else 0)
