"""Rows that only walk further are counted once: the counts are those of every row by itself."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coalint.core.facts.lanes import Lanes
from coalint.machine import row_patterns
from coalint.machine.architecture import architecture
from coalint.machine.global_memory.sectors import sector_counts
from coalint.machine.shared_memory.banks import conflict_ways, wavefront_counts

ARCH = architecture("sm_90")


@st.composite
def walks(draw: st.DrawFn) -> Lanes:
    """Rows of a few patterns, each moved by some bytes."""
    patterns = draw(st.lists(st.integers(0, 40), min_size=1, max_size=3))
    moves = draw(st.lists(st.tuples(st.integers(0, len(patterns) - 1), st.integers(-9, 9)), min_size=2, max_size=12))
    unit = draw(st.sampled_from([4, 16, 64, 128]))
    lane = np.arange(64).reshape(2, 32)
    offsets = np.stack([4 * patterns[which] * lane + unit * by for which, by in moves]).astype(np.int64)
    active = np.broadcast_to(lane % draw(st.integers(1, 3)) == 0, offsets.shape).copy()
    groups = draw(st.sampled_from([None, lane // 16, lane % 2]))
    return Lanes(offsets, active, np.ones(len(moves), dtype=np.int64), 128, groups)


@pytest.mark.slow
@given(walks(), st.sampled_from([1, 2, 4, 8, 16]))
def test_counts_are_those_of_each_row(lanes: Lanes, width: int) -> None:
    def counted() -> list[Any]:
        return [
            sector_counts(lanes, width, 32),
            sector_counts(lanes, width, 128),
            wavefront_counts(lanes, width, ARCH),
            wavefront_counts(lanes, width, ARCH, load=False),
            np.asarray(conflict_ways(lanes, width, ARCH)),
        ]

    with patch.object(row_patterns, "FEW", 0):
        folded = counted()
    with patch.object(row_patterns, "FEW", 1 << 60):
        one_by_one = counted()
    for a, b in zip(folded, one_by_one, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_walk_of_one_pattern_is_one_row() -> None:
    lanes = Lanes(
        np.arange(1000).reshape(-1, 1, 1) * 128 + np.arange(32) * 4,
        np.ones((1000, 1, 32), dtype=np.bool_),
        np.ones(1000, dtype=np.int64),
        128,
    )
    kept, which = row_patterns.distinct(lanes)
    assert kept.offsets.shape == (1, 1, 32)
    assert which is not None
    assert which.tolist() == [0] * 1000


@given(st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=1, max_size=40), st.booleans())
def test_rows_are_alike_when_they_are_equal(values: list[list[int]], hashes_collide: bool) -> None:
    array = np.array(values, dtype=np.int64)
    with patch.object(row_patterns, "_hashes", lambda rows: rows[:, 0]) if hashes_collide else nullcontext():
        first, kinds = row_patterns.alike(array)
    assert len(first) == len({tuple(row) for row in values})
    assert [values[first[kind]] for kind in kinds] == values
    assert all(values.index(values[at]) == at for at in first)


@pytest.mark.parametrize("count", [0, 1, 96, 2048])
def test_multipliers_are_those_of_numpys_generator(count: int) -> None:
    theirs = np.random.default_rng(0).integers(0, 1 << 63, count, dtype=np.uint64) * 2 + 1
    ours = row_patterns._multipliers(count)
    assert ours.dtype == theirs.dtype
    assert ours.tolist() == theirs.tolist()
