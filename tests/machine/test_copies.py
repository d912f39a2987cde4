"""Asynchronous copies against what GPUs counted: chunks read and written by the lanes of a warp."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import reference
from synthetic import lanes_of

from coalint.core.facts.access import Operation
from coalint.core.facts.lanes import Lanes
from coalint.machine.architecture import architecture
from coalint.machine.shared_memory.async_copies import (
    bypass_sectors,
    bypass_wavefronts,
    copy_wavefronts,
    served_together,
)
from coalint.machine.traffic import global_traffic, shared_traffic

DATA = Path(__file__).resolve().parents[2] / "docs" / "data" / "copies.sm_90.json"

H200 = architecture("sm_90")
Chunk = Callable[[int], int]

# Bytes, number of the word (or pair or quad) that lane t reads, and that it writes, wavefronts counted.
THROUGH_L1: list[tuple[int, Chunk, Chunk, int]] = [
    (4, lambda t: t, lambda t: t, 1),
    (4, lambda t: 2 * t, lambda t: t, 2),
    (4, lambda t: 32 * t, lambda t: t, 32),
    (4, lambda t: 0, lambda t: t, 32),
    (4, lambda t: t // 2, lambda t: t, 2),
    (4, lambda t: t, lambda t: 32 * t, 32),
    (4, lambda t: t, lambda t: 33 * t, 1),
    (8, lambda t: t, lambda t: t, 2),
    (8, lambda t: 4 * t, lambda t: t, 8),
    (8, lambda t: 0, lambda t: t, 32),
    (16, lambda t: t, lambda t: t, 4),
    (16, lambda t: 2 * t, lambda t: t, 8),
    (16, lambda t: t // 2, lambda t: t, 8),
]

# Quad that lane t reads, and that it writes, sectors and wavefronts counted.
PAST_L1: list[tuple[Chunk, Chunk, int, int | None]] = [
    (lambda t: t, lambda t: t, 16, 4),
    (lambda t: 31 - t, lambda t: t, 16, 4),
    (lambda t: t ^ 5, lambda t: t, 16, 4),
    (lambda t: t, lambda t: 2 * t, 32, 32),
    (lambda t: 8 * t, lambda t: t, 32, 32),
    (lambda t: t // 2, lambda t: t, 32, None),  # each chunk for both halves of a sector
    (lambda t: t + 1, lambda t: t, 32, 12),
    (lambda t: t, lambda t: t // 4 * 6 + t % 4, 16, 10),
]


@pytest.mark.parametrize(("size", "read", "written", "count"), THROUGH_L1)
def test_a_copy_through_l1_takes_as_many_wavefronts_as_lanes_meet(
    size: int, read: Chunk, written: Chunk, count: int
) -> None:
    ends = [lanes_of([[[size * chunk(t) for t in range(32)]]]) for chunk in (read, written)]
    assert np.asarray(copy_wavefronts(ends[0], ends[1], size, H200)).tolist() == [[count]]


def test_where_lanes_meet_on_both_sides_no_law_is_known() -> None:
    twice = lanes_of([[[8 * t for t in range(32)]]])
    assert copy_wavefronts(twice, twice, 4, H200) is None


def test_lanes_that_write_to_one_place_have_no_law() -> None:
    source, target = lanes_of([[[16 * t for t in range(32)]]]), lanes_of([[[0] * 32]])
    assert copy_wavefronts(source, target, 16, H200) is None
    assert bypass_sectors(source, target) is None
    assert bypass_wavefronts(source, target) is None


@pytest.mark.parametrize(("read", "written", "sectors", "wavefronts"), PAST_L1)
def test_a_copy_past_l1_goes_sector_by_sector(
    read: Chunk, written: Chunk, sectors: int, wavefronts: int | None
) -> None:
    ends = [lanes_of([[[16 * chunk(t) for t in range(32)]]]) for chunk in (read, written)]
    assert np.asarray(bypass_sectors(*ends)).tolist() == [[sectors]]
    counted = bypass_wavefronts(*ends)
    assert (None if counted is None else counted.tolist()) == (None if wavefronts is None else [[wavefronts]])


# --- what an H200 counted, by benchmarks/measure_copies.py


def _counted() -> Iterator[tuple[tuple[int, ...], list[int], list[int], int, int]]:
    """Lanes, the chunks that they read and write, sectors, wavefronts."""
    for group in json.loads(DATA.read_text(encoding="utf-8"))["groups"]:
        for read, written, sectors, wavefronts in group["copies"] if not group["filled"] else ():
            yield tuple(group["lanes"]), read, written, sectors, wavefronts


def _filled(cache: str) -> Iterator[tuple[Lanes, Lanes, int, int, int]]:
    """What the lanes that read do, what all lanes write, bytes of a lane, sectors, wavefronts."""
    for group in json.loads(DATA.read_text(encoding="utf-8"))["groups"]:
        if group["filled"] and group["cache"] == cache:
            size, reading = group["size"], set(group["lanes"])
            for read, written, sectors, wavefronts in group["copies"]:
                source = [size * chunk if lane in reading else None for lane, chunk in enumerate(read)]
                ends = lanes_of([[source]]), lanes_of([[[size * chunk for chunk in written]]])
                yield *ends, size, sectors, wavefronts


def _placed(lanes: Sequence[int], chunks: Sequence[int]) -> Lanes:
    at = dict(zip(lanes, chunks, strict=True))
    return lanes_of([[[16 * at[lane] if lane in at else None for lane in range(32)]]])


def _once(read: Sequence[int], written: Sequence[int]) -> bool:
    """Whether no chunk goes to several places of a line."""
    return len({(a, b // 8) for a, b in zip(read, written, strict=True)}) == len(read)


def test_every_copy_past_l1_is_counted_as_the_gpu_did() -> None:
    known = 0
    for lanes, read, written, sectors, wavefronts in _counted():
        ends = _placed(lanes, read), _placed(lanes, written)
        assert np.asarray(bypass_sectors(*ends)).tolist() == [[sectors]]
        found = bypass_wavefronts(*ends)
        if _once(read, written):
            assert np.asarray(found).tolist() == [[wavefronts]], (lanes, read, written)
            known += 1
        else:
            assert found is None
    assert known == 1902


def test_the_wavefronts_that_are_drawn_are_those_that_are_counted() -> None:
    for lanes, read, written, _, wavefronts in _counted():
        if _once(read, written):
            served = served_together(_placed(lanes, read), _placed(lanes, written))
            assert len(served) == wavefronts
            assert sorted(lane for group in served for lane in group) == list(lanes)


def test_the_reference_counts_the_same() -> None:
    for _, read, written, sectors, wavefronts in _counted():
        ends = [16 * a for a in read], [16 * b for b in written]
        assert reference.bypass_sectors(*ends) == sectors
        if _once(read, written):
            assert reference.bypass_wavefronts(*ends) == wavefronts


def test_zeros_past_l1_are_written_as_a_store_of_all_lanes_writes() -> None:
    for source, target, size, sectors, wavefronts in _filled("cg"):
        read = replace(target, active=source.active)
        assert np.asarray(bypass_sectors(source, read)).tolist() == [[sectors]]
        stored = shared_traffic(target, size, Operation.STORE, H200)
        assert stored is not None
        assert stored.count == wavefronts


def test_zeros_through_l1_leave_the_law_with_what_is_read_of_those_that_read() -> None:
    known = 0
    for source, target, size, sectors, wavefronts in _filled("ca"):
        loaded = global_traffic(source, size, Operation.LOAD, H200)
        assert (0 if loaded is None else loaded.count) == sectors
        found = copy_wavefronts(source, target, size, H200)
        if found is not None:
            assert found.tolist() == [[wavefronts]]
            known += 1
    assert known == 655
