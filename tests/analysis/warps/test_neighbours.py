"""How far neighbouring lanes are apart, from the lanes themselves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from coalint.analysis.warps.neighbours import neighbour_stride
from coalint.analysis.warps.results import WarpResult
from coalint.core.facts.lanes import Lanes

WIDTH = 4  # bytes


def stride(offsets: list[int], active: list[bool], row: int) -> int | None:
    """Of one warp of a block of rows of so many threads."""
    shape = (1, 1, 32)
    lanes = Lanes(np.array(offsets).reshape(shape), np.array(active).reshape(shape), np.ones(1, np.int64), 256)
    return neighbour_stride(WarpResult(lanes), (row, 32 // row, 1), WIDTH)


def by_hand(offsets: list[int], active: list[bool], row: int) -> int | None:
    steps: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for begin in range(0, 32, row):
        lanes = [lane for lane in range(begin, begin + row) if active[lane]]
        for one, other in pairwise(lanes):
            steps[other - one == 1].add((offsets[other] - offsets[one], other - one))
    found = {step / gap for step, gap in steps[True] or steps[False]}
    if len(found) != 1:
        return None
    (each,) = found
    return int(each) if each.is_integer() and (steps[True] or abs(each) >= WIDTH) else None


@example(start=0, step=4, active=[lane % 8 in (1, 3, 4, 6) for lane in range(32)], row=4, moved={})
@given(
    start=st.integers(0, 1 << 20),
    step=st.integers(-64, 64),
    active=st.lists(st.booleans(), min_size=32, max_size=32),
    row=st.sampled_from([2, 4, 8, 16, 32]),
    moved=st.dictionaries(st.integers(0, 31), st.integers(-64, 64), max_size=2),
)
def test_it_is_what_each_pair_of_active_neighbours_says(
    start: int, step: int, active: list[bool], row: int, moved: dict[int, int]
) -> None:
    offsets = [start + step * lane + moved.get(lane, 0) for lane in range(32)]
    assert stride(offsets, active, row) == by_hand(offsets, active, row)


@pytest.mark.parametrize(
    ("step", "every", "found"),
    [(4, 1, 4), (4, 2, 4), (16, 4, 16), (2, 2, None), (0, 1, 0), (0, 2, None), (-8, 3, -8), (4, 32, None)],
)
def test_idle_lanes_lie_evenly_between_active_ones(step: int, every: int, found: int | None) -> None:
    offsets = [step * lane for lane in range(32)]
    assert stride(offsets, [lane % every == 0 for lane in range(32)], 32) == found
