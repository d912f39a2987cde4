"""Wavefronts per shared-memory request: against the counters of an H200, and against brute force over any lanes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st
from synthetic import Block, Offset, access, changed, lanes_of, warps

from coalint.core.facts.access import Memory, Operation, Space
from coalint.core.facts.lanes import Service
from coalint.machine.architecture import architecture
from coalint.machine.shared_memory.banks import conflict_ways, ideal_wavefronts, turn_counts, wavefront_counts
from coalint.machine.traffic import Traffic, shared_traffic, takes_turns, traffic

H200 = architecture("sm_90")

# Name, block, bytes per lane, offset of thread (x, y, z), wavefronts counted, ideal, conflict degree.
COUNTED: list[tuple[str, Block, int, Offset, int, int, int]] = [
    ("[32][32] column", (32, 32, 1), 4, lambda x, y, z: 128 * x + 4 * y, 32, 1, 32),
    ("[32][33] column", (32, 32, 1), 4, lambda x, y, z: 132 * x + 4 * y, 1, 1, 1),
    ("[32][34] column", (32, 32, 1), 4, lambda x, y, z: 136 * x + 4 * y, 2, 1, 2),
    ("[32][33] row", (32, 32, 1), 4, lambda x, y, z: 132 * y + 4 * x, 1, 1, 1),
    ("[16][16] column", (16, 16, 1), 4, lambda x, y, z: 64 * x + 4 * y, 8, 1, 8),
    ("[16][17] column", (16, 16, 1), 4, lambda x, y, z: 68 * x + 4 * y, 2, 1, 2),
    ("[16][17] row", (16, 16, 1), 4, lambda x, y, z: 68 * y + 4 * x, 2, 1, 2),
    ("double [32][32] column", (32, 32, 1), 8, lambda x, y, z: 256 * x + 8 * y, 32, 2, 16),
    ("double [32][33] column", (32, 32, 1), 8, lambda x, y, z: 264 * x + 8 * y, 2, 2, 1),
    ("float4", (32, 1, 1), 16, lambda x, y, z: 16 * x, 4, 4, 1),
    ("float4 stride 2", (32, 1, 1), 16, lambda x, y, z: 32 * x, 8, 4, 2),
    ("xor swizzle row", (32, 32, 1), 4, lambda x, y, z: 128 * y + 4 * (x ^ y), 1, 1, 1),
    ("xor swizzle column", (32, 32, 1), 4, lambda x, y, z: 128 * x + 4 * (x ^ y), 1, 1, 1),
    ("broadcast", (32, 1, 1), 4, lambda x, y, z: 40, 1, 1, 1),
    ("bytes of one word", (32, 1, 1), 1, lambda x, y, z: x, 1, 1, 1),
    ("halves of one word", (32, 1, 1), 2, lambda x, y, z: 2 * x, 1, 1, 1),
]


@pytest.mark.parametrize(
    ("block", "width", "offset", "count", "ideal", "ways"),
    [c[1:] for c in COUNTED],
    ids=[c[0] for c in COUNTED],
)
def test_counted_on_an_h200(block: Block, width: int, offset: Offset, count: int, ideal: int, ways: int) -> None:
    lanes = lanes_of([warps(block, offset)])
    assert shared_traffic(lanes, width, Operation.LOAD, H200) == Traffic(count, ideal)
    assert conflict_ways(lanes, width, H200) == ways


# Wide accesses of one warp as an H200 counted them: operation, bytes, active lanes, element of lane t, counted, ideal.
LOAD, STORE = Operation.LOAD, Operation.STORE
WIDE: list[tuple[str, Operation, int, Callable[[int], bool], Callable[[int], int], int, int]] = [
    ("pairs share, double", LOAD, 8, lambda t: True, lambda t: t // 2, 1, 1),
    ("lanes two apart share, double", LOAD, 8, lambda t: True, lambda t: t // 4 * 2 + t % 2, 1, 1),
    ("lanes four apart share, double", LOAD, 8, lambda t: True, lambda t: t // 8 * 4 + t % 4, 2, 2),
    ("half-warps share, double", LOAD, 8, lambda t: True, lambda t: t % 16, 2, 2),
    ("one half-warp has pairs, double", LOAD, 8, lambda t: True, lambda t: t // 2 if t < 16 else t, 2, 2),
    ("pairs shifted by one, double", LOAD, 8, lambda t: True, lambda t: (t + 1) // 2, 2, 2),
    ("one double for all", LOAD, 8, lambda t: True, lambda t: 5, 1, 1),
    ("pairs that conflict, double", LOAD, 8, lambda t: True, lambda t: t // 2 * 16, 16, 2),
    ("even lanes, packed doubles", LOAD, 8, lambda t: t % 2 == 0, lambda t: t // 2, 1, 1),
    ("even lanes, doubles in place", LOAD, 8, lambda t: t % 2 == 0, lambda t: t, 2, 1),
    ("middle half, double", LOAD, 8, lambda t: 7 < t < 24, lambda t: t, 2, 1),
    ("pairs share, double stored", STORE, 8, lambda t: True, lambda t: t // 2, 2, 2),
    ("one double for all, stored", STORE, 8, lambda t: True, lambda t: 5, 2, 2),
    ("even lanes, packed doubles stored", STORE, 8, lambda t: t % 2 == 0, lambda t: t // 2, 2, 1),
    ("pairs share, float4", LOAD, 16, lambda t: True, lambda t: t // 2, 2, 2),
    ("lanes two apart share, float4", LOAD, 16, lambda t: True, lambda t: t // 4 * 2 + t % 2, 2, 2),
    ("lanes four apart share, float4", LOAD, 16, lambda t: True, lambda t: t // 8 * 4 + t % 4, 4, 4),
    ("one half-warp has pairs, float4", LOAD, 16, lambda t: True, lambda t: t // 2 if t < 16 else t, 3, 3),
    ("pairs in one quarter only", LOAD, 16, lambda t: True, lambda t: t // 2 if t < 8 else t, 4, 4),
    ("pairs, some conflicting", LOAD, 16, lambda t: True, lambda t: t // 2 * 7 % 11, 5, 4),
    ("one float4 for all", LOAD, 16, lambda t: True, lambda t: 5, 2, 2),
    ("four lanes spread, packed", LOAD, 16, lambda t: t % 8 == 0, lambda t: t // 8, 2, 1),
    ("eight lanes spread, in place", LOAD, 16, lambda t: t % 4 == 0, lambda t: t, 4, 1),
    ("first eight lanes", LOAD, 16, lambda t: t < 8, lambda t: t, 1, 1),
    ("first twelve lanes", LOAD, 16, lambda t: t < 12, lambda t: t, 2, 2),
    ("one float4 for all, stored", STORE, 16, lambda t: True, lambda t: 5, 4, 4),
    ("eight lanes spread, stored", STORE, 16, lambda t: t % 4 == 0, lambda t: t, 4, 1),
]


@pytest.mark.parametrize(
    ("op", "width", "active", "element", "count", "ideal"), [c[1:] for c in WIDE], ids=[c[0] for c in WIDE]
)
def test_wide_accesses_counted_on_an_h200(
    op: Operation, width: int, active: Callable[[int], bool], element: Callable[[int], int], count: int, ideal: int
) -> None:
    lanes = lanes_of([[[width * element(t) if active(t) else None for t in range(32)]]])
    assert shared_traffic(lanes, width, op, H200) == Traffic(count, ideal)


@st.composite
def aligned_warp(draw: st.DrawFn, width: int) -> list[int | None]:
    offset = st.integers(-300, 300).map(lambda n: n * width)
    return draw(st.lists(st.one_of(st.none(), offset, offset), min_size=32, max_size=32))


@pytest.mark.slow
@given(st.data(), st.sampled_from([1, 2, 4, 8, 16]))
def test_any_lanes(data: st.DataObject, width: int) -> None:
    rows = data.draw(st.lists(st.lists(aligned_warp(width), min_size=2, max_size=2), min_size=1, max_size=3))
    lanes = lanes_of(rows)
    counts = wavefront_counts(lanes, width, H200, load=False)
    assert counts.tolist() == [[reference.wavefronts(w, width) for w in row] for row in rows]
    assert ideal_wavefronts(lanes, width, H200).tolist() == [
        [reference.ideal_wavefronts(w, width) for w in row] for row in rows
    ]


@pytest.mark.slow
@given(st.data(), st.sampled_from([1, 2, 4, 8, 16]))
def test_a_load_never_takes_more_than_a_store(data: st.DataObject, width: int) -> None:
    lanes = lanes_of([[data.draw(aligned_warp(width))]])
    load, store = (wavefront_counts(lanes, width, H200, load=is_load).item() for is_load in (True, False))
    assert store / 2 <= load <= store


@pytest.mark.slow
@given(st.data(), st.sampled_from([4, 8, 16]), st.integers(-40, 40))
def test_a_uniform_offset_rotates_the_banks(data: st.DataObject, width: int, words: int) -> None:
    warp = data.draw(aligned_warp(width))
    moved = [None if offset is None else offset + 4 * words for offset in warp]
    here, there = (wavefront_counts(lanes_of([[lanes]]), width, H200).item() for lanes in (warp, moved))
    assert here == there


@pytest.mark.slow
@given(st.data())
def test_the_worst_conflict_is_what_one_phase_costs(data: st.DataObject) -> None:
    """Up to 4 bytes the warp is one phase: its wavefronts are the degree of its worst conflict."""
    warp = data.draw(aligned_warp(4))
    assert conflict_ways(lanes_of([[warp]]), 4, H200) == reference.wavefronts(warp, 4)


def test_lanes_of_different_groups_never_share_a_word() -> None:
    lanes = lanes_of([[[0] * 32]], groups=[[lane % 2 for lane in range(32)]])
    assert shared_traffic(lanes, 4, Operation.LOAD, H200) == Traffic(2, 1)


# Shared atomics on 32-bit integers as an H200 counted them: word of lane t, wavefronts.
TURNS: list[tuple[str, Callable[[int], int | None], int]] = [
    ("a word per lane", lambda t: t, 1),
    ("every second word", lambda t: 2 * t, 2),
    ("a column of 32", lambda t: 32 * t, 32),
    ("pairs", lambda t: t // 2 * 2, 2),
    ("fours", lambda t: t // 4, 4),
    ("halves of the warp", lambda t: t % 16, 2),
    ("one word for the warp", lambda t: 7, 32),
    ("two words of one bank", lambda t: t % 2 * 32, 32),
    ("two words of one bank, every fourth lane", lambda t: t // 4 % 2 * 32 if t % 4 == 0 else None, 8),
]


@pytest.mark.parametrize(("word", "count"), [c[1:] for c in TURNS], ids=[c[0] for c in TURNS])
def test_atomics_serve_the_lanes_of_a_bank_one_by_one(word: Callable[[int], int | None], count: int) -> None:
    words = [word(t) for t in range(32)]
    lanes = lanes_of([[[None if w is None else 4 * w for w in words]]])
    assert turn_counts(lanes, 4, H200).tolist() == [[count]]


@pytest.mark.slow
@given(st.data())
def test_atomics_on_any_lanes(data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.lists(aligned_warp(4), min_size=2, max_size=2), min_size=1, max_size=3))
    lanes = lanes_of(rows)
    counts = turn_counts(lanes, 4, H200)
    assert counts.tolist() == [[reference.turns(w, 4) for w in row] for row in rows]
    assert (counts >= wavefront_counts(lanes, 4, H200)).all()


@pytest.mark.parametrize(
    ("service", "width", "offset", "traffic_"),
    [
        (Service.SERIALIZED, 4, lambda x, y, z: x // 4 * 4, Traffic(4, 1)),
        (Service.SERIALIZED, 4, lambda x, y, z: x // 32 * 4, Traffic(32, 1)),
        (Service.SERIALIZED, 8, lambda x, y, z: 8 * (x // 4), Traffic(8, 2)),
        (Service.POPC_INC, 4, lambda x, y, z: x // 4 * 4, Traffic(1, 1)),
        (Service.CAS, 4, lambda x, y, z: x // 4 * 4, Traffic(8, 2)),
        (Service.CAS, 8, lambda x, y, z: 8 * x, Traffic(4, 4)),
        (Service.CAS_LOOP, 4, lambda x, y, z: 128 * x, Traffic(64, 2)),
        (Service.PLAIN, 4, lambda x, y, z: x // 4 * 4, Traffic(1, 1)),
    ],
)
def test_atomics_cost_what_their_instruction_does(
    service: Service, width: int, offset: Offset, traffic_: Traffic
) -> None:
    memory = Memory("s", width)
    plain = access(offset, block=(64, 1, 1), space=Space.SHARED, op=Operation.ATOMIC, memory=memory)
    shared = changed(plain, bytes=width, service=service)
    assert takes_turns(shared) is (service not in (Service.PLAIN, Service.POPC_INC))
    assert traffic(shared, H200) == traffic_


@pytest.mark.parametrize("width", [1, 4, 8, 16])
@pytest.mark.parametrize("load", [True, False])
def test_what_is_never_executed_has_no_wavefronts(width: int, load: bool) -> None:
    some = lanes_of([[[lane * width for lane in range(32)]] * 4])
    none = replace(some, offsets=some.offsets[:0], active=some.active[:0], weights=some.weights[:0])
    assert wavefront_counts(none, width, H200, load=load).shape == (0, 4)
