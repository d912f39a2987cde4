"""Random kernels that work on one shared array, each with what all its threads do to it, counted one by one.

A kernel is a tree of statements, written out as CUDA and run for every thread in plain Python. A thread's events carry
how often the block, and the warp, have met before: two threads race where they touch one element after equally many
meetings of the block and, in one warp, of the warp.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

ELEMENTS = 128
UNKNOWN = (4096, 50, 0)  # what the parameter `n` may be, of which coalint knows nothing
WARP = 32
HELD = 1_000_000  # `in[0]`

Names = dict[str, int]


@dataclass(frozen=True)
class Expression:
    """A text that C and Python read alike."""

    text: str
    value: Callable[[Names], int]


@dataclass(frozen=True)
class Access:
    """`s[index] = value`, `x += s[index]` or `atomicAdd(&s[index], 1)`."""

    kind: str
    index: Expression
    stored: Expression


@dataclass(frozen=True)
class Barrier:
    """A barrier of the block, or of the warp."""

    block: bool


@dataclass(frozen=True)
class If:
    """Two arms; a condition that is the same for the block may hold barriers in them."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True)
class For:
    """`for (int name = 0; name < trips; ++name)`."""

    name: str
    trips: int
    body: tuple[Statement, ...]


Statement = Access | Barrier | If | For


@dataclass(frozen=True)
class Event:
    """What one thread does to one element at one line, after how many meetings of the block and of the warp."""

    line: int
    kind: str
    thread: int
    element: int
    value: int
    blocks: int
    warps: int


@dataclass
class Kernel:
    """A kernel: its lines, and the line that each access stands on (by identity)."""

    name: str
    threads: int
    body: tuple[Statement, ...]
    lines: list[str] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)

    def write(self, first: int) -> None:
        """Write the text, whose first line is number `first` of its file."""
        self.lines = [
            f"__global__ void {self.name}(int *out, const int *in, int n) {{",
            f"    __shared__ int s[{ELEMENTS}];",
        ]
        self.lines.append("    int t = threadIdx.x, x = 0;")
        self._write(self.body, first, 1)
        self.lines += ["    out[t] = x;", "}"]

    def _write(self, statements: tuple[Statement, ...], first: int, depth: int) -> None:
        pad = "    " * depth
        for statement in statements:
            match statement:
                case Access():
                    self.places[id(statement)] = first + len(self.lines)
                    index = f"s[{statement.index.text}]"
                    self.lines.append(
                        pad
                        + {
                            "store": f"{index} = {statement.stored.text};",
                            "load": f"x += {index};",
                            "atomic": f"atomicAdd(&{index}, 1);",
                        }[statement.kind]
                    )
                case Barrier():
                    self.lines.append(f"{pad}{'__syncthreads' if statement.block else '__syncwarp'}();")
                case If():
                    self.lines.append(f"{pad}if ({statement.condition.text}) {{")
                    self._write(statement.then, first, depth + 1)
                    if statement.otherwise:
                        self.lines.append(f"{pad}}} else {{")
                        self._write(statement.otherwise, first, depth + 1)
                    self.lines.append(f"{pad}}}")
                case For():
                    k = statement.name
                    self.lines.append(f"{pad}for (int {k} = 0; {k} < {statement.trips}; ++{k}) {{")
                    self._write(statement.body, first, depth + 1)
                    self.lines.append(f"{pad}}}")

    def events(self, n: int) -> list[Event]:
        """What all threads do."""
        found: list[Event] = []
        for thread in range(self.threads):
            meetings = [0, 0]
            found += self._run(self.body, {"t": thread, "n": n}, meetings)
        return found

    def _run(self, statements: tuple[Statement, ...], names: Names, meetings: list[int]) -> Iterator[Event]:
        for statement in statements:
            match statement:
                case Access():
                    yield Event(
                        self.places[id(statement)],
                        statement.kind,
                        names["t"],
                        statement.index.value(names),
                        statement.stored.value(names),
                        *meetings,
                    )
                case Barrier():
                    meetings[0 if statement.block else 1] += 1
                case If():
                    yield from self._run(
                        statement.then if statement.condition.value(names) else statement.otherwise, names, meetings
                    )
                case For():
                    for number in range(statement.trips):
                        yield from self._run(statement.body, {**names, statement.name: number}, meetings)


def conflict(a: Event, b: Event) -> bool:
    """Whether two threads race."""
    if a.thread == b.thread or a.element != b.element or a.blocks != b.blocks:
        return False
    if a.thread // WARP == b.thread // WARP and a.warps != b.warps:
        return False
    kinds = {a.kind, b.kind}
    if kinds == {"store"}:
        return a.value != b.value
    return "store" in kinds or kinds == {"atomic", "load"}


