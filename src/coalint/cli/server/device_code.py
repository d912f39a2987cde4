"""Tells files that hold device code from others, by their text alone."""

from __future__ import annotations

import re

from coalint.core.source.overlay import contents_of

WORDS = re.compile(rb"\b(?:__global__|__device__|__shared__|threadIdx|__syncthreads)\b")


def holds_device_code(path: str) -> bool:
    """Whether a file names what only device code names, be it in a comment; True where it cannot be read."""
    changed = contents_of(path)
    if changed is not None:
        return WORDS.search(changed) is not None
    try:
        with open(path, "rb") as file:
            return WORDS.search(file.read()) is not None
    except OSError:
        return True
