"""Offsets in bytes to offsets in characters."""

from __future__ import annotations

import pytest

from coalint.frontend.cuda.repair.wide_text import WideText


@pytest.mark.parametrize("text", ["// größe in µm\nint a;", "é", "日本語 x 日", "a😀b😀", "x = \ufffd;", "\ufffe"])
def test_characters_are_those_of_the_decoded_beginning(text: str) -> None:
    wide = WideText(text)
    for offset in range(len(text.encode()) + 3):
        assert wide.characters(offset) == len(text.encode()[:offset].decode(errors="replace"))


def test_offsets_behind_the_end_of_a_plain_text_stay() -> None:
    assert [WideText("int a;").characters(offset) for offset in (0, 3, 6, 9)] == [0, 3, 6, 9]
