"""Random but plausible CUDA kernels, each with the same program in Python that logs what every thread touches.

Both texts are written side by side from one tree of statements. The Python one runs thread by thread in plain integers
with C's types: unsigned arithmetic wraps, conversions wrap (C++20 [conv.integral]), division truncates. A program whose
signed arithmetic overflows, that divides by zero or does not come to an end is discarded.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, product
from typing import Any

from reference import WARP, Lanes, ideal_sectors, ideal_wavefronts, sectors, wavefronts

MAX_TRIPS = 300  # of one loop in one thread


class Discard(Exception):
    """The program's behaviour is undefined, or it runs too long."""


# --- C's integers


@dataclass(frozen=True)
class CType:
    name: str
    bits: int
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.bits - 1)) - 1 if self.signed else (1 << self.bits) - 1

    def holds(self, other: CType) -> bool:
        return self.low <= other.low and other.high <= self.high


INT = CType("int", 32, True)
UNSIGNED = CType("unsigned", 32, False)
LONG = CType("long long", 64, True)
SIZE = CType("size_t", 64, False)
SHORT = CType("short", 16, True)
USHORT = CType("unsigned short", 16, False)
UCHAR = CType("unsigned char", 8, False)
BOOL = CType("bool", 1, False)


def promoted(a: CType) -> CType:
    return INT if a.bits < 32 else a


def common(a: CType, b: CType) -> CType:
    """The usual arithmetic conversions (C++20 [expr.arith.conv])."""
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


def wrapped(value: int, bits: int, signed: bool) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def checked(value: int, bits: int) -> int:
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise Discard
    return value


def quotient(a: int, b: int) -> int:
    if b == 0:
        raise Discard
    whole = abs(a) // abs(b)
    return -whole if (a < 0) != (b < 0) else whole


def remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b)


def shifted(a: int, b: int, bits: int) -> int:
    if not 0 <= b < bits:
        raise Discard
    return a << b


def shifted_back(a: int, b: int, bits: int) -> int:
    if not 0 <= b < bits:
        raise Discard
    return a >> b


def trip(number: int) -> int:
    if number >= MAX_TRIPS:
        raise Discard
    return number + 1


# --- expressions: the CUDA and the Python text of one value


@dataclass(frozen=True)
class E:
    cuda: str
    python: str
    type: CType


def literal(value: int) -> E:
    return E(str(value), str(value), INT) if value >= 0 else E(f"({value})", f"({value})", INT)


def python_as(e: E, type_: CType) -> str:
    if type_ is BOOL:
        return e.python if e.type is BOOL else f"int(({e.python}) != 0)"
    if type_.holds(e.type):
        return e.python
    return f"wrapped({e.python}, {type_.bits}, {type_.signed})"


def result(text: str, type_: CType) -> str:
    return f"checked({text}, {type_.bits})" if type_.signed else f"(({text}) & {type_.high})"


def binary(operator: str, a: E, b: E) -> E:
    cuda = f"({a.cuda} {operator} {b.cuda})"
    if operator in ("&&", "||"):
        word = "and" if operator == "&&" else "or"
        return E(cuda, f"int(bool(({a.python}) {word} ({b.python})))", BOOL)
    if operator in ("<<", ">>"):
        type_ = promoted(a.type)
        left = python_as(a, type_)
        function = "shifted" if operator == "<<" else "shifted_back"
        return E(cuda, result(f"{function}({left}, {b.python}, {type_.bits})", type_), type_)
    type_ = common(a.type, b.type)
    left, right = python_as(a, type_), python_as(b, type_)
    if operator in ("<", "<=", ">", ">=", "==", "!="):
        return E(cuda, f"int(({left}) {operator} ({right}))", BOOL)
    if operator in ("/", "%"):
        return E(cuda, result(f"{'quotient' if operator == '/' else 'remainder'}({left}, {right})", type_), type_)
    return E(cuda, result(f"({left}) {operator} ({right})", type_), type_)


def cast(e: E, type_: CType) -> E:
    return E(f"(({type_.name}){e.cuda})", python_as(e, type_), type_)


def select(condition: E, a: E, b: E) -> E:
    type_ = common(a.type, b.type)
    python = f"(({python_as(a, type_)}) if ({condition.python}) else ({python_as(b, type_)}))"
    return E(f"({condition.cuda} ? {a.cuda} : {b.cuda})", python, type_)


def extreme(name: str, a: E, b: E) -> E:
    """min or max of two values of one type."""
    type_ = common(a.type, b.type)
    a, b = (x if x.type is type_ and type_ is not SIZE else cast(x, type_) for x in (a, b))
    return E(f"{name}({a.cuda}, {b.cuda})", f"{name}({a.python}, {b.python})", type_)


def negated(operator: str, a: E) -> E:
    if operator == "!":
        return E(f"(!{a.cuda})", f"int(not ({a.python}))", BOOL)
    type_ = promoted(a.type)
    return E(f"({operator}{a.cuda})", result(f"{operator}({python_as(a, type_)})", type_), type_)


# --- statements


@dataclass
class Simple:
    """One line of CUDA; any number of lines of Python."""

    cuda: str
    python: list[str]


@dataclass
class If:
    condition: E
    then: list[Any]
    otherwise: list[Any] = field(default_factory=list)


