"""What an address adds to the numbers of its lanes: parts that a warp shares, and pitches that tear lanes apart."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from coalint.analysis.domain.algebra.algebra import Algebra
from coalint.analysis.domain.algebra.arithmetic import Number
from coalint.analysis.domain.algebra.atoms import AtomKind, Level
from coalint.analysis.domain.algebra.printing import Printer
from coalint.analysis.warps.counters.plan import SECTOR
from coalint.analysis.warps.lanes.lane_numbers import CONSTANT, LaneValue, same_in_warp
from coalint.core.arrays import spread
from coalint.core.lazy import np
from coalint.core.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray


@record(frozen=True, slots=True)
class UniformParts:
    """The unknown parts of one address.

    `alignment` in bytes divides what all lanes of a warp share. `groups` numbers lanes that an unknown pitch keeps
    together, shape (E, W, 32); None where there is no such pitch. `symbolic` names what makes up the pitches.
    """

    alignment: int
    groups: NDArray[np.int64] | None
    symbolic: tuple[str, ...]


def uniform_parts(printer: Printer, lane: LaneValue, shape: tuple[int, ...], averaged: frozenset[int]) -> UniformParts:
    """Return the unknown parts of an address; counters in `averaged` are no part of the alignment."""
    alignment = 1 << 12
    groups: NDArray[np.int64] | None = None
    symbolic: dict[str, None] = {}
    for key, number in lane.items():
        if key == CONSTANT:
            continue
        if same_in_warp(number):
            if not all(index in averaged for index, _ in key):
                alignment = gcd(alignment, int(np.gcd.reduce(np.ravel(np.asarray(number)))))
            continue
        _, labels = np.unique(np.broadcast_to(number, shape), return_inverse=True)
        labels = labels.reshape(shape).astype(np.int64)
        groups = labels if groups is None else groups * (int(labels.max()) + 1) + labels
        symbolic.update(dict.fromkeys(printer.atom(printer.algebra.atoms[index]) for index, _ in key))
    return UniformParts(max(1, alignment), groups, tuple(symbolic))


def is_same_in_block(algebra: Algebra, lane: LaneValue, shape: tuple[int, ...]) -> bool:
    """Whether all threads of a block share the unknown parts of an address, so that these tell no warps apart."""
    return all(
        key == CONSTANT
        or (all(algebra.atoms[index].level is Level.UNIFORM for index, _ in key) and _is_same(number, shape))
        for key, number in lane.items()
    )


def _is_same(number: Number, shape: tuple[int, ...]) -> bool:
    """Whether all lanes of all warps hold one number, in each iteration."""
    if not isinstance(number, np.ndarray) or number.size == 1:
        return True
    cells = spread(number, shape)
    return bool((cells == cells[:, :1, :1]).all())


def only_counted(algebra: Algebra, lane: LaneValue, averaged: frozenset[int]) -> bool:
    """Whether a part that should be a multiple of 32 bytes is made of numbers of blocks and iterations alone."""
    return any(
        key != CONSTANT
        and all(algebra.atoms[i].kind is AtomKind.COUNTER and i not in averaged for i, _ in key)
        and same_in_warp(number)
        and np.any(np.mod(number, SECTOR) != 0)
        for key, number in lane.items()
    )


def uniform_text(
    printer: Printer, lane: LaneValue, averaged: frozenset[int], multiple: int = SECTOR, *, torn: bool = False
) -> str:
    """Return what all lanes of a warp share, or the pitch if `torn`, but for terms that `multiple` bytes divide."""
    parts = []
    for key, number in lane.items():
        if key == CONSTANT or same_in_warp(number) == torn:
            continue
        coefficient = int(np.gcd.reduce(np.ravel(np.asarray(number))))
        if coefficient % multiple and (torn or not all(index in averaged for index, _ in key)):
            names = "*".join(printer.atom(printer.algebra.atoms[i]) for i, e in key for _ in range(e))
            shown = printer.multiple(coefficient, key)
            parts.append(names if shown == 1 else f"{shown}*{names}")
    return " + ".join(parts)
