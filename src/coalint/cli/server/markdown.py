"""Text of sources in the Markdown that editors show: it is never markup, so that it can load and link nothing."""

from __future__ import annotations

import re

from coalint.reporters.shared.escape_controls import without_controls
from coalint.rules.support.wording import one_line

_CODE = re.compile("(`[^`]*`)")
_SPECIAL = re.compile(r"[\\`*_\[\]<>#~!|&$@]|:(?=//)")
_TICKS = re.compile("`+")


def code(text: str) -> str:
    """Return source text as Markdown code, between more backticks than it has in a row."""
    text = without_controls(one_line(text))
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (max(map(len, _TICKS.findall(text))) + 1)
    return f"{fence} {text} {fence}"


def prose(text: str) -> str:
    """Return a sentence of a message as Markdown: what stands between backticks is code, all else is plain text."""
    parts = _CODE.split(without_controls(one_line(text)))
    return "".join(part if number % 2 else _SPECIAL.sub(r"\\\g<0>", part) for number, part in enumerate(parts))
