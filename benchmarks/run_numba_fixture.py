"""Runs a Python file with every kernel under `@cuda.jit` compiled with line information, for a profiler.

    python benchmarks/run_numba_fixture.py FILE

Needs numba-cuda and a GPU. Users write `@cuda.jit(lineinfo=True)` instead.
"""

from __future__ import annotations

import functools
import importlib
import runpy
import sys
from typing import Any


def with_lines(jit: Any) -> Any:
    """`cuda.jit` with `lineinfo=True` wherever the file does not say otherwise."""

    @functools.wraps(jit)
    def decorator(*arguments: Any, **options: Any) -> Any:
        options.setdefault("lineinfo", True)
        if len(arguments) == 1 and callable(arguments[0]) and hasattr(arguments[0], "__code__"):
            return jit(**options)(arguments[0])
        return jit(*arguments, **options)

    return decorator


if __name__ == "__main__":
    cuda: Any = importlib.import_module("numba.cuda")
    cuda.jit = with_lines(cuda.jit)
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
