"""Random but plausible CUDA kernels, each with the same program in Python that logs what every thread touches.

Both texts are written side by side from one tree of statements. The Python one runs thread by thread in plain integers
with C's types: unsigned arithmetic wraps, conversions wrap (C++20 [conv.integral]), division truncates. A program whose
signed arithmetic overflows, that divides by zero or does not come to an end is discarded.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import count

from random_kernels.c_integers import Discard
from random_kernels.kernel import Kernel
from random_kernels.memory import BUFFERS, STRUCTS, Logged
from random_kernels.writer import Writer

__all__ = ["Kernel", "Logged", "Program", "program", "random_kernel"]


@dataclass
class Program:
    """A file of kernels with what each access costs."""

    text: str
    kernels: list[Kernel]
    costs: dict[tuple[int, str], tuple[Logged, tuple[Fraction, Fraction] | None]]  # by line and operation


def program(kernels: list[Kernel]) -> Program:
    parameters = ", ".join(f"{b.element}* {b.name}" for b in BUFFERS)
    parts = [STRUCTS, *(kernel.cuda() for kernel in kernels)]
    parts += [f"void run({parameters}, int n, int m) {{", *(kernel.launch() for kernel in kernels), "}", ""]
    text = "\n".join(parts)
    line_of = {}
    for number, line in enumerate(text.splitlines(), 1):
        if "// @" in line:
            line_of[line.split("@")[1]] = number
    costs = {}
    for kernel in kernels:
        found = kernel.costs()
        for access in kernel.accesses:
            if access.mark in line_of:
                costs[(line_of[access.mark], access.op)] = access, found[(access.mark, access.op)]
    return Program(text, kernels, costs)


def random_kernel(name: str, seed: int, unknown: bool = False) -> Kernel:
    """The first kernel from this seed on that has defined behaviour."""
    for attempt in count():
        kernel = Writer(name, seed * 1000 + attempt, unknown).write()
        try:
            kernel.costs()
        except Discard:
            continue
        return kernel
    raise AssertionError
