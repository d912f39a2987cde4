"""Each rule on accesses built by hand: where it fires, where it stays silent, and what it says."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from project import Project
from synthetic import SPAN, access, analysis, changed, lanes_of, specialization, warps

import coalint
from coalint.core.facts.access import Access, LoopStride, Memory, Operation, RecordField, Space
from coalint.core.facts.launch import LaunchSource
from coalint.core.facts.synchronization import Barrier, Verdict
from coalint.core.findings import Confidence, Finding, Note, Severity
from coalint.core.source.spans import Span
from coalint.engine.registry import load_rules
from coalint.machine.architecture import architecture
from coalint.rule import Context

RULES = {rule.code: rule for rule in load_rules().rules}
OURS = [
    "COA101",
    "COA102",
    "COA103",
    "COA104",
    "COA105",
    "COA106",
    "COA107",
    "COA108",
    "COA109",
    "COA402",
    "COA201",
    "COA202",
    "COA203",
    "COA301",
    "COA302",
]
LOOP = Span("k.cu", 8, 5, 8, 40)


def findings(*accesses: Access, barriers: tuple[Barrier, ...] = (), arch: str = "sm_90") -> dict[str, list[Finding]]:
    """All findings of the built-in rules, by code, before any rule replaces another."""
    context = Context(analysis(*accesses, barriers=barriers), architecture(arch))
    found = {code: list(RULES[code]().check(context)) for code in OURS}
    return {code: results for code, results in found.items() if results}


def kept(*accesses: Access, **kwargs: object) -> dict[str, Finding]:
    """The finding per code that is left when the better rule has replaced the general one (one place only)."""
    found = findings(*accesses, **kwargs)  # type: ignore[arg-type]
    replaced = {name for code in found for name in RULES[code].refines}
    return {code: results[0] for code, results in found.items() if RULES[code].name not in replaced}


def only(found: dict[str, Finding], code: str) -> Finding:
    assert list(found) == [code]
    return found[code]


def text(finding: Finding) -> str:
    return "\n".join([finding.message, *(note.message for note in finding.notes), finding.help])


def strided(bytes_apart: int, **fields: object) -> Access:
    return access(lambda x, y, z: bytes_apart * x, block=(256, 1, 1), **fields)  # type: ignore[arg-type]


def in_loop(step: int | None, trips: int | None) -> tuple[LoopStride, ...]:
    return (LoopStride("col", step, "?" if step is None else str(step), trips, LOOP),)


# --- documentation


@pytest.mark.parametrize("code", OURS)
def test_documentation_has_the_fixed_sections(code: str) -> None:
    page = RULES[code].documentation()
    sections = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert sections == ["What it does", "Why is this bad", "Example", "Use instead", "What the hardware counts"]
    assert page.count("```") % 2 == 0
    assert "```cuda" in page


@pytest.mark.parametrize("code", OURS)
def test_a_rule_is_named_as_its_module(code: str) -> None:
    rule = RULES[code]
    assert rule.__module__.rpartition(".")[2].replace("_", "-") == rule.name
    assert all(any(other.name == name for other in RULES.values()) for name in rule.refines)


# --- COA101


def test_every_second_float() -> None:
    finding = only(kept(strided(8, expression="in[2 * i]")), "COA101")
    assert finding.message == "the load of `in[2 * i]` takes 8 sectors per request (ideal: 4)"
    assert "neighbouring lanes are 8 bytes apart and use 4 bytes each" in text(finding)
    assert finding.confidence is Confidence.HIGH
    assert finding.severity is Severity.WARNING


def test_ideal_accesses_are_silent() -> None:
    assert not findings(strided(0))
    assert not findings(strided(4))
    assert not findings(access(lambda x, y, z: 4 * (255 - x), block=(256, 1, 1)))
    assert not findings(access(lambda x, y, z: 4 * (x ^ 5), block=(256, 1, 1)))


def test_one_extra_sector_is_not_uncoalesced() -> None:
    """Every second byte touches two sectors where one would do, and aligning it would not help."""
    assert not findings(access(lambda x, y, z: 2 * x, block=(256, 1, 1), bytes=1))


def gather(expression: str, column: int = 5, **fields: object) -> Access:
    there = replace(SPAN, column=column, end_column=column + len(expression))
    got = access(None, expression=expression, data_dependent=True, index_load="order[i]", **fields)  # type: ignore[arg-type]
    return replace(got, span=there)


def test_a_gather_names_the_load_and_the_range() -> None:
    finding = only(kept(gather("in[order[i]]")), "COA104")
    assert (
        finding.message
        == "the load of `in[order[i]]` has an index that `order[i]` decides: 1 to 32 sectors per request"
    )
    assert finding.severity is Severity.INFO


def test_a_line_of_gathers_is_one_finding() -> None:
    found = findings(gather("b[order[i]]", 20), gather("a[order[i]]", 5), gather("a[order[i]]", 5, op=Operation.STORE))
    assert [finding.message.split("`")[1] for finding in found["COA104"]] == ["a[order[i]]"]
    assert "also affected: `b[order[i]]`" in text(found["COA104"][0])


def test_one_array_and_index_are_one_finding() -> None:
    found = findings(*(replace(gather(f"a[order[i] + {k}]"), span=replace(SPAN, line=10 + k)) for k in range(6)))
    assert [finding.span.line for finding in found["COA104"]] == [10]
    assert "also affected: `a[order[i] + 1]` (line 11), `a[order[i] + 2]` (line 12)" in text(found["COA104"][0])
    assert "and 2 more" in text(found["COA104"][0])


def test_a_gather_in_shared_memory_is_silent() -> None:
    assert not findings(gather("tile[order[i]]", space=Space.SHARED))


def test_a_gather_is_nothing_else() -> None:
    assert not findings(strided(64, data_dependent=True))
    assert not findings(access(None))


def test_the_bundled_headers_are_not_shown() -> None:
    bundled = str(Path(coalint.__file__).parent / "frontend" / "cuda" / "headers" / "coalint" / "cooperative_groups.h")
    chain = (Note("`thread_rank()`", Span(bundled, 8, 1, 8, 20, bundled=True)), Note("`int i = rank`", SPAN))
    finding = only(kept(strided(64, provenance=chain)), "COA101")
    assert [note.span for note in finding.notes if note.span is not None] == [SPAN]


def test_only_global_memory_has_sectors() -> None:
    assert not findings(strided(64, space=Space.LOCAL))
    assert not findings(strided(64, space=Space.CONSTANT))


def test_a_symbolic_stride_names_the_value_that_would_be_coalesced() -> None:
    pitch = strided(4096, strides=(None, 0, 0), exact=False, symbolic=("width",), expression="in[i * width]")
    pitch = changed(pitch, stride="4*width", stride_texts=("4*width", "0", "0"))
    finding = only(kept(pitch), "COA101")
    assert (
        finding.message == "the load of `in[i * width]` takes 32 sectors per request (ideal: 4) for a general `width`"
    )
    assert "neighbouring lanes are `4*width` bytes apart" in text(finding)
    assert finding.severity is Severity.WARNING
    assert "would be coalesced" not in text(finding)
    open_to_one = only(kept(changed(pitch, fitting=(("width", 1),))), "COA101")
    assert open_to_one.severity is Severity.INFO
    assert "would be coalesced if `width` is 1" in text(open_to_one)
    assert "--assume 'width == 1'" in open_to_one.help
    assert "say so with `// coalint: assume(width == 1)`" in open_to_one.help
    assert open_to_one.confidence is Confidence.MEDIUM


def test_an_assumed_block_lowers_the_confidence() -> None:
    assert kept(strided(8, source=LaunchSource.ASSUMED))["COA101"].confidence is Confidence.LOW


def test_short_rows_are_told_apart_from_strides() -> None:
    rows = access(lambda x, y, z: 256 * y + 4 * x, block=(4, 8, 1))
    finding = only(kept(rows), "COA101")
    assert "takes 8 sectors per request (ideal: 4)" in finding.message
    assert "blockDim.x is 4" in text(finding)
    assert "multiple of 32" in finding.help


def test_lanes_that_a_guard_leaves_are_told() -> None:
    sparse = strided(4)
    sparse = access(
        lambda x, y, z: 4 * x if x % 8 == 0 else None, block=(256, 1, 1), strides=sparse.strides, guard=("x % 8 == 0",)
    )
    finding = only(kept(sparse), "COA101")
    assert "takes 4 sectors per request (ideal: 1)" in finding.message
    assert "4 of 32 lanes are active on average, under `x % 8 == 0`" in text(finding)


def test_the_chain_of_assignments_follows_the_reason() -> None:
    chain = (Note("`i` is 2*threadIdx.x", SPAN),)
    assert kept(strided(8, provenance=chain))["COA101"].notes[-1:] == chain


# --- COA102


def field_access(size: int, offset: int = 0, name: str = "x", **fields: object) -> Access:
    record = RecordField("Point", size, name, offset, 4)
    memory = Memory("points", size)
    fields = {"expression": f"points[i].{name}", **fields}
    return access(
        lambda x, y, z: size * x + offset,
        block=(256, 1, 1),
        field=record,
        memory=memory,
        **fields,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(("size", "sectors"), [(12, 12), (16, 16), (24, 24), (32, 32)])
def test_a_field_of_an_array_of_structs(size: int, sectors: int) -> None:
    finding = only(kept(field_access(size)), "COA102")
    assert f"takes {sectors} sectors per request (ideal: 4)" in finding.message
    assert f"`Point` is {size} bytes" in text(finding)
    assert "(SoA)" in finding.help


def test_all_fields_of_a_16_byte_struct_can_be_one_vector_load() -> None:
    fields = [field_access(16, 4 * k, "xyzw"[k]) for k in range(4)]
    finding = findings(*fields)["COA102"][0]
    assert "__align__(16)" in finding.help
    assert "one 16-byte access per lane" in finding.help
    assert "L1 cache usually serves" in text(finding)


def test_all_fields_of_a_12_byte_struct_cannot() -> None:
    finding = findings(*[field_access(12, 4 * k, "xyz"[k]) for k in range(3)])["COA102"][0]
    assert "__align__" not in finding.help
    assert "L1 cache usually serves" in text(finding)


def test_an_element_of_a_member_array_leaves_the_others_unread() -> None:
    third = changed(field_access(16, 8), field=RecordField("Row", 16, "value", 0, 16), offset_bytes=8)
    finding = only(kept(third), "COA102")
    assert "`Row` is 16 bytes" in text(finding)
    assert "L1 cache" not in text(finding)


def test_a_struct_moved_in_pieces_says_so() -> None:
    pieces = [
        access(lambda x, y, z, k=k: 12 * x + 4 * k, block=(256, 1, 1), piece=(k + 1, 3))  # type: ignore[misc]
        for k in range(3)
    ]
    finding = only(kept(*pieces), "COA108")
    assert "in 3 pieces of 4 bytes, each of which takes 12 sectors per request (ideal: 4)" in finding.message


def test_a_struct_moved_in_pieces_at_a_wider_stride_says_so() -> None:
    pieces = [
        access(lambda x, y, z, k=k: 24 * x + 4 * k, block=(256, 1, 1), piece=(k + 1, 3))  # type: ignore[misc]
        for k in range(3)
    ]
    assert "moved in 3 pieces of 4 bytes each" in text(only(kept(*pieces), "COA101"))


def test_a_field_read_alone_has_no_neighbours_in_the_cache() -> None:
    assert "L1 cache" not in text(kept(field_access(16))["COA102"])


def test_a_strided_walk_over_structs_is_not_blamed_on_the_struct() -> None:
    every_second = access(
        lambda x, y, z: 24 * x,
        block=(256, 1, 1),
        field=RecordField("Point", 12, "x", 0, 4),
        memory=Memory("points", 12),
    )
    only(kept(every_second), "COA101")


def test_a_member_that_is_the_whole_record_is_not_a_field() -> None:
    wrapped = replace(strided(4), field=RecordField("Wrapper", 4, "value", 0, 4))
    assert not findings(wrapped)


# --- COA103


def test_swapped_axes() -> None:
    swapped = access(lambda x, y, z: 2048 * x + 4 * y, expression="in[row * width + col]")
    finding = only(kept(swapped), "COA103")
    assert finding.message == (
        "threadIdx.x steps over rows in the load of `in[row * width + col]`: it takes 32 sectors per request (ideal: 4)"
    )
    assert "2048 bytes apart, while threadIdx.y moves by 4 bytes" in text(finding)
    assert "swap the axes" in finding.help


def test_swapped_axes_with_a_symbolic_pitch() -> None:
    swapped = access(lambda x, y, z: 4096 * x + 4 * y, strides=(None, 4, 0), exact=False, symbolic=("width",))
    finding = only(kept(changed(swapped, stride="4*width", stride_texts=("4*width", "4", "0"))), "COA103")
    assert "`4*width` bytes apart" in text(finding)
    assert finding.confidence is Confidence.MEDIUM


def test_a_transpose_is_sent_through_shared_memory() -> None:
    read = access(lambda x, y, z: 2048 * y + 4 * x, expression="in[y * width + x]")
    write = access(lambda x, y, z: 1024 * x + 4 * y, op=Operation.STORE, expression="out[x * height + y]")
    finding = findings(read, write)["COA103"][0]
    assert "shared memory" in finding.help
    assert "`in[y * width + x]` runs along the rows" in finding.help


def test_a_transpose_by_16x16_blocks_shares_sectors_between_two_rows() -> None:
    write = access(lambda x, y, z: 1024 * x + 4 * y, block=(16, 16, 1), op=Operation.STORE)
    assert "takes 16 sectors per request (ideal: 4)" in only(kept(write), "COA103").message


def test_one_dimensional_blocks_have_no_axes_to_swap() -> None:
    flat = access(lambda x, y, z: 2048 * x, block=(256, 1, 1), strides=(2048, 4, 0))
    only(kept(flat), "COA101")


# --- COA105


def test_off_by_one() -> None:
    shifted = access(lambda x, y, z: 4 * x + 4, block=(256, 1, 1), offset_bytes=4, expression="in[i + 1]")
    finding = only(kept(shifted), "COA105")
    assert finding.message == (
        "the load of `in[i + 1]` starts 4 bytes past a sector boundary and takes 5 sectors per request (ideal: 4)"
    )
    assert finding.severity is Severity.INFO


def test_a_negative_offset() -> None:
    shifted = access(lambda x, y, z: 4 * x - 4, block=(256, 1, 1), offset_bytes=-4)
    assert "starts 28 bytes past a sector boundary" in only(kept(shifted), "COA105").message


def test_an_aligned_offset_is_silent() -> None:
    assert not findings(access(lambda x, y, z: 4 * x + 32, block=(256, 1, 1), offset_bytes=32))


def test_rows_of_an_odd_length() -> None:
    """A pitch of 1001 floats puts seven rows of eight off the boundary."""
    rows = access(lambda x, y, z: 4004 * y + 4 * x, offset_bytes=0)
    finding = only(kept(rows), "COA105")
    assert "mostly starts off a sector boundary and takes 4.88 sectors per request (ideal: 4)" in finding.message


def test_an_offset_that_is_not_the_cause_is_silent() -> None:
    """Rows of 28 floats straddle sectors by themselves; taking the offset away would not help."""
    rows = access(lambda x, y, z: 112 * y + 4 * x + 16, block=(16, 16, 1), offset_bytes=16)
    assert "COA105" not in findings(rows)


# --- COA106


def test_a_row_per_thread() -> None:
    row_sum = strided(2048, loops=in_loop(4, 512), expression="in[row * 512 + col]")
    finding = only(kept(row_sum), "COA106")
    assert "takes 32 sectors per request (ideal: 4)" in finding.message
    assert "an iteration over `col` moves each lane by 4 bytes, but neighbouring lanes are 2048 bytes apart" in text(
        finding
    )
    assert finding.notes[-1].span == LOOP


def test_a_row_per_thread_of_unknown_width() -> None:
    row_sum = strided(4096, strides=(None, 0, 0), loops=in_loop(4, None), exact=False, symbolic=("width",))
    only(kept(replace(row_sum, stride="4*width")), "COA106")


@pytest.mark.parametrize("loops", [(), in_loop(1024, 8), in_loop(None, None)])
def test_a_loop_that_does_not_walk_elements_is_no_chunk(loops: tuple[LoopStride, ...]) -> None:
    only(kept(strided(2048, loops=loops)), "COA101")


def test_overlapping_windows_are_no_chunks() -> None:
    """Stride 2 with 5 taps: neighbours share most of their window."""
    only(kept(strided(8, loops=in_loop(4, 5))), "COA101")


def test_swapped_axes_explain_a_chunk_better() -> None:
    both = access(lambda x, y, z: 2048 * x + 4 * y, loops=in_loop(4, 8))
    only(kept(both), "COA103")


# --- COA201 and COA202


def shared(offset: object, block: tuple[int, int, int], memory: Memory, **fields: object) -> Access:
    fields = {"bytes": memory.element_bytes, "expression": "tile[threadIdx.x][threadIdx.y]", **fields}
    return access(offset, block=block, space=Space.SHARED, memory=memory, **fields)  # type: ignore[arg-type]


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


def test_both_sides_of_a_16x17_tile_conflict() -> None:
    found = findings(*square_tile(16, 17))
    sides = ["tile[threadIdx.y][threadIdx.x]", "tile[threadIdx.x][threadIdx.y]"]
    assert [finding.message.split("`")[1] for finding in found["COA203"]] == sides
    assert "some conflicts remain" in found["COA203"][0].help


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


def flat(offset: object, loops: tuple[LoopStride, ...] = (), **fields: object) -> Access:
    memory = Memory("As", 4, (512,))
    return shared(offset, (256, 1, 1), memory, loops=loops, **fields)


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


# --- accesses that nvcc joins


def vector_field(record: str, size: int, names: str, offset: int, align: int = 1) -> Access:
    field = RecordField(record, size, names[offset // 4], offset, 4, record_align=align)
    memory = Memory("points", size)
    return access(lambda x, y, z: size * x + offset, block=(256, 1, 1), field=field, memory=memory)


@pytest.mark.parametrize(
    ("record", "size", "used", "align", "codes"),
    [
        ("float2", 8, "xy", 8, []),
        ("float2", 8, "x", 8, ["COA102"]),
        ("float4", 16, "xyzw", 16, []),
        ("float4", 16, "xyz", 16, []),  # one LDG.128 in the machine code
        ("float4", 16, "xy", 16, ["COA102"]),
        ("Particle", 16, "xyzw", 4, ["COA102"]),
        ("AlignedParticle", 16, "xyzw", 16, []),
        ("float3", 12, "xyz", 4, ["COA102"]),
    ],
)
def test_fields_of_an_aligned_struct_are_one_instruction(
    record: str, size: int, used: str, align: int, codes: list[str]
) -> None:
    fields = [vector_field(record, size, "xyzw", 4 * "xyzw".index(name), align) for name in used]
    assert list(kept(*fields)) == codes


@pytest.mark.parametrize(("record", "align", "advises"), [("uchar4", 4, False), ("Pixel", 1, True)])
def test_no_alignment_is_advised_that_is_there_already(record: str, align: int, advises: bool) -> None:
    fields = [RecordField(record, 4, name, offset, 1, record_align=align) for offset, name in enumerate("xyz")]
    stores = [
        access(
            lambda x, y, z, at=field.offset: 4 * x + at,  # type: ignore[misc]
            block=(256, 1, 1),
            bytes=1,
            op=Operation.STORE,
            field=field,
            memory=Memory("pixels", 4),
        )
        for field in fields
    ]
    finding = findings(*stores)["COA102"][0]
    assert ("__align__" in finding.help) is advises
    assert "from or to a local variable" in finding.help


def test_half_a_vector_says_what_the_joined_access_costs() -> None:
    halves = [vector_field("float4", 16, "xyzw", offset, 16) for offset in (0, 4)]
    finding = findings(*halves)["COA102"][0]
    assert finding.message.endswith("takes 16 sectors per request (ideal: 8)")
    assert "this access of 4 bytes with its neighbours into one of 8: the numbers are for the" in text(finding)


def test_fields_are_joined_though_the_pitch_is_not_known(project: Project) -> None:
    """As nvcc 13.2 compiles it, to STG.64: the type says how a struct is aligned, whatever its address is made of."""
    project.put(
        "k.cu",
        "template <class T> __device__ T *at(T *p, size_t pitch, int x, int y) "
        "{ return (T *)((char *)p + y * pitch) + x; }\n"
        "__global__ void k(float2 *out, int pitch) {\n    float2 *q = at(out, pitch, threadIdx.x, threadIdx.y);\n"
        "    q->x = 1;\n    q->y = 2;\n}\n"
        "__global__ void lone(float2 *out, int pitch) { at(out, pitch, threadIdx.x, threadIdx.y)->y = 2; }\n"
        "void run(float2 *p, int n) { k<<<1, dim3(32, 8)>>>(p, n); lone<<<1, dim3(32, 8)>>>(p, n); }\n",
    )
    report = project.lint(".").report
    assert [(found["code"], found["kernel"]) for found in report["diagnostics"]] == [("COA102", "lone")]


def pairs(
    first: int, op: Operation = Operation.LOAD, memory: Memory | None = None, expression: str = "s[2*t + 1]"
) -> list[Access]:
    """`s[2*t + first]` and its successor, in shared memory."""
    memory = memory or Memory("s", 4, (1024,))
    return [
        shared(
            lambda x, y, z, s=start: 8 * x + s,
            (256, 1, 1),
            memory,
            op=op,
            expression=expression,
            offset_bytes=start,
        )
        for start in (4 * first, 4 * first + 4)
    ]


def test_neighbours_in_shared_memory_are_one_instruction() -> None:
    assert not findings(*pairs(0))
    assert not findings(*pairs(0, Operation.STORE))
    assert len(findings(*pairs(1))["COA202"]) == 2
    assert len(findings(*pairs(0, Operation.ATOMIC))["COA202"]) == 2


def test_what_only_the_launch_tells_joins_nothing() -> None:
    """As nvcc 13.2 compiles them: it knows neither a parameter nor where a carved pointer begins."""
    dynamic = Memory("sram", 4, (None,), dynamic=True)
    assert not findings(*pairs(0, memory=dynamic, expression="sram[2*t]"))
    assert not findings(*pairs(0, memory=dynamic, expression="floats[2*t]"))
    assert len(findings(*pairs(64, memory=dynamic, expression="second[2*t]"))["COA202"]) == 2
    in_second = pairs(0, memory=dynamic, expression="second[2*t]")
    second = [changed(one, common="4*n", common_names=("n",)) for one in in_second]
    assert len(findings(*second)["COA202"]) == 2
    walked = [changed(one, common="2048*col", common_names=("col",), loops=in_loop(2048, None)) for one in second]
    assert not findings(*walked)
    launched = replace(specialization((256, 1, 1)), arguments=(("pitch", 2),))
    by_argument = [replace(one, specialization=launched) for one in pairs(0, expression="s[pitch*t]")]
    assert len(findings(*by_argument)["COA202"]) == 2
    assert not findings(*(replace(one, specialization=launched) for one in pairs(0)))


def test_an_unrolled_loop_over_neighbours_is_one_instruction() -> None:
    """The register tile of a matrix product: `As[k * 128 + row * 8 + i]` over i, four lanes to a row."""
    memory = Memory("As", 4, (1024,))
    loops = (LoopStride("k", 512, "512", 8, LOOP), LoopStride("i", 4, "4", 8, LOOP))
    load = shared(lambda x, y, z: 32 * (x // 4), (256, 1, 1), memory, loops=loops)
    assert not findings(changed(load, lanes=replace(load.result.lanes, alignment=4)))  # type: ignore[type-var]
    assert list(findings(replace(load, loops=loops[:1]))) == ["COA202"]


def test_a_joined_column_still_conflicts() -> None:
    """`tile[x][k]` over k becomes 16-byte loads, whose eight lanes per phase all meet in the same banks."""
    memory = Memory("tile", 4, (32, 32))
    column = shared(lambda x, y, z: 128 * x, (32, 8, 1), memory, loops=in_loop(4, 32))
    rows = [warps((32, 8, 1), lambda x, y, z, k=k: 128 * x + 4 * k) for k in range(32)]  # type: ignore[misc]
    finding = only(kept(changed(column, lanes=lanes_of(rows))), "COA201")
    assert finding.message.endswith("takes 32 wavefronts per request (ideal: 4)")
    assert "an 8-way bank conflict" in text(finding)
    assert "this access of 4 bytes with its neighbours into one of 16" in text(finding)


# --- barriers


def barrier(verdict: Verdict, scope: str = "block") -> Barrier:
    chain = (Note("`t` is threadIdx.x", SPAN),)
    because = "the condition `t < 16` differs between threads"
    return Barrier("k", specialization(), "__syncthreads", scope, SPAN, verdict, because, chain)


def test_a_divergent_barrier() -> None:
    finding = only(kept(barriers=(barrier(Verdict.DIVERGENT),)), "COA301")
    assert finding.message == (
        "only part of the block may reach `__syncthreads()`: the condition `t < 16` differs between threads"
    )
    assert finding.severity is Severity.ERROR
    assert finding.notes[-1].message == "`t` is threadIdx.x"


@pytest.mark.parametrize("verdict", [Verdict.UNIFORM, Verdict.UNKNOWN])
def test_other_barriers_are_silent(verdict: Verdict) -> None:
    assert not findings(barriers=(barrier(verdict),))


def test_warp_barriers_are_another_matter() -> None:
    assert not findings(barriers=(barrier(Verdict.DIVERGENT, "warp"), barrier(Verdict.AFTER_EXIT, "warp")))


def test_a_barrier_after_exit_is_legal_from_7_0_on() -> None:
    after = barrier(Verdict.AFTER_EXIT)
    finding = only(kept(barriers=(after,)), "COA302")
    assert finding.severity is Severity.INFO
    assert "legal since compute capability 7.0" in text(finding)
    assert only(kept(barriers=(after,), arch="sm_61"), "COA302").severity is Severity.ERROR


# --- COA107


ROWS = """\
__global__ void scale(float *image, int width) {{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    image[row * width + col] = {value};
}}
void run(float *image) {{ scale<<<dim3(4, 4), {block}>>>(image, 1024); }}
"""


@pytest.mark.parametrize(
    ("block", "code"),
    [
        ("dim3(4, 64)", "COA107"),
        ("dim3(4, 8, 8)", "COA107"),
        ("dim3(8, 32)", None),
        ("dim3(16, 16)", None),
        ("dim3(32, 8)", None),
        ("dim3(4, 63)", "COA101"),  # no rows of 32 come out even
        ("dim3(1, 256)", "COA101"),  # that is no row at all
    ],
)
def test_short_rows_are_held_against_rows_of_a_warp(project: Project, block: str, code: str | None) -> None:
    project.put("k.cu", ROWS.format(block=block, value="0"))
    assert project.lint("k.cu").codes == ([code] if code else [])


def test_short_rows_say_what_longer_ones_would_cost(project: Project) -> None:
    project.put("k.cu", ROWS.format(block="dim3(4, 64)", value="0"))
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["message"].endswith("8 sectors per request (ideal: 4); in rows of 32 threads it would cost 4")
    assert found["help"] == "launch with 32x8 threads and a grid to match"


def test_rows_whose_width_the_kernel_has_as_a_constant(project: Project) -> None:
    source = ROWS.replace("blockDim.x", "4").replace("blockDim.y", "64").format(block="dim3(4, 64)", value="0")
    project.put("k.cu", source)
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["help"].endswith("and change the kernel's own constants for the block width accordingly")


def test_a_shape_that_is_assumed_is_not_blamed(project: Project) -> None:
    project.put(
        "k.cu", ROWS.format(block="dim3(n, m)", value="0").replace("float *image) {", "float *image, int n, int m) {")
    )
    assert "COA107" not in project.lint("k.cu").codes


# --- COA108


COPIES = """\
namespace physics {{ {declaration} }}
using namespace physics;
__global__ void copy({type} *out, const {type} *in) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {statement}
}}
void run({type} *a) {{ copy<<<4, 256>>>(a, a); }}
"""


@pytest.mark.parametrize(
    ("declaration", "type_", "says"),
    [
        (
            "struct Four { float x, y, z, w; };",
            "Four",
            "`struct __align__(16) Four { ... };`: each lane then moves its 16",
        ),
        (
            "struct Two { int key; float value; };",
            "Two",
            "`struct __align__(8) Two { ... };`: each lane then moves its 8",
        ),
        ("struct Three { float x, y, z; };", "Three", "pad it to 16 bytes, `struct __align__(16) Three { ... };`"),
        ("", "float3", "use `float4`"),
        ("", "double3", "one array per field (SoA)"),
        (
            "struct Eight { double v[4]; };",
            "Eight",
            "`struct __align__(16) Eight { ... };`, which makes 2 accesses of it",
        ),
        ("struct Six { float value[6]; };", "Six", "`struct __align__(8) Six { ... };`, which makes 3 accesses of it"),
        ("struct Five { float value[5]; };", "Five", "one array per field (SoA)"),
        ("template <class T> struct Pair { T a, b; };", "Pair<int>", "`struct __align__(8) Pair { ... };`"),
    ],
)
def test_a_struct_in_pieces_is_told_what_makes_it_whole(
    project: Project, declaration: str, type_: str, says: str
) -> None:
    project.put("k.cu", COPIES.format(declaration=declaration, type=type_, statement="out[i] = in[i];"))
    found = project.lint("k.cu").report["diagnostics"]
    assert [d["code"] for d in found] == ["COA108", "COA108"]
    assert all(says in d["help"] for d in found)


@pytest.mark.parametrize(
    ("type_", "statement", "codes"),
    [
        ("Four", "out[i] = in[blockIdx.x];", ["COA108"]),  # only the store
        ("Four", "out[i].x = in[i].y;", ["COA102", "COA102"]),
        ("Four", "out[2 * i] = in[i];", ["COA101", "COA108"]),  # the stride is more than the struct
        ("float4", "out[i] = in[i];", []),
    ],
)
def test_a_struct_in_pieces_has_one_finding(project: Project, type_: str, statement: str, codes: list[str]) -> None:
    declaration = "struct Four { float x, y, z, w; };"
    project.put("k.cu", COPIES.format(declaration=declaration, type=type_, statement=statement))
    assert project.lint("k.cu").codes == codes


# --- COA103: the exchange of the axes, analysed

SWAPPED = """\
__global__ void scale(float *out, const float *in, int width) {{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    {statement}
}}
void run(float *a) {{ scale<<<dim3(4, 4), dim3(32, 8)>>>(a, a, 1024); }}
"""


def test_an_exchange_of_the_axes_says_what_to_write_and_what_it_brings(project: Project) -> None:
    project.put("k.cu", SWAPPED.format(statement="out[row * width + col] = in[row * width + col];"))
    (finding,) = project.lint("k.cu").report["diagnostics"]
    assert finding["code"] == "COA103"
    assert len(finding["places"]) == 2
    assert "`int row = blockIdx.y * blockDim.y + threadIdx.y`" in finding["help"]
    assert "`int col = blockIdx.x * blockDim.x + threadIdx.x`" in finding["help"]
    assert "its global accesses take 8 sectors in total instead of 64" in finding["help"]
    exchanged = SWAPPED.replace("int row", "int R").replace("int col", "int row").replace("int R", "int col")
    project.put("k.cu", exchanged.format(statement="out[row * width + col] = in[row * width + col];"))
    counted = json.loads(project.coalint("inspect", "--output-format=json", "k.cu").out)
    assert sum(access["sectors"] for access in counted["kernels"][0]["accesses"]) == 8


def test_an_exchange_that_brings_nothing_is_given_no_numbers(project: Project) -> None:
    project.put(
        "k.cu", SWAPPED.format(statement="out[row * width + col] += in[col * width + row] * in[col * 9 + row];")
    )
    found = project.lint("--select", "COA103", "k.cu").report["diagnostics"]
    assert found
    assert not any("in total instead of" in finding["help"] for finding in found)


# --- what a finding rests on, and what it is called


BOTH_WAYS = """\
__global__ void k(float *out, int n) {{
    int a = n < 0 ? 8 * threadIdx.x : threadIdx.x;
    int b = n >= 0 ? {otherwise} : 64 * threadIdx.x;
    out[a + b] = 0;
}}
void run(float *p, int n) {{ k<<<4, 256>>>(p, n); }}
"""


@pytest.mark.parametrize(
    ("otherwise", "basis"),
    [("0", ["(n < 0) holds"]), ("32 * threadIdx.x", [])],
    ids=["only where a condition holds", "whichever way it is decided"],
)
def test_a_condition_and_its_opposite_are_decided_together(project: Project, otherwise: str, basis: list[str]) -> None:
    project.put("k.cu", BOTH_WAYS.format(otherwise=otherwise))
    (found,) = project.lint("k.cu").report["diagnostics"]
    assert found["cost"]["count"] == 32
    told = " ".join(project.coalint("lint", "k.cu", "--verbose").out.split())
    assert re.findall(r"\(n < 0\) (?:holds|does not hold)", told.partition("basis:")[2]) == basis


def test_what_a_macro_writes_is_called_by_its_names(project: Project) -> None:
    kernel = "__global__ void name(float *data) { data[(S) * threadIdx.x] = 0; }"
    project.put(
        "k.cu", f"#define KERNEL(name, S) {kernel}\nKERNEL(k, 16)\nvoid run(float *p) {{ k<<<1, 256>>>(p); }}\n"
    )
    told = project.coalint("lint", "k.cu", "--verbose").out
    assert "consecutive elements of `data`" in " ".join(told.split())
    assert "the index is computed from:" not in told, "nothing but the macro's use, which is quoted above"
