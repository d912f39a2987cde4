"""The text of an `asm` statement, which libclang does not give: template, names and constraints of operands."""

from __future__ import annotations

import re
from itertools import islice

from coalint.core.records import record

_HEAD = re.compile(
    r"(?:asm|__asm__|__asm)\b(?:[\s\\]|(?:volatile|__volatile__|goto|inline)\b|//[^\n]*\n|/\*.*?\*/)*\(", re.S
)
_TOKEN = re.compile(
    r'(?P<skip>(?:\s|\\\n|//[^\n]*|/\*.*?\*/)+)|(?P<raw>R"(?P<end>[^()\s\\]*)\((?P<inside>.*?)\)(?P=end)")'
    r'|(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<name>[A-Za-z_]\w*)|(?P<other>.)',
    re.S,
)
_ESCAPE = re.compile(r"\\(.)", re.S)
_ESCAPES = {"n": "\n", "t": "\t"}
LONGEST = 50_000  # characters that are searched for the end of the statement


@record(frozen=True, slots=True)
class Written:
    """What is written between the brackets: the template, and (name, constraint) of outputs, then inputs."""

    template: str
    operands: tuple[tuple[str, str], ...]


def heads(text: str) -> list[int]:
    """Return where the asm statements of a text begin."""
    return [head.start() for head in _HEAD.finditer(text)]


def parse_assembly(text: str) -> Written | None:
    """Return the asm statement that a text begins with, or the only one in the body of a macro.

    None if none can be read.

    In a macro's body a template may hold parameters (`#N`): each stands as `?`, since only the macro's uses tell it.
    """
    text = text[:LONGEST]
    heads = list(islice(_HEAD.finditer(text), 2))
    head = _HEAD.match(text) or (heads[0] if len(heads) == 1 else None)
    if head is None:
        return None
    parts: list[str] = [""]
    sections: list[list[tuple[str, str]]] = []
    name, constraint, depth, bracket = "", "", 1, False
    position = head.end()
    while position < len(text):
        token = _TOKEN.match(text, position)
        assert token is not None
        position = token.end()
        if token["skip"]:
            continue
        literal = _literal(token)
        if depth > 1:
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if depth == 1 and sections:
                sections[-1].append((name, constraint))
                name, constraint = "", ""
        elif token[0] == ")":
            operands = tuple(operand for section in sections[:2] for operand in section)
            return Written("".join(parts), operands)
        elif token[0] == "(":
            depth += 1
        elif token[0] == ":":
            sections.append([])
        elif token[0] in "[]":
            bracket = token[0] == "["
        elif bracket and token["name"]:
            name = token["name"]
        elif not sections:
            parts.append(literal if literal is not None else "?" if token["name"] else "")
        elif literal is not None:
            constraint += literal
    return None


def _literal(token: re.Match[str]) -> str | None:
    if token["raw"]:
        return token["inside"]
    if token["string"]:
        return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), token["string"][1:-1])
    return None
