"""Whether a variable outside of functions keeps its value: by its type, or as the text of its file uses it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from clang.cindex import StorageClass, TypeKind, conf

from coalint.frontend.cuda.libclang.locations import Locations

_ASSIGNED = re.compile(r"(?:\s*\.\s*\w+|\s*\[[^\]]*\])*\s*(?:=(?!=)|[-+*/%&|^]=|<<=|>>=|\+\+|--)")
_CHANGES = ("&", "++", "--", ">>")  # before a name: what takes its address, counts it or reads into it
_ARGUMENT_ENDS = re.compile(r"\s*[,)]")
_WORD = re.compile(r"\w+")
_STATEMENT_ENDS = re.compile(r"[;{}]")
_CHANGEABLE = re.compile(r"^(?!.*\bconst\b).*[\w>]\s*&\s*\w*\s*$", re.S)  # a parameter that is a reference


def keeps_its_value(locations: Locations, cursor: Any) -> bool:
    """Whether a variable outside of functions is a constant, or one of this file alone that nothing assigns to."""
    if is_constant(cursor):
        return True
    rest = _text_of_all_uses(locations, cursor)
    return rest is not None and is_left_alone(cursor.spelling, rest)


def is_only_read(locations: Locations, cursor: Any) -> bool:
    """Whether the file of an array uses nothing but elements of it, and no other file can name it."""
    rest = _text_of_all_uses(locations, cursor)
    name = rf"\b{re.escape(cursor.spelling)}\b"
    return rest is not None and re.search(rf"{name}(?!\s*\[)|&\s*{name}", rest) is None


def _text_of_all_uses(locations: Locations, cursor: Any) -> str | None:
    """Return the text of a variable's file without its declaration; None where other files may use the variable.

    A program with a `main` in this file has no other file that matters.
    """
    span = locations.span(cursor)
    if span.file != locations.path:
        return None
    lines = locations.lines(span.file)
    rest = "\n".join((*lines[: span.line - 1], *lines[span.end_line :]))
    is_alone = cursor.storage_class == StorageClass.STATIC or re.search(r"\bmain\s*\(", rest)
    return rest if is_alone else None


def is_left_alone(name: str, text: str) -> bool:
    """Whether nothing in a text assigns to a variable, takes its address, or passes it on to be changed."""
    uses = [at for at in _occurrences(name, text) if (word := _WORD.match(text, at)) and word[0] == name]
    if any(_is_changed_at(text, at, at + len(name)) for at in uses):
        return False
    is_argument = any(_is_argument_at(text, at, at + len(name)) for at in uses)
    return not (is_argument and _passed_by_reference(name, text))


def _occurrences(name: str, text: str) -> Iterator[int]:
    """Yield where words begin in a text that begin with a name."""
    at = text.find(name) if name else -1
    while at >= 0:
        if at == 0 or not (text[at - 1].isalnum() or text[at - 1] == "_"):
            yield at
        at = text.find(name, at + 1)


def _is_changed_at(text: str, begin: int, end: int) -> bool:
    """Whether what stands around the use of a name assigns to it, takes its address or reads into it."""
    return _ASSIGNED.match(text, end) is not None or text[:begin].rstrip().endswith(_CHANGES)


def _is_argument_at(text: str, begin: int, end: int) -> bool:
    return _ARGUMENT_ENDS.match(text, end) is not None and text[:begin].rstrip().endswith(("(", ","))


def is_constant(cursor: Any) -> bool:
    """Whether a variable is constant, or an array of constants."""
    type_ = conf.lib.clang_getCursorType(cursor).get_canonical()
    while type_.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY) and not type_.is_const_qualified():
        type_ = type_.element_type
    return bool(type_.is_const_qualified())


def is_linked(cursor: Any) -> bool:
    """Whether a variable outside of functions is one that other files of the program may change."""
    return not is_constant(cursor) and cursor.storage_class != StorageClass.STATIC


def _passed_by_reference(name: str, text: str) -> bool:
    """Whether a variable is an argument of a function of the file that takes references to what it may change."""
    calls = re.compile(rf"\b(\w+)\s*\((?:[^;{{}}()]|\([^;{{}}()]*\))*\b{re.escape(name)}\s*[,)]")
    statements = (statement for statement in _STATEMENT_ENDS.split(text) if name in statement)
    for called in {match.group(1) for statement in statements for match in calls.finditer(statement)}:
        for parameters in re.finditer(rf"\b{called}\s*\(([^;{{}}()]*)\)", text):
            if any(_CHANGEABLE.search(parameter) for parameter in parameters.group(1).split(",")):
                return True
    return False
