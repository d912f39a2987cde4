"""Accesses built by hand for tests of the machine model and of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from coalint.core.facts.access import Access, Memory, Operation, Space
from coalint.core.facts.analysis import Analysis
from coalint.core.facts.lanes import Lanes
from coalint.core.facts.launch import LaunchSource, Specialization
from coalint.core.facts.synchronization import Barrier
from coalint.core.source.quoting import identifiers
from coalint.core.source.spans import Span
from coalint.frontend.cuda.spelling import CUDA

Block = tuple[int, int, int]
"""Threads in x, y and z."""
Offset = Callable[[int, int, int], int | None]
"""Bytes from the base for thread (x, y, z), None for one that does not take part."""

SPAN = Span("k.cu", 10, 5, 10, 12)


def warps(block: Block, offset: Offset) -> list[list[int | None]]:
    """The lanes of each warp of a block: `offset(x, y, z)` in bytes, None for a thread that does not take part."""
    bx, by, bz = block
    threads = [offset(x, y, z) for z in range(bz) for y in range(by) for x in range(bx)]
    threads += [None] * (-len(threads) % 32)
    return [threads[i : i + 32] for i in range(0, len(threads), 32)]


def lanes_of(
    rows: Sequence[Sequence[Sequence[int | None]]],
    *,
    weights: Sequence[int] | None = None,
    groups: Sequence[Sequence[int]] | None = None,
    alignment: int = 256,
) -> Lanes:
    """The record for rows of warps of 32 lanes, None standing for an inactive lane."""
    return Lanes(
        offsets=np.array([[[o or 0 for o in warp] for warp in row] for row in rows], dtype=np.int64),
        active=np.array([[[o is not None for o in warp] for warp in row] for row in rows], dtype=np.bool_),
        weights=np.array(weights if weights is not None else [1] * len(rows), dtype=np.int64),
        alignment=alignment,
        groups=np.array(groups, dtype=np.int64) if groups is not None else None,
    )


def specialization(block: Block = (32, 8, 1), source: LaunchSource = LaunchSource.LAUNCH) -> Specialization:
    """A kernel `k` launched at line 90 with the given block."""
    return Specialization("k", (), block, source, line=90 if source is LaunchSource.LAUNCH else None)


def access(
    offset: Offset | None = None,
    *,
    block: Block = (32, 8, 1),
    space: Space = Space.GLOBAL,
    op: Operation = Operation.LOAD,
    bytes: int = 4,
    expression: str = "in[i]",
    memory: Memory | None = None,
    strides: tuple[int | None, int | None, int | None] | None = None,
    source: LaunchSource = LaunchSource.LAUNCH,
    exact: bool = True,
    **fields: object,
) -> Access:
    """An access whose lanes follow from `offset(x, y, z)` in bytes; strides are taken from it where not given."""
    if offset is not None and strides is None:
        strides = _differences(offset, block)
    strides = strides or (None, None, None)
    names = identifiers(expression)
    told = {"names": frozenset(names), "pointer": next(iter(names), ""), **fields}
    access = Access(
        kernel="k",
        specialization=specialization(block, source),
        space=space,
        op=op,
        bytes=bytes,
        expression=expression,
        span=SPAN,
        memory=memory or Memory("in", bytes),
        stride=str(strides[0]) if strides[0] is not None else "?",
        strides=strides,
    )
    lanes = lanes_of([warps(block, offset)]) if offset is not None else None
    result = {"lanes": lanes, "exact": exact, "unknown": None if offset is not None else "not known"}
    return changed(access, **(result | told))


NESTED = ("address", "open", "result", "served", "portable")


def changed(access: Access, **given: object) -> Access:
    """The access with other values of fields, those of its parts (its lanes, its address, ...) included."""
    for name in NESTED:
        part = getattr(access, name)
        inside = {key: given.pop(key) for key in tuple(given) if hasattr(part, key) and not hasattr(access, key)}
        access = replace(access, **{name: replace(part, **inside)})
    return replace(access, **given)  # type: ignore[arg-type]


def _differences(offset: Offset, block: Block) -> tuple[int | None, int | None, int | None]:
    def step(axis: int) -> int | None:
        if block[axis] == 1:
            return 0
        here, there = offset(0, 0, 0), offset(*(int(axis == a) for a in range(3)))
        return None if here is None or there is None else there - here

    return step(0), step(1), step(2)


def analysis(*accesses: Access, barriers: tuple[Barrier, ...] = ()) -> Analysis:
    """One kernel with these accesses."""
    spec = accesses[0].specialization if accesses else specialization()
    return Analysis("k", spec, SPAN, tuple(accesses), barriers, CUDA)
