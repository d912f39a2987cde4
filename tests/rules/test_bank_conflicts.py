"""COA201, COA202 and COA203: columns of tiles, strides, and paddings that do not help."""

from __future__ import annotations

import pytest
from rule_findings import findings, flat, in_loop, kept, only, shared, text
from synthetic import access

from coalint.core.facts.access import Access, Memory, Operation
from coalint.core.findings import Severity
from coalint.core.source.spans import Span


def square_tile(extent: int, pitch: int, element: int = 4, block: tuple[int, int, int] | None = None) -> list[Access]:
    """The row store and the column read of a transpose through a tile."""
    block = block or (extent, extent, 1)
    memory = Memory("tile", element, (extent, pitch), Span("k.cu", 5, 5, 5, 20), type_name="float")
    row = "tile[threadIdx.y][threadIdx.x]"
    size, step = pitch * element, element
    return [
        shared(lambda x, y, z: size * y + step * x, block, memory, op=Operation.STORE, expression=row),
        shared(lambda x, y, z: size * x + step * y, block, memory),
    ]


def test_an_unpadded_column() -> None:
    finding = only(kept(*square_tile(32, 32)), "COA201")
    assert finding.message == (
        "the load of `tile[threadIdx.x][threadIdx.y]` walks a column of a tile without padding and takes 32 wavefronts "
        "per request (ideal: 1)"
    )
    assert "a 32-way bank conflict" in text(finding)
    assert "declare `float tile[32][33]`" in finding.help
    effects = [note.message for note in finding.notes if note.message.startswith("with rows of 33")]
    assert effects == [
        "with rows of 33, the load of `tile[threadIdx.x][threadIdx.y]` takes 1 wavefront instead of 32",
    ]


def test_a_16x16_tile_is_not_told_to_pad_since_its_row_store_would_get_worse() -> None:
    finding = only(kept(*square_tile(16, 16)), "COA201")
    assert "takes 8 wavefronts per request (ideal: 1)" in finding.message
    assert "no padding of up to 32 elements helps all accesses of `tile` together" in finding.help
    assert not any("instead of" in note.message for note in finding.notes)


@pytest.mark.parametrize(("extent", "pitch", "element"), [(32, 33, 4), (32, 33, 8)])
def test_a_padded_tile_is_silent(extent: int, pitch: int, element: int) -> None:
    assert not findings(*square_tile(extent, pitch, element))


def test_padding_that_does_not_work_is_told_from_a_conflict() -> None:
    finding = only(kept(*square_tile(32, 34)), "COA203")
    assert finding.message == (
        "the load of `tile[threadIdx.x][threadIdx.y]` has bank conflicts although the rows of its tile are padded, "
        "and takes 2 wavefronts per request (ideal: 1)"
    )
    assert "a row of `tile` is 34 elements of 4 bytes" in text(finding)
    assert "`float tile[32][35]`" in finding.help
    assert finding.fix is not None
    effects = [note.message for note in finding.notes if note.message.startswith("with rows of 35")]
    assert effects == ["with rows of 35, the load of `tile[threadIdx.x][threadIdx.y]` takes 1 wavefront instead of 2"]


def test_of_the_two_sides_of_a_16x17_tile_longer_rows_help_the_column() -> None:
    found = findings(*square_tile(16, 17))
    assert [finding.message.split("`")[1] for finding in found["COA203"]] == ["tile[threadIdx.x][threadIdx.y]"]
    assert "some conflicts remain" in found["COA203"][0].help
    rest = [finding for finding in found["COA202"] if "[threadIdx.y][threadIdx.x]" in finding.message]
    assert [finding.severity for finding in rest] == [Severity.INFO]


def test_rows_without_padding_have_no_padding_that_fails() -> None:
    assert "COA203" not in findings(*square_tile(32, 32))


def test_a_flat_tile_is_advised_by_its_index() -> None:
    memory = Memory("tile", 4, (1024,))
    column = shared(
        lambda x, y, z: 128 * x + 4 * y, (32, 32, 1), memory, expression="tile[threadIdx.x * 32 + threadIdx.y]"
    )
    row = shared(lambda x, y, z: 128 * y + 4 * x, (32, 32, 1), memory)
    finding = only(kept(column, row), "COA201")
    assert "keep the rows of `tile` 33 instead of 32 elements apart in every index" in finding.help


@pytest.mark.parametrize("dynamic", [True, False])
@pytest.mark.parametrize(("other", "advice"), [(128, "`sram` 33 instead of 32"), (256, "may hold more than this tile")])
def test_tiles_that_share_an_array_are_given_no_common_row(dynamic: bool, other: int, advice: str) -> None:
    memory = Memory("sram", 4, (None,) if dynamic else (4096,), dynamic=dynamic)
    first, second = "scores[32 * tx + y]", "queries[d * tx + x]"
    column = shared(lambda x, y, z: 128 * x, (32, 1, 1), memory, loops=in_loop(4, 32), expression=first)
    sibling = shared(lambda x, y, z: other * x, (32, 1, 1), memory, loops=in_loop(4, 32), expression=second)
    found = [f for f in findings(column, sibling)["COA201"] if first in f.message]
    assert advice in found[0].help
    assert any(note.message.startswith("with rows of") for note in found[0].notes) is (other == 128)


