"""Of a struct that is copied into a variable those members are loaded that are used, as nvcc's machine code shows."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from cuda_compiler import compile_to_cubin, disassemble, find_compiler
from expectations import Op
from outcomes import accesses, check
from partly_used import program
from project import Project


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_the_loads_are_those_of_the_machine_code(seed: int, tmp_path: Path) -> None:
    source, cubin = tmp_path / "k.cu", tmp_path / "k.cubin"
    source.write_text(program(seed, 60))
    compiler = find_compiler()
    compile_to_cubin(compiler, source, cubin)
    counted: dict[str, Counter[int]] = {f"k{number}": Counter() for number in range(60)}
    for instruction in disassemble(compiler, cubin, source):
        kernel = re.match(r"_Z\d+(k\d+)P", instruction.function)
        assert kernel is not None
        counted[kernel[1]].update(width for _, op, width in instruction.accesses if op is Op.LOAD)
    found: dict[str, Counter[int]] = {kernel: Counter() for kernel in counted}
    for access in accesses(check(tmp_path, source.read_text())):
        if access.op.value == "load":
            found[access.kernel][access.bytes] += 1
    assert found == counted


WHOLE = {
    "its address is taken": "float4 t = p[i]; float *f = &t.x; o[i] = f[n];",
    "the address of a reference to a member is taken": "float4 t = p[i]; float &r = t.x; float *f = &r; o[i] = f[n];",
    "it is set twice": "float4 t = p[i]; float s = t.x; t = p[i + n]; o[i] = s + t.z;",
    "a member is a struct of which all is used": "Two t = two[i]; float2 &u = t.a; o[i] = u.x + u.y + t.b.x + t.b.y;",
    "it is handed to what is not seen": "float4 t = p[i]; seen(t); o[i] = t.x;",
    "it is stored": "float4 t = p[i]; t.x += 1; *(float4 *)(o + 4 * i) = t;",
    "a method is not seen": "float4 t = p[i]; o[i] = t.x + unknown(&t);",
    "nothing is used": "float4 t = p[i];",
}


@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
def test_all_is_loaded_where_more_may_be_used(body: str, tmp_path: Path) -> None:
    source = (
        "struct __align__(16) Two { float2 a, b; }; __device__ void seen(float4 &t);\n"
        "__global__ void k(float *o, const float4 *p, int n) "
        f"{{ const Two *two = (const Two *)p; int i = threadIdx.x; {body} }}\n"
    )
    found = [access for access in accesses(check(tmp_path, source)) if access.memory and access.memory.name == "p"]
    assert {access.bytes for access in found} == {16}


NARROW = {
    "a reference": "const float4 t = p[i]; const float4 &u = t; o[i] = u.y;",
    "a cached load": "float4 t = __ldg(p + i); o[i] = t.y;",
    "a member of what a function returns": "o[i] = at(p, i).y;",
    "a lambda that copies": "float4 t = p[i]; auto f = [=] { return t.y; }; o[i] = f();",
    "another variable": "float4 t = p[i]; float4 u = t; o[i] = u.y;",
    "a condition": "float4 t = p[i]; if (n > 3) o[i] = t.y;",
    "a structured binding": "auto [x, y, z, w] = p[i]; o[i] = y;",
    "a reference to a member": "float4 t = p[i]; float &y = t.y, &z = t.z; y += 1; o[i] = y;",
    "a loop": "for (int j = 0; j < n; ++j) { float4 t = p[i + j * 32]; o[i] += t.y; }",
}


@pytest.mark.parametrize("body", NARROW.values(), ids=NARROW)
def test_one_member_is_one_narrow_load(body: str, tmp_path: Path) -> None:
    source = (
        "__device__ float4 at(const float4 *p, int i) { return p[i]; }\n"
        f"__global__ void k(float *o, const float4 *p, int n) {{ int i = threadIdx.x; {body} }}\n"
    )
    found = [access for access in accesses(check(tmp_path, source)) if access.memory and access.memory.name == "p"]
    assert {(access.bytes, access.strides[0], access.address.offset_bytes) for access in found} == {(4, 16, 4)}


def test_one_finding_speaks_of_the_members_that_are_used(project: Project) -> None:
    project.put(
        "k.cu",
        "struct P { float a, b, c, d, e, f; };\n__global__ void k(float *o, const P *p) "
        "{ P t = p[threadIdx.x]; o[threadIdx.x] = t.b + t.d; }\nvoid run(float *o, P *p) { k<<<1, 256>>>(o, p); }\n",
    )
    (finding,) = project.lint(".").report["diagnostics"]
    assert finding["code"] == "COA102"
    assert "copies `P`, of which only `b` and `d` are used: each of their 2 loads takes 24" in finding["message"]
    assert (
        "are 24 bytes apart and use 8 of them; nvcc loads only the fields of the copy that are used"
        in finding["notes"][0]["message"]
    )


def test_where_most_is_used_the_finding_is_that_of_a_copy_in_pieces(project: Project) -> None:
    project.put(
        "k.cu",
        "struct P { float a, b, c, d; };\n__global__ void k(float *o, const P *p) "
        "{ P t = p[threadIdx.x]; o[threadIdx.x] = t.a + t.b + t.d; }\n"
        "void run(float *o, P *p) { k<<<1, 256>>>(o, p); }\n",
    )
    (finding,) = project.lint(".").report["diagnostics"]
    assert finding["code"] == "COA108"
    assert "moves the used fields of `P` (`a`, `b` and `d`) in 3 pieces of 4 bytes" in finding["message"]
    assert "each lane then moves its 16 bytes in one access" in finding["help"]


ARRAYS = """
struct P { float a, b[5], c, d; }; struct M { float m[3][3]; float t[3]; }; struct S { P p[2]; int n; };
struct Q { int m, n; const int *q; };
__device__ float row(const M &t, int n) { float s = 0; for (int i = 0; i < 3; ++i) s += t.m[n][i]; return s; }
__device__ float some(const P &t) { float s = 0; for (int i = 0; i < 3; ++i) s += t.b[i]; return s; }
__device__ float turn(const M &t) { float s = 0; for (int i = 0; i < 3; ++i) s += t.m[i][i] * t.t[2 - i]; return s; }
__device__ float all(const P &t) { float s = t.d; for (int i = 0; i < 5; ++i) s += t.b[i]; return s; }
"""


@pytest.mark.parametrize(
    ("type_", "used", "offsets"),
    [
        ("P", "t.b[0] + t.b[2]", {4, 12}),
        ("P", "t.b[LAST]", {20}),
        ("M", "t.m[0][1] + t.m[2][2] + t.t[1]", {4, 32, 40}),
        ("S", "t.p[1].b[1] + t.n", {40, 64}),
        ("P", "t.b[n]", set(range(0, 32, 4))),
        ("P", "t.b[threadIdx.y] + t.c", set(range(0, 32, 4))),
        ("M", "row(t, n)", set(range(0, 48, 4))),
        ("P", "all(t)", {4, 8, 12, 16, 20, 28}),
        ("P", "some(t)", {4, 8, 12}),
        ("M", "turn(t)", {0, 16, 32, 36, 40, 44}),
        ("Q", "t.q[n] + t.q[threadIdx.x]", {8}),
    ],
)
def test_of_an_array_the_elements_that_are_used_are_loaded(
    type_: str, used: str, offsets: set[int], tmp_path: Path
) -> None:
    """As nvcc 13 does it for sm_90; where the index is not known it loads all of the struct."""
    source = (
        f"{ARRAYS}constexpr int LAST = 4;\n__global__ void k(float *o, const {type_} *p, int n) "
        f"{{ {type_} t = p[threadIdx.x]; o[threadIdx.x] = {used}; }}\n"
    )
    found = [access for access in accesses(check(tmp_path, source)) if access.memory and access.memory.name == "p"]
    assert {access.address.offset_bytes for access in found} == offsets
    assert {access.bytes for access in found} == ({8} if type_ == "Q" else {4})


@pytest.mark.parametrize(
    "body",
    [
        "{ s += t.b[i]; i += 1; }",
        "{ step(&i); s += t.b[i]; }",
        "{ int &j = i; ++j; s += t.b[i]; }",
        "{ auto f = [&] { ++i; }; f(); s += t.b[i]; }",
    ],
)
def test_all_elements_are_loaded_where_a_body_changes_the_counter(body: str, tmp_path: Path) -> None:
    source = (
        f"{ARRAYS}__device__ void step(int *i) {{ *i += 1; }}\n__global__ void k(float *o, const P *p) "
        f"{{ P t = p[threadIdx.x]; float s = 0; for (int i = 0; i < 2; ++i) {body} o[threadIdx.x] = s; }}\n"
    )
    found = [access for access in accesses(check(tmp_path, source)) if access.memory and access.memory.name == "p"]
    assert {access.address.offset_bytes for access in found} == {4, 8, 12, 16, 20}


@pytest.mark.parametrize(
    ("struct", "body", "said"),
    [
        (
            "float a, b[5], c, d;",
            "s = t.b[0] + t.b[2];",
            "only `b[0]` and `b[2]` are used: each of their 2 loads",
        ),
        ("A a[3]; float c;", "for (int i = 0; i < 2; ++i) s += t.a[i].x;", "only `a[0].x` and `a[1].x` are used"),
        ("A a[3]; float c;", "const A *q = t.a; s = q[1].x;", "the used fields of `P` (`a`) in 9 pieces"),
    ],
)
def test_elements_of_an_array_are_named_once(struct: str, body: str, said: str, project: Project) -> None:
    project.put(
        "k.cu",
        f"struct A {{ float x, y, z; }}; struct P {{ {struct} }};\n__global__ void k(float *o, const P *p) "
        f"{{ P t = p[threadIdx.x]; float s = 0; {body} o[threadIdx.x] = s; }}\n"
        "void run(float *o, P *p) { k<<<1, 256>>>(o, p); }\n",
    )
    (finding,) = project.lint(".", "--show-info").report["diagnostics"]
    assert said in finding["message"]


def test_what_is_constant_is_named_without_that(project: Project) -> None:
    project.put(
        "k.cu",
        "template <class T> struct Holder { const T *at; __device__ int y() const { const T t = *at; return t.y; } };\n"
        "__global__ void k(int *o, const int2 *p) "
        "{ Holder<int2> h{p + threadIdx.x}; o[threadIdx.x] = h.y(); }\n"
        "void run(int *o, int2 *p) { k<<<1, 256>>>(o, p); }\n",
    )
    (finding,) = project.lint(".").report["diagnostics"]
    assert "copies `int2`, of which only `y` is used, and takes 8 sectors per request (ideal: 4)" in finding["message"]
