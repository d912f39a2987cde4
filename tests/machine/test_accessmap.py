"""The map of a warp: its sectors and wavefronts one by one, against the counts of the model and brute force."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import reference
from amounts import half
from analysed import analysed
from expectations import fixture_files
from hypothesis import given
from hypothesis import strategies as st
from synthetic import access, changed, lanes_of, warps

from coalint.core.facts.access import Access, Operation, Space
from coalint.core.facts.lanes import Lanes, Service
from coalint.machine.access_map import AccessMap, NotPlaced, access_map, rows_of
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic, takes_turns, traffic

H200 = architecture("sm_90")
WHOLE_LINES = architecture("sm_35")


MOST_MAPS = 200
"""Of an access; of one that takes more, those are drawn that are spread over its warps and iterations."""


def maps(at: Access) -> list[AccessMap]:
    assert at.result.lanes is not None
    rows, count, _ = at.result.lanes.offsets.shape
    places = [(row, warp) for row in range(rows) for warp in range(count)]
    step = -(-len(places) // MOST_MAPS)
    return [access_map(at, H200, warp, row) for row, warp in places[::step]]


def mean(parts: list[AccessMap], lanes: Lanes) -> tuple[float, float]:
    """Of what is drawn, over the warps that execute."""
    executed = [(part, int(lanes.weights[part.row])) for part in parts if part.active]
    weight = sum(times for _, times in executed)
    drawn = sum((part.sectors or part.served) * times for part, times in executed)
    ideal = sum(part.traffic.ideal * times for part, times in executed if part.traffic is not None)
    return drawn / weight, ideal / weight


@pytest.mark.slow
@pytest.mark.parametrize("file", half(fixture_files()), ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_what_is_drawn_of_a_fixture_is_what_inspect_counts(file: Path) -> None:
    for kernel in analysed(file).checked:
        assert kernel.analysis is not None
        for made in kernel.instructions:
            at, cost = made.access, made.traffic
            if cost is None:
                if at.result.lanes is None:
                    with pytest.raises(NotPlaced, match=r"\w"):
                        access_map(at, H200)
                continue
            assert at.result.lanes is not None
            drawn = maps(at)
            if len(drawn) == at.result.lanes.active[..., 0].size:  # all of them
                assert mean(drawn, at.result.lanes) == pytest.approx((cost.count, cost.ideal)), (
                    at.span,
                    at.served.service,
                )
            for part in drawn:
                _is_whole(part)


def _is_whole(part: AccessMap) -> None:
    """Every active lane is drawn, with all of its bytes, and nothing else is."""
    active = {lane.lane for lane in part.active}
    assert (part.traffic is None) == (not active)
    if part.access.space is Space.GLOBAL:
        assert not part.wavefronts
        covered = {
            (use.lane, sector.offset + use.begin + byte)
            for line in part.lines
            for sector in line.sectors
            for use in sector.uses
            for byte in range(use.bytes)
        }
        wanted = {
            (x.lane, x.offset + byte) for x in part.active for byte in range(part.access.bytes) if x.offset is not None
        }
        assert covered == wanted
        assert sum(sector.bytes_used for line in part.lines for sector in line.sectors) == part.bytes_used
        assert part.bytes_used <= part.bytes_moved or not active
        return
    assert not part.lines
    assert {lane for wavefront in part.wavefronts for lane in wavefront.lanes} == active
    for wavefront in part.wavefronts:
        assert all(word.bank == word.word % 32 for word in wavefront.words)
        assert all(wavefront.first <= lane <= wavefront.last for lane in wavefront.lanes)
        if part.access.served.service is Service.PLAIN:
            assert len({word.bank for word in wavefront.words}) == len(wavefront.words)


# --- brute force: affine addresses of random blocks, and any lanes at all

BLOCKS = st.sampled_from([(32, 1, 1), (256, 1, 1), (16, 16, 1), (8, 8, 4), (12, 5, 1), (7, 3, 3), (1, 40, 1)])
WIDTHS = st.sampled_from([1, 2, 4, 8, 16])


@st.composite
def affine(draw: st.DrawFn) -> tuple[tuple[int, int, int], int, list[list[int | None]]]:
    """A block, bytes per lane, and the addresses of each warp: multiples of the width, some lanes left out."""
    block, width = draw(BLOCKS), draw(WIDTHS)
    a, b, c, start = (width * draw(st.integers(-70, 70)) for _ in range(4))
    every, first = draw(st.integers(1, 5)), draw(st.integers(0, 4))

    def offset(x: int, y: int, z: int) -> int | None:
        return start + a * x + b * y + c * z if (x + y) % every == first % every else None

    return block, width, warps(block, offset)


@pytest.mark.slow
@given(affine(), st.sampled_from([Operation.LOAD, Operation.STORE]))
def test_sectors_are_those_of_brute_force(
    pattern: tuple[tuple[int, int, int], int, list[list[int | None]]], op: Operation
) -> None:
    block, width, rows = pattern
    at = changed(access(lambda x, y, z: 0, block=block, bytes=width, op=op), lanes=lanes_of([rows]))
    for warp, addresses in enumerate(rows):
        part = access_map(at, H200, warp)
        _is_whole(part)
        assert part.sectors == reference.sectors(addresses, width)
        assert [lane.offset for lane in part.lanes] == list(addresses)
        touched = {start + byte for start in addresses if start is not None for byte in range(width)}
        assert part.bytes_used == len(touched)
        assert {line.offset for line in part.lines} == {byte // 128 * 128 for byte in touched}


@given(affine(), st.sampled_from([Service.PLAIN, Service.SERIALIZED, Service.CAS, Service.CAS_LOOP, Service.ROWS]))
def test_wavefronts_are_those_that_are_counted(
    pattern: tuple[tuple[int, int, int], int, list[list[int | None]]], service: Service
) -> None:
    block, width, rows = pattern
    lanes = lanes_of([rows])
    at = changed(
        access(lambda x, y, z: 0, block=block, bytes=width, space=Space.SHARED, op=Operation.STORE),
        lanes=lanes,
        service=service,
    )
    for warp, addresses in enumerate(rows):
        part = access_map(at, H200, warp)
        _is_whole(part)
        alone = changed(at, lanes=lanes_of([[addresses]]))
        assert (part.served or None) == ((cost := traffic(alone, H200)) and cost.count)
        if service is Service.PLAIN:
            assert part.served == reference.wavefronts(addresses, width)
        if takes_turns(at):
            assert part.served in (reference.turns(addresses, width), 2 * reference.turns(addresses, width))


@pytest.mark.slow
@given(
    st.sampled_from([8, 16]),
    st.lists(st.one_of(st.none(), st.integers(0, 24)), min_size=32, max_size=32),
    st.sampled_from([1, 2, 4]),
)
def test_merged_phases_of_wide_loads_are_those_that_are_counted(
    width: int, elements: list[int | None], shared_by: int
) -> None:
    addresses = [None if (n := elements[lane // shared_by]) is None else width * n for lane in range(32)]
    at = changed(
        access(lambda x, y, z: 0, block=(32, 1, 1), bytes=width, space=Space.SHARED), lanes=lanes_of([[addresses]])
    )
    part = access_map(at, H200)
    _is_whole(part)
    cost = traffic(at, H200)
    assert part.served == (0 if cost is None else cost.count)


@given(st.lists(st.integers(0, 40), min_size=32, max_size=32), st.lists(st.integers(0, 3), min_size=32, max_size=32))
def test_lanes_of_different_groups_share_no_sector(offsets: list[int], groups: list[int]) -> None:
    lanes = replace(lanes_of([[[4 * n for n in offsets]]]), groups=np.array([groups], dtype=np.int64))
    at = changed(access(lambda x, y, z: 0, block=(32, 1, 1)), lanes=lanes)
    part = access_map(at, H200)
    assert part.sectors == len({(n // 8, group) for n, group in zip(offsets, groups, strict=True)})
    assert part.traffic == traffic(at, H200)


@given(st.permutations(range(32)), st.integers(0, 3), st.sampled_from([Service.COPY, Service.BYPASS]))
def test_copies_are_drawn_from_both_ends(order: list[int], shift: int, service: Service) -> None:
    """Where a law is known of them."""
    source, target = lanes_of([[[16 * (n + shift) for n in range(32)]]]), lanes_of([[[16 * n for n in order]]])
    load = changed(access(lambda x, y, z: 0, block=(32, 1, 1), bytes=16), lanes=source, partner=target, service=service)
    store = changed(load, space=Space.SHARED, op=Operation.STORE, lanes=target, partner=source)
    for at in (load, store):
        cost = traffic(at, H200)
        if cost is not None:
            part = access_map(at, H200)
            assert (part.sectors or part.served) == cost.count


@pytest.mark.slow
@given(st.permutations(range(32)), st.integers(0, 3), st.lists(st.integers(0, 2), min_size=32, max_size=32))
def test_a_copy_of_rows_at_unknown_distances_is_one_of_rows_far_apart(
    order: list[int], shift: int, groups: list[int]
) -> None:
    here, target = lanes_of([[[16 * (n + shift) for n in range(32)]]]), lanes_of([[[16 * n for n in order]]])
    torn = replace(here, groups=np.array([groups], dtype=np.int64))
    apart = replace(here, offsets=here.offsets + 4096 * np.array([[groups]]))
    load = changed(access(lambda x, y, z: 0, block=(32, 1, 1), bytes=16), service=Service.BYPASS)
    store = changed(load, space=Space.SHARED, op=Operation.STORE, lanes=target)
    for one, same in (
        (changed(load, lanes=torn, partner=target), changed(load, lanes=apart, partner=target)),
        (changed(store, partner=torn), changed(store, partner=apart)),
    ):
        part, known = access_map(one, H200), access_map(same, H200)
        assert (part.traffic, part.sectors, part.served) == (known.traffic, known.sectors, known.served)
        assert part.traffic is not None
        assert (part.sectors or part.served) == part.traffic.count


# --- what a map says of well known patterns


def test_a_strided_load_uses_every_second_word() -> None:
    part = access_map(access(lambda x, y, z: 8 * x, block=(64, 1, 1)), H200, warp=1)
    assert (part.sectors, part.traffic, part.bytes_used, part.bytes_moved) == (8, Traffic(8, 4), 128, 256)
    assert [line.offset for line in part.lines] == [256, 384]
    first = part.lines[0].sectors[0]
    assert [(use.lane, use.begin, use.bytes) for use in first.uses] == [(0, 0, 4), (1, 8, 4), (2, 16, 4), (3, 24, 4)]
    assert (part.lanes[5].thread, part.lanes[5].offset) == ((37, 0, 0), 296)


def test_a_column_of_an_unpadded_tile_asks_one_bank_32_times() -> None:
    part = access_map(access(lambda x, y, z: 128 * x + 4 * y, block=(32, 32, 1), space=Space.SHARED), H200, warp=3)
    assert part.ways == {3: 32}
    assert [wavefront.lanes for wavefront in part.wavefronts] == [(lane,) for lane in range(32)]


def test_a_broadcast_is_one_word_for_all() -> None:
    part = access_map(access(lambda x, y, z: 40, block=(32, 1, 1), space=Space.SHARED), H200)
    assert [(word.bank, word.lanes) for word in part.wavefronts[0].words] == [(10, tuple(range(32)))]
    assert part.served == 1


def test_wide_lanes_are_served_in_phases() -> None:
    part = access_map(access(lambda x, y, z: 16 * x, block=(32, 1, 1), bytes=16, space=Space.SHARED), H200)
    assert [(w.first, w.last, len(w.words)) for w in part.wavefronts] == [
        (0, 7, 32),
        (8, 15, 32),
        (16, 23, 32),
        (24, 31, 32),
    ]


def test_old_cards_fetch_whole_lines() -> None:
    at = access(lambda x, y, z: 8 * x, block=(32, 1, 1))
    assert [sector.requests for line in access_map(at, WHOLE_LINES).lines for sector in line.sectors] == [1] * 8
    far = access(lambda x, y, z: 128 * x, block=(32, 1, 1))
    assert (access_map(far, WHOLE_LINES).sectors, access_map(far, H200).sectors) == (128, 32)


def test_lanes_that_the_block_lacks_have_no_thread() -> None:
    part = access_map(access(lambda x, y, z: 4 * x, block=(40, 1, 1)), H200, warp=1)
    assert [lane.thread for lane in part.lanes][7:9] == [(39, 0, 0), None]
    assert len(part.active) == 8


def test_rows_are_chosen_by_their_counters() -> None:
    lanes = replace(
        lanes_of([[[0] * 32]] * 6), counters=(("i", np.array([0, 0, 0, 1, 1, 1])), ("j", np.array([0, 1, 2, 0, 1, 2])))
    )
    assert rows_of(lanes, {}) == [0, 1, 2, 3, 4, 5]
    assert rows_of(lanes, {"i": 1}) == [3, 4, 5]
    assert rows_of(lanes, {"i": 1, "j": 2, "k": 7}) == [5]
    assert rows_of(lanes, {"i": 2}) == []


def test_what_is_not_known_has_no_map_but_a_reason() -> None:
    with pytest.raises(NotPlaced, match="not known"):
        access_map(access(None), H200)
    with pytest.raises(NotPlaced, match="local memory has neither"):
        access_map(access(lambda x, y, z: 4 * x, space=Space.LOCAL), H200)
