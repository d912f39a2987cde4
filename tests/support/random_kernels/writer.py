"""Writes whole kernels: blocks of statements, branches and loops."""

from __future__ import annotations

from random_kernels.accesses import Accesses
from random_kernels.c_integers import (
    INT,
    LONG,
    SHORT,
    SIZE,
    UCHAR,
    UNSIGNED,
)
from random_kernels.expressions import E, binary, cast, literal, python_as
from random_kernels.kernel import Kernel
from random_kernels.memory import BUFFERS, Buffer
from random_kernels.statements import If, Jump, Loop, Simple, Statement, Switch, cuda_lines


class Writer(Accesses):
    """Writes one kernel."""

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
