"""What coalint says of members and parameters holds for every way through branches and loops.

Random programs are run on the host, over many arguments; a stride that coalint gives as a number must be that of every
execution.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from executed import executed, strides
from outcomes import accesses, check, outcome

HEAD = """\
struct P { int a; int s; };
struct W { P p; int n; };
__device__ inline void change(P &p, int c) { if (c > 1) p.s = 3; }
__device__ inline void twice(int &n) { n = 2 * n % 16; }
struct R { int &r; __device__ void set(int v) const { r = v; } };
struct H {
    int &r; int own;
    __device__ H(int &x) : r(x), own(2) {}
    __device__ void step(int c) { r += c; own = r % 4; }
};
__device__ inline void put(int *p, int v) { *p = v; }
__device__ inline P made(int c) { P p; p.a = c; p.s = 5; if (c == 2) return p; p.s = 7; return p; }
"""
PLACES = (
    "q.a",
    "q.s",
    "r.a",
    "r.s",
    "w.p.a",
    "w.p.s",
    "w.n",
    "x[0]",
    "x[1]",
    "x[2]",
    "n",
    "v.a",
    "v.s",
    "m",
    "h.own",
    "y.s",
)
WRITTEN = tuple(place for place in PLACES if place != "y.s")
START = """\
P q = v, r = g[0], y = v; W w; w.p = v; w.n = 1; int x[3] = {1, 2, 3}; q.a = 2; int m = 3, *pm = &m; R z{n}; H h(w.n);
auto add = [&](int i) { m += i; m %= 16; q.s = i; }; auto old = [=]() { return w.n + m; };
"""


class Program:
    """Statements over structs; `accesses` are what each store is indexed with."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.accesses: list[str] = []
        self.loops = 0

    def block(self, depth: int) -> str:
        return " ".join(self.statement(depth) for _ in range(self.rng.choice((1, 2, 3))))

    def statement(self, depth: int) -> str:
        rng = self.rng
        place, number = rng.choice(WRITTEN), rng.randrange(1, 5)
        if depth and rng.random() < 0.45:
            if rng.random() < 0.5:
                other = f" else {{ {self.block(depth - 1)} }}" if rng.random() < 0.4 else ""
                return f"if (c {rng.choice('<>')} {rng.randrange(4)}) {{ {self.block(depth - 1)} }}{other}"
            if rng.random() < 0.2:
                cases = " ".join(f"case {n}: {self.block(depth - 1)} {rng.choice(('break;', ''))}" for n in (0, 1, 3))
                return f"switch (c % 4) {{ {cases} default: {self.block(depth - 1)} }}"
            self.loops += 1
            k = f"k{self.loops}"
            leave = f" if (c == {rng.randrange(5)}) {rng.choice(('break', 'continue'))};" if rng.random() < 0.4 else ""
            inside = f"{self.block(depth - 1)}{leave} {self.statement(0)}"
            bound = rng.choice(("c", "3", "c / 2"))
            if rng.random() < 0.2:
                return f"{{ int {k} = 0; do {{ {inside} }} while (++{k} < {bound}); }}"
            if rng.random() < 0.2:
                return f"{{ int {k} = {bound}; while ({k}-- > 0) {{ {inside} }} }}"
            return f"for (int {k} = 0; {k} < {bound}; ++{k}) {{ {inside} }}"
        roll = rng.random()
        if roll < 0.45:
            return self.access(rng.choice(PLACES))
        return rng.choice(
            (
                f"{place} = {number};",
                f"{place} = {rng.choice(PLACES)};",
                f"{place} += {number}; {place} %= 16;",
                f"{place} += {number};",
                "q = r;",
                "w.p = q;",
                "q = w.p;",
                "r = g[1];",
                "v = r;",
                "x[c % 3] = 2;",
                "change(q, c);",
                "change(w.p, c);",
                "twice(n);",
                "twice(v.s);",
                "r = made(c);",
                "q = c > 2 ? v : r;",
                f"*pm = {number};",
                f"z.set({number});",
                f"z.r += {number};",
                "h.step(c % 3);",
                f"add({number});",
                f"put(&x[{number % 3}], c);",
                f"put(pm, {number});",
                "m = old() % 8;",
            )
        )

    def access(self, place: str) -> str:
        self.accesses.append(place)
        return f"AT({len(self.accesses) - 1}, {place});"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_a_stride_that_is_a_number_is_that_of_every_execution(seed: int, tmp_path: Path) -> None:
    program = Program(random.Random(seed))
    body = " ".join(program.statement(3) for _ in range(8)) + " ".join(map(program.access, PLACES))
    outs = range(len(program.accesses))
    parameters = ", ".join(f"int *out{n}" for n in outs)
    (tmp_path / "k.cu").write_text(
        f"{HEAD}#define AT(number, place) out##number[(place) * threadIdx.x] = 1\n"
        f"__global__ void k({parameters}, P v, int c, int n, const P *g) {{ {START} {body} }}\n"
    )
    seen = executed(
        tmp_path,
        f"{HEAD}void k(P v, int c, int n, const P *g) {{ {START} {body} }}\n"
        "int main() { P g[2] = {{11, 13}, {17, 19}};\n"
        "for (int c = 0; c < 7; ++c) for (int n = 1; n < 9; n += 3) k(P{n + 20, c + 30}, c, n, g); }\n",
    )
    found = strides(tmp_path / "k.cu")
    for number in outs:
        values = {4 * value for value in seen.get(number, ())}
        for stride in found.get(number, ()):
            if stride.lstrip("-").isdigit():
                assert values <= {int(stride)}, (number, program.accesses[number], stride, values, body)


