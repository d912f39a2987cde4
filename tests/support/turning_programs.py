"""Random programs of nested loops in which pointers, references, members and lambdas change the same variables.

Those of an EffectsWriter change them in conditions, too.

All that the loops run on are small numbers: every program ends, and its variables stay far from their limits.
"""

from __future__ import annotations

import random

BEFORE = """
struct S { int x; int y; int *q; };
__device__ void inc(int *p, int by) { *p += by; }
__device__ void setr(int &r, int v) { r = v; }
__device__ void fill(int *t, int n, int v) { for (int i = 0; i < n; ++i) t[i] = v + i; }
__device__ void move(S &s, int by) { s.x += by; if (s.q) *s.q += 1; }
__device__ void back(S *s) { s->y += 2; if (s->q) s->q[0] -= 1; }
__device__ int sum(const int *t, int n) { int r = 0; for (int i = 0; i < n; ++i) r += t[i]; return r; }
__device__ int *pick(int *a, int *b, int w) { return w & 1 ? a : b; }
__device__ void swap2(int *&a, int *&b) { int *h = a; a = b; b = h; }
__device__ int bump(int &r, int by) { r += by; return r; }
__device__ int drop(int *p) { return (*p)--; }
__device__ bool take(S &s, int k) { if (s.x > k) { s.x -= 1; return true; } return false; }
__device__ int &other(int &a, int &b, int w) { return w > 2 ? a : b; }
__device__ bool both(int &a, int &b) { a += 1; if (a > 4) { b -= 1; return false; } return true; }
"""
START = """\
int a = 1, b = 2, d = 3; S s{4, 5, nullptr}; int t[4] = {1, 2, 3, 4}; int u[40];
for (int z = 0; z < 40; ++z) u[z] = z & 7;
int *p = &a, *q = &b, **pp = &p;
auto more = [&] { a += 1; s.x += 2; };
auto by = [&d, &t](int x) { d += x; t[1] += 1; };
"""
PLACES = ("a", "b", "d", "s.x", "s.y", "*p", "*q", "t[1]", "t[2]", "u[3]")
POINTERS = ("p = &a;", "p = &b;", "q = &d;", "q = &t[1];", "swap2(p, q);", "s.q = &b;", "s.q = &d;", "pp = &q;")
SEEN = (*PLACES, "u[35]", "sum(t, 4)")


