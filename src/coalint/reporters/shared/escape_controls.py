"""Replaces control characters in text from sources, paths and messages, which could control a terminal or a CI log."""

from __future__ import annotations

import re

_SHOWN = "\N{REPLACEMENT CHARACTER}"
_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
_DIRECTIONS = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
"""Characters of text direction, which make a line look different from what it says (https://trojansource.codes)."""
_SEPARATORS = {0x2028, 0x2029}
_UNSEEN = {0xAD, 0x180E, *range(0x2061, 0x2065), *range(0x206A, 0x2070), 0xFEFF}
_UNSEEN |= {*range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)}
"""Characters without a width that no writing needs: two names that look alike, or text that only a program reads."""
_NO_CHARACTERS = {0xFFFE, 0xFFFF}
_COMMAND = re.compile(r"^(\s*):(?=:)", re.MULTILINE)
_TABLE = dict.fromkeys(_CONTROLS | _DIRECTIONS | _SEPARATORS | _UNSEEN | _NO_CHARACTERS, _SHOWN)


def without_controls(text: str) -> str:
    """Return the text with each control character, except line feeds and tabs, replaced by a visible one."""
    return text.translate(_TABLE)


def escape_controls(text: str) -> str:
    """Return the text without control characters, and without lines that the log of a CI run would obey.

    GitHub takes a line of a log that begins with `::`, and `##[` anywhere, for a command: other characters that look
    alike stand in their places. The length stays.
    """
    shown = without_controls(text)
    if "::" in shown:
        shown = _COMMAND.sub("\\1\N{MODIFIER LETTER COLON}", shown)
    return shown.replace("##[", "#\N{FULLWIDTH NUMBER SIGN}[")
