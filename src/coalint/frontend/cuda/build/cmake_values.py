"""The values that CMakeLists.txt files and makefiles may give macros, variables and loops followed as text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from coalint.frontend.cuda.build.build_files import COMMAND, DEFINING, SCOPES

MOST = 16
"""Values of one macro."""
_NEST = 6
_VALUE = r"(?:[\w.+-]|\$\{\w+\}|\$\(\w+\))+"
_OPTION = re.compile(rf"(?<![\w-])-D\s?([A-Za-z_]\w*)=({_VALUE})(?=[\s\"';)]|$)")
_PLAIN = re.compile(rf"([A-Za-z_]\w*)=({_VALUE})")
_VARIABLE = re.compile(r"\$[{(](\w+)[)}]")
_CONCRETE = re.compile(r"[\w.+-]+")
_ASSIGNED = re.compile(r"^\s*(?:override\s+|export\s+)?(\w+)\s*(?:\?|:|::|\+)?=\s*(.*)$", re.MULTILINE)
_COMMENT = re.compile(r"#\[\[.*?\]\]|#[^\n]*", re.DOTALL)

Variables = Mapping[str, list[str]]
"""What variables may hold, as it is written."""


def given_by_cmake(text: str) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield each macro that a command gives a value, with the values that it may have, and the command's line."""
    if "-D" not in text and "definitions" not in text.lower():  # as most do not
        return
    text = _COMMENT.sub(lambda match: re.sub(r"[^\n]", "", match.group()), text)
    commands = [(match[1].lower(), match[2], match.start()) for match in COMMAND.finditer(text)]
    variables = _variables(commands)
    for command, inside, start in commands:
        pairs = _OPTION.findall(inside)
        if command in DEFINING:
            words = inside.replace('"', " ").split()
            pairs += [pair for word in words if (pair := _pair(word)) is not None]
        for name, value in dict.fromkeys(pairs):
            values = _resolved(value, variables)
            if values:
                yield name, values, text.count("\n", 0, start) + 1


def given_by_make(text: str) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield each macro that a makefile gives a value, with the values that it may have, and the line."""
    if "-D" not in text:
        return
    text = re.sub(r"(?<!\\)#[^\n]*", "", text)
    variables: dict[str, list[str]] = {}
    for name, value in _ASSIGNED.findall(text):
        variables.setdefault(name, []).append(value.strip())
    for match in _OPTION.finditer(text):
        values = _resolved(match[2], variables)
        if values:
            yield match[1], values, text.count("\n", 0, match.start()) + 1


def _pair(word: str) -> tuple[str, str] | None:
    match = _PLAIN.fullmatch(word)
    return None if match is None or word in SCOPES else (match[1], match[2])


def _variables(commands: list[tuple[str, str, int]]) -> Variables:
    """Return what the variables of a file are set to, run over in loops, and given as arguments of functions."""
    variables: dict[str, list[str]] = {}
    functions: dict[str, list[str]] = {}
    for command, inside, _ in commands:
        words = inside.replace('"', " ").replace(";", " ").split()
        if command in ("set", "foreach") and words:
            name, *rest = words
            listed = rest[:2] == ["IN", "LISTS"]
            rest = rest[: rest.index("CACHE")] if "CACHE" in rest else rest
            rest = [f"${{{word}}}" for word in rest[2:]] if listed else rest
            variables.setdefault(name, []).extend(word for word in rest if word not in ("IN", "ITEMS", "PARENT_SCOPE"))
        elif command in ("function", "macro") and words:
            functions[words[0].lower()] = words[1:]
    for command, inside, _ in commands:
        for parameter, argument in zip(functions.get(command, ()), inside.replace('"', " ").split(), strict=False):
            variables.setdefault(parameter, []).append(argument)
    return variables


def _resolved(value: str, variables: Variables, nest: int = _NEST) -> tuple[str, ...]:
    """Return the texts that a value may be, without variables; empty where it is not known."""
    variable = _VARIABLE.search(value)
    if variable is None:
        return (value,) if _CONCRETE.fullmatch(value) else ()
    found: dict[str, None] = {}
    for text in variables.get(variable[1], ()) if nest else ():
        if variable[0] in text:
            continue  # it is added to itself
        for inner in _resolved(text, variables, nest - 1):
            whole = value[: variable.start()] + inner + value[variable.end() :]
            found.update(dict.fromkeys(_resolved(whole, variables, nest - 1)))
            if len(found) >= MOST:
                return tuple(found)[:MOST]
    return tuple(found)
