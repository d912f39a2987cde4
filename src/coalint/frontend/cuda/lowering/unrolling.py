"""`#pragma unroll`: what the source says of how often a loop's body is copied."""

from __future__ import annotations

import re
from dataclasses import replace

from coalint.core import ir

_PRAGMA = re.compile(r"#[ \t]*pragma[ \t]+(?:(?P<no>nounroll)|unroll)\b[ \t]*\(?[ \t]*(?P<count>-?\w*)")


def requested_unroll(text: str) -> int | None:
    """Return the copies that the pragma at the start of a text asks for, as `ir.Loop.unroll`.

    None for another text, and for a count that is no positive number: nvcc ignores the pragma where it is 0.
    """
    match = _PRAGMA.match(text)
    if match is None:
        return None
    if match["no"]:
        return 1
    if not match["count"]:
        return 0
    return int(match["count"]) or None if match["count"].isdecimal() else None


def with_unroll(statement: ir.Statement, unroll: int | None) -> ir.Statement:
    """Return a loop, or the block that a loop with the ends of its objects is, with what the source asks for."""
    if isinstance(statement, ir.Loop):
        return replace(statement, unroll=unroll)
    if isinstance(statement, ir.Block) and statement.statements and isinstance(statement.statements[0], ir.Loop):
        first, *ends = statement.statements
        return replace(statement, statements=(with_unroll(first, unroll), *ends))
    return statement
