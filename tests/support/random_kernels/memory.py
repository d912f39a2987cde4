"""The buffers that kernels touch, and what is noted of each access."""

from __future__ import annotations

from dataclasses import dataclass

SHARED_ROWS = 64


@dataclass(frozen=True)
class Buffer:
    """A kernel parameter or shared array: what is at an index. `fields` are a struct's (name, offset, bytes)."""

    name: str
    element: str
    bytes: int
    space: str = "global"
    fields: tuple[tuple[str, int, int], ...] = ()
    row: int | None = None  # elements in a row of a two-dimensional array


STRUCTS = """\
struct Body { float x, y, z; int kind; float mass; };
struct Pair { short low; short high; float value; };
struct Corner { int row, col; };
"""
BUFFERS = (
    Buffer("in", "const float", 4),
    Buffer("out", "float", 4),
    Buffer("other", "float", 4),
    Buffer("wide", "double", 8),
    Buffer("octets", "unsigned char", 1),
    Buffer("halves", "short", 2),
    Buffer("quads", "float4", 16),
    Buffer("bodies", "Body", 20, fields=(("x", 0, 4), ("z", 8, 4), ("kind", 12, 4), ("mass", 16, 4))),
    Buffer("pairs", "Pair", 8, fields=(("low", 0, 2), ("high", 2, 2), ("value", 4, 4))),
)
VALUES = {"float4": "make_float4(sum, sum, sum, sum)"}


@dataclass
class Logged:
    """An access as the generator wrote it; `mark` stands in a comment on its line."""

    mark: str
    op: str
    space: str
    bytes: int
