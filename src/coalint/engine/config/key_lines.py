"""Finds the lines of the keys in a TOML text."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$")


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def lines_of_keys(text: str, inside: Sequence[str]) -> dict[str, int]:
    """Return the first line, from 1, of each key of the section `inside`; of the top level where that is empty."""
    lines: dict[str, int] = {}
    section: tuple[str, ...] = ()
    depth = len(inside)
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header is not None:
            section = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            if section[:depth] == tuple(inside) and len(section) > depth:
                lines.setdefault(section[depth], number)
        elif section == tuple(inside):
            key = _BARE.match(line.strip().strip("\"'"))
            if key is not None and re.match(r"\s*[\"']?[A-Za-z0-9_-]+[\"']?\s*[.=]", line):
                lines.setdefault(key[0], number)
    return lines