class Writer:
    """Makes up one kernel."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops: list[str] = []
        self.made = 0

    def kernel(self, name: str) -> Kernel:
        """A kernel of one to four warps."""
        return Kernel(name, self.random.choice((32, 64, 96, 128)), self.statements(2, True))

    def statements(self, depth: int, together: bool) -> tuple[Statement, ...]:
        """A few statements; barriers only where the block is together."""
        return tuple(self.statement(depth, together) for _ in range(self.random.randint(2, 4)))

    def statement(self, depth: int, together: bool) -> Statement:
        choice = self.random.random()
        if together and choice < 0.25:
            return Barrier(True)
        if together and choice < 0.32:
            return Barrier(False)
        if depth and choice < 0.45:
            uniform = self.random.random() < 0.3
            condition = self.uniform() if uniform else self.condition()
            arms = [self.statements(depth - 1, together and uniform) for _ in range(2)]
            return If(condition, arms[0], arms[1] if self.random.random() < 0.4 else ())
        if depth and choice < 0.6:
            self.made += 1
            name = f"k{self.made}"
            self.loops.append(name)
            body = self.statements(depth - 1, together)
            self.loops.remove(name)
            return For(name, self.random.randint(1, 4), body)
        kind = self.random.choices(("store", "load", "atomic"), (4, 5, 1))[0]
        return Access(kind, self.index(), self.stored())

    def number(self) -> Expression:
        """`t`, or an iteration, moved and stretched."""
        factor, offset = self.random.choice((1, 1, 1, 2, 3)), self.random.choice((0, 0, 1, 2, 32, 63))
        base = "t" if self.random.random() < 0.8 or not self.loops else self.random.choice(self.loops)
        text = base if (factor, offset) == (1, 0) else f"{factor} * {base} + {offset}"
        return Expression(text, lambda names: factor * names[base] + offset)

    def index(self) -> Expression:
        choice = self.random.random()
        if choice < 0.1:
            place = self.random.randrange(4)
            return Expression(str(place), lambda names: place)
        a = self.number()
        if choice < 0.3:
            mask = self.random.choice((1, 16, 31, 32, 64))
            return Expression(f"(t ^ {mask}) % {ELEMENTS}", lambda names: (names["t"] ^ mask) % ELEMENTS)
        if choice < 0.6 and self.loops:
            b, step = self.random.choice(self.loops), self.random.choice((1, 32, 64))
            text = f"({a.text} + {step} * {b}) % {ELEMENTS}"
            return Expression(text, lambda names: (a.value(names) + step * names[b]) % ELEMENTS)
        return Expression(f"({a.text}) % {ELEMENTS}", lambda names: a.value(names) % ELEMENTS)

    def condition(self) -> Expression:
        bound = self.random.choice((1, 16, 32, 48, 64))
        choice = self.random.random()
        if choice < 0.25:
            return Expression(f"t % {bound + 1} == 0", lambda names: names["t"] % (bound + 1) == 0)
        if choice < 0.4:
            return Expression("t < n", lambda names: names["t"] < names["n"])
        if choice < 0.55 and self.loops:
            k = self.random.choice(self.loops)
            return Expression(f"t < {bound} * {k}", lambda names: names["t"] < bound * names[k])
        if choice < 0.75:
            return Expression(f"t >= {bound}", lambda names: names["t"] >= bound)
        return Expression(f"t < {bound}", lambda names: names["t"] < bound)

    def uniform(self) -> Expression:
        if self.loops and self.random.random() < 0.7:
            k, number = self.random.choice(self.loops), self.random.randint(0, 2)
            operator = self.random.choice(("==", "!=", "<"))
            tests: dict[str, Callable[[int], bool]] = {
                "==": lambda value: value == number,
                "!=": lambda value: value != number,
                "<": lambda value: value < number,
            }
            return Expression(f"{k} {operator} {number}", lambda names: tests[operator](names[k]))
        return Expression("n > 100", lambda names: names["n"] > 100)

    def stored(self) -> Expression:
        choice = self.random.random()
        if choice < 0.3:
            return Expression("7", lambda names: 7)
        number = self.number()
        if choice < 0.5:  # what memory holds is another number in each element, and none of the kernel's own
            return Expression(f"in[{number.text}]", lambda names: HELD + number.value(names))
        return number


def program(seeds: range) -> tuple[str, list[Kernel]]:
    """One file of kernels, launched."""
    kernels = [Writer(seed).kernel(f"k{seed}") for seed in seeds]
    lines: list[str] = []
    for kernel in kernels:
        kernel.write(len(lines) + 1)
        lines += kernel.lines
    launches = [f"    {kernel.name}<<<1, {kernel.threads}>>>(out, in, n);" for kernel in kernels]
    return "\n".join([*lines, "void run(int *out, const int *in, int n) {", *launches, "}", ""]), kernels
