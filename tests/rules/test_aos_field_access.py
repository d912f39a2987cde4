"""COA102: fields of arrays of structs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rule_findings import findings, kept, only, strided, text
from synthetic import access, changed

from coalint.core.facts.access import Access, Memory, RecordField


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
