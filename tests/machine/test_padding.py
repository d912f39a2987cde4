"""The pitch that serves all accesses of a shared tile best."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from synthetic import Offset, access, changed, lanes_of, warps

from coalint.core.facts.access import Access, Memory, Operation, Space
from coalint.machine.architecture import architecture
from coalint.machine.padding import Padding, best_padding
from coalint.machine.traffic import Traffic

H200 = architecture("sm_90")
Place = Callable[[int, int, int], tuple[int, int] | None]
"""Row and column, in elements, of thread (x, y, z); None for one that does not take part."""


def tile_access(place: Place, pitch: int, block: tuple[int, int, int], width: int = 4, element: int = 4) -> Access:
    """A shared store of `width` bytes to the places of a tile whose rows are `pitch` elements long."""

    def offset(x: int, y: int, z: int) -> int | None:
        at = place(x, y, z)
        return None if at is None else element * (at[0] * pitch + at[1])

    memory = Memory("tile", element, (32, pitch))
    return access(offset, block=block, space=Space.SHARED, op=Operation.STORE, bytes=width, memory=memory)


def best(accesses: list[Access], pitch: int, element: int = 4) -> Padding:
    found = best_padding(accesses, pitch * element, element, H200)
    assert found is not None
    return found


def row(x: int, y: int, z: int) -> tuple[int, int]:
    return y, x


def column(x: int, y: int, z: int) -> tuple[int, int]:
    return x, y


def test_a_32x32_tile_needs_one_element() -> None:
    block = (32, 32, 1)
    padding = best([tile_access(row, 32, block), tile_access(column, 32, block)], 32)
    assert (padding.extent, padding.pitch_bytes) == (33, 132)
    assert padding.before == (Traffic(1, 1), Traffic(32, 1))
    assert padding.after == (Traffic(1, 1), Traffic(1, 1))
    assert padding.helps
    assert padding.cures


def test_a_16x16_tile_keeps_its_rows_since_longer_ones_make_the_row_store_worse() -> None:
    """A warp covers two rows: at 17 the row store and the column read take 2 each, at 18 only the store does."""
    block = (16, 16, 1)
    padding = best([tile_access(row, 16, block), tile_access(column, 16, block)], 16)
    assert padding.extent == 16
    assert padding.after == padding.before == (Traffic(1, 1), Traffic(8, 1))
    assert not padding.helps


def test_block_rows_give_the_same_answer_as_full_blocks() -> None:
    """The usual transpose with 32x8 threads and a loop over block rows, as one record with four rows of the loop."""
    block = (32, 8, 1)
    store = tile_access(row, 32, block)

    def at(j: int) -> Offset:
        return lambda x, y, z: 4 * (32 * x + y + j)

    rows = [warps(block, at(j)) for j in range(0, 32, 8)]
    read = access(lambda x, y, z: 128 * x + 4 * y, block=block, space=Space.SHARED)
    read = changed(read, lanes=lanes_of(rows))
    assert best([store, read], 32).extent == 33


def test_doubles_need_one_double() -> None:
    block = (32, 32, 1)
    accesses = [tile_access(p, 32, block, 8, 8) for p in (row, column)]
    padding = best(accesses, 32, 8)
    assert padding.extent == 33
    assert padding.before[1] == Traffic(32, 2)
    assert padding.after[1] == Traffic(2, 2)


def test_a_float4_access_keeps_rows_aligned_to_16_bytes() -> None:
    """Rows stored as float4 (8 lanes a row), read by column as floats: the pitch stays a multiple of four."""
    store = tile_access(lambda x, y, z: (x // 8 + 4 * y, 4 * (x % 8)), 32, (32, 8, 1), width=16)
    read = tile_access(column, 32, (32, 8, 1))
    padding = best([store, read], 32)
    assert padding.extent == 36
    assert padding.after[1] == Traffic(4, 1)


def test_a_tile_of_float4_elements_needs_one_of_them() -> None:
    block = (8, 8, 1)
    accesses = [tile_access(p, 8, block, 16, 16) for p in (row, column)]
    padding = best(accesses, 8, 16)
    assert padding.extent == 9
    assert padding.before[1] == Traffic(32, 4)
    assert padding.after[1] == Traffic(4, 4)


def test_a_good_tile_is_left_alone() -> None:
    padding = best([tile_access(row, 32, (32, 8, 1))], 32)
    assert padding.extent == 32
    assert not padding.helps


def test_an_access_with_unknown_lanes_is_left_out() -> None:
    unknown = access(None, space=Space.SHARED)
    padding = best([tile_access(column, 32, (32, 32, 1)), unknown], 32)
    assert padding.extent == 33
    assert padding.before[1] is None
    assert padding.after[1] is None
    assert best_padding([unknown], 128, 4, H200) is None


def test_often_executed_accesses_decide() -> None:
    """A 16x16 tile whose rows are read in a long loop keeps its pitch: only there do rows cost one wavefront."""
    block = (16, 16, 1)
    often = tile_access(row, 16, block)
    lanes = lanes_of([warps(block, lambda x, y, z: 64 * y + 4 * x)], weights=[100])
    often = changed(often, lanes=lanes)
    padding = best([often, tile_access(column, 16, block)], 16)
    assert padding.extent == 16


@settings(max_examples=30, deadline=None)
@given(st.integers(16, 40), st.integers(0, 3), st.integers(0, 3), st.integers(-2, 2))
def test_the_choice_is_what_brute_force_finds(pitch: int, by_x: int, by_y: int, start: int) -> None:
    """Any linear walk over rows and columns, wherever in the tile it starts."""
    block = (16, 4, 1)

    def places(x: int, y: int, z: int) -> tuple[int, int]:
        return by_x * x + by_y * y, (x + 3 * y) % 8

    def total(extent: int, place: Place) -> int:
        def offset(x: int, y: int, z: int) -> int | None:
            at = place(x, y, z)
            return None if at is None else 4 * (at[0] * extent + at[1])

        return sum(reference.wavefronts(warp, 4) for warp in warps(block, offset))

    def moved(x: int, y: int, z: int) -> tuple[int, int]:
        r, c = places(x, y, z)
        return r + start, c

    both = {extent: (total(extent, places), total(extent, row)) for extent in range(pitch, pitch + min(pitch, 32) + 1)}
    no_worse = [extent for extent, (a, b) in both.items() if a <= both[pitch][0] and b <= both[pitch][1]]
    expected = min(no_worse, key=lambda extent: (sum(both[extent]), extent))
    padding = best([tile_access(moved, pitch, block), tile_access(row, pitch, block)], pitch)
    assert padding.extent == expected
    assert padding.total_after == sum(both[expected])


def test_no_access_is_made_worse_for_the_sake_of_others() -> None:
    block = (32, 1, 1)
    flat: Place = lambda x, y, z: (x // 8, x % 8)  # noqa: E731
    worst: Place = lambda x, y, z: (x, 0)  # noqa: E731
    accesses = [tile_access(worst, 8, block), tile_access(flat, 8, block)]
    padding = best(accesses, 8)
    pairs = [(before, after) for before, after in zip(padding.before, padding.after, strict=True) if before and after]
    assert len(pairs) == 2
    assert all(after.count <= before.count for before, after in pairs)


@pytest.mark.parametrize("begins", [-31, 0, 1])
@pytest.mark.parametrize("extent", [33, 34, 36])
def test_a_diagonal_may_begin_anywhere_in_its_row(begins: int, extent: int) -> None:
    """Lanes go down and to the left; what is known of them may count from another place than the row's start."""
    block = (32, 1, 1)

    def wavefronts(rows: int) -> int:
        words: list[int | None] = [4 * (x * rows + 31 - x) for x in range(32)]
        return reference.wavefronts(words, 4)

    padding = best([tile_access(lambda x, y, z: (x, 31 + begins - x), extent, block)], extent)
    before, after = (cost.count for (cost,) in (padding.before, padding.after) if cost is not None)
    assert (before, after) == (wavefronts(extent), wavefronts(padding.extent))
    assert after == min(wavefronts(rows) for rows in range(extent, 2 * extent))
