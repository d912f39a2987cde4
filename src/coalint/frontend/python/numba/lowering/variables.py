"""The local variables of a function: their types are found by lowering it until these do not change any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import cast

from coalint.core import ir
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.frontend.python.numba.lowering.build import NOTHING
from coalint.frontend.python.numba.lowering.components import parts, put_together, taken_apart, type_of
from coalint.frontend.python.numba.types import ArrayType, Scalar, Static, TupleType, Type, UnknownType, joined
from coalint.frontend.python.numba.values import Nothing, Number, TupleValue, Unknown, Value


@record
class Slot:
    """A variable as far as its assignments tell: the type of all it holds, whether that is ever below zero.

    `constants` are the numbers in it where the source says them and it is assigned but once; `components` are the
    variables of the IR.
    """

    name: str
    type: Type
    constants: tuple[int | float | None, ...] | None
    natural: tuple[bool, ...]
    components: tuple[ir.Variable, ...] = ()


@record
class Variables:
    """The variables of one function.

    Numba gives each assignment a variable of its own unless ways meet: so a name may hold an integer and later a
    floating-point number. `current` says which of its slots a name means at the statement at hand; `unified` are names
    for whose slots ways do meet.
    """

    key: str
    once: frozenset[str]
    storage: ir.Storage = ir.Storage.LOCAL
    slots: dict[tuple[str, str], Slot] = field(default_factory=dict)
    current: dict[str, Slot | Value] = field(default_factory=dict)
    unified: set[str] = field(default_factory=set)
    changed: bool = False

    def begin(self) -> None:
        """Start another pass over the function."""
        self.current = {}
        self.changed = False

    def assign(self, name: str, value: Value, span: Span) -> Iterator[ir.Expression]:
        """Yield the assignments by which a name takes a value."""
        type_ = type_of(value)
        if isinstance(type_, UnknownType) and not isinstance(value, Unknown):
            self.current[name] = value
            return
        slot = self._slot(name, type_, value)
        self.current[name] = slot
        for variable, e in zip(slot.components, taken_apart(value, slot.type, span), strict=True):
            yield ir.Assign(span, variable.type, None, ir.Name(span, variable.type, variable), e)

    def declare(self, name: str, type_: Type, span: Span, storage: ir.Storage) -> Slot:
        """Add a parameter."""
        if isinstance(type_, Static):
            self.current[name] = cast("Value", type_.value)
        natural = tuple(False for _ in parts(type_, name))
        slot = Slot(name, type_, None, natural, self._components(name, "", type_, span, storage))
        if not isinstance(type_, Static):
            self.slots[name, ""] = self.current[name] = slot
        return slot

    def read(self, name: str, span: Span) -> Value | None:
        """Return what a name holds; None where it holds nothing yet."""
        held = self.current.get(name)
        if not isinstance(held, Slot):
            return held
        expressions = (ir.Name(span, variable.type, variable) for variable in held.components)
        value = put_together(held.type, iter(expressions), span)
        return _known(value, iter(held.constants or ()), iter(held.natural))

    def meet(self, before: Mapping[str, Slot | Value], after: Mapping[str, Slot | Value]) -> None:
        """Join what names mean at the ends of two ways."""
        for name in before.keys() | after.keys():
            a, b = before.get(name), after.get(name)
            if a is None or b is None:
                only = b if a is None else a
                assert only is not None
                self.current[name] = only
            elif a is b:
                self.current[name] = a
            elif isinstance(a, Slot) and isinstance(b, Slot):
                self.unify(name)
                self.current[name] = b
            else:
                self.current[name] = a if a == b else Unknown(f"`{name}` has different meanings")

    def unify(self, name: str) -> None:
        """Use one slot for a name from the next pass on."""
        if name not in self.unified:
            self.unified.add(name)
            self.changed = True

    def declarations(self, span: Span) -> Iterator[ir.Statement]:
        """Yield the declarations of all variables but parameters."""
        for slot in self.slots.values():
            for variable in slot.components:
                if variable.storage is ir.Storage.LOCAL:
                    yield ir.Declare(span, variable, None)

    def _slot(self, name: str, type_: Type, value: Value) -> Slot:
        key = (name, "") if name in self.unified else (name, _kind(type_))
        if (name, "") in self.slots and key not in self.slots:
            parameter = self.slots[name, ""]
            if _kind(parameter.type) == _kind(type_) or name in self.unified:
                key = (name, "")
        slot = self.slots.get(key)
        constants, natural = tuple(_constants(value)), tuple(_naturals(value))
        if slot is None:
            kept = constants if name in self.once else None
            components = self._components(name, key[1], type_, Span("", 0, 0, 0, 0), self.storage)
            slot = self.slots[key] = Slot(name, type_, kept, natural, components)
            return slot
        wider = joined(slot.type, type_)
        if wider != slot.type:
            is_parameter = any(variable.storage is ir.Storage.PARAMETER for variable in slot.components)
            if not is_parameter:
                slot.type = wider
                slot.components = self._components(name, key[1], wider, Span("", 0, 0, 0, 0), self.storage)
                slot.natural = tuple(False for _ in _naturals_of(wider))
                slot.constants = None
                self.changed = True
        if slot.constants is not None and slot.constants != constants:
            slot.constants, self.changed = None, True
        both = tuple(a and b for a, b in zip(slot.natural, natural, strict=False))
        if both != slot.natural:
            slot.natural, self.changed = both, True
        return slot

    def _components(
        self, name: str, kind: str, type_: Type, span: Span, storage: ir.Storage
    ) -> tuple[ir.Variable, ...]:
        if isinstance(type_, UnknownType):
            return (ir.Variable(f"{self.key}:{name}:?", name, NOTHING, storage, span),)
        supposed = type_.supposed if isinstance(type_, ArrayType) else ""
        return tuple(
            ir.Variable(
                f"{self.key}:{part}:{kind}",
                part,
                part_type,
                storage,
                span,
                supposed=supposed if isinstance(part_type, ir.Pointer) else "",
                is_component=part != name,
            )
            for part, part_type in parts(type_, name)
        )


def _kind(type_: Type) -> str:
    """Return what Numba cannot unify with anything else in one variable."""
    match type_:
        case Scalar():
            return "integer" if type_.is_integer else "floating"
        case TupleType():
            return "tuple of " + ", ".join(map(_kind, type_.items))
        case UnknownType():
            return "unknown"
    return f"array {type_.element} {type_.ndim}" if isinstance(type_, ArrayType) else repr(type_)


def _constants(value: Value) -> Iterator[int | float | None]:
    match value:
        case Number():
            yield value.constant
        case TupleValue():
            for item in value.items:
                yield from _constants(item)


def _naturals(value: Value) -> Iterator[bool]:
    match value:
        case Number():
            yield value.is_natural
        case TupleValue():
            for item in value.items:
                yield from _naturals(item)


def _naturals_of(type_: Type) -> Iterator[bool]:
    match type_:
        case Scalar():
            yield False
        case TupleType():
            for item in type_.items:
                yield from _naturals_of(item)


def _known(value: Value, constants: Iterator[int | float | None], naturals: Iterator[bool]) -> Value:
    """Return the value with what is known of its numbers."""
    match value:
        case Number():
            return replace(value, constant=next(constants, None), is_natural=next(naturals, False))
        case TupleValue():
            return TupleValue(tuple(_known(item, constants, naturals) for item in value.items))
        case Nothing():
            return value
    return value
