"""Functions of the bundled headers read what they are given: a body that drops an operand would hide an access."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundled_headers import FORCED, headers, parse
from clang.cindex import Cursor, CursorKind, TypeKind

from coalint.frontend.cuda.build.include_folders import INCLUDE

FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
}
REFERENCES = {TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE}
# What tells overloads apart, groups of threads, and objects that hold nothing a kernel reads from memory.
TAGS = ("index_sequence", "arrival_token", "Parent_", "block_tile_memory", "Group_", "pipeline", "TempStorage", "F_")
IGNORING = ("size", "coalint_ignore")  # the functions, or classes of functions, whose meaning it is to read nothing


def definitions(unit: Cursor) -> Iterator[Cursor]:
    scopes, seen = [unit], set[tuple[str, int, str]]()
    while scopes:
        for cursor in scopes.pop().get_children():
            if cursor.kind in FUNCTIONS:
                place = str(cursor.location.file), cursor.location.offset, cursor.spelling
                if place not in seen and any(c.kind == CursorKind.COMPOUND_STMT for c in cursor.get_children()):
                    seen.add(place)
                    yield cursor
            elif cursor.kind.is_declaration() or cursor.kind.is_unexposed():
                scopes.append(cursor)


def is_trap(function: Cursor) -> bool:
    """Whether the body says that there is none: the lowering takes the function for one without a body."""
    (body,) = (c for c in function.get_children() if c.kind == CursorKind.COMPOUND_STMT)
    return [c.spelling for c in body.get_children()] == ["__builtin_trap"]


def words(function: Cursor, macros: dict[str, list[str]]) -> Counter[str]:
    """How often the words of a function stand in it, with those of the macros that it uses."""
    found, waiting, seen = Counter[str](), [token.spelling for token in function.get_tokens()], set[str]()
    if "{" not in waiting:  # a macro's argument: the macro is called on this line
        lines = Path(str(function.location.file)).read_text().splitlines()
        waiting = re.findall(r"\w+", lines[function.location.line - 1])
    while waiting:
        word = waiting.pop()
        found[word] += 1
        if word in macros and word not in seen:
            seen.add(word)
            waiting += macros[word]
    return found


def dropped(function: Cursor, macros: dict[str, list[str]]) -> Iterator[str]:
    """The references among the parameters that the function does not name."""
    if function.spelling in IGNORING or function.semantic_parent.spelling in IGNORING:
        return
    named = words(function, macros)
    for parameter in function.get_children():
        if parameter.kind != CursorKind.PARM_DECL or any(tag in parameter.type.spelling for tag in TAGS):
            continue
        is_reference = parameter.type.get_canonical().kind in REFERENCES or "&" in parameter.type.spelling
        if is_reference and (not parameter.spelling or named[parameter.spelling] < 2):
            yield parameter.type.spelling


@pytest.mark.slow
def test_no_body_of_a_bundled_function_drops_an_operand() -> None:
    unit = parse("".join(f'#include "{header}"\n' for header in headers()), *FORCED)
    functions = [function for function in definitions(unit.cursor) if not is_trap(function)]
    macros: dict[str, list[str]] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind == CursorKind.MACRO_DEFINITION and cursor.spelling.startswith("COALINT_"):
            macros.setdefault(cursor.spelling, []).extend(token.spelling for token in cursor.get_tokens())
    assert len(functions) > 900
    wrong = [
        f"{str(f.location.file).removeprefix(str(INCLUDE))}:{f.location.line}: {f.spelling}({parameter})"
        for f in functions
        for parameter in dropped(f, macros)
    ]
    assert not wrong, "\n".join(wrong)
