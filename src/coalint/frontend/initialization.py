"""Initialization of objects: braced lists, `T()`, and what a declaration without an initializer leaves.

The rules are those of C++20 [dcl.init]. libclang gives a braced list as it is written: what it leaves out has no node,
neither have braces left out, nor the conversions of its parts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from clang.cindex import CursorKind as K
from clang.cindex import TypeKind

from coalint import ir
from coalint.diagnostics import Span
from coalint.frontend import classes
from coalint.frontend.clang import Node
from coalint.frontend.classes import ARRAYS
from coalint.frontend.types import is_floating_record

if TYPE_CHECKING:
    from coalint.frontend.lower import Lowering

MOST_LEAVES = 64  # scalars of an object that are given one by one, zeros among them
MOST_PARTS = 1024
_LIST = K.INIT_LIST_EXPR.value
NOT_SHOWN = "libclang does not show how it is converted"


class Unknown(Exception):
    """What an object is initialized with is not known, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True)
class _Items:
    """The parts of a braced list; sub-aggregates without braces of their own take from the same list."""

    nodes: list[Node]
    next: int = 0

    def peek(self) -> Node | None:
        return self.nodes[self.next] if self.next < len(self.nodes) else None

    def take(self) -> Node:
        self.next += 1
        return self.nodes[self.next - 1]


@dataclass(slots=True)
class _Later:
    """An in-class initializer that reads other members: it is run on the object, `this` pointing to it."""

    this: ir.Variable
    at: int
    offset: int
    name: str
    value: ir.Expression


