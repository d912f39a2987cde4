"""Lanes that lie multiples of what is open apart: told for all warps at once as it is for each by itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from coalint.core.facts.access import Access
from coalint.core.facts.lanes import Lanes
from coalint.rules.support.alignment import is_multiple_apart

LANES = 4  # of a warp here; the rows are what counts
Row = list[tuple[bool, int, int]]  # of each lane whether it is active, its offset and its group
rows = some.lists(
    some.lists(
        some.tuples(some.booleans(), some.sampled_from([0, 0, 0, 4]), some.integers(-2, 5)),
        min_size=LANES,
        max_size=LANES,
    ),
    min_size=1,
    max_size=4,
)


def access_of(drawn: list[Row], *, symbolic: tuple[str, ...] = ("pitch",), grouped: bool = True) -> Access:
    active, offsets, groups = (np.array([[lane[part] for lane in row] for row in drawn])[:, None] for part in range(3))
    lanes = Lanes(offsets, active.astype(bool), np.ones(len(drawn), np.int64), 4, groups if grouped else None)
    result: Any = SimpleNamespace(lanes=lanes, symbolic=symbolic)
    return cast(Access, SimpleNamespace(result=result))


@given(rows)
def test_each_warp_is_asked(drawn: list[Row]) -> None:
    warps = [[lane for lane in row if lane[0]] for row in drawn]
    each = [len({at for _, at, _ in warp}) <= 1 and len({group for *_, group in warp}) == len(warp) for warp in warps]
    assert is_multiple_apart(access_of(drawn)) is all(each)


def test_lanes_of_one_base_or_without_an_open_quantity_are_none() -> None:
    apart: list[Row] = [[(True, 0, lane) for lane in range(LANES)]]
    assert is_multiple_apart(access_of(apart))
    assert not is_multiple_apart(access_of(apart, grouped=False))
    assert not is_multiple_apart(access_of(apart, symbolic=()))
