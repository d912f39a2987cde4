"""The functions of CuPy, PyCUDA and PyTorch that compile CUDA source, and what their calls give."""

from __future__ import annotations

import ast
import re

from coalint.core.records import record


@record(frozen=True, slots=True)
class Taker:
    """A function that compiles CUDA source: which argument holds it, and which the compiler's options."""

    label: str
    position: int
    keyword: str
    options: str
    options_position: int | None = None
    includes: tuple[str, ...] = ()


_TORCH = ("torch/types.h", "cuda.h", "cuda_runtime.h")
TAKERS = {
    "cupy.RawKernel": Taker("CuPy's RawKernel", 0, "code", "options", 2),
    "cupy.RawModule": Taker("CuPy's RawModule", 0, "code", "options"),
    "pycuda.compiler.SourceModule": Taker("PyCUDA's SourceModule", 0, "source", "options", 2),
    "pycuda.compiler.DynamicSourceModule": Taker("PyCUDA's DynamicSourceModule", 0, "source", "options", 2),
    "torch.utils.cpp_extension.load_inline": Taker(
        "PyTorch's load_inline", 2, "cuda_sources", "extra_cuda_cflags", includes=_TORCH
    ),
}
_WORDS = re.compile(rb"\b(?:RawKernel|RawModule|SourceModule|DynamicSourceModule|load_inline)\b")


def may_hold_cuda(data: bytes) -> bool:
    """Whether a file names one of the functions that take CUDA source."""
    return _WORDS.search(data) is not None


def literal(node: ast.expr | None) -> str | None:
    """Return the string that an expression is; None for any other."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def argument(call: ast.Call, position: int | None, keyword: str) -> ast.expr | None:
    """Return an argument by its position or name; None where it is left out, or behind one that is unpacked."""
    named = next((k.value for k in call.keywords if k.arg == keyword), None)
    if named is not None or position is None or any(isinstance(a, ast.Starred) for a in call.args[: position + 1]):
        return named
    return call.args[position] if position < len(call.args) else None
