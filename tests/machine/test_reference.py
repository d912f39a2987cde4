"""The brute-force reference agrees with what a GPU counted, and the fixtures agree with the reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from expectations import (
    FIXTURES,
    AccessReveal,
    ExpectationError,
    Launch,
    LineExpectation,
    Op,
    Shape,
    Space,
    Verdict,
    fixture_files,
    parse_expectations,
    read_expectations,
)
from reference import (
    Traffic,
    addresses_of,
    atomic_traffic,
    block_threads,
    comparing_traffic,
    copy_traffic,
    global_traffic,
    paired_traffic,
    shared_traffic,
)

COPIES = ("copy", "bypass", "filled")
"""Laws under which an access costs what both ends of an asynchronous copy decide."""
Address = Callable[[int, int], int]
Row = tuple[str, Address, int, tuple[int, int], int, int]

# The counted table of HARDWARE.md: (what, address of thread (x, y), bytes, block, counted, ideal).
COUNTED_SECTORS: list[Row] = [
    ("in[i] float", lambda x, y: 4 * x, 4, (256, 1), 4, 4),
    ("in[i] double", lambda x, y: 8 * x, 8, (256, 1), 8, 8),
    ("in[i] char", lambda x, y: x, 1, (256, 1), 1, 1),
    ("in[2*i] float", lambda x, y: 8 * x, 4, (256, 1), 8, 4),
    ("in[3*i] float", lambda x, y: 12 * x, 4, (256, 1), 12, 4),
    ("in[7*i] float", lambda x, y: 28 * x, 4, (256, 1), 28, 4),
    ("in[i+1] float", lambda x, y: 4 * x + 4, 4, (256, 1), 5, 4),
    ("in[n-1-i]", lambda x, y: 4 * (1023 - x), 4, (256, 1), 4, 4),
    ("in[i^1]", lambda x, y: 4 * (x ^ 1), 4, (256, 1), 4, 4),
    ("field of a 12-byte struct", lambda x, y: 12 * x + 4, 4, (256, 1), 12, 4),
    ("field of a 16-byte struct", lambda x, y: 16 * x + 4, 4, (256, 1), 16, 4),
    ("field of a 24-byte struct", lambda x, y: 24 * x + 4, 4, (256, 1), 24, 4),
    ("field of a 32-byte struct", lambda x, y: 32 * x + 4, 4, (256, 1), 32, 4),
    ("float4 per lane", lambda x, y: 16 * x, 16, (256, 1), 16, 16),
    ("in[4*i] short", lambda x, y: 8 * x, 2, (256, 1), 8, 2),
    ("out[col*h + row]", lambda x, y: 4 * (x * 512 + y), 4, (32, 8), 32, 4),
    ("rows of 16 floats", lambda x, y: 4 * (y * 512 + x), 4, (16, 16), 4, 4),
    ("rows of 4 floats", lambda x, y: 4 * (y * 64 + x), 4, (4, 8), 8, 4),
    ("atomicAdd, stride 8 floats", lambda x, y: 32 * x, 4, (256, 1), 32, 4),
    ("one address for all lanes", lambda x, y: 0, 4, (256, 1), 1, 4),
]
COUNTED_WAVEFRONTS: list[Row] = [
    ("tile[32][32] column", lambda x, y: 4 * (x * 32 + y), 4, (32, 32), 32, 1),
    ("tile[32][33] column", lambda x, y: 4 * (x * 33 + y), 4, (32, 32), 1, 1),
    ("tile[32][34] column", lambda x, y: 4 * (x * 34 + y), 4, (32, 32), 2, 1),
    ("tile[16][16] column", lambda x, y: 4 * (x * 16 + y), 4, (16, 16), 8, 1),
    ("tile[16][17] row", lambda x, y: 4 * (y * 17 + x), 4, (16, 16), 2, 1),
    ("tile[16][17] column", lambda x, y: 4 * (x * 17 + y), 4, (16, 16), 2, 1),
    ("double tile[32][32] column", lambda x, y: 8 * (x * 32 + y), 8, (32, 32), 32, 2),
    ("double tile[32][33] column", lambda x, y: 8 * (x * 33 + y), 8, (32, 32), 2, 2),
    ("float4 contiguous", lambda x, y: 16 * x, 16, (256, 1), 4, 4),
    ("float4 with stride 2", lambda x, y: 32 * x, 16, (256, 1), 8, 4),
    ("xor swizzle, row", lambda x, y: 4 * (y * 32 + (x ^ y)), 4, (32, 32), 1, 1),
    ("xor swizzle, column", lambda x, y: 4 * (x * 32 + (y ^ x)), 4, (32, 32), 1, 1),
    ("broadcast", lambda x, y: 0, 4, (256, 1), 1, 1),
    ("bytes of one word", lambda x, y: x, 1, (256, 1), 1, 1),
]


@pytest.mark.parametrize("row", COUNTED_SECTORS, ids=lambda row: row[0])
def test_sectors_are_those_counted_on_a_gpu(row: Row) -> None:
    _, address, width, (size_x, size_y), counted, ideal = row
    traffic = global_traffic([[address(x, y)] for y in range(size_y) for x in range(size_x)], width)
    assert traffic.counted == counted
    assert traffic.ideal == ideal


@pytest.mark.parametrize("row", COUNTED_WAVEFRONTS, ids=lambda row: row[0])
def test_wavefronts_are_those_counted_on_a_gpu(row: Row) -> None:
    _, address, width, (size_x, size_y), counted, ideal = row
    traffic = shared_traffic([[address(x, y)] for y in range(size_y) for x in range(size_x)], width)
    assert traffic.counted == counted
    assert traffic.ideal == ideal


def test_a_twelve_byte_struct_moves_in_three_instructions() -> None:
    traffic = global_traffic([[12 * x] for x in range(32)], 4, pieces=3)
    assert traffic.counted == 12
    assert traffic.ideal == 4
    assert traffic.instructions == 3


def test_only_warps_with_an_active_lane_count() -> None:
    lanes = addresses_of("4*tx if tx < 40 else None", block_threads((96, 1, 1)))
    traffic = global_traffic(lanes, 4)
    assert traffic.counted == traffic.ideal == 2.5
    assert traffic.instructions == 2


def test_an_interleaved_reduction_costs_3_9_times_its_ideal() -> None:
    expression = "4*(2*s*tx) if 2*s*tx < 256 else None for s in (1, 2, 4, 8, 16, 32, 64, 128)"
    traffic = shared_traffic(addresses_of(expression, block_threads((256, 1, 1))), 4)
    assert round(float(traffic.counted / traffic.ideal), 1) == 3.9


Counted = tuple[LineExpectation, AccessReveal]


def counted_in(file: Path) -> list[Counted]:
    """The accesses of a fixture that have a cost, with their lines."""
    lines = read_expectations(file)
    return [(line, access) for line in lines for access in line.accesses if access.counted is not None]


of_each_fixture = pytest.mark.parametrize("file", fixture_files(), ids=lambda file: f"{file.parent.name}/{file.name}")


def complaints(file: Path, of: Callable[[LineExpectation, AccessReveal], Iterator[str]]) -> list[str]:
    """What is wrong with the accesses of a fixture, each with its line."""
    return [f"{file}:{line.line}: {text}" for line, access in counted_in(file) for text in of(line, access)]


def test_there_are_fixtures() -> None:
    assert sum(len(counted_in(file)) for file in fixture_files()) > 500, f"hardly any reveal under {FIXTURES}"


@of_each_fixture
def test_a_fixture_reveals_what_its_lanes_cost(file: Path) -> None:
    assert complaints(file, _wrong_costs) == []


@of_each_fixture
def test_a_fixtures_stride_is_the_forward_difference_of_its_lanes(file: Path) -> None:
    assert complaints(file, _wrong_strides) == []


def _wrong_costs(expectation: LineExpectation, access: AccessReveal) -> Iterator[str]:
    if access.lanes is None or expectation.launch is None:
        yield "an access with a cost needs a `lanes` comment, and a `launch` comment at its kernel's line"
        return
    revealed = pytest.approx((access.counted, access.ideal), abs=0.006)
    for block in _sample_blocks(expectation.launch.grid, _expressions(expectation, access)):
        traffic = _traffic(expectation, access, block)
        found = float(traffic.counted), float(traffic.ideal)
        if found != revealed:
            yield f"{access.counted}/{access.ideal} is {found[0]:.6g}/{found[1]:.6g} in block {block}"


def _wrong_strides(expectation: LineExpectation, access: AccessReveal) -> Iterator[str]:
    if access.stride is None:
        yield "an access with a cost needs a `stride`"
        return
    if not re.fullmatch(r"-?\d+", access.stride):
        return
    assert access.lanes is not None
    assert expectation.launch is not None
    threads = block_threads(_extents(expectation.launch.block))
    addresses = addresses_of(access.lanes, threads)
    for left, right in pairwise(range(len(threads))):
        if threads[left].thread[1:] == threads[right].thread[1:]:
            for here, there in zip(addresses[left], addresses[right], strict=False):
                if here is not None and there is not None and there - here != int(access.stride):
                    yield f"a stride of {access.stride} is {there - here} at {threads[left].thread}"


def _traffic(expectation: LineExpectation, access: AccessReveal, block: tuple[int, int, int]) -> Traffic:
    """What an access costs in one block by brute force, under the law that its clause names."""
    assert access.lanes is not None
    assert expectation.launch is not None
    threads = _addresses(access.lanes, expectation.launch, block)
    if access.law in COPIES and (access.law, access.op) != ("filled", Op.STORE):
        ends = {}
        for end in _ends(expectation, access):
            assert end.lanes is not None, "both ends of a copy need a `lanes` comment"
            ends[end.op] = _addresses(end.lanes, expectation.launch, block)
        stores = access.op is Op.STORE
        bypass = access.law != "copy"
        return copy_traffic(ends[Op.LOAD], ends[Op.STORE], access.width, bypass=bypass, stores=stores)
    count = {
        "": global_traffic if access.space is Space.GLOBAL else shared_traffic,
        "filled": shared_traffic,
        "paired": paired_traffic,
        "turns": atomic_traffic,
        "comparing": comparing_traffic,
    }[access.law]
    return count(threads, access.width, access.pieces)


def _addresses(lanes: str, launch: Launch, block: tuple[int, int, int]) -> list[list[int | None]]:
    return addresses_of(lanes, block_threads(_extents(launch.block), block))


def _extents(shape: Shape) -> tuple[int, int, int]:
    return shape.x, shape.y, shape.z


def _ends(expectation: LineExpectation, access: AccessReveal) -> list[AccessReveal]:
    """The accesses whose lanes decide what this one costs: of a copy both of its ends."""
    return [end for end in expectation.accesses if end.law == access.law] if access.law in COPIES else [access]


def _expressions(expectation: LineExpectation, access: AccessReveal) -> str:
    return " ".join(end.lanes or "" for end in _ends(expectation, access))


def _sample_blocks(grid: Shape, expressions: str) -> list[tuple[int, int, int]]:
    """The corners of the grid, as far as the lanes name their block: the cost must not depend on it."""
    named = set(re.findall(r"\b[a-z]+\b", expressions))
    extents = (extent if name in named else 1 for name, extent in zip(("bx", "by", "bz"), _extents(grid), strict=True))
    xs, ys, zs = (sorted({0, min(1, extent - 1), extent - 1}) for extent in extents)
    return [(x, y, z) for z in zs for y in ys for x in xs]


def test_expectations_are_read_from_comments() -> None:
    text = """\
