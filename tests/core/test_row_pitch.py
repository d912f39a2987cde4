"""The bytes between rows of an array: none where the size of an element, or of a row, is not known."""

from __future__ import annotations

import pytest

from coalint.core.facts.access import Memory


@pytest.mark.parametrize(
    ("element_bytes", "extents", "pitch"),
    [
        (4, (8, 33), 132),
        (12, (None, 8, 17), 204),
        (0, (10, 10), None),  # of a type that no header declares
        (4, (4, 0), None),
        (4, (4, None), None),
        (4, (33,), None),
    ],
)
def test_rows_are_apart_by_what_is_known(
    element_bytes: int, extents: tuple[int | None, ...], pitch: int | None
) -> None:
    assert Memory("tile", element_bytes, extents).row_pitch == pitch