@dataclass
class Loop:
    """`head` is the CUDA line; `number` counts the iterations in Python. `late` is the condition of a do-while."""

    head: str
    start: list[str]
    condition: str | None
    step: list[str]
    body: list[Any]
    number: str
    tail: str = "}"
    late: str | None = None


@dataclass
class Jump:
    """break, continue or return."""

    kind: str


@dataclass
class Switch:
    """Each section: its label (None: default), its body, and whether it ends with break; `name` holds the subject."""

    subject: E
    name: str
    sections: list[tuple[int | None, list[Any], bool]]


Statement = Simple | If | Loop | Jump | Switch


def cuda_lines(statements: list[Statement], depth: int = 1) -> Iterator[str]:
    pad = "    " * depth
    for statement in statements:
        match statement:
            case Simple():
                yield pad + statement.cuda
            case If():
                yield f"{pad}if ({statement.condition.cuda}) {{"
                yield from cuda_lines(statement.then, depth + 1)
                if statement.otherwise:
                    yield pad + "} else {"
                    yield from cuda_lines(statement.otherwise, depth + 1)
                yield pad + "}"
            case Loop():
                yield pad + statement.head
                yield from cuda_lines(statement.body, depth + 1)
                yield pad + statement.tail
            case Jump():
                yield f"{pad}{statement.kind};"
            case Switch():
                yield f"{pad}switch ({statement.subject.cuda}) {{"
                for label, body, ends in statement.sections:
                    yield pad + ("default: {" if label is None else f"case {label}: {{")
                    yield from cuda_lines(body, depth + 1)
                    yield pad + ("} break;" if ends else "}")
                yield pad + "}"


def python_lines(statements: list[Statement], depth: int = 1, around: Loop | None = None) -> Iterator[str]:
    pad = "    " * depth
    if not statements:
        yield pad + "pass"
    for statement in statements:
        match statement:
            case Simple():
                yield from (pad + line for line in statement.python)
            case If():
                yield f"{pad}if {statement.condition.python}:"
                yield from python_lines(statement.then, depth + 1, around)
                if statement.otherwise:
                    yield pad + "else:"
                    yield from python_lines(statement.otherwise, depth + 1, around)
            case Loop():
                yield from (pad + line for line in [*statement.start, f"{statement.number} = 0", "while True:"])
                if statement.condition is not None:
                    yield f"{pad}    if not ({statement.condition}): break"
                yield from python_lines(statement.body, depth + 1, statement)
                yield from _next_iteration(statement, pad + "    ")
            case Jump(kind="continue"):
                assert around is not None
                yield from _next_iteration(around, pad)
                yield pad + "continue"
            case Jump():
                yield pad + statement.kind
            case Switch():
                name, labels = statement.name, [label for label, _, _ in statement.sections if label is not None]
                yield f"{pad}{name}, {name}_in = {statement.subject.python}, False"
                yield f"{pad}while True:"
                for label, body, ends in statement.sections:
                    test = f"{name} not in {labels}" if label is None else f"{name} == {label}"
                    yield f"{pad}    if {name}_in or {test}:"
                    yield f"{pad}        {name}_in = True"
                    yield from python_lines(body, depth + 2)
                    if ends:
                        yield f"{pad}        break"
                yield f"{pad}    break"


def _next_iteration(loop: Loop, pad: str) -> Iterator[str]:
    yield from (pad + line for line in loop.step)
    yield f"{pad}{loop.number} = trip({loop.number})"
    if loop.late is not None:
        yield f"{pad}if not ({loop.late}): break"


# --- memory


@dataclass(frozen=True)
class Buffer:
    """A kernel parameter or shared array: what is at an index. `fields` are a struct's (name, offset, bytes)."""

    name: str
    element: str
    bytes: int
    space: str = "global"
    fields: tuple[tuple[str, int, int], ...] = ()
    row: int | None = None  # elements in a row of a two-dimensional array


STRUCTS = """\
struct Body { float x, y, z; int kind; float mass; };
struct Pair { short low; short high; float value; };
struct Corner { int row, col; };
"""
BUFFERS = (
    Buffer("in", "const float", 4),
    Buffer("out", "float", 4),
    Buffer("other", "float", 4),
    Buffer("wide", "double", 8),
    Buffer("octets", "unsigned char", 1),
    Buffer("halves", "short", 2),
    Buffer("quads", "float4", 16),
    Buffer("bodies", "Body", 20, fields=(("x", 0, 4), ("z", 8, 4), ("kind", 12, 4), ("mass", 16, 4))),
    Buffer("pairs", "Pair", 8, fields=(("low", 0, 2), ("high", 2, 2), ("value", 4, 4))),
)
VALUES = {"float4": "make_float4(sum, sum, sum, sum)"}


@dataclass
class Logged:
    """An access as the generator wrote it; `mark` stands in a comment on its line."""

    mark: str
    op: str
    space: str
    bytes: int


