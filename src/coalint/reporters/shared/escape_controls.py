"""Replaces control characters in text from sources, paths and messages, which could control a terminal."""

from __future__ import annotations

_SHOWN = "\N{REPLACEMENT CHARACTER}"
_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
_DIRECTIONS = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
"""Characters of text direction, which make a line look different from what it says (https://trojansource.codes)."""
_TABLE = dict.fromkeys(_CONTROLS | _DIRECTIONS, _SHOWN)


def escape_controls(text: str) -> str:
    """Return the text with each control character, except line feeds and tabs, replaced by a visible one."""
    return text.translate(_TABLE)
