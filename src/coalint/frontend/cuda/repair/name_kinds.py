"""What an undeclared name stands for, by how the source uses it."""

from __future__ import annotations

import re
from functools import lru_cache

from coalint.frontend.cuda.repair.macros import AFTER_NAME, KEYWORDS_AFTER
from coalint.frontend.cuda.repair.scopes import ScopeKind

_DECLARED = re.compile(
    r"\b(?:int|unsigned|long|short|char|bool|auto|size_t|u?int\d+_t)\s+(?:const\s+)?([^\W\d]\w*)\s*[=,>{]"
)
_CONSTANT = re.compile(r"k[A-Z]\w*|[A-Z][A-Z0-9_]{2,}")


def kind_of(text: str, at: int, name: str, what: str, start: int | None = None) -> ScopeKind:
    """Return what the name at an offset seems to be, by what stands around it and by what libclang calls it.

    `start` is where the namespaces before it begin.
    """
    end = at + len(name)
    start = at if start is None else start
    following = AFTER_NAME.match(text, end)
    sign = following.group(1) if following is not None else ""
    before = text[max(0, start - 40) : start].rstrip()
    member = before.endswith((".", "->"))
    if sign == "<":
        close = closing_angle(text, text.index("<", end))
        if close is None:
            return ScopeKind.TEMPLATE if what == "template" else ScopeKind.VALUE
        after = AFTER_NAME.match(text, close)
        called = member or (after is not None and after.group(1) == "(")
        return ScopeKind.FUNCTION_TEMPLATE if called and what == "any" else ScopeKind.TEMPLATE
    if what == "template":
        return ScopeKind.TEMPLATE
    if what in ("type", "scope"):
        return ScopeKind.TYPE
    if sign == "::":
        return ScopeKind.NAMESPACE
    if sign == "(":
        return ScopeKind.FUNCTION
    if member:
        return ScopeKind.OBJECT
    if sign == "{" or (sign.isidentifier() and sign not in KEYWORDS_AFTER):
        return ScopeKind.TYPE
    if _is_cast(before, text, end) and (start == at or not _CONSTANT.fullmatch(name)):
        return ScopeKind.TYPE
    return ScopeKind.OBJECT if sign in ("[", ".", "->") else ScopeKind.VALUE


def _is_cast(before: str, text: str, end: int) -> bool:
    """Whether a name stands where only a type can: in a cast, in `sizeof`, or alone as a template argument."""
    if re.search(r"\w\s*<$", before) and re.compile(r"\s*[>,]").match(text, end):
        return True  # a number there would need a value
    behind = re.compile(r"(\s*const\b)?(\s*[*&])*\s*([>)])\s*(.?)", re.DOTALL).match(text, end)
    if behind is None:
        return False
    before = before.removesuffix("const").rstrip()
    if behind.group(3) == ">":
        return before.endswith(",") or bool(behind.group(2))
    if not before.endswith("("):
        return False
    if re.search(r"\b(sizeof|alignof|alignas)\s*\($", before):
        return True
    called = re.search(r"[\w\])]\s*\($", before) is not None
    return not called and (bool(behind.group(2)) or re.match(r"[\w(.]", behind.group(4)) is not None)


def is_of_parameter(text: str, at: int, end: int) -> bool:
    """Whether a type is that of a parameter of a template, as in `template <Mode mode, class T>`."""
    if re.compile(r"\s+(?:\.\.\.\s*)?\w+\s*[,>=]").match(text, end) is None:
        return False
    before = text[max(0, at - 400) : at]
    start = before.rfind("template")
    head = before[start + len("template") :]
    opened = start >= 0 and head.lstrip().startswith("<") and head.rstrip().endswith(("<", ","))
    return opened and head.count("<") > head.count(">") and not re.search(r"[;{}]", head)


def closing_angle(text: str, opening: int) -> int | None:
    """Return the offset after the `>` that closes template arguments; None where it reads like a comparison."""
    depth = 0
    round_ = 0
    for index in range(opening, min(len(text), opening + 2000)):
        character = text[index]
        if character == "<" and round_ == 0:
            depth += 1
        elif character == ">" and round_ == 0:
            depth -= 1
            if depth == 0:
                return index + 1
        elif character in "([{":
            round_ += 1
        elif character in ")]}":
            round_ -= 1
            if round_ < 0:
                return None
        elif character == ";" or text.startswith(("&&", "||"), index):
            return None
    return None


def parameters_of(text: str, end: int) -> str:
    """Return the parameters of a class template, by the arguments that it is given."""
    opening = AFTER_NAME.match(text, end)
    if opening is None or opening.group(1) != "<":
        return ""
    start = text.index("<", end)
    close = closing_angle(text, start)
    if close is None:
        return ""
    kinds = ["auto" if _is_number(part, text) else "class" for part in _split(text[start + 1 : close - 1])]
    last = kinds[-1] if kinds else "class"
    return ", ".join([*kinds[:-1], f"{last}..."]) if kinds else "class..."


def _split(arguments: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for index, character in enumerate(arguments):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(arguments[start:index])
            start = index + 1
    parts.append(arguments[start:])
    return [part.strip() for part in parts if part.strip()]


def _is_number(argument: str, text: str) -> bool:
    """Whether a template argument is a value rather than a type, as it is written or as the text declares it."""
    if re.match(r"[\d'\"!~+-]|true\b|false\b|sizeof\b|nullptr\b|&", argument):
        return True
    if re.search(r"[+/%|^-]|<<|>>|::value\b|_v\b", re.sub(r"<.*>", "", argument)):
        return True
    if _CONSTANT.fullmatch(argument.rpartition("::")[2]) is not None:
        return True
    if not argument.isidentifier():
        return False
    return argument in _declared_numbers(text)


@lru_cache(maxsize=4)
def _declared_numbers(text: str) -> frozenset[str]:
    """Return the names that a text declares as numbers."""
    return frozenset(_DECLARED.findall(text))
