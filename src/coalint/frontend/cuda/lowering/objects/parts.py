"""An object under initialization: the values of its parts, and the value that they make."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from coalint.core import ir
from coalint.core.records import record
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.gpu import intrinsics
from coalint.frontend.cuda.lowering.objects.known_layout import KnownLayout, Unknown

MOST_LEAVES = 64  # scalars of an object that are given one by one, zeros among them

NOT_SHOWN = "libclang does not show how it is converted"


@record(slots=True)
class Later:
    """An in-class initializer that reads other members: it is run on the object, `this` pointing to it."""

    this: ir.Variable
    at: int
    offset: int
    name: str
    value: ir.Expression


class ObjectParts(KnownLayout, ABC):
    """One object under initialization: values at byte offsets from its start."""

    def __init__(self, low: Context, type_: Any, span: Span) -> None:
        super().__init__(low)
        self.span = span
        self.clang_type = type_.get_canonical()
        self.type = low.types.lower(type_)
        self.each = self.leaves(self.clang_type, MOST_LEAVES) <= MOST_LEAVES
        self.zero = False
        self.returns = False  # to what has a value already, by a designator
        self.parts: dict[int, ir.Expression] = {}
        self.later: list[Later] = []

    @abstractmethod
    def given(self, node: CursorNode) -> ir.Expression:
        """Return the value from a braced list, or another expression."""

    def expression(self) -> ir.Expression:
        """Return the object as a value."""
        whole = self.parts.get(0)
        scalar = not isinstance(self.type, ir.Record | ir.Array)
        if whole is not None and len(self.parts) == 1 and not self.later and (scalar or whole.type == self.type):
            return whole
        value = ir.Aggregate(self.span, self.type, tuple(sorted(self.parts.items())), self.zero)
        return self._with_later(value) if self.later else value

    def _with_later(self, value: ir.Expression) -> ir.Expression:
        held = self.low.fresh("object", self.type, self.span)
        name = ir.Name(self.span, self.type, held)
        statements: list[ir.Statement] = [ir.Declare(self.span, held, value)]
        known: set[str] = set()
        for later in self.later:
            if later.this.key not in known:
                known.add(later.this.key)
                assert isinstance(later.this.type, ir.Pointer)
                inner = ir.Member(self.span, later.this.type.pointee, name, later.name, later.at)
                address = ir.AddressOf(self.span, later.this.type, inner)
                statements.append(ir.Declare(self.span, later.this, address))
            span, type_ = later.value.span, later.value.type
            target = ir.Member(span, type_, name, later.name, later.offset)
            statements.append(ir.Evaluate(span, ir.Assign(span, type_, None, target, later.value)))
        return ir.Sequence(self.span, self.type, tuple(statements), name)

    def put(self, at: int, value: ir.Expression) -> None:
        """Give the bytes from `at` on a value; that of a struct in its parts."""
        if isinstance(value, ir.Aggregate) and not value.zero and not self.zero and self.each:
            for offset, part in value.parts:
                self.put(at + offset, part)
            return
        if self.returns:
            covered = range(at, at + value.type.size)
            self.parts = {offset: part for offset, part in self.parts.items() if offset not in covered}
        self.parts[at] = value

    def put_field(self, declaration: Any, field: Any, at: int, value: ir.Expression) -> None:
        """Set a field; bit-fields that begin in one byte are not told apart, so that none of them is known."""
        if field.is_bitfield():
            first = field.get_field_offsetof() // 8
            others = [
                other
                for other in declaration.type.get_fields()
                if other != field and other.is_bitfield() and other.get_field_offsetof() // 8 == first
            ]
            if others:
                value = ir.Unresolved(value.span, value.type, "bit-fields are not followed", (value,))
        self.put(at, value)

    def zero_of(self, type_: Any) -> ir.Expression:
        """Return zero as a value of a scalar type."""
        lowered = self.low.types.lower(type_)
        if isinstance(lowered, ir.Other):
            raise Unknown(lowered.reason or f"the type `{lowered.name}` is not known")
        return ir.Literal(self.span, lowered, 0 if isinstance(lowered, ir.Integer) else None)

    def called(self, type_: Any, constructor: Any, arguments: list[ir.Expression]) -> ir.Expression:
        """Return an object that a constructor makes, its default arguments filled in."""
        passed: list[ir.Expression] = []
        for position, parameter in enumerate(constructor.get_arguments()):
            if position < len(arguments):
                passed.append(converted(arguments[position], self.low.types.of(parameter)))
            else:
                default = self.low.calls.default_argument(constructor, position)
                if default is None:
                    raise Unknown(f"libclang does not show the arguments of `{constructor.spelling}`")
                passed.append(default)
        key = self.low.function(constructor)
        reason = self.low.stub(constructor) if key is None else ""
        lowered = self.low.types.lower(type_)
        name = constructor.spelling
        return intrinsics.call(self.span, lowered, name, key, tuple(passed), constructor=True, reason=reason)


def converted(value: ir.Expression, type_: ir.Type) -> ir.Expression:
    """Return a value as one of another type, the conversion being implicit."""
    if value.type == type_ or isinstance(value, ir.FunctionName):
        return value
    if isinstance(type_, ir.Reference):
        return value
    if isinstance(value, ir.Literal) and value.value is not None and isinstance(type_, ir.Integer) and type_.bits > 1:
        bits = type_.bits - type_.signed
        if 0 <= value.value < 1 << bits:
            return ir.Literal(value.span, type_, value.value)
    if isinstance(value.type, ir.Record) and isinstance(type_, ir.Integer | ir.Record):
        return ir.Unresolved(value.span, type_, NOT_SHOWN, (value,))
    return ir.Cast(value.span, type_, value)
