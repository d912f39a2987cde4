"""Special registers in `asm` with operands that are written with one `%`: `mov.u32 %0, %laneid;`.

nvcc takes it, clang asks for `%%`. The second one stands in place of the blank before the first, where there is one:
nothing else moves then. A file is read so from the start, its headers once they were refused. nvcc does without a comma
between two operands, too: `"r"(a) "r"(b)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from coalint.frontend.cuda.libclang.errors import Error

_REFUSED = "invalid % escape in inline assembly"
_NO_COMMA = "expected ')'"
_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_BESIDE = re.compile(r"(\)\s*)[ \t](?=\"[=+&]*[a-z]\"\s*\()")
_SINGLE = re.compile(r" ?(?<!%)%(?=[A-Za-z_]\w*)(?![A-Za-z](?:\d+\b|\[))")
_IN_BRACKETS = r"\((?:[^()]|" * 4 + r"\([^()]*\)" + r")*\)" * 4
_STATEMENT = re.compile(
    r"\b(?:asm|__asm__|__asm)\b[^;{}()\"]*\((?:[^\"()]|\"(?:[^\"\\\n]|\\.)*\"|" + _IN_BRACKETS + r")*\)"
)


def refused(errors: Iterable[Error]) -> frozenset[str]:
    """Return the files with such statements."""
    files = (error.location.file for error in errors if error.spelling.startswith(_REFUSED))
    return frozenset(file.name for file in files if file is not None)


def without_comma(errors: Iterable[Error], text_of: Callable[[str], str]) -> frozenset[str]:
    """Return the files with statements whose operands lack a comma between them."""
    files = {error.location.file.name for error in errors if error.spelling == _NO_COMMA and error.location.file}
    return frozenset(file for file in files if parted(text_of(file)) != text_of(file))


def parted(text: str) -> str:
    """Return the text with a comma in place of a blank between two operands of a statement, in a line or in two."""
    return _STATEMENT.sub(lambda match: _BESIDE.sub(r"\1,", match.group()), text)


def doubled(text: str) -> str:
    """Return the text with two `%` for each one before a name, in statements with operands."""
    return _STATEMENT.sub(_statement, text)


def _statement(match: re.Match[str]) -> str:
    if ":" not in _LITERAL.sub("", match.group()):
        return match.group()
    return _LITERAL.sub(lambda literal: _SINGLE.sub("%%", literal.group()), match.group())
