"""The functions that a text defines outside of functions, found by their braces."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum

from coalint.core.records import record
from coalint.frontend.cuda.mentions.texts import SourceText

_BRACES = re.compile(r"[{}]")
_NAMED = re.compile(r"(~?[A-Za-z_]\w*)\s*(?:<[^(){};]*>\s*)?\(")
_NOT_NAMES = frozenset(
    "__launch_bounds__ __attribute__ __declspec alignas __align__ decltype noexcept sizeof if for while switch catch "
    "return defined requires explicit throw __cluster_dims__ __maxnreg__".split()
)
_QUALIFIED = re.compile(r"\)[\s\w&]*(?:->[^{;]*|noexcept\s*\([^)]*\)\s*)?$")
_NAMESPACE = re.compile(r"\bnamespace\b(?P<name>[^()]*)$")
_LINKAGE = re.compile(r"\bextern\s*\"C(?:\+\+)?\"\s*$")
_TYPE = re.compile(r"\b(?:class|struct|union|enum)\b")
_STATIC = re.compile(r"\bstatic\b")
_C_LINKAGE = re.compile(r"\bextern\s*\"C\"")
_EXPORTED = re.compile(r"\b(?:__declspec|visibility|\w*_?API|\w*EXPORTS?\w*|\w*_PUBLIC|\w*DLL\w*)\b")
_KERNEL = re.compile(r"\b__global__\b")
_QUALIFIERS = re.compile(r"\btemplate\s*<[^(){};]*>|\[\[.*?\]\]|\b__attribute__\s*\(\(.*?\)\)", re.DOTALL)


class _Scope(Enum):
    NAMESPACE = "namespace"
    ANONYMOUS = "anonymous namespace"
    LINKAGE = "linkage"
    TYPE = "type"


@record(frozen=True, slots=True)
class Defined:
    """A function that a text defines.

    Attributes:
        name: Its name.
        start: Where its declarator begins.
        body: Where its body begins.
        end: Where its body ends.
        is_kernel: Whether it is a kernel.
        is_local: Whether no other file can name it.
        is_member: Whether it is written as a member of something.
        is_exported: Whether marks before it say that others use it.
        is_of_c: Whether it has C's linkage.
    """

    name: str
    start: int
    body: int
    end: int
    is_kernel: bool
    is_local: bool
    is_member: bool
    is_exported: bool
    is_of_c: bool


@record(frozen=True, slots=True)
class Outline:
    """What a text is made of outside of functions.

    Attributes:
        functions: The functions, in their order.
        opaque: Where other braces are, which no scope is known of, as (start, end).
        is_balanced: Whether all braces were understood.
    """

    functions: tuple[Defined, ...]
    opaque: tuple[tuple[int, int], ...]
    is_balanced: bool


def outline_of(text: SourceText) -> Outline:
    """Return the outline of a text."""
    functions: list[Defined] = []
    opaque: list[tuple[int, int]] = []
    scopes: list[_Scope] = []
    inside, began = 0, 0
    made: Defined | None = None
    for match in _BRACES.finditer(text.outline):
        at, is_open = match.start(), match[0] == "{"
        if inside:
            inside += 1 if is_open else -1
            if not inside and made is None:
                opaque.append((began, at))
            elif not inside and made is not None:
                functions.append(replace(made, end=at))
        elif not is_open:
            if not scopes:
                return Outline(tuple(functions), tuple(opaque), False)
            scopes.pop()
        else:
            start = 1 + max(text.outline.rfind(sign, 0, at) for sign in ";{}")
            head = text.outline[start:at]
            scope = _scope(head, text.code[start:at])
            if scope is not None:
                scopes.append(scope)
                continue
            inside, began = 1, start
            made = _function(head, text.code[start:at], start, at, tuple(scopes))
    return Outline(tuple(functions), tuple(opaque), not inside and not scopes)


def _scope(head: str, code: str) -> _Scope | None:
    """Return what a brace opens in which functions may be defined; None for another one."""
    if _LINKAGE.search(code):
        return _Scope.LINKAGE
    named = _NAMESPACE.search(head)
    if named is not None:
        return _Scope.NAMESPACE if re.search(r"\w", named["name"]) else _Scope.ANONYMOUS
    if _TYPE.search(head) and not _QUALIFIED.search(head) and not re.search(r"=\s*$", head):
        return _Scope.TYPE
    return None


def _function(head: str, code: str, start: int, body: int, scopes: tuple[_Scope, ...]) -> Defined | None:
    """Return the function whose body a brace opens, its end open; None where what stands before it is another thing."""
    if not _QUALIFIED.search(head):
        return None
    plain = _QUALIFIERS.sub(lambda match: " " * len(match[0]), head)
    depths = _depths(plain)
    for match in _NAMED.finditer(plain):
        if depths[match.start()] or match[1] in _NOT_NAMES:
            continue
        before = plain[: match.start()]
        if not re.search(r"[\w*&>]\s*$|::\s*$", before) or match[1].startswith("~") or "operator" in before:
            return None  # a macro, a constructor or an operator
        is_kernel = _KERNEL.search(before) is not None
        return Defined(
            name=match[1],
            start=start + match.start(1),
            body=body,
            end=body,
            is_kernel=is_kernel,
            is_local=_STATIC.search(before) is not None or _Scope.ANONYMOUS in scopes,
            is_member=_Scope.TYPE in scopes or re.search(r"::\s*$", before) is not None,
            is_exported=_EXPORTED.search(head[: match.start()]) is not None,
            is_of_c=_Scope.LINKAGE in scopes or _C_LINKAGE.search(code[: match.start()]) is not None,
        )
    return None


def _depths(text: str) -> list[int]:
    """Return in how many parentheses each sign stands."""
    depths: list[int] = []
    depth = 0
    for sign in text:
        depths.append(depth)
        depth += (sign == "(") - (sign == ")")
    return depths
