"""Text from sources, paths and messages, made fit for a terminal: no character in it that steers one."""

from __future__ import annotations

_SHOWN = "\N{REPLACEMENT CHARACTER}"
_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
_DIRECTIONS = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
"""They make a line read otherwise than it is (https://trojansource.codes)."""
_TABLE = dict.fromkeys(_CONTROLS | _DIRECTIONS, _SHOWN)


def visible(text: str) -> str:
    """The text with each control character, but line ends and tabs, replaced by one that shows, at equal length."""
    return text.translate(_TABLE)
