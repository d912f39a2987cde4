"""Writes names and values of a kernel: leaves, expressions, conditions, indices and helper functions."""

from __future__ import annotations

import random
from itertools import count

from random_kernels.c_integers import (
    INT,
    LONG,
    SHORT,
    SIZE,
    UCHAR,
    UNSIGNED,
    USHORT,
    CType,
)
from random_kernels.expressions import E, binary, cast, extreme, literal, negated, python_as, select
from random_kernels.memory import Buffer, Logged
from random_kernels.statements import If, Simple, Statement, cuda_lines, python_lines

BLOCKS = [(32, 1, 1), (64, 1, 1), (128, 1, 1), (96, 1, 1), (48, 1, 1), (20, 1, 1), (16, 16, 1), (8, 8, 1), (32, 4, 1)]
BLOCKS += [(4, 16, 1), (33, 3, 1), (16, 4, 2), (8, 4, 4), (32, 8, 1), (1, 64, 1)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (4, 1, 1)]
NUMBERS = [1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 31, 32, 33, 48, 63, 64, 100, 128, 200, 256]


class Values:
    """Writes the values of one kernel."""

    def __init__(self, name: str, seed: int, unknown: bool = False) -> None:
        self.random = random.Random(seed)
        self.name = name
        self.block = self.random.choice(BLOCKS)
        self.grid = self.random.choice(GRIDS)
        self.variables: list[tuple[str, CType]] = []  # that may be assigned
        self.readable: list[E] = []
        self.arrays: list[tuple[str, int]] = []
        self.pointers: list[tuple[str, Buffer]] = []
        self.threads: list[E] = []
        self.blocks: list[E] = []
        self.extents: list[E] = []
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