class Object:
    """One object under initialization: values at byte offsets from its start."""

    def __init__(self, low: Lowering, type_: Any, span: Span) -> None:
        self.low = low
        self.span = span
        self.clang_type = type_.get_canonical()
        self.type = low.types.lower(type_)
        self.each = _leaves(self.clang_type, MOST_LEAVES) <= MOST_LEAVES
        self.zero = False
        self.parts: dict[int, ir.Expression] = {}
        self.later: list[_Later] = []

    # --- the ways to initialize

    def default(self) -> ir.Expression:
        """`T x;`: only what constructors and in-class initializers give."""
        self._none(self.clang_type, 0, zero=False)
        return self.expression()

    def value(self) -> ir.Expression:
        """`T()` and `T{}`: the rest is zero."""
        self._none(self.clang_type, 0, zero=True)
        self.zero = not self.each
        return self.expression()

    def given(self, node: Node) -> ir.Expression:
        """A braced list, or another expression."""
        self._given(self.clang_type, 0, node)
        self.zero = not self.each
        return self.expression()

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

    def _put(self, at: int, value: ir.Expression) -> None:
        if isinstance(value, ir.Aggregate) and not value.zero and not self.zero and self.each:
            for offset, part in value.parts:
                self._put(at + offset, part)
            return
        for offset in [offset for offset in self.parts if at <= offset < at + value.type.size]:
            del self.parts[offset]  # a designator comes back to it
        self.parts[at] = value
        if len(self.parts) > MOST_PARTS:
            raise Unknown(f"an object of more than {MOST_PARTS} parts is not followed")

    # --- without an initializer

    def _none(self, type_: Any, at: int, *, zero: bool) -> None:
        """Default initialization, or value initialization, which leaves zeros."""
        if type_._kind_id in ARRAYS:
            element = type_.element_type.get_canonical()
            size = self._size(element)
            if not self.each and not self._matters(element):
                return
            for position in range(_count(type_)):
                self._none(element, at + position * size, zero=zero)
        elif type_._kind_id == TypeKind.RECORD.value:
            self._class(type_, at, zero=zero)
        elif zero and self.each and type_._kind_id != TypeKind.INCOMPLETEARRAY.value:
            self._put(at, self._zero(type_))

    def _matters(self, element: Any) -> bool:
        """Whether the elements of a large array, which are not given one by one, are anything but zero."""
        trial = Object(self.low, element, self.span)
        trial.each = False
        trial._none(element, 0, zero=True)
        return bool(trial.parts or trial.later)

    def _zero(self, type_: Any) -> ir.Expression:
        lowered = self.low.types.lower(type_)
        if isinstance(lowered, ir.Other):
            raise Unknown(lowered.reason or f"the type `{lowered.name}` is not known")
        return ir.Literal(self.span, lowered, 0 if isinstance(lowered, ir.Integer) else None)

    def _class(self, type_: Any, at: int, *, zero: bool) -> None:
        declaration = self._declaration(type_)
        constructor = self._default_constructor(declaration)
        if constructor is not None:
            self._put(at, self._called(type_, constructor, []))
            return
        for base, offset in self._bases(declaration):
            self._none(base.type.get_canonical(), at + offset, zero=zero)
        found = classes.fields(declaration)
        if classes.is_union(declaration):
            found = [field for field in found if classes.in_class_initializer(field) is not None] or found
            found = found[:1]
        for field in found:
            self._field(declaration, field, at, zero=zero)

    def _field(self, declaration: Any, field: Any, at: int, *, zero: bool) -> None:
        """A field that the initializer of its class does not name."""
        type_, offset = field.type.get_canonical(), self._offset(declaration, field)
        node = classes.in_class_initializer(field)
        if node is None:
            if classes.lacks_initializer(declaration, field):
                raise Unknown(f"libclang does not show the initializer of `{field.spelling}`")
            self._none(type_, at + offset, zero=zero)
            return
        owner = self.low.types.of(declaration)
        this = self.low.fresh("this", ir.Pointer(owner), self.span)
        outer, self.low.this, self.low.this_class = (self.low.this, self.low.this_class), this, declaration
        try:
            inner = Object(self.low, field.type, self.low.locations.span(node.cursor))
            value = inner.given(node)
        finally:
            self.low.this, self.low.this_class = outer
        if _reads(value, this):
            self.later.append(_Later(this, at, at + offset, field.spelling, value))
        else:
            self._put_field(declaration, field, at + offset, value)

    # --- with one

    def _given(self, type_: Any, at: int, node: Node) -> None:
        """An object of this type from a braced list or an expression."""
        if node.kind != _LIST:
            self._whole(type_, at, node)
            return
        nodes = self.low.expressions.parts(node)
        declaration = classes.record_of(type_)
        if declaration is None and type_._kind_id not in ARRAYS:
            if nodes:
                self._given(type_, at, nodes[0])
            elif self.each or at == 0:
                self._put(at, self._zero(type_))
            return
        if not nodes:
            self._none(type_, at, zero=True)
        elif len(nodes) == 1 and self._is_all(type_, nodes[0]):
            self._whole(type_, at, nodes[0])
        elif declaration is not None and (_is_void(node) or not classes.is_aggregate(declaration)):
            self._constructed(type_, declaration, at, nodes)
        else:
            self._elements(type_, at, _Items(nodes), braced=True)

    def _whole(self, type_: Any, at: int, node: Node) -> None:
        value = self.low.expressions.lower(node)
        of, to = classes.record_of(node.cursor.type), classes.record_of(type_)
        if of is not None and to is not None and of != to:
            value = self.low.within(value, of, to)
        self._put(at, converted(value, self.low.types.lower(type_)))

    def _is_all(self, type_: Any, node: Node) -> bool:
        """Whether an expression gives a whole class or array: an object of its kind, a string."""
        if type_._kind_id in ARRAYS:
            inner = node
            while inner.kind == K.UNEXPOSED_EXPR.value and len(inner.children) == 1:
                inner = inner.children[0]
            is_string = inner.kind == K.STRING_LITERAL.value and classes.record_of(type_.element_type) is None
            return is_string and type_.element_type.get_canonical()._kind_id not in (*ARRAYS, TypeKind.POINTER.value)
        of, to = classes.record_of(node.cursor.type), classes.record_of(type_)
        if of is None or to is None or node.kind == _LIST:
            return False
        return bool(of == to or self.low.bases.offset(of, to)[0])

    def _elements(self, type_: Any, at: int, items: _Items, *, braced: bool) -> None:
        """The elements of an aggregate, from a list of its own or one that it shares."""
        if type_._kind_id in ARRAYS:
            self._array(type_, at, items, braced=braced)
            return
        declaration = self._declaration(type_)
        bases, found = self._bases(declaration), classes.fields(declaration)
        positions: list[Any] = [*bases, *found]
        if classes.is_union(declaration):
            positions = found[:1] or []
        done: set[int] = set()
        position = 0
        while True:
            node = items.peek()
            if node is None:
                break
            if _is_designator(node):
                if not braced:
                    break
                position = self._designated(type_, at, items.take(), done)
                continue
            if position >= len(positions):
                break
            target = positions[position]
            if isinstance(target, tuple):
                self._element(target[0].type.get_canonical(), at + target[1], items)
            elif target.is_bitfield():
                self._bits(declaration, target, at + self._offset(declaration, target), items.take())
            else:
                self._element(target.type.get_canonical(), at + self._offset(declaration, target), items)
            done.add(position)
            position += 1
        if classes.is_union(declaration):
            return
        for position, target in enumerate(positions):
            if position in done:
                continue
            if isinstance(target, tuple):
                self._none(target[0].type.get_canonical(), at + target[1], zero=True)
            else:
                self._field(declaration, target, at, zero=True)

    def _array(self, type_: Any, at: int, items: _Items, *, braced: bool) -> None:
        element = type_.element_type.get_canonical()
        size, position = self._size(element), 0
        done: set[int] = set()
        while True:
            node = items.peek()
            if node is None:
                break
            if _is_designator(node):
                if not braced:
                    break
                position = self._designated(type_, at, items.take(), done)
                continue
            if position >= type_.element_count:
                break
            self._element(element, at + position * size, items)
            done.add(position)
            position += 1
        if not self.each and not self._matters(element):
            return
        for position in range(_count(type_)):
            if position not in done:
                self._none(element, at + position * size, zero=True)

    def _element(self, type_: Any, at: int, items: _Items) -> None:
        node = items.peek()
        assert node is not None
        declaration = classes.record_of(type_)
        if node.kind == _LIST or (declaration is None and type_._kind_id not in ARRAYS) or self._is_all(type_, node):
            self._given(type_, at, items.take())
        elif declaration is not None and not classes.is_aggregate(declaration):
            self._constructed(type_, declaration, at, [items.take()])
        elif declaration is not None and classes.record_of(node.cursor.type) and not self._begins(type_, node):
            value = self.low.expressions.lower(items.take())
            self._put(at, ir.Unresolved(value.span, self.low.types.lower(type_), NOT_SHOWN, (value,)))
        else:
            before = items.next
            self._elements(type_, at, items, braced=False)
            if items.next == before and not self._is_empty(type_):
                raise Unknown("an initializer that libclang could not resolve")

    def _is_empty(self, type_: Any) -> bool:
        return not _leaves(type_, 1)

    def _begins(self, type_: Any, node: Node) -> bool:
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
            first = [base.type for base, _ in self._bases(declaration)] or [
                field.type for field in classes.fields(declaration)
            ]
            if not first:
                return False
            type_ = first[0].get_canonical()

    def _designated(self, type_: Any, at: int, node: Node, done: set[int]) -> int:
        """`.member = value`, `[2] = value` and chains of these; gives the position of what comes next."""
        *path, value = [child for child in node.children if child.kind != K.TYPE_REF.value]
        following: int | None = None
        for depth, step in enumerate(path):
            if step.kind == K.MEMBER_REF.value:
                declaration = self._declaration(type_)
                field = self.low.lib.clang_getCursorReferenced(step.cursor)
                found = classes.fields(declaration)
                if field is None or field not in found:
                    raise Unknown("an initializer that libclang could not resolve")
                own = found.index(field) + len(self._bases(declaration))
                inner, offset = field.type.get_canonical(), self._offset(declaration, field)
            else:
                index = self.low.evaluated(step.cursor)
                if type_._kind_id not in ARRAYS or index is None:
                    raise Unknown("a range of elements in a braced list is not followed")
                inner = type_.element_type.get_canonical()
                own, offset = index, index * self._size(inner)
            if following is None:
                following = own + 1
                if len(path) > 1 and own not in done:
                    self._none(inner, at + offset, zero=True)
                done.add(own)
            at, type_ = at + offset, inner
            if depth < len(path) - 1:
                continue
            if step.kind == K.MEMBER_REF.value and field.is_bitfield():
                self._bits(declaration, field, at, value)
            else:
                self._element(type_, at, _Items([value]))
        assert following is not None
        return following

    # --- constructors

    def _default_constructor(self, declaration: Any) -> Any:
        """The constructor that a class has for no arguments; None where the compiler makes it."""
        declared = classes.constructors(declaration)
        if not declared:
            return None
        found = [c for c in declared if c._kind_id == K.CONSTRUCTOR.value and c.is_default_constructor()]
        if any(constructor.is_default_method() for constructor in found):
            return None
        if classes.is_pattern(declaration) or len(found) != 1:
            raise Unknown(f"libclang does not show which constructor of `{declaration.spelling}` is called")
        return found[0]

    def _constructed(self, type_: Any, declaration: Any, at: int, nodes: list[Node]) -> None:
        """An object of a class with constructors, from arguments: libclang does not say which of them is called."""
        lowered = self.low.types.lower(type_)
        arguments = [self.low.expressions.lower(node) for node in nodes if node.kind != _LIST]
        if isinstance(lowered, ir.Record) and is_floating_record(lowered.name) and len(arguments) == 1:
            self._put(at, ir.Cast(arguments[0].span, lowered, arguments[0]))
            return
        fitting: list[Any] = []
        if not classes.is_pattern(declaration) and len(arguments) == len(nodes):
            declared = classes.constructors(declaration)
            if all(c._kind_id == K.CONSTRUCTOR.value for c in declared):
                fitting = [constructor for constructor in declared if self._fits(constructor, arguments)]
        if len(fitting) == 1:
            self._put(at, self._called(type_, fitting[0], arguments))
        else:
            self._put(at, ir.Unresolved(self.span, lowered, NOT_SHOWN, tuple(arguments)))

    def _fits(self, constructor: Any, arguments: list[ir.Expression]) -> bool:
        parameters = list(constructor.get_arguments())
        if len(parameters) < len(arguments):
            return False
        for position in range(len(arguments), len(parameters)):
            if self.low.expressions.default_argument(constructor, position) is None:
                return False
        pairs = zip(parameters, arguments, strict=False)
        return all(_takes(self.low.types.of(parameter), argument.type) for parameter, argument in pairs)

    def _called(self, type_: Any, constructor: Any, arguments: list[ir.Expression]) -> ir.Expression:
        passed: list[ir.Expression] = []
        for position, parameter in enumerate(constructor.get_arguments()):
            if position < len(arguments):
                passed.append(converted(arguments[position], self.low.types.of(parameter)))
            else:
                default = self.low.expressions.default_argument(constructor, position)
                if default is None:
                    raise Unknown(f"libclang does not show the arguments of `{constructor.spelling}`")
                passed.append(default)
        key = self.low.function(constructor)
        reason = self.low.stub(constructor) if key is None else ""
        lowered = self.low.types.lower(type_)
        name = constructor.spelling
        return ir.Call(self.span, lowered, name, key, tuple(passed), constructor=True, reason=reason)

    # --- layouts

    def _declaration(self, type_: Any) -> Any:
        declaration = classes.record_of(type_)
        lowered = self.low.types.lower(type_)
        if declaration is None or not isinstance(lowered, ir.Record):
            reason = lowered.reason if isinstance(lowered, ir.Other) else ""
            raise Unknown(reason or _no_layout(type_))
        return declaration

    def _size(self, element: Any) -> int:
        size = self.low.types.lower(element).size
        if size <= 0:
            raise Unknown(_no_layout(element))
        return size

    def _offset(self, declaration: Any, field: Any) -> int:
        offset = self.low.layout.offset(field)
        if offset is None:
            raise Unknown(_no_layout(declaration.type))
        return offset

    def _bits(self, declaration: Any, field: Any, at: int, node: Node) -> None:
        while node.kind == _LIST and node.children:
            node = node.children[0]
        type_ = self.low.types.of(field)
        zero = node.kind == _LIST
        value = self._zero(field.type) if zero else converted(self.low.expressions.lower(node), type_)
        self._put_field(declaration, field, at, value)

    def _put_field(self, declaration: Any, field: Any, at: int, value: ir.Expression) -> None:
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
        self._put(at, value)

    def _bases(self, declaration: Any) -> list[tuple[Any, int]]:
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


