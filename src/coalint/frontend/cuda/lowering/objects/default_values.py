"""What objects hold without an initializer: what constructors and in-class initializers give, or zero.

The rules are those of C++20 [dcl.init].
"""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.objects.classes import ARRAYS
from coalint.frontend.cuda.lowering.objects.known_layout import Unknown, no_layout
from coalint.frontend.cuda.lowering.objects.parts import Later, ObjectParts

MOST_ELEMENTS = 1024  # of an array that are given one by one because they are not zero


class WithoutInitializer(ObjectParts):
    """An object of which no initializer says what it holds."""

    def default(self) -> ir.Expression:
        """Return `T x;`: only what constructors and in-class initializers give."""
        self.none(self.clang_type, 0, zero=False)
        return self.expression()

    def value(self) -> ir.Expression:
        """Return `T()` and `T{}`: the rest is zero."""
        self.none(self.clang_type, 0, zero=True)
        self.zero = not self.each
        return self.expression()

    def none(self, type_: Any, at: int, *, zero: bool) -> None:
        """Apply default initialization, or value initialization, which leaves zeros."""
        if type_._kind_id in ARRAYS:
            self.elements_left(type_, at, frozenset(), zero=zero)
        elif type_._kind_id == type_kinds.RECORD:
            self._class(type_, at, zero=zero)
        elif zero and self.each and type_._kind_id != type_kinds.INCOMPLETEARRAY:
            self.put(at, self.zero_of(type_))

    def elements_left(self, type_: Any, at: int, done: Set[int], *, zero: bool) -> None:
        """Initialize the elements of an array that its initializer does not name."""
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

    def _class(self, type_: Any, at: int, *, zero: bool) -> None:
        declaration = self.declaration(type_)
        key = declaration.data[0]
        if not zero and key in self.low.plain_classes:
            return
        is_first = not zero and not self.parts and not self.later
        constructor = self._default_constructor(declaration)
        if constructor is not None and classes.does_nothing(constructor):
            zero = False
        elif constructor is not None:
            self.put(at, self.called(type_, constructor, []))
            return
        for base, offset in self.bases(declaration):
            self.none(base.type.get_canonical(), at + offset, zero=zero)
        fields = classes.fields(declaration)
        if classes.is_union(declaration):
            fields = [field for field in fields if classes.in_class_initializer(field) is not None] or fields
            fields = fields[:1]
        for field in fields:
            self.field(declaration, field, at, zero=zero)
        if is_first and not self.parts and not self.later:
            self.low.plain_classes.add(key)

    def field(self, declaration: Any, field: Any, at: int, *, zero: bool) -> None:
        """Initialize a field that the initializer of its class does not name."""
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
            raise Unknown(no_layout(owner.type))
        this = self.low.fresh("this", ir.Pointer(self.low.types.of(owner)), self.span)
        outer, self.low.this, self.low.this_class = (self.low.this, self.low.this_class), this, owner
        try:
            inner = type(self)(self.low, field.type, self.low.locations.span(node.cursor))
            value = inner.given(node)
        finally:
            self.low.this, self.low.this_class = outer
        if _reads(value, this):
            self.later.append(Later(this, at + offset - within, at + offset, field.spelling, value))
        else:
            self.put_field(declaration, field, at + offset, value)

    def _default_constructor(self, declaration: Any) -> Any:
        """Return the constructor that a class has for no arguments; None where the compiler makes it."""
        declared = classes.constructors(declaration)
        if not declared:
            return None
        constructors = [c for c in declared if c._kind_id == kinds.CONSTRUCTOR and c.is_default_constructor()]
        if any(constructor.is_default_method() for constructor in constructors):
            return None
        if len(constructors) != 1 or (classes.is_pattern(declaration) and not classes.does_nothing(constructors[0])):
            raise Unknown(f"libclang does not show which constructor of `{declaration.spelling}` is called")
        return constructors[0]


def _reads(value: ir.Expression | ir.Statement, variable: ir.Variable) -> bool:
    if isinstance(value, ir.Name) and value.variable is variable:
        return True
    return any(_reads(part, variable) for part in ir.children(value))