class Writer:
    """Writes one program; `AT(value)` marks what is looked at."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def program(self) -> str:
        """The body of a function with parameters `c` and `n`."""
        body = "\n".join(self._statement(3, (), inside=False) for _ in range(self.random.randint(4, 9)))
        return f"{START}{body}\n" + "\n".join(f"AT({value});" for value in SEEN) + "\n"

    def _value(self, counters: tuple[str, ...], depth: int = 0) -> str:
        kind = self.random.random()
        if kind < 0.35:
            return str(self.random.randint(0, 5))
        if kind < 0.7 or depth > 1:
            return self.random.choice((*PLACES, "n", "c", *counters))
        operator = self.random.choice("+-+")
        return f"({self._value(counters, depth + 1)} {operator} {self._value(counters, depth + 1)})"

    def _block(self, depth: int, counters: tuple[str, ...], inside: bool) -> str:
        count = self.random.randint(1, 4)
        return "{ " + "\n".join(self._statement(depth - 1, counters, inside) for _ in range(count)) + " }"

    def _statement(self, depth: int, counters: tuple[str, ...], inside: bool) -> str:
        choose, value = self.random.choice, self._value(counters)
        kind = self.random.random()
        if kind < 0.25:
            target = choose((*PLACES, "u[35]", f"t[{self._value(counters)} & 3]", f"u[{self._value(counters)} & 31]"))
            return f"{target} {choose(('=', '+=', '-='))} {value};"
        if kind < 0.45:
            where = choose(("p", "q", "&a", "&b", "&s.x", "&t[2]", "t + 1", "u + 3"))
            calls = (f"inc({where}, {value});", f"setr({choose(PLACES)}, {value});", f"fill(t, 3, {value});")
            return choose((*calls, f"move(s, {value});", "back(&s);", "more();", f"by({value});", "**pp += 1;"))
        if kind < 0.5:
            return choose((*POINTERS, f"p = pick(&a, &b, {value});", "*pp = &d;"))
        if kind < 0.55 and inside:
            return f"if ({value} > {self.random.randint(2, 9)}) {choose(('break', 'continue'))};"
        if kind < 0.68 and depth > 0:
            condition = f"{value} {choose('<>&')} {self._value(counters)}"
            otherwise = f" else {self._block(depth, counters, inside)}" if self.random.random() < 0.4 else ""
            return f"if ({condition}) {self._block(depth, counters, inside)}{otherwise}"
        if kind < 0.9 and depth > 0:
            return self._loop(depth, counters)
        return f"AT({choose(SEEN)});"

    def _loop(self, depth: int, counters: tuple[str, ...]) -> str:
        self.loops += 1
        i = f"i{self.loops}"
        body = self._block(depth, (*counters, i), inside=True)
        outer = tuple(f"({other} + 1)" for other in counters)
        bound = self.random.choice(("2", "3", "4", "n", "c", "(n & 3)", "17", *outer))
        kind = self.random.random()
        if kind < 0.6:
            return f"for (int {i} = 0; {i} < {bound}; ++{i}) {body}"
        if kind < 0.8:
            return f"{{ int {i} = 0; while ({i}++ < {bound}) {body} }}"
        return f"{{ int {i} = {self.random.randint(1, 4)}; do {body} while (--{i} > 0); }}"


class EffectsWriter(Writer):
    """Writes programs in which conditions, the subjects of `switch` and values change variables."""

    def _effect(self, counters: tuple[str, ...]) -> str:
        choose, value = self.random.choice, self._value(counters)
        return choose(
            (
                f"bump({choose(PLACES)}, {value})",
                f"drop({choose(('p', 'q', '&a', '&s.x', 't + 1'))})",
                f"take(s, {value})",
                f"bump(other(a, {choose(('b', 'd', 's.y'))}, {value}), 1)",
                f"both({choose(('a', 'b', 's.x'))}, {choose(('d', 's.y', 't[2]'))})",
                *("a++", "--b", "s.y++"),
            )
        )

    def _test(self, counters: tuple[str, ...]) -> str:
        kind, effect, value = self.random.random(), self._effect(counters), self._value(counters)
        if kind < 0.4:
            return f"{effect} {self.random.choice('<>')} {self.random.randint(0, 9)}"
        if kind < 0.6:
            return f"{value} > 2 && {effect} > 1"
        if kind < 0.8:
            return f"{value} > 4 || {effect} < 5"
        if kind < 0.9:
            return f"!({effect} > 3)"
        return f"({value} > 3 ? {effect} : {self._value(counters)}) > 2"

    def _statement(self, depth: int, counters: tuple[str, ...], inside: bool) -> str:
        if self.random.random() > 0.35:
            return super()._statement(depth, counters, inside)
        choose, kind, effect = self.random.choice, self.random.random(), self._effect(counters)
        if kind < 0.2:
            return f"{choose(PLACES)} {choose(('=', '+=', '-='))} {effect};"
        if kind < 0.3:
            return f"{choose(PLACES)} = {self._test(counters)} ? {effect} : {self._value(counters)};"
        if kind < 0.4:
            return f"({self._test(counters)}) && {effect};"
        if kind < 0.45:
            return f"({self._value(counters)} > 2 ? a : b) += {self.random.randint(1, 3)};"
        if kind < 0.5 and inside:
            return f"if ({self._test(counters)}) {choose(('break', 'continue'))};"
        if depth <= 0:
            return f"AT({choose(SEEN)});"
        if kind < 0.7:
            otherwise = f" else {self._block(depth, counters, inside)}" if self.random.random() < 0.4 else ""
            return f"if ({self._test(counters)}) {self._block(depth, counters, inside)}{otherwise}"
        if kind < 0.8:
            first, second, third = (self._block(depth, counters, inside) for _ in range(3))
            falls = choose(("break;", ""))
            return f"switch (({effect}) & 3) {{ case 0: {first} {falls} case 1: {second} break; default: {third} }}"
        return self._tested_loop(depth, counters)

    def _tested_loop(self, depth: int, counters: tuple[str, ...]) -> str:
        self.loops += 1
        i = f"i{self.loops}"
        body = self._block(depth, (*counters, i), inside=True)
        bound, test = self.random.choice(("2", "3", "4", "n", "c", "(n & 3)", "6")), self._test(counters)
        kind = self.random.random()
        if kind < 0.5:
            return f"for (int {i} = 0; {i} < {bound} && {test}; ++{i}) {body}"
        if kind < 0.8:
            return f"{{ int {i} = 0; while ({i}++ < {bound} && {test}) {body} }}"
        return f"{{ int {i} = {self.random.randint(1, 4)}; do {body} while (--{i} > 0 && {test}); }}"
