"""Base classes: where they lie, held against the host's compiler, and what the analysis makes of them."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from clang.cindex import CursorKind
from cuda_compiler import host_compiler
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.frontend.cuda.libclang.parse import parse
from coalint.frontend.cuda.lowering.objects.bases import Bases
from coalint.machine.architecture import architecture

FIELDS = ("char", "short", "int", "double", "float *", "char", "float")


def hierarchies(seed: int, count: int) -> tuple[str, list[tuple[str, str]]]:
    """Random classes as source, and the pairs of a class and one that it may be converted to."""
    rng = random.Random(seed)
    lines: list[str] = []
    above: dict[str, list[str]] = {}
    for number in range(count):
        name = f"c{number}"
        parents: list[str] = []
        for parent in rng.sample(sorted(above), min(len(above), rng.choice((0, 0, 1, 1, 2, 3)))):
            taken = {other for known in parents for other in (known, *above[known])}
            if not taken & {parent, *above[parent]}:
                parents.append(parent)
        fields = " ".join(f"{rng.choice(FIELDS)} f{i};" for i in range(rng.choice((0, 0, 1, 2, 3))))
        method = rng.choice(("", "", "", f"virtual ~{name}() {{}} ", f"{name}() {{}} ", "int g() const { return 1; } "))
        heads = f" : {', '.join(parents)}" if parents else ""
        lines.append(f"struct {name}{heads} {{ {method}{fields} }};")
        above[name] = [*parents, *(other for parent in parents for other in above[parent])]
    return "\n".join(lines), [(name, base) for name, bases in above.items() for base in bases]


@pytest.mark.parametrize("seed", range(4))
def test_offsets_are_the_compilers(tmp_path: Path, seed: int) -> None:
    source, pairs = hierarchies(seed, 60)
    file = tmp_path / "offsets.cpp"
    prints = "\n".join(
        f'  {{ auto *p = reinterpret_cast<{a} *>(4096); std::printf("%ld\\n", long(static_cast<{b} *>(p)) - 4096); }}'
        for a, b in pairs
    )
    file.write_text(f"#include <cstdio>\n{source}\nint main() {{\n{prints}\n}}\n")
    subprocess.run([host_compiler(), "-w", "-O0", "-o", str(tmp_path / "offsets"), str(file)], check=True)
    said = subprocess.run([str(tmp_path / "offsets")], check=True, capture_output=True, text=True).stdout.split()
    unit = parse("offsets.cu", (), source)
    classes = {c.spelling: c for c in unit.cursor.get_children() if c.kind == CursorKind.STRUCT_DECL}
    bases = Bases()
    found = [bases.offset(classes[a], classes[b]) for a, b in pairs]
    assert all(derives for derives, _ in found)
    wrong = [(p, at, int(o)) for p, (_, at), o in zip(pairs, found, said, strict=True) if at not in (None, int(o))]
    assert not wrong, source
    assert sum(at is not None for _, at in found) > 0.7 * len(pairs) > 20
    assert bases.offset(classes["c0"], classes["c1"]) == (False, None)


def strides(tmp_path: Path, source: str) -> dict[str, str | None]:
    file = tmp_path / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return {a.expression: a.stride if a.result.unknown is None else a.result.unknown for a in kernel.analysis.accesses}


TWO = "struct A { int a; };\nstruct B { int b; float v[3]; };\nstruct C : A, B { int c; };\n"


def test_members_of_several_bases_do_not_share_their_place(tmp_path: Path) -> None:
    body = "int t = threadIdx.x; C c; c.a = t; c.b = 2 * t; c.c = 4 * t;\n"
    helpers = (
        "__device__ int by_reference(const B &b) { return b.b; }\n"
        "__device__ int by_pointer(const B *b) { return b->b; }\n"
    )
    uses = "out[c.a] = 1; out[c.b] = 2; out[c.c] = 3; out[by_reference(c)] = 4; out[by_pointer(&c)] = 5;"
    assert strides(tmp_path, f"{TWO}{helpers}__global__ void k(float *out) {{\n{body}{uses}\n}}\n") == {
        "out[c.a]": "4",
        "out[c.b]": "8",
        "out[c.c]": "16",
        "out[by_reference(c)]": "8",
        "out[by_pointer(&c)]": "8",
    }


def test_constructors_of_bases_are_run(tmp_path: Path) -> None:
    classes = (
        "template <class T> struct Span { const T *data; int step;\n"
        "  __device__ Span(const T *p, int s) : data(p), step(s) {}\n"
        "  __device__ T at(int i) const { return data[i * step]; } };\n"
        "struct Head { int first; __device__ Head(int f) : first(f) {}\n"
        "  __device__ int get() const { return first; } };\n"
        "template <class T> struct View : Head, Span<T> {\n"
        "  __device__ View(const T *p, int f) : Head(f), Span<T>(p, 3) {}\n"
        "  __device__ T second(int i) const { return this->data[i * this->step + get()]; } };\n"
    )
    kernel = (
        "__global__ void k(float *out, const float *in) {\n"
        "  int t = threadIdx.x; View<float> v(in, 2 * t);\n  out[t] = v.at(t) + v.second(t);\n  out[v.first] = 1;\n}\n"
    )
    assert strides(tmp_path, classes + kernel) == {
        "data[i * step]": "12",
        "this->data[i * this->step + get()]": "20",
        "out[t]": "4",
        "out[v.first]": "8",
    }


def test_a_virtual_base_is_not_followed(tmp_path: Path) -> None:
    source = (
        "struct A { int a; };\nstruct B : virtual A { int b; };\n"
        "__global__ void k(float *out, B *b) { out[b->a + threadIdx.x] = 1; }\n"
    )
    found = strides(tmp_path, source)
    assert found["b->a"] == "where `A` and `B` lie in one another is not known"


INSTANCES = """
struct P { float *w; int n; };
template <class T, int A, int B> struct R;
template <class T, int A> struct R<T, A, 1> {
    int warp_;
    template <class Q> __device__ R(Q &q, int warp) : warp_(warp) {}
};
template <class T, int A, int B> struct R : public R<T, A, 1> {
    T *s_;
    template <class Q> __device__ R(Q &q, int warp) : R<T, A, 1>(q, warp) { s_ = q.w + 32 * warp; }
};
template <class T, int B> struct R<T, 9, B> : public R<T, 8, B> {
    template <class Q> __device__ R(Q &q, int warp) : R<T, 8, B>(q, warp) {}
};
__global__ void __launch_bounds__(128) k(P p) {
    R<float, 2, 4> r(p, threadIdx.x / 32);
    r.s_[threadIdx.x] = 1;
    p.w[r.warp_] = 1;
    p.w[threadIdx.x] = 1;
    R<float, 9, 4> q(p, threadIdx.x / 32);
    p.w[q.warp_] = 1;
}
"""


def test_an_instance_may_derive_from_another_of_its_template(tmp_path: Path) -> None:
    assert strides(tmp_path, INSTANCES) == {
        "r.s_[threadIdx.x]": "4",
        "p.w[r.warp_]": "0",
        "p.w[threadIdx.x]": "4",
        "p.w[q.warp_]": "where `R` and `R` lie in one another is not known",  # the base of its base
    }


PACKED = """
template <class T, class S, S... N> class W;
template <class T, class S, S... N> class W<const T, S, N...> {
public:
    int of() const { return sizeof...(N); }
protected:
    template <class... A> __device__ const T *get(A... c) const {
        constexpr S known[] = {N...};
        S at[] = {S(c)...}, offset = 0;
        for (int i = 0; i < RUNTIME; ++i) offset += at[i] * strides[i];
        for (int i = RUNTIME; i < int(sizeof...(N)); ++i) offset += at[i] * known[i];
        return reinterpret_cast<const T *>(bytes + offset);
    }
    const char *bytes = nullptr;
    S strides[RUNTIME] = {};
};
template <class T, class S, S... N> class W : public W<const T, S, N...> {
    using Base = W<const T, S, N...>;
public:
    template <class... A> __device__ T *ptr(A... c) const { return const_cast<T *>(Base::get(c...)); }
};
template <class V> __global__ void __launch_bounds__(128) k(V w, const int *index, int n) {
    *w.ptr(PLACE) = 1;
}
template __global__ void k(W<float, long long, STRIDES>, const int *, int);
"""


@pytest.mark.parametrize(
    ("runtime", "strides_", "place", "stride"),
    [
        (1, "-1, 4", "blockIdx.y, threadIdx.x", "4"),
        (1, "-1, 12", "n, threadIdx.x", "12"),
        (2, "-1, -1, 8", "n, blockIdx.x, 2 * threadIdx.x", "16"),
        (2, "-1, -1, 8", "n, index[blockIdx.x], threadIdx.x", "8"),
    ],
)
def test_an_instance_with_a_pack_may_derive_from_another(
    tmp_path: Path, runtime: int, strides_: str, place: str, stride: str
) -> None:
    source = PACKED.replace("RUNTIME", str(runtime)).replace("STRIDES", strides_).replace("PLACE", place)
    assert strides(tmp_path, source)[f"*w.ptr({place})"] == stride
