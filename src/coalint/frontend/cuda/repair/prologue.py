"""What is put into a source before it is parsed; lines keep their numbers.

Explicit instantiations (`template void run<float>(float *);`) are nothing that libclang's cursors show: each gets a
variable in front of it, on its own line and in its own namespace, that names the same function. Those in the body of a
macro get one too, which every use of the macro then declares.

Launches may be written `<< <n, 32>> >`, which nvcc takes: they become `<<< n, 32 >>>`, at equal length, in included
files too.

Templates in a table of functions (`static const call_t calls[] = {0, f<1>, f<2>};`) are no instances to libclang's
cursors: each gets a cast to the table's type.

Braces in a launch (`<<<n, {32, 8}>>>`), which nvcc takes, are a syntax error to clang: they get their `dim3`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from coalint.core.records import record
from coalint.frontend.cuda.libclang.pretty_printed import balanced
from coalint.frontend.cuda.repair.missing_kernels import without_comments

PREFIX = "coalint_explicit_"
MAX_INSTANTIATIONS = 200  # of one file
_LONGEST = 2000  # characters of one of them

_OPENING = re.compile(r"<[ \t]*<[ \t]*<")
_CLOSING = re.compile(r"(>[ \t]*>[ \t]*>)\s*\(")
_START = re.compile(  # the word that it begins with is what is searched for
    r"template\b(?<![\w:]template)(?<!extern template)(?!\s*<)[\s\\]*"
)
_CLASS = re.compile(r"(?:struct|class)\s+(?P<name>(?:::)?[\w:]+)\s*(?=<)")
_ATTRIBUTE = re.compile(r"\b__(?:launch_bounds|block_size|cluster_dims|attribute)__\s*(?=\()")
_QUALIFIERS = re.compile(r"\b(?:__\w+__|inline|static|extern|constexpr)\b")
_CONTINUED = re.compile(r"\\\r?\n")
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TABLE = re.compile(r"\b(?P<type>(?!return\b)[A-Za-z_]\w*)\s+[A-Za-z_]\w*\s*(?:\[[^\]\n]*\]\s*)+=\s*\{")
_TABLE_BEGINS = re.compile(r"\]\s*=\s*\{")
_INSTANCE = re.compile(r"(?<=[,{])\s*(?P<name>&?\s*(?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*\s*<[^{};()]*?>)(?=\s*[,}])")
_NAME = re.compile(r"(?:::)?(?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*\s*$")


@record(frozen=True, slots=True)
class Marked:
    """A source with a variable in front of each explicit instantiation.

    `inserts` maps the lines that were changed to the columns (from 1, as in the new text) where the first insertion
    begins and the last one ends; `macros` are the macros that declare such variables. `source` is what the user wrote.
    """

    text: str
    source: str
    inserts: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    macros: frozenset[str] = frozenset()

    def concerns(self, line: int, column: int, text: str) -> bool:
        """Whether an error at a place (`text` is the source's line) is about what was inserted, not what was there."""
        inside = self.inserts.get(line)
        if inside is not None:
            return inside[0] <= column <= inside[1]
        word = _WORD.search(text)
        return word is not None and word.group() in self.macros


def apart(wrong: Iterable[Any], path: str, text_of: Callable[[str], str]) -> frozenset[str]:
    """Return the included files with errors whose launches are written with blanks in their brackets."""
    files = {error.location.file.name for error in wrong if error.location.file is not None} - {path}
    return frozenset(file for file in files if closed_up(text_of(file)) != text_of(file))


def closed_up(text: str) -> str:
    """Return the text with the brackets of launches written together."""
    opening = [match for match in _OPENING.finditer(text) if match.group() != "<<<"]
    for match in opening:
        closing = _CLOSING.search(text, match.end(), match.end() + _LONGEST)
        if closing is not None and ";" not in text[match.end() : closing.start()]:
            begin, end = closing.span(1)
            inner = text[match.end() : begin]
            text = f"{text[: match.start()]}{'<<<':<{len(match.group())}}{inner}{'>>>':>{end - begin}}{text[end:]}"
    return text


def marked(text: str) -> Marked:
    """Return the source with its explicit instantiations made visible; the lines keep their numbers."""
    source, text = text, closed_up(text)
    if "template" not in text and "<<<" not in text:
        return Marked(text, source)
    code = without_comments(text)
    inserts = [*_braces(code), *_tables(code)]
    for match in _START.finditer(code):
        variable = _variable(code, match.end())
        if variable is not None:
            inserts.append((match.start(), variable))
        if len(inserts) >= MAX_INSTANTIATIONS:
            break
    if not inserts:
        return Marked(text, source)
    parts: list[str] = []
    places: dict[int, tuple[int, int]] = {}
    macros: set[str] = set()
    last = 0
    for position, variable in sorted(inserts):
        parts += [text[last:position], variable]
        last = position
        line = code.count("\n", 0, position) + 1
        column = position - (code.rfind("\n", 0, position) + 1) + 1
        first, end = places.get(line, (column, column))
        places[line] = (first, max(end, column + end - first) + len(variable))
        macros.update(_defining(code, position))
    return Marked("".join([*parts, text[last:]]), source, places, frozenset(macros))


def _braces(code: str) -> Iterator[tuple[int, str]]:
    """Yield the `dim3` that grids and blocks in braces lack."""
    for start in re.finditer("<<<", code):
        before, depth = "<", 0
        for position in range(start.end(), min(len(code), start.end() + _LONGEST)):
            character = code[position]
            if depth == 0 and (character == ";" or code.startswith(">>>", position)):
                break
            if character == "{" and depth == 0 and before in "<,":
                yield position, "dim3"
            depth += (character in "({[") - (character in ")}]")
            before = before if character.isspace() else character


def _tables(code: str) -> Iterator[tuple[int, str]]:
    """Yield the cast to a table's own type with which libclang names the instances in `callers[] = {0, f<1>, f<2>}`."""
    if _TABLE_BEGINS.search(code) is None:
        return
    for table in _TABLE.finditer(code):
        begin = table.end() - 1
        inside = code[begin : code.find(";", begin, begin + _LONGEST)]
        if "<" not in inside or "(" in inside:
            continue
        for element in _INSTANCE.finditer(inside):
            yield begin + element.start("name"), f"({table['type']})"


def _defining(code: str, position: int) -> list[str]:
    """Return the macro whose body a place stands in."""
    start = code.rfind("\n", 0, position) + 1
    while start > 0 and code[:start].endswith(("\\\n", "\\\r\n")):
        start = code.rfind("\n", 0, start - 1) + 1
    match = _DEFINE.match(code, start)
    return [match["name"]] if match is not None else []


def _variable(code: str, start: int) -> str | None:
    """Return the declaration that stands for the explicit instantiation at `start`; None for what is none."""
    end = code.find(";", start)
    statement = _CONTINUED.sub(" ", code[start : end if end >= 0 else len(code)])
    if "{" in statement or len(statement) > _LONGEST:
        statement = statement[:_LONGEST].partition("{")[0]
    statement = " ".join(re.split(r"\n[ \t]*#", statement)[0].split())
    match = _CLASS.match(statement)
    if match is not None:
        arguments = balanced(statement, match.end())
        return None if arguments is None else f"static {match['name']}<{arguments}> *COALINT_EXPLICIT; "
    while (attribute := _ATTRIBUTE.search(statement)) is not None:
        inside = balanced(statement, attribute.end())
        if inside is None:
            return None
        statement = statement[: attribute.start()] + statement[attribute.end() + len(inside) + 2 :]
    statement = _QUALIFIERS.sub("", statement)
    opening = _first_parenthesis(statement)
    parameters = balanced(statement, opening) if opening is not None else None
    if opening is None or parameters is None:
        return None
    result, name = _named(statement[:opening])
    if not result or not name:
        return None
    if "::" in name:  # of a namespace or of a class: only the compiler knows
        return f"static auto COALINT_EXPLICIT = &{name}; "
    return f"static {result} (*COALINT_EXPLICIT)({parameters}) = &{name}; "


def _first_parenthesis(text: str) -> int | None:
    depth = 0
    for position, character in enumerate(text):
        if character == "(" and depth == 0:
            return position
        depth += (character == "<") - (character == ">")
    return None


def _named(head: str) -> tuple[str, str]:
    """Return result type and name, with its template arguments, of what stands before the parameters."""
    rest, suffix = head.rstrip(), ""
    while True:
        if rest.endswith(">"):
            start = _opening(rest)
            if start is None:
                return "", ""
            rest, suffix = rest[:start].rstrip(), rest[start:] + suffix
        match = _NAME.search(rest)
        if match is None:
            return "", ""
        rest, suffix = rest[: match.start()].rstrip(), match.group().strip() + suffix
        if rest.endswith("::"):
            rest, suffix = rest[:-2].rstrip(), "::" + suffix
        elif not (rest.endswith(">") and suffix.startswith("::")):
            return rest, suffix


def _opening(text: str) -> int | None:
    """Return where the angle bracket opens that the last character closes."""
    depth = 0
    for position in range(len(text) - 1, -1, -1):
        depth += (text[position] == ">") - (text[position] == "<")
        if depth == 0:
            return position
    return None