__global__ void k(float *a, const float *b) {  // launch: grid=4 block=32x8
    a[i] = b[2 * i];  // expect: COA101 // reveal: load sectors=8/4 stride=8; store sectors=4/4 stride=4
    //   lanes load: 8*tx // 1
    //   lanes store: 4*tx
    __syncthreads();  // ok // reveal: barrier=divergent
    s = c[i];         // reveal: load sectors=12/4 stride=12 bytes=3x4
}"""
    _, access, barrier, struct = parse_expectations(text)
    assert (access.line, access.codes, access.launch) == (2, ("COA101",), Launch(Shape(32, 8), Shape(4)))
    assert access.accesses == (
        AccessReveal(Space.GLOBAL, Op.LOAD, 8, 4, "8", lanes="8*tx // 1"),
        AccessReveal(Space.GLOBAL, Op.STORE, 4, 4, "4", lanes="4*tx"),
    )
    assert barrier.ok
    assert barrier.barriers[0].verdict is Verdict.DIVERGENT
    assert (struct.accesses[0].bytes, struct.accesses[0].pieces) == (12, 3)


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("expect: 101", "no rule code"),
        ("expect", "keyword: value"),
        ("expect: COA101 // ok", "both"),
        ("reveal: load", "write one of"),
        ("reveal: load sectors=8 stride=4", "no cost"),
        ("reveal: load sectors=8/4 strid=4", "unknown strid"),
        ("reveal: load sectors=8/4 bytes=12", "no access width"),
        ("reveal: barrier=sometimes", "sometimes"),
        ("reveal: load unknown;", "empty clause"),
        ("lanes: 4*tx", "no reveal on this line"),
        ("reveal: load unknown // lanes store: 4*tx", "no reveal on this line"),
        ("launch: grid=4", "block=32x8"),
        ("launch: block=32,8", "no shape"),
    ],
)
def test_a_malformed_expectation_says_where_and_what(comment: str, complaint: str) -> None:
    with pytest.raises(ExpectationError, match=rf":1: .*{complaint}"):
        parse_expectations(f"a[i] = b[i];  // {comment}")
