"""Asynchronous copies against what an H200 counted: chunks read and written by the lanes of a warp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from synthetic import lanes_of

from coalint.machine.arch import architecture
from coalint.machine.copies import bypass_sectors, bypass_wavefronts, copy_wavefronts

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
    (lambda t: t, lambda t: 2 * t, 32, None),  # 32 wavefronts: halves of sectors
    (lambda t: 8 * t, lambda t: t, 32, 32),
    (lambda t: t // 2, lambda t: t, 32, None),  # each sector for both halves
    (lambda t: t + 1, lambda t: t, 32, None),  # 12 wavefronts
    (lambda t: t, lambda t: t // 4 * 6 + t % 4, 16, None),  # 10 wavefronts
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
