"""What libclang tells of a class: its fields, their in-class initializers, its constructors."""

from __future__ import annotations

from typing import Any

from clang.cindex import AccessSpecifier, conf

from coalint.frontend.cuda.libclang import cursor_kinds as kinds
from coalint.frontend.cuda.libclang import type_kinds
from coalint.frontend.cuda.libclang.trees import CursorNode, direct_children, tree

ARRAYS = frozenset({type_kinds.CONSTANTARRAY, type_kinds.VECTOR})
_SEEN = frozenset({AccessSpecifier.PUBLIC, AccessSpecifier.NONE, AccessSpecifier.INVALID})
_WHOLE_ARRAY = frozenset({kinds.INIT_LIST_EXPR, kinds.STRING_LITERAL})


def record_of(type_: Any) -> Any:
    """Return the declaration of a class type; None for other types."""
    canonical = type_.get_canonical()
    return canonical.get_declaration() if canonical._kind_id == type_kinds.RECORD else None


def fields(declaration: Any) -> list[Any]:
    """Return the fields of a class in their order, but for nameless bit-fields, which nothing initializes."""
    declared = declaration.type.get_fields()
    return [field for field in declared if field.spelling or not field.is_bitfield()]


def is_lambda(class_: Any) -> bool:
    """Whether a class is what a lambda's value is an object of."""
    return str(class_.spelling).startswith("(lambda at")


def around(member: Any) -> Any:
    """Return the class that a member is declared in, nameless ones inside of it looked through."""
    owner = member.semantic_parent if member is not None else None
    while owner is not None and owner.is_anonymous():
        owner = owner.semantic_parent
    return owner


def is_union(declaration: Any) -> bool:
    """Whether a class is a union."""
    return bool(declaration._kind_id == kinds.UNION_DECL)


def members(declaration: Any) -> list[Any]:
    """Return what a class declares.

    For an instance of a template, of which libclang tells nothing, what the template does.
    """
    children = direct_children(declaration)
    if children:
        return children
    pattern = conf.lib.clang_getSpecializedCursorTemplate(declaration)
    return [] if pattern is None else direct_children(pattern)


def is_pattern(declaration: Any) -> bool:
    """Whether the members of a class are those of its template."""
    return not direct_children(declaration)


def constructors(declaration: Any) -> list[Any]:
    """Return the constructors that a class declares, templates of constructors among them."""
    name = declaration.spelling
    return [
        member
        for member in members(declaration)
        if member._kind_id == kinds.CONSTRUCTOR
        or (member._kind_id == kinds.FUNCTION_TEMPLATE and member.spelling.partition("<")[0] == name)
    ]


def own_copy(declaration: Any) -> Any:
    """Return the constructor that a class declares for copies.

    None where copies are the compiler's, or it is not known.
    """
    if is_pattern(declaration):
        return None
    declared = (member for member in direct_children(declaration) if member._kind_id == kinds.CONSTRUCTOR)
    return next((c for c in declared if c.is_copy_constructor() and not c.is_default_method()), None)


def does_nothing(constructor: Any) -> bool:
    """Whether a constructor names no base or member and has an empty body: in-class initializers are all there is."""
    children = direct_children(constructor)
    body = [child for child in children if child._kind_id == kinds.COMPOUND_STMT]
    others = any(child._kind_id == kinds.MEMBER_REF or 100 <= child._kind_id < 200 for child in children)
    return len(body) == 1 and not others and not direct_children(body[0])


def is_aggregate(declaration: Any) -> bool:
    """Whether braces initialize the members of a class, as far as libclang tells."""
    if any(not constructor.is_default_method() for constructor in constructors(declaration)):
        return False
    return all(field.access_specifier in _SEEN for field in declaration.type.get_fields())


def in_class_initializer(field: Any) -> CursorNode | None:
    """Return the expression that initializes a field where no constructor does."""
    parts = [child for child in tree(field).children if 100 <= child.kind < 200]
    if not parts:
        return None
    last, type_ = parts[-1], field.type.get_canonical()
    if field.is_bitfield():
        return last if len(parts) > 1 else None
    if type_._kind_id in ARRAYS:  # the other expressions are extents
        return last if last.kind in _WHOLE_ARRAY else None
    at, name = last.cursor.extent.start.offset, field.location.offset
    if at < name or (at == name and "<" in field.type.spelling):  # an argument of a template in the type
        return None
    if last.kind == kinds.INIT_LIST_EXPR:
        return last
    given = last.cursor.type.get_canonical()
    if type_._kind_id == type_kinds.RECORD and given._kind_id != type_kinds.RECORD:
        return None
    if type_._kind_id == type_kinds.POINTER and last.kind == kinds.INTEGER_LITERAL:
        return None  # the extent of what it points to
    return last


def lacks_initializer(declaration: Any, field: Any) -> bool:
    """Whether a field of an instance has none only because libclang has not made it from that of the template."""
    pattern = conf.lib.clang_getSpecializedCursorTemplate(declaration)
    if pattern is None:
        return False
    return any(
        member._kind_id == kinds.FIELD_DECL
        and member.spelling == field.spelling
        and in_class_initializer(member) is not None
        for member in direct_children(pattern)
    )
