"""Random kernels with barriers under conditions and loops, and how often each of their threads comes to each of them.

A kernel is one tree, written out as CUDA and run for every thread in plain Python. What it reads from memory does not
change and is not negative.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

THREADS = 64
WARP = 32
SIZE = 64  # elements of the array that is read
MOST_STEPS = 2000  # of one thread
PARAMETERS = (64, 100, 200, 37)  # what the parameter `n` may be, of which coalint knows nothing

Names = dict[str, int]
Run = Callable[[Names, list[int], "Thread"], None]


class Left(Exception):
    """A thread breaks off a loop, goes on with its next iteration, or returns."""


class TooLong(Exception):
    """A thread takes more steps than a kernel of this kind is meant to."""


@dataclass(frozen=True)
class Expression:
    """A text in C, and its value."""

    text: str
    value: Callable[[Names, list[int]], int]


@dataclass
class Thread:
    """What a thread has done: how often it came to each barrier, and whether it has returned early."""

    met: Counter[int] = field(default_factory=Counter)
    returned: bool = False
    steps: int = 0


@dataclass
class Kernel:
    """A kernel: its text, in which barrier number k stands on a line that ends in `// k`, and what a thread does."""

    name: str
    lines: list[str]
    runs: list[Run]

    @property
    def text(self) -> str:
        """The kernel as CUDA."""
        start = "    int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x, x = 0, y = n;"
        return "\n".join([f"__global__ void {self.name}(const int *p, int n) {{", start, *self.lines, "}"])

    def threads(self, n: int, block: int, memory: list[int]) -> list[Thread]:
        """What the threads of a block do. Raises TooLong."""
        found = []
        for t in range(THREADS):
            thread = Thread()
            names = {"t": t, "i": block * THREADS + t, "n": n, "x": 0, "y": n}
            try:
                for run in self.runs:
                    run(names, memory, thread)
            except Left:
                thread.returned = True
            found.append(thread)
        return found


class Writer:
    """Writes the random kernel of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.name = f"k{seed}"
        self.lines: list[str] = []
        self.barriers = 0
        self.loops: list[str] = []

    def kernel(self) -> Kernel:
        """The kernel."""
        runs = [self.statement(0) for _ in range(self.random.randint(2, 5))]
        runs.append(self.barrier(0))
        return Kernel(self.name, self.lines, runs)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * (depth + 1) + text)

    # --- expressions

    def number(self, depth: int = 2) -> Expression:
        choice = self.random.random()
        if not depth or choice < 0.45:
            name = self.random.choice(["t", "t", "i", "n", "n", "x", "y", *self.loops])
            return Expression(name, lambda names, _: names[name])
        if choice < 0.55:
            constant = self.random.choice([1, 2, 3, 5, 8, 32, 64])
            return Expression(str(constant), lambda names, _: constant)
        a = self.number(depth - 1)
        if choice < 0.65:
            return Expression(
                f"p[({a.text}) & {SIZE - 1}]", lambda names, memory: memory[a.value(names, memory) % SIZE]
            )
        if choice < 0.8:
            by = self.random.choice([2, 3, 16, 32, 64])
            if choice < 0.72:
                return Expression(f"({a.text}) / {by}", lambda names, memory: a.value(names, memory) // by)
            return Expression(f"({a.text}) % {by}", lambda names, memory: a.value(names, memory) % by)
        b = self.number(depth - 1)
        if choice < 0.92:
            return Expression(f"({a.text} + {b.text})", lambda names, m: a.value(names, m) + b.value(names, m))
        c = self.condition(0)
        return Expression(
            f"({c.text} ? {a.text} : {b.text})",
            lambda names, m: a.value(names, m) if c.value(names, m) else b.value(names, m),
        )

    def condition(self, depth: int = 1) -> Expression:
        if depth and self.random.random() < 0.25:
            a, b = self.condition(0), self.condition(0)
            if self.random.random() < 0.5:
                return Expression(f"({a.text} && {b.text})", lambda names, m: a.value(names, m) and b.value(names, m))
            return Expression(f"({a.text} || {b.text})", lambda names, m: a.value(names, m) or b.value(names, m))
        a, b = self.number(), self.number(1)
        compare = self.random.choice(["<", "<", ">=", "==", "!="])
        decide: dict[str, Callable[[int, int], bool]] = {
            "<": lambda x, y: x < y,
            ">=": lambda x, y: x >= y,
            "==": lambda x, y: x == y,
            "!=": lambda x, y: x != y,
        }
        decided = decide[compare]
        return Expression(
            f"({a.text} {compare} {b.text})", lambda names, m: decided(a.value(names, m), b.value(names, m))
        )

    # --- statements

    def statement(self, depth: int) -> Run:
        choice = self.random.random()
        if choice < 0.25 or depth > 3:
            return self.barrier(depth)
        if choice < 0.45:
            return self.assignment(depth)
        if choice < 0.7:
            return self.branch(depth)
        if choice < 0.85 and len(self.loops) < 2:
            return self.loop(depth)
        return self.jump(depth)

    def several(self, depth: int) -> list[Run]:
        return [self.statement(depth) for _ in range(self.random.randint(1, 3))]

    def barrier(self, depth: int) -> Run:
        number, self.barriers = self.barriers, self.barriers + 1
        call = self.random.choice(["__syncthreads()", "__syncwarp()"])
        self.line(depth, f"{call};  // {number}")

        def run(names: Names, memory: list[int], thread: Thread) -> None:
            thread.met[number] += 1

        return run

    def assignment(self, depth: int) -> Run:
        name, value = self.random.choice("xy"), self.number()
        self.line(depth, f"{name} = {value.text};")

        def run(names: Names, memory: list[int], thread: Thread) -> None:
            names[name] = value.value(names, memory)
            if names[name] > 1 << 28:
                raise TooLong

        return run

    def branch(self, depth: int) -> Run:
        condition = self.condition()
        self.line(depth, f"if ({condition.text}) {{")
        then = self.several(depth + 1)
        otherwise: list[Run] = []
        if self.random.random() < 0.4:
            self.line(depth, "} else {")
            otherwise = self.several(depth + 1)
        self.line(depth, "}")

        def run(names: Names, memory: list[int], thread: Thread) -> None:
            for one in then if condition.value(names, memory) else otherwise:
                one(names, memory, thread)

        return run

    def loop(self, depth: int) -> Run:
        name = "jk"[len(self.loops)]
        start, step = self.random.choice([("0", 1), ("0", 16), ("t", THREADS), ("t", 32), ("t / 32", 2), ("x", 8)])
        bound = self.number(1)
        self.line(depth, f"for (int {name} = {start}; {name} < {bound.text}; {name} += {step}) {{")
        self.loops.append(name)
        body = self.several(depth + 1)
        self.loops.pop()
        self.line(depth, "}")
        begin: dict[str, Callable[[Names], int]] = {
            "0": lambda names: 0,
            "t": lambda names: names["t"],
            "t / 32": lambda names: names["t"] // 32,
            "x": lambda names: names["x"],
        }

        def run(names: Names, memory: list[int], thread: Thread) -> None:
            names[name] = begin[start](names)
            while names[name] < bound.value(names, memory):
                thread.steps += 1
                if thread.steps > MOST_STEPS:
                    raise TooLong
                try:
                    for one in body:
                        one(names, memory, thread)
                except Left as left:
                    if left.args[0] == "return":
                        raise
                    if left.args[0] == "break":
                        break
                names[name] += step

        return run

    def jump(self, depth: int) -> Run:
        condition = self.condition()
        how = self.random.choice(["break", "continue", "return"] if self.loops else ["return"])
        self.line(depth, f"if ({condition.text}) {how};")

        def run(names: Names, memory: list[int], thread: Thread) -> None:
            if condition.value(names, memory):
                raise Left(how)

        return run
