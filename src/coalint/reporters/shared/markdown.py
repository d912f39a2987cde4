"""Text of messages as Markdown, in which nothing that a source wrote makes markup, a link, an image or a mention.

Messages mark code with backticks. A source may hold backticks, too: what then stands outside of the code is escaped.
"""

from __future__ import annotations

import html
import re

_CODE = re.compile("`([^`]*)`")
_LINKS = r":(?=//)|(?<=www)\."
"""What makes a link of an address, where it stands in the Markdown as it is."""
_SPECIAL = re.compile(rf"[\\`*_{{}}\[\]<>#|~!$&@]|{_LINKS}")
_SPECIAL_OF_GITHUB = re.compile(rf"[\\`*_\[\]@#~$]|{_LINKS}", re.IGNORECASE)
_SPECIAL_OF_REVIEWS = re.compile(r"[\\`*\[\]<&~|$]|(?<![^\W_])_|_(?![^\W_])")
_LEADING = re.compile(rf"[@#]|[!%](?=\d)|(?<=\bGH)-(?=\d)|{_LINKS}", re.IGNORECASE)
"""What begins a mention, a link, or a reference to an issue or a merge request."""
_OPENING = re.compile(r"^(\d*)([-+=>/.)])")
"""What begins a list, a quotation, a heading (with the line before) or a command of GitLab, at the start of a line."""
_BREAK = "&#8203;"
"""A space without width. GitHub looks for mentions and issues in the page, where entities are characters."""


def editor_text(text: str) -> str:
    """Return a message for an editor: code stays code, all else is escaped by backslashes."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(code(part) if n % 2 else _SPECIAL.sub(r"\\\g<0>", part) for n, part in enumerate(parts))


def code(text: str) -> str:
    """Return text on one line as Markdown code, between more backticks than it holds in a row."""
    line = " ".join(text.split())
    fence = fence_for(line, 1)
    return f"{fence} {line} {fence}" if "`" in line else f"{fence}{line}{fence}" if line else ""


def fence_for(text: str, least: int) -> str:
    """Return at least so many backticks, and more than stand in a row in the text."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))


def comment_text(text: str) -> str:
    """Return a message for a comment on GitHub: code as elements, all else by entities."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(f"<code>{comment_code(p)}</code>" if n % 2 else _prose(p) for n, p in enumerate(parts))


def review_text(text: str) -> str:
    """Return a message that is read as Markdown in comments of reviews, and as it stands in logs.

    Code stays code. Of the rest only what would be markup is escaped, and what would be a mention or a link is broken
    by a space without width.
    """
    parts = _CODE.split(" ".join(text.split()))
    written = "".join(code(part) if n % 2 else _review_prose(part) for n, part in enumerate(parts))
    return _OPENING.sub(r"\1\\\2", written)


def _review_prose(text: str) -> str:
    return _LEADING.sub("\\g<0>\N{ZERO WIDTH SPACE}", _SPECIAL_OF_REVIEWS.sub(r"\\\g<0>", text))


def comment_code(text: str) -> str:
    """Return text for a `<code>` element of a comment on GitHub, which looks for no mentions in it."""
    return _SPECIAL_OF_GITHUB.sub(_entity, html.escape(text, quote=False))


def _prose(text: str) -> str:
    escaped = comment_code(text)
    return escaped.replace("&#64;", f"&#64;{_BREAK}").replace("&#35;", f"&#35;{_BREAK}")


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"
