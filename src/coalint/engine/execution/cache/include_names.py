"""Finds what a source file includes, and asks about with `__has_include`, by its text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from hashlib import blake2b
from typing import NamedTuple

_NAME = re.compile(
    rb"""^[ \t]*\#[ \t]*(?:include|include_next|import)\b[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|([A-Za-z_]))"""
    rb"""|\b__has_include(?:_next)?[ \t]*\([ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|([A-Za-z_]))""",
    re.MULTILINE,
)


_CONTINUED = re.compile(rb"\\\r?\n")


class FileContent(NamedTuple):
    """What a file includes.

    Attributes:
        digest: The digest of its contents.
        quoted: Names in quotes.
        named: Names in angle brackets.
        computed: Whether an include is named by a macro.
        asked: Whether `__has_include` is given a macro.
        changed: When the file was last changed, in nanoseconds.
    """

    digest: str
    quoted: tuple[str, ...]
    named: tuple[str, ...]
    computed: bool
    asked: bool
    changed: int


def digest_of(data: bytes) -> str:
    """Return the digest by which contents are compared."""
    return blake2b(data, digest_size=20).hexdigest()


def read_includes(data: bytes, changed: int) -> FileContent:
    """Return what a file with these contents includes."""
    quoted: set[str] = set()
    named: set[str] = set()
    computed = has_asked = False
    code = _CONTINUED.sub(b"", data) if b"\\" in data else data
    for match in _NAME.finditer(code):
        in_quotes, in_angles, macro, asked, asked_in_angles, asked_macro = match.groups()
        quoted.update(os.fsdecode(name) for name in (in_quotes, asked) if name)
        named.update(os.fsdecode(name) for name in (in_angles, asked_in_angles) if name)
        computed = computed or bool(macro)
        has_asked = has_asked or bool(asked_macro)
    return FileContent(
        digest=digest_of(data),
        quoted=tuple(quoted),
        named=tuple(named),
        computed=computed,
        asked=has_asked,
        changed=changed,
    )


def spellings(names: Iterable[str], folders: Iterable[str]) -> Iterable[str]:
    """Yield the names by which includes may have found files in these folders: libclang joins folder and name."""
    ends = {os.path.join(folder, "") if folder else "" for folder in folders}
    for name in names:
        yield from (name[len(end) :] for end in ends if name.startswith(end))
