"""Braced lists.

libclang gives a list as it is written: what it leaves out has no node, neither have braces left out, nor the
conversions of its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coalint.core import ir
from coalint.core.records import record
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.objects.classes import ARRAYS
from coalint.frontend.cuda.lowering.objects.from_expressions import LISTS, PARENTHESIZED, FromExpressions
from coalint.frontend.cuda.lowering.objects.known_layout import Unknown
from coalint.frontend.cuda.lowering.objects.parts import NOT_SHOWN, converted


@record(slots=True)
class _Items:
    """The parts of a braced list; sub-aggregates without braces of their own take from the same list."""

    nodes: list[CursorNode]
    next: int = 0

    def peek(self) -> CursorNode | None:
        return self.nodes[self.next] if self.next < len(self.nodes) else None

    def take(self) -> CursorNode:
        self.next += 1
        return self.nodes[self.next - 1]


class Object(FromExpressions):
    """An object with an initializer."""

    def given(self, node: CursorNode) -> ir.Expression:
        """Return a braced list, or another expression."""
        self._given(self.clang_type, 0, node)
        self.zero = not self.each
        return self.expression()

    def _given(self, type_: Any, at: int, node: CursorNode) -> None:
        """Initialize an object of this type from a braced list or an expression."""
        if node.kind not in LISTS:
            self._whole(type_, at, node)
            return
        nodes = self.low.expressions.parts(node)
        if node.kind == PARENTHESIZED:  # as it is meant: what is left out is a node without children
            nodes = [inner for inner in nodes if inner.children or inner.kind != kinds.UNEXPOSED_EXPR]
        declaration = classes.record_of(type_)
        if declaration is None and type_._kind_id not in ARRAYS:
            if nodes:
                self._given(type_, at, nodes[0])
            elif self.each or at == 0:
                self.put(at, self.zero_of(type_))
            return
        if not nodes:
            self.none(type_, at, zero=True)
        elif len(nodes) == 1 and self._is_all(type_, nodes[0]):
            self._whole(type_, at, nodes[0])
        elif declaration is not None and (_is_void(node) or not classes.is_aggregate(declaration)):
            self._constructed(type_, declaration, at, nodes)
        else:
            self._elements(type_, at, _Items(nodes), braced=True)

    def _elements(self, type_: Any, at: int, items: _Items, *, braced: bool) -> None:
        """Initialize the elements of an aggregate, from a list of its own or one that it shares."""
        if type_._kind_id in ARRAYS:
            self._array(type_, at, items, braced=braced)
            return
        declaration = self.declaration(type_)
        bases, fields = self.bases(declaration), classes.fields(declaration)
        positions: list[Any] = [*bases, *fields]
        if classes.is_union(declaration):
            positions = fields[:1] or []

        def place(position: int) -> None:
            target = positions[position]
            if isinstance(target, tuple):
                self._element(target[0].type.get_canonical(), at + target[1], items)
            elif target.is_bitfield():
                self._bits(declaration, target, at + self.offset(declaration, target), items.take())
            else:
                self._element(target.type.get_canonical(), at + self.offset(declaration, target), items)

        done = self._listed(type_, at, items, len(positions), place, braced=braced)
        if classes.is_union(declaration):
            return
        for position, target in enumerate(positions):
            if position in done:
                continue
            if isinstance(target, tuple):
                self.none(target[0].type.get_canonical(), at + target[1], zero=True)
            else:
                self.field(declaration, target, at, zero=True)

    def _array(self, type_: Any, at: int, items: _Items, *, braced: bool) -> None:
        element = type_.element_type.get_canonical()
        size = self.size(element)

        def place(position: int) -> None:
            self._element(element, at + position * size, items)

        done = self._listed(type_, at, items, type_.element_count, place, braced=braced)
        self.elements_left(type_, at, done, zero=True)

    def _listed(
        self, type_: Any, at: int, items: _Items, count: int, place: Callable[[int], None], *, braced: bool
    ) -> set[int]:
        """Return the positions that a list gives a value, in order or, in a list of its own, by designators."""
        done: set[int] = set()
        position = 0
        while (node := items.peek()) is not None:
            if is_designator(node):
                if not braced:
                    break
                position = self._designated(type_, at, items.take(), done)
            elif position < count:
                place(position)
                done.add(position)
                position += 1
            else:
                break
        return done

    def _element(self, type_: Any, at: int, items: _Items) -> None:
        node = items.peek()
        assert node is not None
        declaration = classes.record_of(type_)
        if node.kind in LISTS or (declaration is None and type_._kind_id not in ARRAYS) or self._is_all(type_, node):
            self._given(type_, at, items.take())
        elif declaration is not None and not classes.is_aggregate(declaration):
            self._constructed(type_, declaration, at, [items.take()])
        elif declaration is not None and classes.record_of(node.cursor.type) and not self._begins(type_, node):
            value = self.low.expressions.lower(items.take())
            self.put(at, ir.Unresolved(value.span, self.low.types.lower(type_), NOT_SHOWN, (value,)))
        else:
            before = items.next
            self._elements(type_, at, items, braced=False)
            if items.next == before and not self._is_empty(type_):
                raise Unknown("an initializer that libclang could not resolve")

    def _is_empty(self, type_: Any) -> bool:
        return not self.leaves(type_, 1)

    def _begins(self, type_: Any, node: CursorNode) -> bool:
        """Whether an object of the expression's class stands at the start of an aggregate, braces being left out."""
        of = classes.record_of(node.cursor.type)
        while True:
            if type_._kind_id in ARRAYS:
                type_ = type_.element_type.get_canonical()
                continue
            declaration = classes.record_of(type_)
            if declaration is None or declaration == of:
                return declaration is not None
            if not classes.is_aggregate(declaration):
                return False
            first = [base.type for base, _ in self.bases(declaration)] or [
                field.type for field in classes.fields(declaration)
            ]
            if not first:
                return False
            type_ = first[0].get_canonical()

    def _designated(self, type_: Any, at: int, node: CursorNode, done: set[int]) -> int:
        """Return `.member = value`, `[2] = value` and chains of these; gives the position of what comes next."""
        *path, value = [child for child in node.children if child.kind != kinds.TYPE_REF]
        following: int | None = None
        self.returns = True
        for depth, step in enumerate(path):
            if step.kind == kinds.MEMBER_REF:
                declaration = self.declaration(type_)
                field = self.low.lib.clang_getCursorReferenced(step.cursor)
                fields = classes.fields(declaration)
                if field is None or field not in fields:
                    raise Unknown("an initializer that libclang could not resolve")
                own = fields.index(field) + len(self.bases(declaration))
                inner, offset = field.type.get_canonical(), self.offset(declaration, field)
            else:
                index = self.low.evaluated(step.cursor)
                if type_._kind_id not in ARRAYS or index is None:
                    raise Unknown("a range of elements in a braced list is not followed")
                inner = type_.element_type.get_canonical()
                own, offset = index, index * self.size(inner)
            if following is None:
                following = own + 1
                if len(path) > 1 and own not in done:
                    self.none(inner, at + offset, zero=True)
                done.add(own)
            at, type_ = at + offset, inner
            if depth < len(path) - 1:
                continue
            if step.kind == kinds.MEMBER_REF and field.is_bitfield():
                self._bits(declaration, field, at, value)
            else:
                self._element(type_, at, _Items([value]))
        assert following is not None
        return following

    def _bits(self, declaration: Any, field: Any, at: int, node: CursorNode) -> None:
        while node.kind in LISTS and node.children:
            node = node.children[0]
        type_ = self.low.types.of(field)
        zero = node.kind in LISTS
        value = self.zero_of(field.type) if zero else converted(self.low.expressions.lower(node), type_)
        self.put_field(declaration, field, at, value)


def _is_void(node: CursorNode) -> bool:
    return bool(node.cursor.type._kind_id == type_kinds.VOID)


def is_designator(node: CursorNode) -> bool:
    """Whether a part of a list says of which member or element it is the value."""
    return node.kind == kinds.UNEXPOSED_EXPR and len(node.children) > 1 and _is_void(node)
