"""Kernels that are made by calling the decorator, and what is said of those whose function is not followed."""

from __future__ import annotations

from textwrap import dedent

import pytest

from coalint.core import ir
from coalint.core.ir.walk import children
from coalint.frontend.python.numba.load import load

HEADER = "from numba import cuda, float32\nimport numba\nfrom numba.cuda import jit as compiled\n"
BODY = "def double(a):\n    a[2 * cuda.grid(1)] = 1\n"


def module(source: str) -> ir.Module:
    return load("kernels.py", HEADER + dedent(source)).module


@pytest.mark.parametrize(
    "call",
    [
        "cuda.jit(double)",
        "cuda.jit()(double)",
        "cuda.jit('void(float32[:])')(double)",
        "numba.cuda.jit(double)",
        "compiled(double)",
        "[cuda.jit(double)]",
    ],
)
def test_what_the_decorator_is_called_with_is_a_kernel(call: str) -> None:
    read = module(f"{BODY}kept = {call}\n")
    assert [kernel.name for kernel in read.kernels] == ["double"]
    assert not read.problems


def test_a_function_with_two_signatures_is_read_for_both() -> None:
    read = module(f"{BODY}a = cuda.jit('void(float32[:])')(double)\nb = cuda.jit('void(float64[:])')(double)\n")
    types = [kernel.function.parameters[0].type for kernel in read.kernels]
    assert types == [ir.Pointer(ir.Floating(4)), ir.Pointer(ir.Floating(8))]


@pytest.mark.parametrize(
    "call", ["cuda.jit(double, device=True)", "cuda.jit(device=True)(double)", "numba.njit(double)"]
)
def test_functions_for_kernels_are_no_kernels(call: str) -> None:
    assert not module(f"{BODY}kept = {call}\n").kernels


@pytest.mark.parametrize("call", ["cuda.jit(function)", "cuda.jit('void(float32[:])')(function)"])
def test_a_function_that_is_not_followed_is_said(call: str) -> None:
    read = module(f"def compile(function):\n    return {call}\n")
    (problem,) = read.problems
    assert problem.kind is ir.ProblemKind.NOT_ANALYSED
    assert problem.message.startswith(f"the kernel that `{call}` makes is not read: ")
    assert problem.span.line == HEADER.count("\n") + 2


def test_a_read_of_what_is_not_followed_is_said_once() -> None:
    read = module("@cuda.jit\ndef k(out):\n    tile = cuda.shared.array(size, float32)\n    out[0] = tile[1][2] + 1\n")
    gaps = [node for node in children(read.kernels[0].function.body) if isinstance(node, ir.Unanalysed)]
    assert [(gap.span.line, gap.span.column) for gap in gaps] == [(HEADER.count("\n") + 4, 14)]
    assert gaps[0].reason == "the shape of this shared array is not a constant in the file"


def test_a_decorator_with_a_signature_alone_is_no_kernel() -> None:
    assert not module("from numba import void\ndecorator = cuda.jit(void(float32[:]))\n").problems


@pytest.mark.parametrize(
    ("fields", "refused"), [("('a', 'i4'), ('b', 'f8')", True), ("('b', 'f8'), ('a', 'i4')", False)]
)
def test_fields_that_numba_refuses_are_said(fields: str, refused: bool) -> None:
    read = module(
        f"""
        import numpy as np
        @cuda.jit
        def k(records, out):
            out[0] = records[1].b
        k[1, 32](np.zeros(9, np.dtype([{fields}])), np.zeros(9))
        """
    )
    gaps = [node for node in children(read.kernels[0].function.body) if isinstance(node, ir.Unanalysed)]
    assert [gap.reason.startswith("Numba refuses") for gap in gaps] == [True] * refused
