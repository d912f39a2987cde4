"""Structs and arrays hold what C++ initializes them with: the host's compiler says what that is."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from amounts import first
from cuda_compiler import host_compiler
from project import shared_headers

from coalint.core.facts.access import Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

HOST = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#define __device__
struct int4 { int x, y, z, w; };
"""
NUMBERS = ("int", "short", "long long", "unsigned char")


def found(path: Path, head: str, body: str, values: list[str], *flags: str) -> list[tuple[str, str | None]]:
    """What coalint takes each value for: the stride in bytes of an index that it is a factor of, or why it has none."""
    stores = "".join(f"  o[threadIdx.x * ({value})] = 1;\n" for value in values)
    path.write_text(f"{head}\n__global__ void k(char *o) {{\n{body}\n{stores}}}\n")
    result = check_file(
        Source(str(path), flags), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers())
    )
    analysis = result.checked[0].analysis
    assert analysis is not None
    stored = [access for access in analysis.accesses if access.op is Operation.STORE]
    accesses = sorted(stored, key=lambda access: access.span)
    assert len(accesses) == len(values)
    return [(access.stride, access.result.unknown) for access in accesses]


def printed(folder: Path, text: str, *arguments: str) -> list[str]:
    """What a program of the host prints."""
    (folder / "host.cpp").write_text(text)
    options = ("-std=c++20", "-w", "-fpermissive", "-O0", "-fno-lifetime-dse")
    subprocess.run([host_compiler(), *options, "-o", folder / "host", folder / "host.cpp"], check=True)
    run = subprocess.run([folder / "host", *arguments], capture_output=True, text=True, check=True)
    return run.stdout.split()


# --- cases by name: definitions, declarations, and the values to ask for

