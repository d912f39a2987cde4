"""Spans count characters, also in lines with characters of several bytes and in lines of other systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from coalint.frontend.cuda.libclang.locations import Locations
from coalint.frontend.cuda.libclang.outermost import own_declarations
from coalint.frontend.cuda.libclang.parse import parse


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_columns_count_characters(tmp_path: Path, end: str) -> None:
    text = end.join(("int first;", "/* é中 */ int second; /* ü */ int third;", "int fourth;", ""))
    path = tmp_path / "a.cu"
    path.write_bytes(text.encode())
    unit = parse(str(path))
    locations = Locations(str(path), text)
    spans = [locations.span(cursor) for cursor in own_declarations(unit, locations)]
    places = [(span.line, span.column, span.end_column) for span in spans]
    if end == "\r":  # which ends a line for clang, and none of the text
        assert [line for line, _, _ in places] == [1, 2, 2, 3]
    else:
        assert places == [(1, 1, 10), (2, 10, 20), (2, 30, 39), (3, 1, 11)]
