"""Kernel templates: the arguments of their instances, and probes for those that nothing instantiates."""

from __future__ import annotations

import re
from typing import Any

from clang.cindex import CursorKind as K
from clang.cindex import TemplateArgumentKind

from coalint.frontend.clang import direct_children, library, template_argument_kind

PREFIX = "coalint_probe_"


def arguments_of(cursor: Any) -> tuple[str, ...]:
    """The template arguments of a specialization, as text."""
    found: list[str] = []
    count = max(0, cursor.get_num_template_arguments())
    template = library().clang_getSpecializedCursorTemplate(cursor) if count else None
    parameters = [] if template is None else [c for c in direct_children(template) if c._kind_id in _PARAMETERS]
    for position in range(count):
        kind = template_argument_kind(cursor, position)
        if kind == TemplateArgumentKind.TYPE:
            found.append(cursor.get_template_argument_type(position).spelling)
        elif kind == TemplateArgumentKind.INTEGRAL:
            value = cursor.get_template_argument_value(position)
            boolean = position < len(parameters) and parameters[position].type.spelling == "bool"
            found.append(("true" if value else "false") if boolean else str(value))
        else:
            found.append("?")
    return tuple(found)


def probe_text(templates: list[Any]) -> str:
    """Source that takes the address of an instance of each template, with representative arguments."""
    lines = []
    for number, cursor in enumerate(templates):
        arguments = _representative(cursor)
        if arguments is None:
            continue
        name = "::".join([*_scopes(cursor), cursor.spelling])
        spelled = f"{name}<{', '.join(arguments)}>" if arguments else name + "<>"
        lines.append(f"static auto {PREFIX}{number} = &{spelled};")
    return "\n".join(lines)


def probed(unit: Any) -> list[Any]:
    """The specializations that the probes of a translation unit name."""
    lib = library()
    found = []
    for cursor in direct_children(unit.cursor):
        if cursor._kind_id != K.VAR_DECL.value or not cursor.spelling.startswith(PREFIX):
            continue
        pending = direct_children(cursor)
        while pending:
            inner = pending.pop()
            target = lib.clang_getCursorReferenced(inner) if inner._kind_id == K.DECL_REF_EXPR.value else None
            if target is not None and target._kind_id == K.FUNCTION_DECL.value:
                found.append(target)
                break
            pending.extend(direct_children(inner))
    return found


def guessed(cursor: Any) -> tuple[str, ...]:
    """The integer template parameters of a probed specialization, as `name = value`."""
    template = library().clang_getSpecializedCursorTemplate(cursor)
    if template is None:
        return ()
    template._tu = cursor._tu
    names = [child.spelling for child in direct_children(template) if child._kind_id in _PARAMETERS]
    pairs = zip(names, arguments_of(cursor), strict=False)
    return tuple(f"{name} = {value}" for name, value in pairs if name and value.lstrip("-").isdigit())


def integer(text: str, cursor: Any, unit: Any) -> int | None:
    """The value of a small constant expression in an attribute: a number, a macro, a constant, a template parameter."""
    text = text.strip()
    try:
        return int(text.rstrip("uUlL"), 0)
    except ValueError:
        pass
    product = re.fullmatch(r"(\w+)\s*\*\s*(\w+)", text)
    if product is not None:
        a, b = (integer(part, cursor, unit) for part in product.groups())
        return a * b if a and b else None
    if not re.fullmatch(r"\w+", text):
        return None
    lib = library()
    template = lib.clang_getSpecializedCursorTemplate(cursor)
    if template is not None:
        template._tu = cursor._tu
        names = [child.spelling for child in direct_children(template) if child._kind_id in _PARAMETERS]
        for name, value in zip(names, arguments_of(cursor), strict=False):
            if name == text and value.lstrip("-").isdigit():
                return int(value)
    for declared in direct_children(unit.cursor):
        if declared.spelling != text:
            continue
        if declared._kind_id == K.MACRO_DEFINITION.value:
            tokens = [token.spelling for token in declared.get_tokens()][1:]
            return integer("".join(tokens).strip("()"), cursor, unit) if tokens and tokens != [text] else None
        if declared._kind_id == K.VAR_DECL.value:
            result = lib.clang_Cursor_Evaluate(declared)
            return int(lib.clang_EvalResult_getAsInt(result)) if result else None
    return None


_PARAMETERS = frozenset(
    {K.TEMPLATE_TYPE_PARAMETER.value, K.TEMPLATE_NON_TYPE_PARAMETER.value, K.TEMPLATE_TEMPLATE_PARAMETER.value}
)


def _representative(cursor: Any) -> list[str] | None:
    """Arguments for the parameters without defaults; None when one of them is a template or a pack."""
    arguments = []
    for parameter in direct_children(cursor):
        kind = parameter._kind_id
        if kind not in _PARAMETERS:
            continue
        tokens = [token.spelling for token in parameter.get_tokens()]
        if "=" in tokens:
            break
        if kind == K.TEMPLATE_TEMPLATE_PARAMETER.value or "..." in tokens:
            return None
        if kind == K.TEMPLATE_TYPE_PARAMETER.value:
            arguments.append(_type_for(parameter.spelling))
        else:
            arguments.append(_value_for(parameter))
    return arguments


def _type_for(name: str) -> str:
    lowered = name.lower()
    if any(word in lowered for word in ("index", "idx", "offset", "int", "size")):
        return "int"
    return "float"


def _value_for(parameter: Any) -> str:
    spelled = parameter.type.get_canonical().spelling
    name = parameter.spelling.lower()
    if spelled == "bool":
        return "false"
    if any(word in name for word in ("block", "thread", "nt")):
        return "256" if "thread" in name or "size" in name else "32"
    if any(word in name for word in ("tile", "dim", "warp", "width", "bm", "bn")):
        return "32"
    value = "4" if any(word in name for word in ("vec", "ilp", "unroll", "per")) else "8"
    is_enum = parameter.type.get_canonical().get_declaration()._kind_id == K.ENUM_DECL.value
    return f"static_cast<{spelled}>(0)" if is_enum else value


def _scopes(cursor: Any) -> list[str]:
    names: list[str] = []
    parent = cursor.semantic_parent
    while parent is not None and parent._kind_id != K.TRANSLATION_UNIT.value:
        if (parent.spelling and parent._kind_id == K.NAMESPACE.value and not parent.is_anonymous()) or (
            parent.spelling and parent._kind_id in (K.STRUCT_DECL.value, K.CLASS_DECL.value)
        ):
            names.append(parent.spelling)
        parent = parent.semantic_parent
    return names[::-1]
