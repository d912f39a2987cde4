"""Random kernels with barriers under conditions and loops, and how often each of their threads comes to each of them.

A kernel is one tree, written out as CUDA and as a function in Python that is run for every thread. What it reads from
memory does not change and is not negative.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

THREADS = 64
WARP = 32
SIZE = 64  # elements of the array that is read
MOST_STEPS = 2000  # of one thread
PARAMETERS = (64, 100, 200, 37)  # what the parameter `n` may be, of which coalint knows nothing


class TooLong(Exception):
    """A thread takes more steps than a kernel of this kind is meant to."""


@dataclass(frozen=True)
class Expression:
    """An expression in C and in Python."""

    text: str
    python: str


@dataclass
class Thread:
    """What a thread has done: the barriers that it came to, in order, and whether it has returned early."""

    met: list[int] = field(default_factory=list)
    returned: bool = False


@dataclass
class Kernel:
    """A kernel: its text, in which barrier number k stands on a line that ends in `// k`, and what a thread does."""

    name: str
    lines: list[str]
    python: list[str]

    @property
    def text(self) -> str:
        """The kernel as CUDA."""
        start = "    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, x = 0, y = n;"
        return "\n".join([f"__global__ void {self.name}(const int *p, int n) {{", start, *self.lines, "}"])

    @cached_property
    def run(self) -> Callable[[int, int, int, list[int], list[int]], bool]:
        """What a thread does, from `t`, `i`, `n` and memory; it lists its barriers and returns whether it left early.

        Raises TooLong.
        """
        start = ["def run(t, i, n, p, met):", "    x, y, steps = 0, n, 0"]
        names: dict[str, object] = {"TooLong": TooLong}
        exec("\n".join([*start, *self.python, "    return False"]), names)
        run: Callable[[int, int, int, list[int], list[int]], bool] = names["run"]  # type: ignore[assignment]
        return run

    def threads(self, n: int, block: int, memory: list[int]) -> list[Thread]:
        """What the threads of a block do. Raises TooLong."""
        found = []
        for t in range(THREADS):
            thread = Thread()
            thread.returned = self.run(t, block * THREADS + t, n, memory, thread.met)
            found.append(thread)
        return found


class Writer:
    """Writes the random kernel of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.name = f"k{seed}"
        self.lines: list[str] = []
        self.python: list[str] = []
        self.barriers = 0
        self.loops: list[str] = []
        self.steps: list[int] = []

    def kernel(self) -> Kernel:
        """The kernel."""
        for _ in range(self.random.randint(2, 5)):
            self.statement(0)
        self.barrier(0)
        return Kernel(self.name, self.lines, self.python)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * (depth + 1) + text)

    def does(self, depth: int, text: str) -> None:
        self.python.append("    " * (depth + 1) + text)

    # --- expressions

    def number(self, depth: int = 2) -> Expression:
        choice = self.random.random()
        if not depth or choice < 0.45:
            name = self.random.choice(["t", "t", "i", "n", "n", "x", "y", *self.loops])
            return Expression(name, name)
        if choice < 0.55:
            constant = str(self.random.choice([1, 2, 3, 5, 8, 32, 64]))
            return Expression(constant, constant)
        a = self.number(depth - 1)
        if choice < 0.65:
            return Expression(f"p[({a.text}) & {SIZE - 1}]", f"p[({a.python}) % {SIZE}]")
        if choice < 0.8:
            by = self.random.choice([2, 3, 16, 32, 64])
            if choice < 0.72:
                return Expression(f"({a.text}) / {by}", f"({a.python}) // {by}")
            return Expression(f"({a.text}) % {by}", f"({a.python}) % {by}")
        b = self.number(depth - 1)
        if choice < 0.92:
            return Expression(f"({a.text} + {b.text})", f"({a.python} + {b.python})")
        c = self.condition(0)
        return Expression(f"({c.text} ? {a.text} : {b.text})", f"({a.python} if {c.python} else {b.python})")

    def condition(self, depth: int = 1) -> Expression:
        if depth and self.random.random() < 0.25:
            a, b = self.condition(0), self.condition(0)
            if self.random.random() < 0.5:
                return Expression(f"({a.text} && {b.text})", f"({a.python} and {b.python})")
            return Expression(f"({a.text} || {b.text})", f"({a.python} or {b.python})")
        a, b = self.number(), self.number(1)
        compare = self.random.choice(["<", "<", ">=", "==", "!="])
        return Expression(f"({a.text} {compare} {b.text})", f"({a.python} {compare} {b.python})")

    # --- statements

    def statement(self, depth: int) -> None:
        choice = self.random.random()
        if choice < 0.25 or depth > 3:
            self.barrier(depth)
        elif choice < 0.45:
            self.assignment(depth)
        elif choice < 0.7:
            self.branch(depth)
        elif choice < 0.85 and len(self.loops) < 2:
            self.loop(depth)
        else:
            self.jump(depth)

    def several(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth)

    def barrier(self, depth: int) -> None:
        number, self.barriers = self.barriers, self.barriers + 1
        call = self.random.choice(["__syncthreads()", "__syncwarp()"])
        self.line(depth, f"{call};  // {number}")
        self.does(depth, f"met.append({number})")

    def assignment(self, depth: int) -> None:
        name, value = self.random.choice("xy"), self.number()
        self.line(depth, f"{name} = {value.text};")
        self.does(depth, f"{name} = {value.python}")
        self.does(depth, f"if {name} > {1 << 28}: raise TooLong")

    def branch(self, depth: int) -> None:
        condition = self.condition()
        self.line(depth, f"if ({condition.text}) {{")
        self.does(depth, f"if {condition.python}:")
        self.several(depth + 1)
        if self.random.random() < 0.4:
            self.line(depth, "} else {")
            self.does(depth, "else:")
            self.several(depth + 1)
        self.line(depth, "}")

    def loop(self, depth: int) -> None:
        name = "jk"[len(self.loops)]
        start, step = self.random.choice([("0", 1), ("0", 16), ("t", THREADS), ("t", 32), ("t / 32", 2), ("x", 8)])
        bound = self.number(1)
        self.line(depth, f"for (int {name} = {start}; {name} < {bound.text}; {name} += {step}) {{")
        self.does(depth, f"{name} = {start.replace('/', '//')}")
        self.does(depth, f"while {name} < {bound.python}:")
        self.does(depth + 1, "steps += 1")
        self.does(depth + 1, f"if steps > {MOST_STEPS}: raise TooLong")
        self.loops.append(name)
        self.steps.append(step)
        self.several(depth + 1)
        self.loops.pop()
        self.steps.pop()
        self.line(depth, "}")
        self.does(depth + 1, f"{name} += {step}")

    def jump(self, depth: int) -> None:
        condition = self.condition()
        how = self.random.choice(["break", "continue", "return"] if self.loops else ["return"])
        self.line(depth, f"if ({condition.text}) {how};")
        self.does(depth, f"if {condition.python}:")
        if how == "continue":
            self.does(depth + 1, f"{self.loops[-1]} += {self.steps[-1]}")
        self.does(depth + 1, "return True" if how == "return" else how)
