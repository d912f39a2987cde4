"""What a Python file names that holds kernels for Numba or CuPy's JIT, as text, before anything is parsed."""

from __future__ import annotations

import re

_MODULES = re.compile(rb"numba|cupyx")
_DECORATORS = re.compile(rb"\bcuda\b|\bjit\b")


def may_hold_kernels(data: bytes) -> bool:
    """Whether a file names a module and a decorator that make kernels of functions."""
    return _MODULES.search(data) is not None and _DECORATORS.search(data) is not None