def braced(low: Lowering, node: Node) -> ir.Expression:
    """A braced list where it stands as an expression."""
    span, type_ = low.locations.span(node.cursor), low.types.of(node.cursor)
    nodes = low.expressions.parts(node)
    reason = ""
    if isinstance(type_, ir.Other):
        if len(nodes) == 1:
            return low.expressions.lower(nodes[0])
        reason = type_.reason or "an expression that libclang could not resolve"
    else:
        try:
            return Object(low, node.cursor.type, span).given(node)
        except Unknown as unknown:
            reason = unknown.reason
    values = [inner.children[-1] if _is_designator(inner) else inner for inner in nodes]
    return ir.Unresolved(span, type_, reason, tuple(map(low.expressions.lower, values)))


def made_by_compiler(low: Lowering, node: Node) -> ir.Expression | None:
    """What the constructor gives that the compiler makes for a class, called for no arguments; None if not known."""
    span = low.locations.span(node.cursor)
    lines = low.locations.lines(span.file)
    end = lines[span.end_line - 1][: span.end_column - 1][-1:] if span.end_line <= len(lines) else ""
    named = any(child.kind in (K.TYPE_REF.value, K.TEMPLATE_REF.value) for child in node.children)
    made = Object(low, node.cursor.type, span)
    try:
        return made.value() if named or end in (")", "}") else made.default()
    except Unknown:
        return None


