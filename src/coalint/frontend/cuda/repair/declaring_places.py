"""Whether a name is declared where it stands in a text, as far as the words and signs beside it tell."""

from __future__ import annotations

import re

_BEFORE = re.compile(r"(?P<word>[A-Za-z_]\w*)\s*$|(?P<sign>[*&>\]},{])\s*$")
_AFTER = re.compile(r"\s*(?:(?P<word>[A-Za-z_]\w*)|(?P<sign>::|[^\s\w]))")
_ENUMERATION = re.compile(r"\benum\b[^;{}]*\{[^{}]*$")
_TAGS = frozenset({"struct", "class", "enum", "union", "namespace", "using", "concept"})
_STATEMENTS = frozenset(
    {
        *("return", "else", "case", "goto", "new", "delete", "throw", "sizeof", "do", "not", "and", "or"),
        *("co_return", "co_yield", "co_await", "const", "static", "inline", "typename", "template", "public"),
        *("private", "protected", "defined", "if", "ifdef", "ifndef", "elif", "undef", "operator"),
    }
)
"""Words that may stand before a name that is only used."""
_NEAR, _FAR = 80, 2000  # characters before a name that are looked at, and those that may reach back to an `enum`


def may_declare(text: str, start: int, end: int) -> bool:
    """Whether the name at these offsets of a text may be declared there: what is only a use of it is none.

    `int name(`, `T *name;`, `struct name {`, `#define name`, `} name;` and the enumerators of an enumeration may be;
    `name(1)`, `const name &` and `return name;` are not.
    """
    before = _BEFORE.search(text, max(0, start - _NEAR), start)
    after = _AFTER.match(text, end)
    following = "" if after is None else after["word"] or after["sign"]
    if before is None:
        return False
    word, sign = before["word"], before["sign"]
    if word == "define":
        return True
    if word in _TAGS:
        return following in ("{", ":", ";", "<", "=", "final", "::")
    if word is not None:
        return word not in _STATEMENTS and following in ("(", "{", ";", "=", "[", ",", ")", ":")
    if sign in "{,":
        return following in (",", "}", "=") and _ENUMERATION.search(text, max(0, start - _FAR), start) is not None
    return following in ((";", ",") if sign == "}" else ("(", "{", ";", "=", "[", ",", ")", ":"))