def test_bit_fields_share_bytes_and_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "struct F { unsigned a : 4, b : 4, c : 24; int d; int w : 32; };\n"
        "#define AT(number, place) out[(place) * threadIdx.x] = 1\n"
        "__global__ void k(int *out, F g) {\n"
        "F f; f.d = 2; f.w = 6; f.a = 3; f.b = 5; f.c = 7; g.a = 1;\n"
        "AT(0, f.a); AT(1, f.b); AT(2, f.c); AT(3, f.d); AT(4, f.w); AT(5, g.a); AT(6, g.b); }\n"
    )
    found = strides(tmp_path / "k.cu")
    assert {number for number, seen in found.items() if all(stride.isdigit() for stride in seen)} == {3, 4}
    assert (found[3], found[4]) == ({"8"}, {"24"})


NAMED = """\
struct P { int a; int s; };
struct W { P p; int n; };
struct A { int a[3]; P q[2]; };
struct D : P { int d; };
union U { int i; unsigned u; };
struct V { U u; int n; };
__device__ inline void change(P &p, int c) { if (c > 1) p.s = 3; }
__device__ inline void raise(int *out, W &w, int c) { for (int j = 0; j < c; ++j) { AT(0, w.p.s); w.p.s += 3; } }
"""


@pytest.mark.parametrize(
    ("parameters", "body", "stride"),
    [
        ("P p", "if (c > 3) p.s = 3; AT(0, p.s);", "4*((3 < c) ? 3 : p.s)"),
        ("W w", "if (c > 3) w.p.s = 3; AT(0, w.p.s);", "4*((3 < c) ? 3 : w.p.s)"),
        ("const P *g", "P p = g[c]; AT(0, p.s);", "4*p.s"),
        ("const P *g", "P p = g[c]; change(p, c); AT(0, p.s);", "4*((1 < c) ? 3 : p.s)"),
        ("const P *g", "P p; p.s = 3; if (c > 3) p = g[c]; AT(0, p.s);", "4*((3 < c) ? p.s : 3)"),
        ("const P *g", "P p = g[c]; for (int j = 0; j < c; ++j) { AT(0, p.s); p.s += 3; }", "4*p.s + 12*j"),
        ("W w", "for (int j = 0; j < c; ++j) { AT(0, w.p.s); w.p.s += 3; }", "4*w.p.s + 12*j"),
        ("W w", "raise(out, w, c);", "4*w.p.s + 12*j"),
        ("const A *g", "A a = g[c]; if (c > 3) a.a[1] = 3; AT(0, a.a[1]);", "4*((3 < c) ? 3 : a.a[1])"),
        ("const A *g", "A a = g[c]; while (c--) { a.q[1].s *= g->a[c]; } AT(0, a.q[1].s);", "4*a.q[1].s"),
        ("D d", "for (int j = 0; j < c; ++j) { AT(0, d.s); d.s += 3; }", "4*d.s + 12*j"),
        ("V v", "for (int j = 0; j < c; ++j) { AT(0, v.u.i + v.u.u); v.u.i += 3; }", "8*v.u + 24*j"),
        ("P p", "auto f = [&](int k) { p.s *= k; }; for (int j = 0; j < c; ++j) f(j); AT(0, p.s);", "4*p.s"),
        ("W w", "P *p = &w.p; for (int j = 0; j < c; ++j) p->s /= 2; AT(0, w.p.s);", "4*w.p.s"),
    ],
)
def test_a_part_is_called_what_the_source_calls_it(tmp_path: Path, parameters: str, body: str, stride: str) -> None:
    (tmp_path / "k.cu").write_text(
        "#define AT(number, place) out[(place) * threadIdx.x] = 1\n"
        f"{NAMED}__global__ void k(int *out, {parameters}, int c) {{ {body} }}\n"
    )
    assert strides(tmp_path / "k.cu") == {0: {stride}}


QUEUE = """\
struct Queue {
    float least, top; float held[3]; float *own, *all; int count, last; int a, b, e;
    __device__ Queue(float *p, int k)
        : least(0), top(1), own(p + 64 * (threadIdx.x / 32)), all(p), count(0), last(k), a(1), b(2), e(3) {}
    __device__ void add(float v) {
        if (v < top) { for (int i = 2; i > 0; --i) held[i] = held[i - 1]; held[0] = v; ++count; }
        if (__any_sync(0xffffffff, count == 3)) { own[threadIdx.x % 32] = held[0]; count = 0; top = own[last]; }
    }
};
__global__ void k(float *out, const float *in, int n, int c) {
    __shared__ float kept[256];
    Queue queue(kept, c);
    for (int i = threadIdx.x; i < n; i += 128) queue.add(in[i]);
    queue.own[2 * (threadIdx.x % 32)] = queue.all[3 * threadIdx.x];
}
void run(float *p) { k<<<1, 128>>>(p, p, 1000, 7); }
"""


def test_an_object_of_many_members_keeps_those_that_a_loop_leaves_alone(tmp_path: Path) -> None:
    found = {access.expression: outcome(access) for access in accesses(check(tmp_path, QUEUE))}
    assert found["queue.own[2 * (threadIdx.x % 32)]"] == "8"
    assert found["queue.all[3 * threadIdx.x]"] == "12"