def of_each_element(call: ir.Call) -> ir.Expression:
    """A constructor's call for every element of an array, where they are few."""
    element = call.type
    while isinstance(element, ir.Array):
        element = element.element
    if element is call.type or not 0 < call.type.size <= MOST_LEAVES * element.size:
        return call
    one = replace(call, type=element)
    places = range(0, call.type.size, element.size)
    return ir.Aggregate(call.span, call.type, tuple((at, one) for at in places))


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


def _count(type_: Any) -> int:
    count = int(type_.element_count)
    if count > MOST_PARTS:
        raise Unknown(f"an array of more than {MOST_PARTS} objects is not followed")
    return count


def _takes(parameter: ir.Type, argument: ir.Type) -> bool:
    if isinstance(parameter, ir.Reference):
        parameter = parameter.target
    if isinstance(parameter, ir.Integer | ir.Floating):
        return isinstance(argument, ir.Integer | ir.Floating | ir.Record)
    if isinstance(parameter, ir.Pointer):
        return isinstance(argument, ir.Pointer | ir.Array | ir.Other | ir.Integer)
    if isinstance(parameter, ir.Record):
        return parameter == argument
    return True


def _is_void(node: Node) -> bool:
    return bool(node.cursor.type._kind_id == TypeKind.VOID.value)


def _is_designator(node: Node) -> bool:
    return node.kind == K.UNEXPOSED_EXPR.value and len(node.children) > 1 and _is_void(node)


def _reads(value: ir.Expression | ir.Statement, variable: ir.Variable) -> bool:
    if isinstance(value, ir.Name) and value.variable is variable:
        return True
    return any(_reads(part, variable) for part in ir.children(value))


def _leaves(type_: Any, most: int) -> int:
    """The scalars of an object, counted until they are more than `most`."""
    type_ = type_.get_canonical()
    if type_._kind_id in ARRAYS:
        return min(most + 1, type_.element_count) * _leaves(type_.element_type, most) if type_.element_count else 0
    declaration = classes.record_of(type_)
    if declaration is None:
        return 1
    count = 0
    for field in classes.fields(declaration):
        count += _leaves(field.type, most)
        if count > most:
            break
    return count


def _no_layout(type_: Any) -> str:
    declaration = classes.record_of(type_)
    name = declaration.spelling if declaration is not None else type_.spelling
    return f"the layout of `{name}` is not known"
