"""What marks kernels in CUDA source as text, before anything is parsed."""

from __future__ import annotations

import re

_MARK = b"__global__"
_MAYBE = re.compile(r"__global__|<<<|\b[A-Z_]*(?:GLOBAL|KERNEL)[A-Z_]*\b")
_NAMED = re.compile(r"__global__[^;{}]*?\b(?!__)([A-Za-z_]\w*)\s*\((?!\()")


def defines_kernels(data: bytes) -> bool:
    """Whether a text names what marks a kernel's definition."""
    return _MARK in data


def launches_or_defines_kernels(data: bytes) -> bool:
    """Whether a text names what marks a kernel's definition, or launches one."""
    return _MARK in data or b"<<<" in data


def may_launch(data: bytes) -> bool:
    """Whether a text may launch kernels: with `<<<...>>>`, or through a function of the runtime."""
    return b"<<<" in data or b"cudaLaunch" in data


def may_hold_kernels(text: str) -> bool:
    """Whether a text defines or launches kernels, be it through a macro."""
    return _MAYBE.search(text) is not None


def first_kernel(text: str) -> str | None:
    """Return the name of the first kernel of a text, as far as it can be seen without a parser."""
    match = _NAMED.search(text)
    return None if match is None else match[1]
