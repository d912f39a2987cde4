"""Writes statements that load, store and assign, and the arrays and pointers that they go through."""

from __future__ import annotations

from random_kernels.c_integers import (
    INT,
    UNSIGNED,
)
from random_kernels.expressions import E, binary, cast, literal, python_as
from random_kernels.memory import BUFFERS, VALUES, Buffer, Logged
from random_kernels.statements import If, Loop, Simple, Statement, cuda_lines, python_lines
from random_kernels.values import Values


class Accesses(Values):
    """Writes single statements."""

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
