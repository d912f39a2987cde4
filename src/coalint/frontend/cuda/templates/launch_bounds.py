"""The block shape that a kernel's declaration promises."""

from __future__ import annotations

import re
from typing import Any

from coalint.frontend.cuda.libclang import pretty_printed
from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.templates.constant_expressions import Constants

_ABOVE = 6  # lines before a function's name that its attributes may stand in


def bounds(cursor: Any, constants: Constants, locations: Locations) -> tuple[int, int, int] | None:
    """Return the block shape of `__launch_bounds__(threads)` or `__block_size__((x, y, z))`."""
    threads = pretty_printed.attribute(cursor, "launch_bounds")
    if threads:
        count = constants.integer(threads[0], cursor)
        return None if count is None or count <= 0 else (count, 1, 1)
    span = locations.span(cursor)
    head = "\n".join(locations.lines(span.file)[max(0, span.line - _ABOVE) : span.end_line])
    if "__block_size__" not in head:
        return None
    name = re.escape(cursor.spelling)
    match = re.search(rf"__block_size__\s*\(((?:[^()]|\([^()]*\))*)\)(?:(?!__global__)[^;{{}}])*?\b{name}\s*\(", head)
    if match is None:
        return None
    parts = [part.strip(" ()") for part in match.group(1).split(",")]
    x, y, z = (*(constants.integer(part, cursor) for part in parts), 1, 1)[:3]
    return (x, y, z) if x and y and z else None