def test_rows_of_a_flat_tile_may_be_known_from_another_access() -> None:
    """The store of a register-tiled product, `As[t % 8 * 64 + t / 8]`, whose rows the inner loop walks."""
    store = flat(lambda x, y, z: 256 * (x % 8) + 4 * (x // 8), strides=(None, 0, 0), op=Operation.STORE)
    load = flat(lambda x, y, z: 16 * (x // 16), strides=(None, 0, 0), loops=in_loop(256, 8))
    finding = only(kept(store, load), "COA201")
    assert "takes 8 wavefronts per request (ideal: 1)" in finding.message
    assert "neighbouring lanes are 256 bytes apart" in text(finding)
    assert "rows of `As` 68 instead of 64 elements apart" in finding.help


def test_a_loop_that_fills_an_array_from_end_to_end_knows_no_rows() -> None:
    fill = shared(lambda x, y, z: 4 * x, (32, 1, 1), Memory("s", 4, (1024,)), loops=in_loop(128, 32))
    load = shared(lambda x, y, z: 128 * x, (32, 1, 1), Memory("s", 4, (1024,)))
    only(kept(fill, load), "COA202")


def test_a_stride_without_rows_is_a_plain_conflict() -> None:
    finding = only(kept(shared(lambda x, y, z: 8 * x, (256, 1, 1), Memory("s", 4, (512,)))), "COA202")
    assert "takes 2 wavefronts per request (ideal: 1)" in finding.message
    assert "neighbouring lanes are 8 bytes apart" in text(finding)
    assert "odd number" in finding.help


@pytest.mark.parametrize(
    ("apart", "beside", "severity"),
    [(8, 8, Severity.INFO), (8, 12, Severity.WARNING), (8, None, Severity.WARNING), (16, 8, Severity.WARNING)],
)
def test_a_conflict_of_pairs_of_which_lanes_use_both_is_an_info(
    apart: int, beside: int | None, severity: Severity
) -> None:
    memory, loops = Memory("s", 4, (1024,)), in_loop(0, 9)
    both = [
        shared(lambda x, y, z, at=at: apart * x + at, (256, 1, 1), memory, loops=loops, offset_bytes=at)
        for at in (4, beside)
        if at is not None
    ]
    assert only(kept(*both), "COA202").severity is severity


@pytest.mark.parametrize(("extent", "severity"), [(2, Severity.INFO), (4, Severity.WARNING)])
def test_conflicts_of_four_lanes_are_infos_though_a_padding_spares_them(extent: int, severity: Severity) -> None:
    memory, block = Memory("tile", 4, (extent, 128)), (extent, extent, 1)
    column = shared(lambda x, y, z: 512 * x + 4 * y, block, memory, loops=in_loop(4, 99))
    row = shared(lambda x, y, z: 4 * x + 512 * y, block, memory, loops=in_loop(8, 99))
    found = findings(column, row)
    assert {finding.severity for code in ("COA201", "COA202") for finding in found[code]} == {severity}


def test_a_2_way_conflict_that_no_padding_spares_is_an_info() -> None:
    """Rows of 6 words: any row of structs of 8 bytes begins in one of 16 banks."""
    memory = Memory("s", 8, (256, 3))
    found = kept(shared(lambda x, y, z: 24 * x, (256, 1, 1), memory, bytes=4, loops=in_loop(8, 3)))
    assert {code: finding.severity for code, finding in found.items()} == {"COA201": Severity.INFO}
    assert found["COA201"].help.startswith("no padding of up to 32 elements helps")


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_contiguous_lanes_do_not_conflict(width: int) -> None:
    assert not findings(shared(lambda x, y, z: width * x, (256, 1, 1), Memory("s", width, (256,))))


def test_spread_out_lanes_are_no_conflict() -> None:
    """Eight float4 lanes in four quarters take four wavefronts where one would do, but no bank is asked twice."""
    sparse = shared(lambda x, y, z: 16 * x if x % 4 == 0 else None, (32, 1, 1), Memory("s", 16, (32,)))
    assert not findings(sparse)


def test_a_histogram_is_silent() -> None:
    assert not findings(shared(lambda x, y, z: 128 * x, (32, 1, 1), Memory("bins", 4, (1024,)), data_dependent=True))


@pytest.mark.parametrize(("trips", "code"), [(2, "COA103"), (64, "COA106")])
def test_short_runs_along_y_are_swapped_axes(trips: int, code: str) -> None:
    """A register tile that is stored as `float4`: x counts rows, y the columns, and each thread has a few of them."""
    run = 16 * trips
    tile = access(lambda x, y, z: 8192 * x + run * y, block=(16, 16, 1), bytes=16, loops=in_loop(16, trips))
    finding = only(kept(tile), code)
    assert ("let the lanes alternate from one iteration to the next" in finding.help) is (code == "COA103")


def test_a_block_of_one_column_has_its_lanes_in_y() -> None:
    """With 1x256 threads, neighbouring lanes differ in threadIdx.y."""
    finding = only(kept(access(lambda x, y, z: 12 * y, block=(1, 256, 1))), "COA101")
    assert "neighbouring lanes are 12 bytes apart and use 4 bytes each" in text(finding)
    assert "consecutive values of threadIdx.y use consecutive elements" in finding.help
    chunk = access(lambda x, y, z: 256 * y, block=(1, 256, 1), loops=in_loop(4, 64))
    assert "neighbouring lanes are 256 bytes apart" in text(only(kept(chunk), "COA106"))
    column = shared(lambda x, y, z: 128 * y, (1, 256, 1), Memory("tile", 4, (256, 32)))
    assert "neighbouring lanes are 128 bytes apart" in text(only(kept(column), "COA201"))


def test_lanes_that_share_an_address_in_x_are_told_apart_in_y() -> None:
    finding = only(kept(access(lambda x, y, z: 256 * y, block=(2, 128, 1))), "COA101")
    assert "lanes with neighbouring threadIdx.y are 256 bytes apart and use 4 bytes each" in text(finding)
