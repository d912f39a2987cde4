"""Special registers in `asm` with operands that are written with one `%`: `mov.u32 %0, %laneid;`.

nvcc takes it, clang asks for `%%`. Parsed again, the second one stands in place of the blank before the first, where
there is one: nothing else moves then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from coalint.frontend.cuda.libclang.errors import Error

_REFUSED = "invalid % escape in inline assembly"
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SINGLE = re.compile(r" ?(?<!%)%(?=[A-Za-z_]\w*)(?![A-Za-z]\d+\b)")
_STATEMENT = re.compile(r"\b(?:asm|__asm__|__asm)\b[^;{}()\"]*\((?:[^\"()]|\"(?:[^\"\\\n]|\\.)*\"|\([^()]*\))*\)")


def refused(errors: Iterable[Error]) -> frozenset[str]:
    """Return the files with such statements."""
    files = (error.location.file for error in errors if error.spelling.startswith(_REFUSED))
    return frozenset(file.name for file in files if file is not None)


def doubled(text: str) -> str:
    """Return the text with two `%` for each one before a name, in statements with operands."""
    return _STATEMENT.sub(_statement, text)


def _statement(match: re.Match[str]) -> str:
    if ":" not in _LITERAL.sub("", match.group()):
        return match.group()
    return _LITERAL.sub(lambda literal: _SINGLE.sub("%%", literal.group()), match.group())
