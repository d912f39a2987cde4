"""What a constructor does before its body: bases and members in the order of their declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from coalint.core import ir
from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang.trees import CursorNode
from coalint.frontend.cuda.lowering import members
from coalint.frontend.cuda.lowering.context import Context
from coalint.frontend.cuda.lowering.objects import classes
from coalint.frontend.cuda.lowering.objects.braced_lists import Object
from coalint.frontend.cuda.lowering.objects.from_expressions import LISTS, bound
from coalint.frontend.cuda.lowering.objects.known_layout import Unknown

_EXPRESSIONS = range(100, 200)


def before_body(low: Context, node: CursorNode) -> list[ir.Statement]:
    """Return what the constructor at hand gives the bases and members of `*this`, as assignments and calls."""
    if low.this is None:
        return []
    named: dict[int, tuple[Any, CursorNode]] = {}
    member: Any = None
    written: list[ir.Statement] = []
    begun: set[int] = set()
    for child in node.children:
        if child.kind == kinds.MEMBER_REF:
            member = low.lib.clang_getCursorReferenced(child.cursor)
        elif member is None and child.kind == kinds.CALL_EXPR:
            of = _class_begun(low, child)
            if of is not None:
                begun.add(of.hash)
                written.extend(_base(low, child, of))
        elif member is None and child.kind in LISTS:
            of = classes.record_of(child.cursor.type)
            if of is not None:
                begun.add(of.hash)
                written.extend(_assigned_base(low, of, low.expressions.lower(child)))
        elif member is not None and child.kind in _EXPRESSIONS:
            named[member.hash] = member, child
            member = None
    class_ = low.this_class
    if class_.hash in begun:  # another constructor of the class has done all
        return written
    statements = _bases_by_default(low, class_, begun)
    statements.extend(written)
    statements.extend(_members(low, class_, named))
    for member, child in named.values():
        statements.append(_member(low, member, child))
    return statements


def _class_begun(low: Context, child: CursorNode) -> Any:
    """Return the class that `: base(value)` initializes: a base, or the class itself (a delegating constructor)."""
    constructor = low.lib.clang_getCursorReferenced(child.cursor)
    if constructor is None or constructor._kind_id != kinds.CONSTRUCTOR:
        return None
    of = constructor.semantic_parent
    return of if of == low.this_class or low.bases.offset(low.this_class, of)[0] else None


def _base(low: Context, child: CursorNode, of: Any) -> Iterator[ir.Statement]:
    yield from _assigned_base(low, of, low.expressions.lower(child))


def _assigned_base(low: Context, of: Any, value: ir.Expression) -> Iterator[ir.Statement]:
    span = value.span
    target = low.within(members.this_object(low, span), low.this_class, of)
    if isinstance(target, ir.Unresolved) or _is_nothing(value):
        return
    if isinstance(value, ir.Call) and value.constructor:
        yield ir.Evaluate(span, replace(value, receiver=target))
    else:
        yield ir.Evaluate(span, ir.Assign(span, target.type, None, target, value))


def _bases_by_default(low: Context, class_: Any, begun: set[int]) -> list[ir.Statement]:
    """Return what the bases that a constructor does not name hold."""
    statements: list[ir.Statement] = []
    for base, _ in low.bases.parents(class_):
        if base is None or base.hash in begun:
            continue
        value = _by_default(low, base.type, class_)
        if value is not None:
            statements.extend(_assigned_base(low, base, value))
    return statements


def _members(low: Context, class_: Any, named: dict[int, tuple[Any, CursorNode]]) -> Iterator[ir.Statement]:
    """Yield the members of a class, or of a nameless one in it; takes those from `named` that it finds."""
    fields = classes.fields(class_)
    nameless = {field.hash: field.type.get_declaration() for field in fields}
    nameless = {key: record for key, record in nameless.items() if record.is_anonymous()}
    is_union = classes.is_union(class_)
    if is_union:
        chosen = [field for field in fields if field.hash in named or _holds(nameless.get(field.hash), named)]
        fields = chosen or [field for field in fields if classes.in_class_initializer(field) is not None]
    for field in fields:
        if field.hash in named:
            yield _member(low, *named.pop(field.hash))
        elif field.hash in nameless:
            yield from _members(low, nameless[field.hash], named)
        else:
            yield from _unnamed(low, field)


def _holds(record: Any, named: dict[int, tuple[Any, CursorNode]]) -> bool:
    """Whether a nameless class has one of the members."""
    if record is None:
        return False
    inner = classes.fields(record)
    return any(
        field.hash in named
        or (field.type.get_declaration().is_anonymous() and _holds(field.type.get_declaration(), named))
        for field in inner
    )


def _member(low: Context, member: Any, child: CursorNode) -> ir.Statement:
    """Return `: member(value)` as an assignment."""
    type_ = low.types.of(member)
    value: ir.Expression
    if child.kind in LISTS:
        value = _given(low, member, child)
    elif child.kind == kinds.UNEXPOSED_EXPR and not child.children:  # `member()`
        value = _by_value(low, member, child)
    else:
        value = low.expressions.lower(child)
    return _assigned(low, member, type_, value)


def _given(low: Context, member: Any, child: CursorNode) -> ir.Expression:
    if isinstance(low.types.of(member), ir.Reference | ir.Other):
        return low.expressions.lower(child)
    span = low.locations.span(child.cursor)
    try:
        return Object(low, member.type, span).given(child)
    except Unknown as unknown:
        return ir.Unresolved(span, low.types.of(member), unknown.reason)


def _by_value(low: Context, member: Any, child: CursorNode) -> ir.Expression:
    try:
        return Object(low, member.type, low.locations.span(child.cursor)).value()
    except Unknown:
        return low.expressions.lower(child)


def _unnamed(low: Context, field: Any) -> Iterator[ir.Statement]:
    """Yield a member that the constructor does not name: by its in-class initializer, else by its class."""
    type_ = low.types.of(field)
    node = classes.in_class_initializer(field)
    value = _given_or_expression(low, field, node) if node is not None else _by_default(low, field.type, field)
    if value is not None and low.layout.offset_in(low.this_class, field) is not None:
        yield _assigned(low, field, type_, value)


def _given_or_expression(low: Context, field: Any, node: CursorNode) -> ir.Expression:
    return _given(low, field, node) if node.kind in LISTS else low.expressions.lower(node)


def _assigned(low: Context, member: Any, type_: ir.Type, value: ir.Expression) -> ir.Statement:
    span = value.span
    offset = low.layout.offset_in(low.this_class, member)
    bits = low.layout.bit_bytes(member)
    if isinstance(type_, ir.Reference):
        value = bound(value, type_)
        type_ = value.type
    target = ir.Member(span, type_, members.this_object(low, span), member.spelling, offset, bits)
    return ir.Evaluate(span, ir.Assign(span, type_, None, target, value))


def _by_default(low: Context, type_: Any, at: Any) -> ir.Expression | None:
    """Return what an object of a type holds without an initializer; None where that is nothing, or not known."""
    canonical = type_.get_canonical()
    while canonical._kind_id in classes.ARRAYS:
        canonical = canonical.element_type.get_canonical()
    if classes.record_of(canonical) is None:
        return None
    try:
        value = Object(low, type_, low.locations.span(at)).default()
    except Unknown:
        return None
    return None if _is_nothing(value) else value


def _is_nothing(value: ir.Expression) -> bool:
    return isinstance(value, ir.Aggregate) and not value.parts and not value.zero
