"""Random programs of nested loops in which pointers, references, members and lambdas change the same variables.

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
