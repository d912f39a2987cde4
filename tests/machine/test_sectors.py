"""Sectors per request: against the counters of an H200, and against brute force over any lanes at all."""

from __future__ import annotations

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from synthetic import Block, Offset, lanes_of, warps

from coalint.core.facts.access import Operation
from coalint.machine.architecture import UnknownArchitectureError, architecture
from coalint.machine.global_memory.sectors import ideal_sectors, sector_counts
from coalint.machine.traffic import Traffic, global_traffic

H200 = architecture("sm_90")

# Name, block, bytes per lane, offset of thread (x, y, z), sectors counted, ideal. From the table of counters.
COUNTED: list[tuple[str, Block, int, Offset, int, int]] = [
    ("float", (256, 1, 1), 4, lambda x, y, z: 4 * x, 4, 4),
    ("double", (256, 1, 1), 8, lambda x, y, z: 8 * x, 8, 8),
    ("char", (256, 1, 1), 1, lambda x, y, z: x, 1, 1),
    ("stride 2", (256, 1, 1), 4, lambda x, y, z: 8 * x, 8, 4),
    ("stride 3", (256, 1, 1), 4, lambda x, y, z: 12 * x, 12, 4),
    ("stride 7", (256, 1, 1), 4, lambda x, y, z: 28 * x, 28, 4),
    ("off by one", (256, 1, 1), 4, lambda x, y, z: 4 * x + 4, 5, 4),
    ("reversed", (256, 1, 1), 4, lambda x, y, z: 4 * (255 - x), 4, 4),
    ("permuted by xor", (256, 1, 1), 4, lambda x, y, z: 4 * (x ^ 1), 4, 4),
    ("one word for all", (256, 1, 1), 4, lambda x, y, z: 64, 1, 4),
    ("field of 12 bytes", (256, 1, 1), 4, lambda x, y, z: 12 * x + 4, 12, 4),
    ("field of 16 bytes", (256, 1, 1), 4, lambda x, y, z: 16 * x + 8, 16, 4),
    ("field of 24 bytes", (256, 1, 1), 4, lambda x, y, z: 24 * x, 24, 4),
    ("field of 32 bytes", (256, 1, 1), 4, lambda x, y, z: 32 * x, 32, 4),
    ("float4", (256, 1, 1), 16, lambda x, y, z: 16 * x, 16, 16),
    ("short, stride 4", (256, 1, 1), 2, lambda x, y, z: 8 * x, 8, 2),
    ("transposed store", (32, 8, 1), 4, lambda x, y, z: 4096 * x + 4 * y, 32, 4),
    ("rows of 16", (16, 16, 1), 4, lambda x, y, z: 4096 * y + 4 * x, 4, 4),
    ("rows of 4", (4, 8, 1), 4, lambda x, y, z: 256 * y + 4 * x, 8, 4),
    ("reduction, stride 8", (256, 1, 1), 4, lambda x, y, z: 32 * x, 32, 4),
]


@pytest.mark.parametrize(
    ("block", "width", "offset", "sectors", "ideal"), [c[1:] for c in COUNTED], ids=[c[0] for c in COUNTED]
)
def test_counted_on_an_h200(block: Block, width: int, offset: Offset, sectors: int, ideal: int) -> None:
    lanes = lanes_of([warps(block, offset)])
    assert global_traffic(lanes, width, Operation.LOAD, H200) == Traffic(sectors, ideal)


WIDTHS = st.sampled_from([1, 2, 4, 8, 16])


@st.composite
def any_lanes(draw: st.DrawFn, width: int, reach: int = 2000) -> list[int | None]:
    """32 lanes, some inactive, aligned to their width or (a struct of odd size) only to a byte."""
    step = draw(st.sampled_from([width, 1]))
    offset = st.integers(-reach, reach).map(lambda n: n * step)
    return draw(st.lists(st.one_of(st.none(), offset, offset), min_size=32, max_size=32))


@pytest.mark.slow
@given(st.data(), WIDTHS)
def test_any_lanes(data: st.DataObject, width: int) -> None:
    rows = data.draw(st.lists(st.lists(any_lanes(width), min_size=2, max_size=2), min_size=1, max_size=3))
    lanes = lanes_of(rows)
    assert sector_counts(lanes, width).tolist() == [[reference.sectors(w, width) for w in row] for row in rows]
    assert ideal_sectors(lanes, width).tolist() == [[reference.ideal_sectors(w, width) for w in row] for row in rows]


@pytest.mark.slow
@given(st.data(), WIDTHS)
def test_lanes_of_different_groups_share_nothing(data: st.DataObject, width: int) -> None:
    warp = data.draw(any_lanes(width, reach=20))
    groups = data.draw(st.lists(st.sampled_from([-5, 0, 10**12]), min_size=32, max_size=32))
    apart = [[o if g == group else None for o, g in zip(warp, groups, strict=True)] for group in set(groups)]
    lanes = lanes_of([[warp]], groups=[groups])
    assert sector_counts(lanes, width).item() == sum(reference.sectors(part, width) for part in apart)


@given(st.integers(-1000, 1000), st.integers(1, 40))
def test_only_the_place_within_a_sector_matters(shift: int, stride: int) -> None:
    def cost(base: int) -> Traffic | None:
        return global_traffic(
            lanes_of([warps((32, 1, 1), lambda x, y, z: base + 4 * stride * x)]), 4, Operation.LOAD, H200
        )

    assert cost(4 * shift) == cost(4 * shift + 32)


def test_the_mean_is_over_warps_that_execute() -> None:
    """A tail warp with 8 lanes counts as one request of 1 sector; a warp without lanes is no request."""
    lanes = lanes_of([warps((128, 1, 1), lambda x, y, z: 4 * x if x < 40 else None)])
    assert global_traffic(lanes, 4, Operation.LOAD, H200) == Traffic(2.5, 2.5)


def test_rows_weigh_as_often_as_they_execute() -> None:
    unit = warps((32, 1, 1), lambda x, y, z: 4 * x)
    wide = warps((32, 1, 1), lambda x, y, z: 32 * x)
    assert global_traffic(lanes_of([unit, wide], weights=[3, 1]), 4, Operation.LOAD, H200) == Traffic(11, 4)


def test_code_that_no_lane_reaches_costs_nothing_known() -> None:
    lanes = lanes_of([[[None] * 32]])
    assert global_traffic(lanes, 4, Operation.LOAD, H200) is None


def test_a_broadcast_has_no_excess() -> None:
    assert Traffic(1, 4).excess == 0


def test_old_cards_load_whole_lines_and_store_sectors() -> None:
    """A stride of 128 bytes touches 32 lines: compute capability 2.x moves all four sectors of each."""
    fermi = architecture("sm_20")
    lanes = lanes_of([warps((32, 1, 1), lambda x, y, z: 128 * x)])
    assert global_traffic(lanes, 4, Operation.LOAD, fermi) == Traffic(128, 4)
    assert global_traffic(lanes, 4, Operation.STORE, fermi) == Traffic(32, 4)


@pytest.mark.parametrize(
    ("name", "suggestion"), [("sm90", "sm_90"), ("compute_86", "sm_86"), ("9.0", "sm_90"), ("sm_91", "sm_9")]
)
def test_an_unknown_architecture_is_answered_with_the_nearest(name: str, suggestion: str) -> None:
    with pytest.raises(UnknownArchitectureError, match=f"did you mean {suggestion}"):
        architecture(name)


def test_feature_suffixes_name_the_same_machine() -> None:
    assert architecture("sm_90a") is architecture("sm_90")