@dataclass
class Kernel:
    name: str
    block: tuple[int, int, int]
    grid: tuple[int, int, int]
    arguments: dict[str, int]
    unknown: tuple[str, ...]
    shared: list[Buffer]
    helpers: list[tuple[str, str]]  # CUDA and Python text
    body: list[Statement]
    accesses: list[Logged]

    def cuda(self) -> str:
        parameters = [f"{b.element}* {b.name}" for b in BUFFERS] + [f"int {name}" for name in self.arguments]
        lines = [text for text, _ in self.helpers]
        lines.append(f"__global__ void {self.name}({', '.join(parameters)}) {{")
        for b in self.shared:
            shape = f"[{SHARED_ROWS}][{b.row}]" if b.row else f"[{SHARED_ROWS * WARP}]"
            lines.append(f"    __shared__ {b.element} {b.name}{shape};")
        lines.append("    float sum = 0.0f;")
        lines.extend(cuda_lines(self.body))
        lines.append("}")
        return "\n".join(lines)

    def launch(self) -> str:
        given = [b.name for b in BUFFERS]
        given += [name if name in self.unknown else str(value) for name, value in self.arguments.items()]
        block, grid = (", ".join(map(str, shape)) for shape in (self.block, self.grid))
        return f"    {self.name}<<<dim3({grid}), dim3({block})>>>({', '.join(given)});"

    def python(self) -> str:
        lines = [text for _, text in self.helpers]
        lines.append(f"def kernel(log, tx, ty, tz, bx, by, bz, {', '.join(self.arguments)}):")
        lines.extend(python_lines(self.body))
        return "\n".join(lines)

    def costs(self) -> dict[tuple[str, str], tuple[Fraction, Fraction] | None]:
        """Mean cost and ideal of every access (by mark and operation); None where no lane arrives. Raises Discard."""
        names: dict[str, Any] = {
            f.__name__: f for f in (wrapped, checked, quotient, remainder, shifted, shifted_back, trip)
        }
        exec(compile(self.python(), f"<{self.name}>", "exec"), names)
        run: Callable[..., None] = names["kernel"]
        touched: dict[tuple[str, str], dict[tuple[object, ...], list[int | None]]] = defaultdict(dict)
        x, y, z = self.block
        for at in product(*(range(n) for n in reversed(self.grid))):
            for linear in range(x * y * z):
                warp, lane = divmod(linear, WARP)

                def log(
                    mark: str, op: str, key: object, address: int, where: object = (at, warp), lane: int = lane
                ) -> None:
                    lanes = touched[(mark, op)].setdefault((where, key), [None] * WARP)
                    lanes[lane] = address

                thread = (linear % x, linear // x % y, linear // (x * y))
                run(log, *thread, at[2], at[1], at[0], *self.arguments.values())
        return {(a.mark, a.op): _mean(touched[(a.mark, a.op)].values(), a) for a in self.accesses}


SHARED_ROWS = 64


def _mean(instructions: Any, access: Logged) -> tuple[Fraction, Fraction] | None:
    requests: list[Lanes] = list(instructions)
    if not requests:
        return None
    if access.space == "global":
        counts = [sectors(lanes, access.bytes) for lanes in requests]
        ideals = [ideal_sectors(lanes, access.bytes) for lanes in requests]
    else:
        counts = [wavefronts(lanes, access.bytes) for lanes in requests]
        ideals = [min(ideal_wavefronts(lanes, access.bytes), c) for lanes, c in zip(requests, counts, strict=True)]
    return Fraction(sum(counts), len(counts)), Fraction(sum(ideals), len(ideals))


# --- the generator

BLOCKS = [(32, 1, 1), (64, 1, 1), (128, 1, 1), (96, 1, 1), (48, 1, 1), (20, 1, 1), (16, 16, 1), (8, 8, 1), (32, 4, 1)]
BLOCKS += [(4, 16, 1), (33, 3, 1), (16, 4, 2), (8, 4, 4), (32, 8, 1), (1, 64, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (4, 1, 1)]
NUMBERS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31, 32, 33, 48, 63, 64, 100, 128, 200, 256]


class Writer:
    """Writes one kernel."""

    def __init__(self, name: str, seed: int, unknown: bool = False) -> None:
        self.random = random.Random(seed)
        self.name = name
        self.block = self.random.choice(BLOCKS)
        self.grid = self.random.choice(GRIDS)
        self.variables: list[tuple[str, CType]] = []  # that may be assigned
        self.readable: list[E] = []
        self.arrays: list[tuple[str, int]] = []
        self.pointers: list[tuple[str, Buffer]] = []
        self.loops: list[str] = []  # iteration numbers of the loops around
        self.jumps: list[str] = []  # out of the innermost loop or switch
        self.shared: list[Buffer] = []
        self.helpers: list[tuple[str, str]] = []
        self.accesses: list[Logged] = []
        self.fresh = count()
        self.exited = False
        self.key = ""
        self.budget = 0
        rng = self.random
        self.arguments = {"n": rng.choice([100, 128, 64, 1000, 37]), "m": rng.choice([4, 7, 16, 32, 33])}
        self.unknown: tuple[str, ...] = ()
        if unknown:
            self.unknown = ("n", "m")
            self.arguments = {"n": 4096, "m": 8192}

    def write(self) -> Kernel:
        rng = self.random
        axes = [(a, n) for a, n in zip("xyz", self.block, strict=True) if n > 1]
        self.threads = [E(f"threadIdx.{a}", f"t{a}", UNSIGNED) for a, _ in axes]
        self.blocks = [E(f"blockIdx.{a}", f"b{a}", UNSIGNED) for a in "xyz"[: 1 + (self.grid[1] > 1)]]
        self.extents = [
            E(f"blockDim.{a}", str(n), UNSIGNED) for a, n in zip("xyz", self.block, strict=True) if a in "xy"
        ]
        self.extents.append(E("gridDim.x", str(self.grid[0]), UNSIGNED))
        for b in range(rng.choice([0, 0, 1, 2])):
            row = rng.choice([None, 8, 16, 17, 32, 33, 34])
            element, size = rng.choice([("float", 4), ("int", 4), ("float", 4), ("unsigned char", 1), ("short", 2)])
            self.shared.append(Buffer(f"tile{b}", element, size, "shared", row=row))
        body: list[Statement] = self.usual_names()
        self.budget = rng.randint(4, 12)
        body += self.statements(0)
        if not self.accesses:
            body.append(self.access())
        return Kernel(
            self.name,
            self.block,
            self.grid,
            self.arguments,
            self.unknown,
            self.shared,
            self.helpers,
            body,
            self.accesses,
        )

    def usual_names(self) -> list[Statement]:
        """What kernels begin with: i, or row and column."""
        rng = self.random
        body: list[Statement] = []
        names = ["i"] if len(self.threads) == 1 else ["col", "row", "depth"][: len(self.threads)]
        for name, thread in zip(names, self.threads, strict=False):
            axis = thread.cuda[-1]
            value = thread
            if rng.random() < 0.6 and axis in "xy":
                extent = E(f"blockDim.{axis}", str(self.block["xyz".index(axis)]), UNSIGNED)
                value = binary("+", binary("*", E(f"blockIdx.{axis}", f"b{axis}", UNSIGNED), extent), thread)
            body.append(self.declared(name, rng.choice([INT, INT, INT, UNSIGNED, SIZE]), value))
        if len(self.threads) > 1 and rng.random() < 0.5:
            x, y = self.threads[:2]
            extent = E(f"blockDim.{x.cuda[-1]}", str(self.block["xyz".index(x.cuda[-1])]), UNSIGNED)
            body.append(self.declared("tid", INT, binary("+", binary("*", y, extent), x)))
        return body

    def declared(self, name: str, type_: CType, value: E, assignable: bool = True) -> Simple:
        self.readable.append(E(name, name, type_))
        if assignable:
            self.variables.append((name, type_))
        return Simple(f"{type_.name} {name} = {value.cuda};", [f"{name} = {python_as(value, type_)}"])

    def name_of(self, prefix: str) -> str:
        return f"{prefix}{next(self.fresh)}"

    # expressions

    def leaf(self) -> E:
        rng = self.random
        roll = rng.random()
        if roll < 0.5 and self.readable:
            return rng.choice(self.readable[-5:] if rng.random() < 0.6 else self.readable)
        if roll < 0.7:
            return rng.choice(self.threads)
        if roll < 0.76:
            return rng.choice(self.blocks)
        if roll < 0.8:
            return rng.choice(self.extents)
        if roll < 0.84:
            name = rng.choice(list(self.arguments))
            return E(name, name, INT)
        if roll < 0.88 and self.arrays:
            name, size = rng.choice(self.arrays)
            if rng.random() < 0.4:
                some = binary("%", cast(rng.choice([*self.readable, *self.threads]), UNSIGNED), literal(size))
                return E(f"{name}[{some.cuda}]", f"{name}[{some.python}]", INT)
            at = rng.randrange(size)
            return E(f"{name}[{at}]", f"{name}[{at}]", INT)
        return self.constant()

    def constant(self) -> E:
        value = self.random.choice(NUMBERS)
        return literal(value) if self.random.random() < 0.85 else E(f"{value}u", str(value), UNSIGNED)

    def expression(self, depth: int = 3) -> E:
        rng = self.random
        if depth == 0 or rng.random() < 0.15:
            return self.leaf()
        a = self.expression(depth - 1)
        roll = rng.random()
        if roll < 0.26:
            return binary("+", a, self.expression(depth - 1))
        if roll < 0.44:
            return binary("*", a, self.constant())
        if roll < 0.52:
            return binary("-", a, self.expression(depth - 1))
        if roll < 0.66:
            return binary(rng.choice("/%"), a, self.constant() if rng.random() < 0.93 else self.leaf())
        if roll < 0.74:
            power = 1 << rng.randint(0, 6)
            mask = power - 1 if rng.random() < 0.7 else rng.choice([power, 5, 12, 0x55, 0xF0])
            return binary("&", a, literal(mask) if rng.random() < 0.9 else negated("~", literal(mask)))
        if roll < 0.77:
            return binary("|", a, self.expression(depth - 1))
        if roll < 0.83:
            return binary("^", a, self.constant() if rng.random() < 0.5 else self.expression(depth - 1))
        if roll < 0.89:
            by = literal(rng.randint(0, 5)) if rng.random() < 0.85 else binary("&", self.leaf(), literal(3))
            return binary(rng.choice(["<<", ">>"]), a, by)
        if roll < 0.92:
            return select(self.condition(1), a, self.expression(depth - 1))
        if roll < 0.95:
            return extreme(rng.choice(["min", "max"]), a, self.expression(depth - 1))
        if roll < 0.97:
            return cast(a, rng.choice([INT, UNSIGNED, LONG, SIZE, SHORT, UCHAR, USHORT]))
        if roll < 0.98:
            return negated(rng.choice("-~"), a)
        return self.helper_value(a)

    def condition(self, depth: int = 2) -> E:
        rng = self.random
        roll = rng.random()
        if roll < 0.12 and depth:
            return binary(rng.choice(["&&", "||"]), self.condition(depth - 1), self.condition(depth - 1))
        if roll < 0.16 and depth:
            return negated("!", self.condition(depth - 1))
        if roll < 0.3:
            modulus = rng.choice([2, 4, 3, 8, 32])
            return binary("==", binary("%", self.expression(1), literal(modulus)), literal(rng.randrange(modulus)))
        if roll < 0.36:
            return binary("!=", binary("&", self.expression(1), literal(rng.choice([1, 2, 4, 8, 6]))), literal(0))
        operator = rng.choice(["<", "<", "<", "<=", ">", ">=", "==", "!="])
        other = self.constant() if rng.random() < 0.7 else self.leaf()
        return binary(operator, self.expression(depth), other)

    def index(self) -> E:
        """What stands in brackets."""
        rng = self.random
        base = rng.choice(self.readable) if self.readable else rng.choice(self.threads)
        roll = rng.random()
        if roll < 0.15:
            return base
        if roll < 0.3:
            return binary("*", base, self.constant())
        if roll < 0.4:
            return binary("+", base, self.constant())
        if roll < 0.55:
            a, b = self.leaf(), self.leaf()
            return binary("+", binary("*", a, self.constant() if rng.random() < 0.8 else E("m", "m", INT)), b)
        if roll < 0.62:
            d = self.constant()
            return binary("+", binary("*", binary("/", base, d), self.constant()), binary("%", base, d))
        return self.expression(rng.choice([2, 3, 3]))

    # helpers

    def helper_value(self, argument: E) -> E:
        """A `__device__` function by value, with an early return at times."""
        rng = self.random
        name = f"{self.name}_{self.name_of('f')}"
        type_ = rng.choice([INT, INT, UNSIGNED])
        outer = self.readable, self.threads, self.blocks, self.arrays, self.extents
        x, y = E("x", "x", type_), E("y", "y", INT)
        self.readable, self.threads, self.blocks, self.arrays, self.extents = [x, y], [x], [y], [], [literal(8)]
        arguments, self.arguments = self.arguments, {"y": 0}
        body: list[Statement] = []
        if rng.random() < 0.4:
            early = self.expression(1)
            returned = Simple(f"return {early.cuda};", [f"return {python_as(early, INT)}"])
            body.append(If(self.condition(1), [returned]))
        last = self.expression(2)
        body.append(Simple(f"return {last.cuda};", [f"return {python_as(last, INT)}"]))
        self.readable, self.threads, self.blocks, self.arrays, self.extents = outer
        self.arguments = arguments
        cuda = [f"__device__ int {name}({type_.name} x, int y) {{", *cuda_lines(body), "}"]
        self.helpers.append(("\n".join(cuda), "\n".join([f"def {name}(x, y):", *python_lines(body)])))
        second = self.leaf()
        call = f"{name}({argument.cuda}, {second.cuda})"
        return E(call, f"{name}({python_as(argument, type_)}, {python_as(second, INT)})", INT)

    def helper_change(self) -> Statement:
        """A `__device__` function that changes a variable through a reference or a pointer."""
        rng = self.random
        candidates = [(n, t) for n, t in self.variables if t in (INT, UNSIGNED)]
        if not candidates:
            return self.assign()
        variable, type_ = rng.choice(candidates)
        name = f"{self.name}_{self.name_of('g')}"
        pointer = rng.random() < 0.4
        inside = E("(*x)" if pointer else "x", "x", type_)
        operator = rng.choice(["+", "-", "^", "*"])
        change = binary(operator, inside, E("y", "y", INT) if operator != "*" else literal(rng.choice([2, 3, 4])))
        condition = binary(rng.choice(["<", ">", "=="]), E("y", "y", INT), self.constant())
        change_line = Simple(f"{inside.cuda} = {change.cuda};", [f"x = {python_as(change, type_)}"])
        body: list[Statement] = [If(condition, [change_line])] if rng.random() < 0.5 else [change_line]
        body.append(Simple("", ["return x"]))
        mark = "*" if pointer else "&"
        cuda = [f"__device__ void {name}({type_.name}{mark} x, int y) {{", *cuda_lines(body), "}"]
        self.helpers.append(("\n".join(cuda), "\n".join([f"def {name}(x, y):", *python_lines(body)])))
        second = self.expression(1)
        passed = f"&{variable}" if pointer else variable
        python = f"{variable} = {name}({variable}, {python_as(second, INT)})"
        return Simple(f"{name}({passed}, {second.cuda});", [python])

    # statements

    def statements(self, depth: int) -> list[Statement]:
        rng = self.random
        body: list[Statement] = []
        scope = len(self.variables), len(self.readable), len(self.arrays), len(self.pointers)
        first = True
        while self.budget > 0 and (first or rng.random() < (0.93 if depth == 0 else 0.6)):
            first = False
            self.budget -= 1
            body.extend(self.statement(depth))
        if depth and not self._touches(body):
            body.append(self.access())
        del self.variables[scope[0] :], self.readable[scope[1] :], self.arrays[scope[2] :], self.pointers[scope[3] :]
        return body

    def _touches(self, body: list[Statement]) -> bool:
        return any("@" in line for line in cuda_lines(body))

    def statement(self, depth: int) -> list[Statement]:
        rng = self.random
        roll = rng.random()
        if roll < 0.33:
            return [self.access()]
        if roll < 0.46:
            type_ = rng.choice([INT] * 6 + [UNSIGNED] * 3 + [SIZE, LONG, SHORT, UCHAR])
            return [self.declared(self.name_of("v"), type_, self.expression(2))]
        if roll < 0.55:
            return [self.assign()]
        if roll < 0.6:
            return [self.helper_change()]
        if roll < 0.7 and depth < 3:
            condition = self.condition()
            then = self.statements(depth + 1)
            return [If(condition, then, self.statements(depth + 1) if rng.random() < 0.3 else [])]
        if roll < 0.74:
            leave = "return" if not self.jumps or rng.random() < 0.2 else rng.choice(self.jumps)
            self.exited = True
            return [If(self.condition(), [Jump(leave)])]
        if roll < 0.78:
            return self.array()
        if roll < 0.82:
            return [self.pointer()]
        if roll < 0.83:
            return [self.chosen_pointer()]
        if roll < 0.84 and depth < 2:
            return self.swapping(depth)
        if roll < 0.845 and depth < 2 and self.arrays:
            return [self.over_array(depth)]
        if roll < 0.85 and self.pointers:
            name, buffer = rng.choice(self.pointers)
            by = self.expression(1) if rng.random() < 0.5 else self.constant()
            return [Simple(f"{name} += {by.cuda};", [f"{name} += {by.python} * {buffer.bytes}"])]
        if roll < 0.87 and not depth and not self.exited:
            return [Simple("__syncthreads();", [])]
        if depth < 2 and roll < 0.97:
            return self.loop(depth)
        if depth < 2:
            return [self.switch(depth)]
        return [self.access()]

    def assign(self) -> Statement:
        rng = self.random
        if not self.variables:
            return self.access()
        name, type_ = rng.choice(self.variables)
        target = E(name, name, type_)
        if rng.random() < 0.35:
            value = self.expression(2)
            return Simple(f"{name} = {value.cuda};", [f"{name} = {python_as(value, type_)}"])
        if rng.random() < 0.2:
            return Simple(f"{name}++;", [f"{name} = {python_as(binary('+', target, literal(1)), type_)}"])
        operator = rng.choice(["+", "+", "-", "^", "|", "&", ">>", "%", "*"])
        value = self.constant() if operator in ("%", "*", "&") else self.expression(1)
        if operator == ">>":
            value = literal(rng.randint(0, 3))
        return Simple(
            f"{name} {operator}= {value.cuda};", [f"{name} = {python_as(binary(operator, target, value), type_)}"]
        )

    def array(self) -> list[Statement]:
        """A small local array, filled element by element or in a loop."""
        rng = self.random
        size = rng.choice([2, 3, 4])
        name = self.name_of("a")
        if rng.random() < 0.5:
            values = [self.expression(1) for _ in range(size)]
            cuda = ", ".join(cast(v, INT).cuda for v in values)
            python = ", ".join(python_as(v, INT) for v in values)
            self.arrays.append((name, size))
            return [Simple(f"int {name}[{size}] = {{{cuda}}};", [f"{name} = [{python}]"])]
        k = self.name_of("k")
        value = binary("+", self.expression(1), binary("*", E(k, k, INT), self.constant()))
        fill = Simple(f"{name}[{k}] = {value.cuda};", [f"{name}[{k}] = {python_as(value, INT)}"])
        self.arrays.append((name, size))
        loop = Loop(
            f"for (int {k} = 0; {k} < {size}; ++{k}) {{", [f"{k} = 0"], f"{k} < {size}", [f"{k} += 1"], [fill], f"i_{k}"
        )
        return [Simple(f"int {name}[{size}];", [f"{name} = [0] * {size}"]), loop]

    def pointer(self) -> Statement:
        rng = self.random
        buffer = rng.choice([b for b in BUFFERS if not b.fields])
        name = self.name_of("p")
        at = self.index()
        self.pointers.append((name, buffer))
        return Simple(
            f"{buffer.element}* {name} = {buffer.name} + {at.cuda};", [f"{name} = ({at.python}) * {buffer.bytes}"]
        )

    def chosen_pointer(self) -> Statement:
        """A pointer into one buffer or another."""
        name, condition, a, b = self.name_of("p"), self.condition(1), self.index(), self.index()
        out, other = (next(buffer for buffer in BUFFERS if buffer.name == name) for name in ("out", "other"))
        self.pointers.append((name, out))
        return Simple(
            f"float* {name} = {condition.cuda} ? {out.name} + {a.cuda} : {other.name} + {b.cuda};",
            [f"{name} = ({a.python}) * 4 if {condition.python} else ({b.python}) * 4"],
        )

    def swapping(self, depth: int) -> list[Statement]:
        """A loop at the end of whose body two pointers trade places."""
        out, other = (next(buffer for buffer in BUFFERS if buffer.name == name) for name in ("out", "other"))
        if self.random.random() < 0.3:
            other = out
        names, before = (self.name_of("p"), self.name_of("p")), list[Statement]()
        for name, buffer in zip(names, (out, other), strict=True):
            at = self.index()
            before.append(Simple(f"float* {name} = {buffer.name} + {at.cuda};", [f"{name} = ({at.python}) * 4"]))
            self.pointers.append((name, buffer))
        k, number, outer = self.name_of("k"), self.name_of("it"), len(self.readable)
        size = self.random.choice([2, 3, 4, 5, 8])
        self.readable.append(E(k, k, INT))
        self.loops.append(number)
        jumps, self.jumps = self.jumps, ["break", "continue"]
        body = self.statements(depth + 1)
        a, b = names
        body.append(Simple(f"float* t_{k} = {a}; {a} = {b}; {b} = t_{k};", [f"{a}, {b} = {b}, {a}"]))
        self.jumps = jumps
        self.loops.pop()
        del self.readable[outer:]
        head = f"for (int {k} = 0; {k} < {size}; ++{k}) {{"
        return [*before, Loop(head, [f"{k} = 0"], f"{k} < {size}", [f"{k} += 1"], body, number)]

    def over_array(self, depth: int) -> Statement:
        """A range-based for over a local array."""
        name, size = self.random.choice(self.arrays)
        own, number, outer = self.name_of("k"), self.name_of("it"), len(self.readable)
        self.readable.append(E(own, own, INT))
        self.loops.append(number)
        jumps, self.jumps = self.jumps, ["break", "continue"]
        body = [Simple("", [f"{own} = {name}[{number}]"]), *self.statements(depth + 1)]
        self.jumps = jumps
        self.loops.pop()
        del self.readable[outer:]
        return Loop(f"for (int {own} : {name}) {{", [], f"{number} < {size}", [], body, number)

    def access(self) -> Statement:
        """A load, a store, both, or an atomic."""
        rng = self.random
        place, python, width, buffer = self.place()
        number = next(self.fresh)
        mark = f"{self.name}.{number}"
        key = "(" + "".join(f"{number}, " for number in self.loops) + ")"

        def logged(op: str) -> str:
            self.accesses.append(Logged(mark, op, buffer.space, width))
            return f"log({mark!r}, {op!r}, {key}, ({python}) % 2**64)"

        comment = f"  // @{mark}@"
        roll = rng.random()
        element = buffer.element.removeprefix("const ")
        is_vector = element == "float4"
        if buffer.name == "in" or roll < 0.45:
            if is_vector:
                whole = self.name_of("q")
                used = f"{whole}.x"
                if number % 2:  # of one member that is used no other is loaded, of three all four are
                    used += f" + {whole}.y * {whole}.w"
                else:
                    width = 4
                return Simple(f"{element} {whole} = {place}; sum += {used};{comment}", [logged("load")])
            return Simple(f"sum += {place};{comment}", [logged("load")])
        if roll < 0.85 or is_vector:
            return Simple(f"{place} = {VALUES.get(element, 'sum')};{comment}", [logged("store")])
        if roll < 0.94 or element != "float" or buffer.space == "shared":
            return Simple(f"{place} += 1;{comment}", [logged("load"), logged("store")])
        return Simple(f"atomicAdd(&{place}, 1.0f);{comment}", [logged("atomic")])

    def place(self) -> tuple[str, str, int, Buffer]:
        """An lvalue, its byte offset in Python, its width, and what it lies in."""
        rng = self.random
        if self.pointers and rng.random() < 0.5:
            name, buffer = rng.choice(self.pointers)
            if rng.random() < 0.4:
                return f"*{name}", name, buffer.bytes, buffer
            at = self.index()
            return f"{name}[{at.cuda}]", f"{name} + ({at.python}) * {buffer.bytes}", buffer.bytes, buffer
        if self.shared and rng.random() < 0.6:
            buffer = rng.choice(self.shared)
            if buffer.row:
                a, b = self.tile_index(), self.tile_index()
                python = f"(({a.python}) * {buffer.row} + ({b.python})) * {buffer.bytes}"
                return f"{buffer.name}[{a.cuda}][{b.cuda}]", python, buffer.bytes, buffer
            at = self.index()
            return f"{buffer.name}[{at.cuda}]", f"({at.python}) * {buffer.bytes}", buffer.bytes, buffer
        buffer = rng.choice(BUFFERS[:2] if rng.random() < 0.5 else BUFFERS)
        at = self.index()
        python = f"({at.python}) * {buffer.bytes}"
        if buffer.fields:
            name, offset, width = rng.choice(buffer.fields)
            return f"{buffer.name}[{at.cuda}].{name}", f"{python} + {offset}", width, buffer
        return f"{buffer.name}[{at.cuda}]", python, buffer.bytes, buffer

    def tile_index(self) -> E:
        roll = self.random.random()
        if roll < 0.6:
            return self.leaf()
        if roll < 0.8:
            return binary("+", self.leaf(), self.constant())
        return self.expression(2)

    def switch(self, depth: int) -> Statement:
        rng = self.random
        modulus = rng.choice([2, 3, 4])
        subject = cast(binary("%", self.expression(1), literal(modulus)), INT)
        labels: list[int | None] = [*rng.sample(range(modulus), rng.randint(1, modulus - 1)), None][: rng.randint(1, 3)]
        jumps, self.jumps = self.jumps, ["break"]
        sections = [(label, self.statements(depth + 1), rng.random() < 0.7) for label in labels]
        self.jumps = jumps
        return Switch(subject, self.name_of("s"), sections)

    def loop(self, depth: int) -> list[Statement]:
        rng = self.random
        name, number = self.name_of("k"), self.name_of("it")
        outer = len(self.readable)
        kind = rng.choice(["up", "up", "up", "stride", "halve", "double", "down", "grid", "while", "do", "count"])
        type_ = rng.choice([INT, INT, INT, UNSIGNED])
        own = E(name, name, type_)
        size = rng.choice([2, 3, 4, 5, 8, 16])
        before: list[Statement] = []
        tail, late = "}", None
        if kind in ("up", "stride"):
            step = 1 if kind == "up" else rng.choice([2, 3, 4, 8])
            start = literal(rng.choice([0, 0, 0, 1, 3]))
            condition = binary(rng.choice(["<", "<", "<="]), own, literal(size * step))
            after = binary("+", own, literal(step))
            advance = f"{name} += {step}" if step > 1 else f"++{name}"
        elif kind == "halve":
            start = (
                literal(rng.choice([16, 32, 64, 24]))
                if rng.random() < 0.7
                else binary("/", self.extents[0], literal(2))
            )
            condition = binary(">", own, literal(0))
            after = binary(">>", own, literal(1)) if rng.random() < 0.6 else binary("/", own, literal(2))
            advance = f"{name} >>= 1" if ">>" in after.cuda else f"{name} /= 2"
        elif kind == "double":
            start = literal(1)
            condition = binary("<", own, literal(rng.choice([16, 32, 20])))
            after = binary("<<", own, literal(1)) if rng.random() < 0.6 else binary("*", own, literal(2))
            advance = f"{name} <<= 1" if "<<" in after.cuda else f"{name} *= 2"
        elif kind == "down":
            type_, own = INT, E(name, name, INT)
            start = literal(size - 1)
            condition = binary(">=", own, literal(0))
            after, advance = binary("-", own, literal(1)), f"--{name}"
        elif kind == "grid":
            start = rng.choice(self.readable) if self.readable else self.threads[0]
            condition = binary(
                "<", own, literal(rng.choice([100, 128, 200])) if rng.random() < 0.7 else E("n", "n", INT)
            )
            by = literal(rng.choice([32, 64])) if rng.random() < 0.4 else self.extents[0]
            if by.cuda.startswith("block") and rng.random() < 0.4:
                by = binary("*", by, E("gridDim.x", str(self.grid[0]), UNSIGNED))
            after = binary("+", own, by)
            advance = f"{name} += {by.cuda}"
        else:  # while, do, count: a variable declared before
            type_, own = INT, E(name, name, INT)
            start = literal(0) if rng.random() < 0.7 else binary("&", self.leaf(), literal(3))
            step = rng.choice([1, 2, 3])
            condition = binary("<", own, literal(size * step))
            after, advance = binary("+", own, literal(step)), f"{name} += {step}"
        self.loops.append(number)
        jumps, self.jumps = self.jumps, ["break", "continue"]
        if kind in ("while", "do", "count"):
            before.append(self.declared(name, type_, start, assignable=False))
            if kind == "count":  # for (; n--;)
                before[-1] = Simple(f"int {name} = {size};", [f"{name} = {size}"])
                head, start_lines, test = f"while ({name}-- > 0) {{", list[str](), f"({name} := {name} - 1) + 1 > 0"
                body = self.statements(depth + 1)
                step_lines: list[str] = []
            else:
                head = f"while ({condition.cuda}) {{" if kind == "while" else "do {"
                start_lines, test = [], condition.python
                body = self.statements(depth + 1)
                move = Simple(f"{advance};", [f"{name} = {python_as(after, type_)}"])
                at = 0 if rng.random() < 0.15 else len(body)
                if kind == "do" or any(isinstance(s, If) and _continues(s) for s in body):
                    at = 0
                body.insert(at, move)
                step_lines = []
                if kind == "do":
                    tail, late, test = f"}} while ({condition.cuda});", condition.python, ""
            loop = Loop(head, start_lines, test or None, step_lines, body, number, tail, late)
            self.jumps = jumps
            self.loops.pop()
            return [*before, loop]
        self.readable.append(own)
        head = f"for ({type_.name} {name} = {start.cuda}; {condition.cuda}; {advance}) {{"
        start_lines = [f"{name} = {python_as(start, type_)}"]
        step_lines = [f"{name} = {python_as(after, type_)}"]
        body = self.statements(depth + 1)
        del self.readable[outer:]
        self.jumps = jumps
        self.loops.pop()
        return [*before, Loop(head, start_lines, condition.python, step_lines, body, number)]


def _continues(statement: If) -> bool:
    inside = [*statement.then, *statement.otherwise]
    return any(isinstance(s, Jump) and s.kind == "continue" for s in inside) or any(
        isinstance(s, If) and _continues(s) for s in inside
    )


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