STRUCTS = """struct P { int a; int s = 4; };
struct Q { int a; int s; };
struct B { int s = 2; };
struct D : B { int a = 7; };
struct C { int s = 8; int a; __device__ C(int x) : a(x) {} __device__ C() {} };
struct E { P p; int z = 3; };
struct F { int s = 8; int a; F() = default; };
template <typename T> struct G { T s = 8; T v{5}; };
template <typename T> struct T1 { T a = 1; T b; __device__ T1() {} };
struct I { int n; int m = n * 2; __device__ I(int x) : n(x) {} };
struct J { int n; int m = n * 2; int l = m + n; };
struct K { J j; int q = 9; };
struct M { P p; C c; int k; P pp[2]; J j; __device__ M(int x) : p(), k{x}, j{x} {}
  __device__ M() : M(3) {} __device__ M(float) : p{1}, k() {} };
struct O { int w = 6; int e; };
struct O1 : O { int x = 5; __device__ O1() {} __device__ O1(int i) : O{i, 2} {} __device__ O1(float) : O() {} };
struct U { union { int x; float y; }; struct { int u, v = 6; }; int w = 3; int arr[3]; };
struct R { Q q; int t[2]; };
struct A1 { G<int> g[3]; T1<int> t; int *p = nullptr; float f; int last; };
class V { int hidden; public: int q = 3; __device__ int get() const { return hidden; } };
struct N1 { int b : 3; int : 2; int c : 4; int d; };
struct N2 { int h; struct { int i = 4; int j = 5; }; };
struct W { const Q &r; int z; };
struct Y { int s; __device__ Y(int x) : s(x + 1) {} __device__ Y(const Y &y) : s(y.s + 10) {} };
"""
CASES = {
    "a designator": ("Q x = {.s = 3};", "x.s x.a"),
    "nothing given": ("Q x{5}; Q y = Q(); Q z{};", "x.s y.s z.a"),
    "elided braces": (
        "Q x[2] = {1, 2, 3, 4}; int m[2][2] = {1, 2, 3, 4}; R r = {1, 2, 3};",
        "x[1].s m[1][0] r.t[0] r.t[1]",
    ),
    "an object among elided braces": ("Q a{8, 9}; R r = {a, 1, 2}; Q h[2] = {a, 1, 2};", "r.q.s r.t[1] h[0].a h[1].a"),
    "in-class initializers": (
        "P b{0}; P c{}; P d; P f = P(); P g{1, 2}; auto h = P{1};",
        "b.s c.s c.a d.s f.s f.a g.s h.a h.s P{2}.s P{}.a P().s",
    ),
    "bases": ("D i; D j{}; D k{{1}, 2}; D l{1, 2};", "i.s i.a j.s j.a k.s k.a l.s l.a"),
    "constructors": ("C l(1); C n; I y(4);", "l.s l.a n.s y.m"),
    "constructors of members": (
        "M m(5); M n; M l(1.f);",
        "m.p.s m.p.a m.c.s m.k m.pp[1].s m.j.m m.j.l n.p.s n.k l.p.a l.p.s l.k",
    ),
    "constructors of bases": ("O1 d; O1 e(9); O1 f(1.f);", "d.w d.x e.w e.e e.x f.w f.e"),
    "nested": ("E q; E r{}; E s{{1}};", "q.p.s q.z r.p.s r.p.a r.z s.p.a s.p.s s.z"),
    "defaulted": ("F u; F v{}; F w = F();", "u.s v.s v.a w.a"),
    "templates": (
        "G<int> w; G<int> x{}; A1 a{}; A1 b{{{1}, {2, 3}}}; A1 c;",
        "w.s w.v x.s x.v a.g[2].v a.t.a a.last b.g[0].v b.g[1].v b.g[2].s b.t.a c.g[1].s c.t.a",
    ),
    "arrays": (
        "P x[2] = {{1}, {2}}; P y[2]; C z[2][3]; C w[2] = {1, C(3)}; C v[2] = {{1}, {}};",
        "x[1].a x[0].s y[1].s z[1][2].s w[0].a w[0].s w[1].a v[0].a v[1].s",
    ),
    "large arrays": (
        "int x[100] = {1, 2}; P y[40] = {{7}}; R z[50] = {1, 2, 3}; G<int> w[200];",
        "x[1] x[50] y[0].a y[0].s y[30].a y[30].s z[0].t[0] z[0].t[1] z[9].q.s w[199].v",
    ),
    "members of members": (
        "J j{4}; K k{{5}}; K l{6, 7, 8}; J m[2] = {{1}, {3}}; N2 n{5};",
        "j.m j.l k.j.m k.q l.j.m l.j.l l.q m[1].l n.i n.j",
    ),
    "nameless members": (
        "U x = {1, {2, 3}, 4, {5, 6}}; U y = {.y = 1.0f, .u = 3, .arr = {1}}; U z{};",
        "x.x x.v x.w x.arr[1] x.arr[2] y.u y.v y.w y.arr[0] y.arr[2] z.x z.u z.v",
    ),
    "vectors": ("int4 f = {}; int4 g{1, 2}; int h[4] = {}; int n{4}; int z{};", "f.z g.y g.z h[2] n z"),
    "a long table": (f"const int x[3000] = {{{', '.join(str(i % 7) for i in range(2990))}}};", "x[5] x[2989] x[2999]"),
    "designators": (
        "R x = {.t = {1, 2}}; R y = {.q = {.s = 4}, .t = {5}}; P z = {.a = 3};",
        "x.q.s x.t[1] y.q.s y.t[1] z.s",
    ),
    "compound literals": ("Q x = (Q){1, 2};", "x.s"),
    "not public": ("V x{}; V y = V(); V z;", "x.get() x.q y.get() z.q"),
    "bit-fields": ("N1 n{1, 2, 3};", "n.d"),
    "references": ("Q q{4, 5}; W w{q, 2}; const Q &r = Q{6, 7};", "w.z r.s"),
    "copies": ("Y y(1); Y z[2] = {y, Y(5)};", "z[0].s z[1].s"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_case(name: str, tmp_path: Path) -> None:
    body, asked = CASES[name]
    values = asked.split()
    prints = "".join(f'  std::printf("%lld ", (long long)({value}));\n' for value in values)
    expected = printed(tmp_path, f"{HOST}{STRUCTS}int main() {{\n{body}\n{prints}}}\n")
    assert found(tmp_path / "k.cu", STRUCTS, body, values) == [(value, None) for value in expected]


def test_parentheses(tmp_path: Path) -> None:
    body, values = "P p(1); Q q(1); P z[2](P(5, 6)); R r(Q(1, 2));", ["p.a", "p.s", "q.s", "z[0].s", "z[1].s", "r.t[1]"]
    known = [("1", None), ("4", None), ("0", None), ("6", None), ("4", None), ("0", None)]
    assert found(tmp_path / "k.cu", STRUCTS, body, values, "-std=c++20") == known


def test_what_is_not_known_is_said(tmp_path: Path) -> None:
    head = STRUCTS + "template <typename T> struct H : G<T> { T z = 1; };\nstruct X { Missing m; int a; };\n"
    body = "H<int> h{}; N1 n{1, 2, 3}; X x{{}, 3}; Q q; W w{q};"
    strides = found(tmp_path / "k.cu", head, body, ["h.v", "n.b", "x.a", "q.s"])
    assert strides == [
        ("?", "the layout of `H` is not known"),
        ("?", "`n.b` is a bit-field, and these are not followed"),
        ("?", "index loaded from memory (`x.a`)"),
        ("?", "`q.s` is read before it is given a value"),
    ]


# --- random structs


@dataclass
class Struct:
    """A struct of the program; `leaves` are the paths to its integers, `elements` what braces list: type, name, extent.

    `partial`: a constructor may leave some of it without a value.
    """

    name: str
    text: str = ""
    leaves: list[str] = field(default_factory=list)
    elements: list[tuple[str, str, int]] = field(default_factory=list)
    aggregate: bool = True
    constructible: tuple[int, ...] = ()
    designable: bool = True
    partial: bool = False


class Program:
    """Random structs, each of those before it, and objects of them."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.structs: dict[str, Struct] = {}
        for number in range(6):
            struct = self.struct(number)
            self.structs[struct.name] = struct
        self.objects = self._objects()

    def struct(self, number: int) -> Struct:
        rng = self.rng
        made = Struct(f"S{number}")
        kind = rng.choice(("plain", "plain", "template", "base", "constructor", "defaulted"))
        lines: list[str] = []
        bases = list(self.structs.values())
        base = rng.choice(bases) if bases and kind in ("base", "constructor") and rng.random() < 0.8 else None
        if base is not None:
            made.leaves.extend(base.leaves)
            made.elements.append((base.name, "", 0))
            made.designable, made.partial = False, base.partial
        integers: list[str] = []
        for position in range(rng.randint(1, 4)):
            self.member(made, f"m{number}_{position}", lines, integers, kind == "template")
        if kind == "constructor":
            named = [name for name in integers if rng.random() < 0.5]
            given = ", ".join(f"{name}(x + {i})" for i, name in enumerate(named))
            lines.append(f"__device__ {made.name}(int x){' : ' if given else ''}{given} {{}}")
            lines.append(f"__device__ {made.name}() {{}}" if rng.random() < 0.6 else f"{made.name}() = default;")
            changed = f"{integers[0]} += y;" if integers and integers[0] in named else ""
            lines.append(f"__device__ {made.name}(int x, int y) : {made.name}(x + 1) {{ {changed} }}")
            made.aggregate, made.partial, made.constructible = False, True, (1, 2)
        elif kind == "defaulted":
            lines.append(f"{made.name}() = default;")
            made.aggregate = False
        inherits = f" : {base.name}" if base is not None else ""
        if kind == "template":
            head, tail = f"template <typename T> struct X{number}", f"using {made.name} = X{number}<int>;\n"
        else:
            head, tail = f"struct {made.name}{inherits}", ""
        made.text = f"{head} {{ {' '.join(lines)} }};\n{tail}"
        return made

    def member(self, made: Struct, name: str, lines: list[str], integers: list[str], template: bool) -> None:
        rng = self.rng
        kind = rng.choice(("number", "number", "number", "float", "array", "struct", "structs", "union", "nameless"))
        if kind in ("struct", "structs") and not self.structs:
            kind = "array"
        if kind == "number":
            type_ = "T" if template and rng.random() < 0.6 else rng.choice(NUMBERS)
            value = str(rng.randint(1, 9))
            if integers and rng.random() < 0.4:
                value = f"static_cast<{type_}>({rng.choice(integers)} + {value})"
            given = rng.choice(("", f" = {value}", f"{{{value}}}"))
            lines.append(f"{type_} {name}{given};")
            made.leaves.append(name)
            made.elements.append(("number", name, 0))
            integers.append(name)
        elif kind == "float":
            lines.append(f"float {name};")
            made.elements.append(("number", name, 0))
        elif kind == "array":
            count = rng.randint(1, 3)
            given = rng.choice(("", "", " = {1}", "{}", " = {2, 3}" if count > 1 else ""))
            lines.append(f"int {name}[{count}]{given};")
            made.leaves.extend(f"{name}[{k}]" for k in range(count))
            made.elements.append(("number", name, count))
        elif kind in ("struct", "structs"):
            inner = rng.choice(list(self.structs.values()))
            count = rng.randint(1, 3) if kind == "structs" else 0
            made.partial |= inner.partial
            given = f" = {self.braces(inner.name)}" if rng.random() < 0.3 and not count else ""
            lines.append(f"{inner.name} {name}{f'[{count}]' if count else ''}{given};")
            places = [f"{name}[{k}]" for k in range(count)] if count else [name]
            made.leaves.extend(f"{place}.{leaf}" for place in places for leaf in inner.leaves)
            made.elements.append((inner.name, name, count))
        elif kind == "union":
            given = rng.choice(("", f" = {rng.randint(1, 9)}"))
            lines.append(f"union {{ int {name}{given}; float {name}f; }};")
            made.leaves.append(name)
            made.elements.append(("braced", name, 1))
            integers.append(name)
        else:
            given = rng.choice(("", f" = {rng.randint(1, 9)}"))
            lines.append(f"struct {{ short {name}a; int {name}b{given}; }};")
            made.leaves.extend((f"{name}a", f"{name}b"))
            made.elements.append(("braced", "", 2))

    def number(self) -> str:
        return str(self.rng.randint(0, 9))

    def braces(self, name: str) -> str:
        """A braced list for a struct."""
        rng, struct = self.rng, self.structs[name]
        if not struct.aggregate:
            count = rng.choice((0, *struct.constructible))
            return f"{{{', '.join(self.number() for _ in range(count))}}}"
        if struct.designable and rng.random() < 0.25:
            chosen = [element for element in struct.elements if element[1] and rng.random() < 0.6]
            return f"{{{', '.join(f'.{e[1]} = {self.element(e, elide=False)}' for e in chosen)}}}"
        count = rng.randint(0, len(struct.elements))
        return f"{{{', '.join(self.element(element) for element in struct.elements[:count])}}}"

    def element(self, element: tuple[str, str, int], elide: bool = True) -> str:
        type_, _, count = element
        rng = self.rng
        if elide and rng.random() < 0.35:
            flat = self.flat(element)
            if flat:
                return ", ".join(flat)
        if type_ == "braced":
            single = count == 1 and not elide  # after a designator that names the union's member itself
            return self.number() if single else f"{{{', '.join(self.number() for _ in range(rng.randint(1, count)))}}}"
        if count:
            few = rng.randint(0, count)
            one = self.number if type_ == "number" else lambda: self.whole(type_)
            return f"{{{', '.join(one() for _ in range(few))}}}"
        return self.number() if type_ == "number" else self.whole(type_)

    def whole(self, name: str) -> str:
        """A struct in another list."""
        struct = self.structs[name]
        if not struct.aggregate and struct.constructible and self.rng.random() < 0.5:
            return f"{name}({self.number()})"
        return self.braces(name) if self.rng.random() < 0.8 else f"{name}{self.braces(name)}"

    def flat(self, element: tuple[str, str, int]) -> list[str]:
        """All of an element without its braces; empty where there is nothing to leave out."""
        type_, _, count = element
        if type_ in ("number", "braced"):
            return [self.number() for _ in range(max(1, count))]
        struct, values = self.structs[type_], list[str]()
        for _ in range(max(1, count)):
            if not struct.aggregate:
                values.append(f"{type_}({self.number()})" if struct.constructible else f"{type_}()")
                continue
            for inner in struct.elements:
                values.extend(self.flat(inner))
        return values

    def _objects(self) -> list[tuple[str, str, str]]:
        """Objects: their types, names, and initializers (empty for none, or braces or parentheses)."""
        made: list[tuple[str, str, str]] = []
        for struct in self.structs.values():
            ways = ["", "()", "{}", *(self.braces(struct.name) for _ in range(3))]
            ways.extend(f"({', '.join(self.number() for _ in range(n))})" for n in struct.constructible)
            for way in ways:
                made.append((struct.name, f"x{len(made)}", way))
        return made


@pytest.mark.slow
@pytest.mark.parametrize("seed", first(range(12), 3))
def test_random_structs_hold_what_the_host_compiler_puts_there(seed: int, tmp_path: Path) -> None:
    program = Program(seed)
    head = "".join(struct.text for struct in program.structs.values())
    lines, declarations, asked = [], [], []
    for type_, name, way in program.objects:
        lines.append(f"  {{ std::memset(raw, fill, sizeof raw); auto &{name} = *new (raw) {type_}{way};")
        declarations.append(f"  {type_} {name}{f' = {type_}()' if way == '()' else way};")
        for leaf in program.structs[type_].leaves:
            lines.append(f'  std::printf("%lld ", (long long){name}.{leaf});')
            asked.append(f"{name}.{leaf}")
        lines.append("  }")
    main = "int main(int, char **given) {\n  alignas(64) static char raw[65536]; int fill = std::atoi(given[1]);\n"
    text = f"{HOST}{head}{main}" + "\n".join(lines) + "\n}\n"
    first, second = printed(tmp_path, text, "17"), printed(tmp_path, text, "34")
    sure = [position for position, value in enumerate(first) if value == second[position]]
    assert len(sure) > len(asked) // 3
    values = [asked[position] for position in sure]
    strides = found(tmp_path / "k.cu", head, "\n".join(declarations), values)
    told = dict(zip(values, strides, strict=True))
    objects = {name: (type_, way) for type_, name, way in program.objects}
    for value, (_, unknown) in told.items():  # g++ sets some to zero that the standard leaves without a value
        type_, way = objects[value.partition(".")[0]]
        unset = unknown is not None and unknown.endswith("is read before it is given a value")
        if unset and (not way or program.structs[type_].partial):
            told[value] = first[asked.index(value)], None
    assert told == {asked[position]: (first[position], None) for position in sure}
