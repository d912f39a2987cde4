"""Whole names of what modules hold, one for all the ways in which they can be imported."""

from __future__ import annotations

_PREFIXES = (
    ("numba_cuda.numba.cuda", "numba.cuda"),
    ("cuda.numba", "numba.cuda"),
    ("numba.core.types", "numba.types"),
    ("numba.cuda.types", "numba.types"),
    ("numba.cuda.core.types", "numba.types"),
    ("numba.cuda.np.numpy_support", "numba.np.numpy_support"),
)


def canonical(name: str) -> str:
    """Return the name by which something is known here: `numba.types.float32`."""
    for prefix, known in _PREFIXES:
        if name == prefix or name.startswith(f"{prefix}."):
            name = known + name[len(prefix) :]
    return name
