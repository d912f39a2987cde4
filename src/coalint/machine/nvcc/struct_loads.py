"""The instructions that load the parts of a struct which are used, as nvcc 13 makes them for an H200."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import gcd

from coalint.core.records import record

REGISTER = 4
"""Bytes."""
WIDEST = 16
"""Bytes per lane that one access moves at most."""
_SIZES = (1, 2, 4, 8, WIDEST)
_WIDE = 8
"""Bytes of the largest number."""
_SMALL_VECTOR = re.compile(r"u?(?:char|short)[24]")


@record(frozen=True, slots=True, order=True)
class StructPart:
    """What is read of a struct: bytes from its start, how many, and the member's name (`a.x`).

    `align` is what nvcc knows the offset to be a multiple of, 16 bytes at most: of a member of a member it knows that
    as far as both are; of an element of an array, of its own offset (479 of 480 random kernels).
    """

    offset: int
    size: int
    name: str
    align: int = WIDEST

    @property
    def end(self) -> int:
        """Just after it."""
        return self.offset + self.size

    def covers(self, other: StructPart) -> bool:
        """Whether all of another part lies in this one."""
        return self.offset <= other.offset and other.end <= self.end


def instructions(parts: Sequence[StructPart], size: int, width: int, record: str) -> tuple[StructPart, ...]:
    """Return the loads for these parts of a struct of `size` bytes that would be moved whole `width` bytes at a time.

    A part's name is that of all members that it loads. Counted in nvcc 13.2's machine code for sm_90, of structs and
    vectors of all kinds in global and shared memory. Of the 4-byte registers of one such piece nvcc loads three at once
    with the fourth, two that could be one aligned access as one, and others each alone; numbers of 8 bytes it joins
    with such alone. Members of 1 and 2 bytes lie in one register only where they are alike and have no gap, all of them
    in a vector such as `uchar4`; what it makes of such members beside larger ones is no clear law.
    """
    loads = []
    for start in range(0, size, width):
        piece = StructPart(start, width, "")
        inside = _within(parts, piece)
        if len(inside) == 1 and inside[0].size in _SIZES and inside[0].offset % inside[0].size == 0:
            loads.append(inside[0])
        elif width == 2 * _WIDE and any(part.size == _WIDE for part in inside):
            halves = [StructPart(start, _WIDE, ""), StructPart(start + _WIDE, _WIDE, "")]
            if len(inside) == 2 and all(part.size == _WIDE for part in inside):
                loads.append(replace(piece, name=_names(inside)))
            else:
                loads.extend(load for half in halves for load in _of_piece(_within(inside, half), half))
        else:
            is_small = _SMALL_VECTOR.fullmatch(record) is not None
            loads.extend(_of_piece(inside, piece, is_small=is_small))
    return tuple(loads)


def _within(parts: Sequence[StructPart], piece: StructPart) -> list[StructPart]:
    return [clipped for part in parts if (clipped := _clipped(part, piece)) is not None]


def _clipped(part: StructPart, piece: StructPart) -> StructPart | None:
    begin, end = max(part.offset, piece.offset), min(part.end, piece.end)
    return replace(part, offset=begin, size=end - begin) if begin < end else None


def _of_piece(inside: Sequence[StructPart], piece: StructPart, *, is_small: bool = False) -> Iterator[StructPart]:
    unit = min(REGISTER, piece.size)
    full: list[StructPart] = []
    for start in range(piece.offset, piece.end, unit):
        register = StructPart(start, unit, "")
        parts = _within(inside, register)
        whole = [part for part in parts if part.size == unit]
        if parts and (is_small or whole):
            align = piece.align if is_small else max(part.align for part in whole)
            full.append(replace(register, name=_names(parts), align=align))
            continue
        begin, end = min((p.offset for p in parts), default=0), max((p.end for p in parts), default=0)
        alike = len({part.size for part in parts}) == 1 and end - begin == sum(part.size for part in parts)
        if alike and end - begin in _SIZES and begin % (end - begin) == 0:
            yield StructPart(begin, end - begin, _names(parts))
        else:
            yield from parts
    if len(full) >= 3 and piece.size == 4 * unit and _is_vector(full, piece):
        yield replace(piece, name=_names(full))
        return
    pairs = [full[n : n + 2] for n in range(0, len(full), 2)] if len(full) != 3 else [full[:2], full[2:]]
    if len(full) == 3 and full[0].offset != piece.offset:
        pairs = [full[:1], full[1:]]
    for pair in pairs:
        first, last = pair[0], pair[-1]
        known = gcd(first.offset, first.align) % (2 * unit) == 0
        if known and first.end == last.offset:
            yield StructPart(first.offset, 2 * unit, _names(pair))
        else:
            yield from pair


def _is_vector(full: Sequence[StructPart], piece: StructPart) -> bool:
    """Whether three or four registers become one access, the missing one being read over.

    Where that is the first one, there must be a member of such a size: what lies at odd places says that there is none.
    """
    if full[0].offset == piece.offset:
        return full[0].align % piece.size == 0
    return all(part.align == gcd(part.offset, WIDEST) for part in full)


def _names(parts: Sequence[StructPart]) -> str:
    return ", ".join(dict.fromkeys(part.name for part in parts))
