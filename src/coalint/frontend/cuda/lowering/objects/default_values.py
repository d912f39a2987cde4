"""What objects hold without an initializer: what constructors and in-class initializers give, or zero.

The rules are those of C++20 [dcl.init].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import TypeKind

from coalint.core import ir
from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.trees import Node
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.gpu import intrinsics
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.objects.classes import ARRAYS

MOST_LEAVES = 64  # scalars of an object that are given one by one, zeros among them
MOST_ELEMENTS = 1024  # of an array that are given one by one because they are not zero
NOT_SHOWN = "libclang does not show how it is converted"


class Unknown(Exception):
    """What an object is initialized with is not known, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Later:
    """An in-class initializer that reads other members: it is run on the object, `this` pointing to it."""

    this: ir.Variable
    at: int
    offset: int
    name: str
    value: ir.Expression


class WithoutInitializer(ABC):
    """One object under initialization: values at byte offsets from its start."""

    def __init__(self, low: Context, type_: Any, span: Span) -> None:
        self.low = low
        self.span = span
        self.clang_type = type_.get_canonical()
        self.type = low.types.lower(type_)
        self.each = self.leaves(self.clang_type, MOST_LEAVES) <= MOST_LEAVES
        self.zero = False
        self.returns = False  # to what has a value already, by a designator
        self.parts: dict[int, ir.Expression] = {}
        self.later: list[_Later] = []

    # --- the ways to initialize

    def default(self) -> ir.Expression:
        """`T x;`: only what constructors and in-class initializers give."""
        self.none(self.clang_type, 0, zero=False)
        return self.expression()

    def value(self) -> ir.Expression:
        """`T()` and `T{}`: the rest is zero."""
        self.none(self.clang_type, 0, zero=True)
        self.zero = not self.each
        return self.expression()

    @abstractmethod
    def given(self, node: Node) -> ir.Expression:
        """From a braced list, or another expression."""

    def expression(self) -> ir.Expression:
        """The object as a value."""
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

    # --- without an initializer

    def none(self, type_: Any, at: int, *, zero: bool) -> None:
        """Default initialization, or value initialization, which leaves zeros."""
        if type_._kind_id in ARRAYS:
            self.elements_left(type_, at, frozenset(), zero=zero)
        elif type_._kind_id == TypeKind.RECORD.value:
            self._class(type_, at, zero=zero)
        elif zero and self.each and type_._kind_id != TypeKind.INCOMPLETEARRAY.value:
            self.put(at, self.zero_of(type_))

    def elements_left(self, type_: Any, at: int, done: Set[int], *, zero: bool) -> None:
        """The elements of an array that its initializer does not name."""
        if len(done) == type_.element_count:
            return
        element = type_.element_type.get_canonical()
        size = self.size(element)
        one = type(self)(self.low, element, self.span)
        one.each = self.each
        one.none(element, 0, zero=zero)
        if not one.parts and not one.later:
            return
        if type_.element_count > MOST_ELEMENTS:
            raise Unknown(f"an array of more than {MOST_ELEMENTS} objects is not followed")
        for position in range(type_.element_count):
            if position in done:
                continue
            if one.later:
                self.none(element, at + position * size, zero=zero)
                continue
            for offset, value in one.parts.items():
                self.put(at + position * size + offset, value)

    def zero_of(self, type_: Any) -> ir.Expression:
        """Zero as a value of a scalar type."""
        lowered = self.low.types.lower(type_)
        if isinstance(lowered, ir.Other):
            raise Unknown(lowered.reason or f"the type `{lowered.name}` is not known")
        return ir.Literal(self.span, lowered, 0 if isinstance(lowered, ir.Integer) else None)

    def _class(self, type_: Any, at: int, *, zero: bool) -> None:
        declaration = self.declaration(type_)
        constructor = self._default_constructor(declaration)
        if constructor is not None and classes.does_nothing(constructor):
            zero = False
        elif constructor is not None:
            self.put(at, self.called(type_, constructor, []))
            return
        for base, offset in self.bases(declaration):
            self.none(base.type.get_canonical(), at + offset, zero=zero)
        found = classes.fields(declaration)
        if classes.is_union(declaration):
            found = [field for field in found if classes.in_class_initializer(field) is not None] or found
            found = found[:1]
        for field in found:
            self.field(declaration, field, at, zero=zero)

    def field(self, declaration: Any, field: Any, at: int, *, zero: bool) -> None:
        """A field that the initializer of its class does not name."""
        type_, offset = field.type.get_canonical(), self.offset(declaration, field)
        node = classes.in_class_initializer(field)
        if node is None:
            if classes.lacks_initializer(declaration, field):
                raise Unknown(f"libclang does not show the initializer of `{field.spelling}`")
            self.none(type_, at + offset, zero=zero)
            return
        owner = declaration
        while owner.is_anonymous():  # `this` in a nameless class is that of the one around it
            owner = owner.semantic_parent
        within = self.low.layout.offset_in(owner, field)
        if within is None:
            raise Unknown(_no_layout(owner.type))
        this = self.low.fresh("this", ir.Pointer(self.low.types.of(owner)), self.span)
        outer, self.low.this, self.low.this_class = (self.low.this, self.low.this_class), this, owner
        try:
            inner = type(self)(self.low, field.type, self.low.locations.span(node.cursor))
            value = inner.given(node)
        finally:
            self.low.this, self.low.this_class = outer
        if _reads(value, this):
            self.later.append(_Later(this, at + offset - within, at + offset, field.spelling, value))
        else:
            self.put_field(declaration, field, at + offset, value)

    # --- constructors

    def _default_constructor(self, declaration: Any) -> Any:
        """The constructor that a class has for no arguments; None where the compiler makes it."""
        declared = classes.constructors(declaration)
        if not declared:
            return None
        found = [c for c in declared if c._kind_id == K.CONSTRUCTOR.value and c.is_default_constructor()]
        if any(constructor.is_default_method() for constructor in found):
            return None
        if len(found) != 1 or (classes.is_pattern(declaration) and not classes.does_nothing(found[0])):
            raise Unknown(f"libclang does not show which constructor of `{declaration.spelling}` is called")
        return found[0]

    def called(self, type_: Any, constructor: Any, arguments: list[ir.Expression]) -> ir.Expression:
        """An object that a constructor makes, its default arguments filled in."""
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

    # --- layouts

    def leaves(self, type_: Any, most: int) -> int:
        """The scalars of an object, counted until they are more than `most`."""
        type_ = type_.get_canonical()
        if type_._kind_id in ARRAYS:
            count = int(type_.element_count)
            return min(most + 1, count) * self.leaves(type_.element_type, most) if count else 0
        declaration = classes.record_of(type_)
        if declaration is None:
            return 1
        found = 0
        bases = (base for base, _ in self.low.bases.parents(declaration) if base is not None)
        for part in (*bases, *classes.fields(declaration)):
            found += self.leaves(part.type, most)
            if found > most:
                break
        return found

    def declaration(self, type_: Any) -> Any:
        """The declaration of a class that is known as a whole."""
        declaration = classes.record_of(type_)
        lowered = self.low.types.lower(type_)
        if declaration is None or not isinstance(lowered, ir.Record):
            reason = lowered.reason if isinstance(lowered, ir.Other) else ""
            raise Unknown(reason or _no_layout(type_))
        return declaration

    def size(self, element: Any) -> int:
        """Bytes from one element of an array to the next."""
        size = self.low.types.lower(element).size
        if size <= 0:
            raise Unknown(_no_layout(element))
        return size

    def offset(self, declaration: Any, field: Any) -> int:
        """Bytes from the start of a class to one of its fields."""
        offset = self.low.layout.offset(field)
        if offset is None:
            raise Unknown(_no_layout(declaration.type))
        return offset

    def put_field(self, declaration: Any, field: Any, at: int, value: ir.Expression) -> None:
        """A field; bit-fields that begin in one byte are not told apart, so that none of them is known."""
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

    def bases(self, declaration: Any) -> list[tuple[Any, int]]:
        """The base classes that hold something, with their offsets."""
        found: list[tuple[Any, int]] = []
        for base, offset in self.low.bases.parents(declaration):
            if base is not None and offset is not None:
                found.append((base, offset))
            elif not self._only_own(declaration):
                raise Unknown(_no_layout(declaration.type))
        return found

    def _only_own(self, declaration: Any) -> bool:
        """Whether the bases of a class hold nothing, by its size and where its fields begin."""
        own = list(declaration.type.get_fields())
        return bool(own[0].get_field_offsetof() == 0 if own else declaration.type.get_size() <= 1)


def converted(value: ir.Expression, type_: ir.Type) -> ir.Expression:
    """A value as one of another type, the conversion being implicit."""
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


def _reads(value: ir.Expression | ir.Statement, variable: ir.Variable) -> bool:
    if isinstance(value, ir.Name) and value.variable is variable:
        return True
    return any(_reads(part, variable) for part in ir.children(value))


def _no_layout(type_: Any) -> str:
    declaration = classes.record_of(type_)
    name = declaration.spelling if declaration is not None else type_.spelling
    return f"the layout of `{name}` is not known"
