"""What follows from names that nothing declares: constants, types and macros that are made of them, and errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from coalint.core import ir
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.repair.placed_errors import PlacedError

_WORD = re.compile(r"[A-Za-z_]\w*")
# What an unknown type or number leads to, or a constant that is made of one.
FOLLOWS = re.compile(
    r"ambiguous|coalint_undeclared|variable-length array|reference to __host__ variable|constant expression"
    r"|requires parameter \d+ to be an integer constant|non-type template parameter must be an expression"
)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_QUOTED = re.compile(r"'([^']*)'")
_CONSTANT = re.compile(r"^\s*(?:(?:static|inline)\s+)*(?:constexpr|const|using)\b[^=;]*?(\w+)\s*=([^;]*)", re.MULTILINE)


def made_of(names: Iterable[str], locations: Locations) -> dict[str, bool]:
    """Return names that nothing declares with what the text makes of them (constants, types, macros), which is True."""
    made = dict.fromkeys(names, False)
    if not made:
        return made
    texts = ["\n".join(locations.lines(file)) for file in locations.own]
    constants = [found for text in texts for pattern in (_CONSTANT, _DEFINED) for found in pattern.findall(text)]
    before = -1
    while len(made) + sum(made.values()) != before:
        before = len(made) + sum(made.values())
        made.update(
            {constant: True for constant, value in constants if (set(_WORD.findall(value)) - {constant}) & set(made)}
        )
    return made


def follows(error: PlacedError, made: Mapping[str, bool], locations: Locations) -> bool:
    """Whether an error follows from a name that nothing declares, or a constant or type made of such names.

    That is an error of grammar behind it, since what may be no template makes no sense in front of `<unsigned>`, or
    what is said of what it makes: that it is no constant expression.
    """
    lines = locations.lines(error.span.file)
    line = lines[error.span.line - 1] if error.span.line <= len(lines) else ""
    at = _WORD.match(line, error.span.column - 1)  # a macro's use is where errors in its text are placed
    if at is not None and made.get(at.group()):
        return True
    if error.grammar:
        return not set(_WORD.findall(line[: error.span.column - 1])).isdisjoint(made)
    words = line if FOLLOWS.search(error.text) else " ".join(_QUOTED.findall(error.text))
    return not set(_WORD.findall(words)).isdisjoint(made)


def named_in(names: Iterable[str], kernel: str | None, kernels: Sequence[ir.Kernel], locations: Locations) -> list[str]:
    """Return the undeclared names that stand in a kernel's text, or in a constant or a type that stands there."""
    spans = {found.span for found in kernels if found.name == kernel}
    text = "\n".join("\n".join(locations.lines(span.file)[span.line - 1 : span.end_line]) for span in spans)
    words = set(_WORD.findall(text))
    before: set[str] = set()
    while words != before:
        before = set(words)
        for file in {span.file for span in spans}:
            for constant, value in _CONSTANT.findall("\n".join(locations.lines(file))):
                words |= set(_WORD.findall(value)) if constant in words else set()
    return sorted(name for name in set(names) if name.rpartition("::")[2] in words)
