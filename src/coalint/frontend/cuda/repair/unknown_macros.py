"""Macros that nothing defines: the text where they are used is no C++ then."""

from __future__ import annotations

import re
from typing import Any

from coalint.core.source.spans import Span
from coalint.frontend.cuda.libclang.inclusions import contents, inclusions
from coalint.frontend.cuda.libclang.locations import Locations

_OPENED = re.compile(r"\b(_*[A-Z][A-Z0-9_]{2,})\s*\(")
_BEFORE = re.compile(r"\b(_*[A-Z][A-Z0-9_]{2,})\s*(?:\([^()]*\)\s*)?\Z")
_AT = re.compile(r"(_*[A-Z][A-Z0-9_]{2,})\b")


def unknown_macro(unit: Any, locations: Locations, place: Span) -> str | None:
    """Return the name in capitals whose arguments hold a place that is no C++ (`SET(int, n, N);`), or that is there.

    None where there is none, or where the unit defines it.
    """
    lines = locations.lines(place.file)
    line = lines[place.line - 1] if place.line <= len(lines) else ""
    text = line[: place.column - 1]
    for use in reversed(list(_OPENED.finditer(text))):
        inside = text[use.end() :]
        if inside.count("(") >= inside.count(")"):
            return None if _is_defined(use[1], unit, locations) else use[1]
    alone = _BEFORE.search(text) or _AT.match(line, place.column - 1)
    name = None if alone is None else alone[1]
    return name if name and not _is_defined(name, unit, locations) else None


def _is_defined(name: str, unit: Any, locations: Locations) -> bool:
    """Whether the text or anything that it includes defines a macro of that name, under whatever condition."""
    defined = re.compile(rf"#[ \t]*define[ \t]+{name}\b")
    if any(defined.search("\n".join(locations.lines(file))) for file in locations.own):
        return True
    handles = {included.handle for included in inclusions(unit)}
    return any(defined.search(contents(unit, handle).decode("utf-8", "replace")) for handle in handles)
