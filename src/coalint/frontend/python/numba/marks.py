"""What a Python file names that holds kernels for Numba or CuPy's JIT, as text, before anything is parsed."""

from __future__ import annotations

import re

_MODULES = re.compile(rb"numba|cupyx")
_DECORATORS = re.compile(rb"\bcuda\b|\bjit\b")


def may_hold_kernels(data: bytes) -> bool:
    """Whether a file names a module and a decorator that make kernels of functions."""
    return _MODULES.search(data) is not None and _DECORATORS.search(data) is not None


_LAUNCH = re.compile(rb"\][ \t]*\(|\.(?:forall|configure)\(")
_IMPORTS = re.compile(rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([^\n#]+)|import[ \t]+([^\n#]+))", re.MULTILINE)


def launching_imports(data: bytes) -> frozenset[str]:
    """Return the last parts of what a file imports that may launch kernels, `kernel[grid, block](...)`; else none."""
    if _LAUNCH.search(data) is None:
        return frozenset()
    words = (word for groups in _IMPORTS.findall(data) for word in re.findall(rb"\w+", b" ".join(groups)))
    return frozenset(word.decode() for word in words)
