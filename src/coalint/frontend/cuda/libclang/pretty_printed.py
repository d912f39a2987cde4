"""Declarations as libclang prints them: template arguments of every kind, attributes with template arguments put in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ctypes import c_int, c_uint, c_void_p
from functools import cache
from typing import Any

from clang.cindex import Cursor, _CXString

from coalint.frontend.cuda.libclang.bindings import library

# CXPrintingPolicyProperty (clang-c/Index.h)
_TERSE_OUTPUT = 17

_OPENING = {"<": ">", "(": ")", "[": "]", "{": "}"}


@cache
def _printer() -> Any:
    lib = library()
    lib.clang_getCursorPrintingPolicy.argtypes = [Cursor]
    lib.clang_getCursorPrintingPolicy.restype = c_void_p
    lib.clang_PrintingPolicy_setProperty.argtypes = [c_void_p, c_int, c_uint]
    lib.clang_PrintingPolicy_setProperty.restype = None
    lib.clang_PrintingPolicy_dispose.argtypes = [c_void_p]
    lib.clang_PrintingPolicy_dispose.restype = None
    lib.clang_getCursorPrettyPrinted.argtypes = [Cursor, c_void_p]
    lib.clang_getCursorPrettyPrinted.restype = _CXString
    lib.clang_getCursorPrettyPrinted.errcheck = _CXString.from_result
    return lib


def declaration(cursor: Any) -> str:
    """Return a function's declaration without its body, as `template<> ... void k<float, 32>(float *p)`."""
    lib = _printer()
    policy = lib.clang_getCursorPrintingPolicy(cursor)
    try:
        lib.clang_PrintingPolicy_setProperty(policy, _TERSE_OUTPUT, 1)
        return str(lib.clang_getCursorPrettyPrinted(cursor, policy))
    finally:
        lib.clang_PrintingPolicy_dispose(policy)


def definition(cursor: Any) -> str:
    """Return a function with its body, macros expanded and template arguments put in."""
    return str(_printer().clang_getCursorPrettyPrinted(cursor, None))


def template_arguments(cursor: Any) -> tuple[str | tuple[str, ...], ...] | None:
    """Return the template arguments of a function specialization as text, those of a pack together.

    None where they cannot be told.
    """
    text = declaration(cursor)
    match = re.search(rf"(?<!\w){re.escape(cursor.spelling)}<", text)
    if match is None:
        return None
    opening, rest = text[match.end() - 1 : match.end()], text[match.end() :]
    inside = balanced(f"{opening} {rest}", 0)  # a pack that is the first begins with a bracket too, which is no shift
    if inside is None:
        return None
    parts = split(inside)
    return tuple(tuple(split(part[1:-1])) if part[:1] == "<" and part[-1:] == ">" else part for part in parts)


def attribute(cursor: Any, name: str) -> tuple[str, ...]:
    """Return the arguments of `__attribute__((name(...)))` of a function, those of a template put in.

    Empty without it.
    """
    for declared in (cursor, cursor.canonical):
        text = declaration(declared)
        match = re.search(rf"__attribute__\(\({name}\(", text)
        inside = balanced(text, match.end() - 1) if match is not None else None
        if inside is not None:
            return tuple(split(inside))
    return ()


def balanced(text: str, start: int) -> str | None:
    """Return what stands between the bracket at `start` and the one that closes it."""
    closing = _OPENING[text[start]]
    depth = 0
    for position, character, inside in _scan(text, start):
        depth = inside
        if depth == 0 and character == closing:
            return text[start + 1 : position]
    return None


def split(text: str) -> list[str]:
    """Return the parts between the commas that no bracket encloses."""
    parts, start = [], 0
    for position, character, depth in _scan(text, 0):
        if character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


def _scan(text: str, start: int) -> Iterator[tuple[int, str, int]]:
    """Yield position, character and depth of brackets after it; `->`, `<<`, `<=` and their kin are no brackets."""
    open_: list[str] = []
    position = start
    while position < len(text):
        character = text[position]
        if text[position : position + 2] in ("->", "<<", "<=", ">=") or (
            text[position : position + 2] == ">>" and (not open_ or open_[-1] != ">")
        ):
            position += 2
            continue
        if character in "\"'":
            end = text.find(character, position + 1)
            position = len(text) if end < 0 else end + 1
            continue
        if character in _OPENING:
            open_.append(_OPENING[character])
        elif open_ and character == open_[-1]:
            open_.pop()
        yield position, character, len(open_)
        position += 1
