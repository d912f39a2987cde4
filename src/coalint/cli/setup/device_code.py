"""Tells whether a file holds device code, by its text alone."""

from __future__ import annotations

import re

from coalint.core.source.overlay import contents_of
from coalint.core.source.reading import FileKind, read_bytes
from coalint.frontend.python import notebooks
from coalint.frontend.python.embedded.takers import may_hold_cuda
from coalint.frontend.registry import holds_marked_kernels

PYTHON = (".py", ".pyi", notebooks.SUFFIX)
WORDS = re.compile(rb"\b(?:__global__|__device__|__shared__|threadIdx|__syncthreads)\b")


def names_device_code(path: str, text: str) -> bool:
    """Whether the text of a file contains a word of device code, even in a comment."""
    return _names_device_code(path, text.encode("utf-8", errors="replace"))


def holds_device_code(path: str) -> bool:
    """Whether the file contains a word of device code, even in a comment; True where it cannot be read."""
    replaced = contents_of(path)
    if replaced is not None:
        return _names_device_code(path, replaced)
    try:
        return _names_device_code(path, read_bytes(path, FileKind.SOURCE))
    except OSError:
        return True


def _names_device_code(path: str, data: bytes) -> bool:
    if path.endswith(PYTHON):
        return may_hold_cuda(data) or holds_marked_kernels(path, data)
    return WORDS.search(data) is not None
