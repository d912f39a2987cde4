"""Structured bindings name the parts of their object, and what cannot be told is unknown rather than uniform."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from cuda_compiler import host_compiler
from evaluated import access, accesses, barriers, count, sectors

from coalint.core.facts.synchronization import Verdict

HEAD = """\
struct P { int a; int s; };
struct W { P p; int n[2]; };
struct View {
    P *p;
    __device__ P *begin() const { return p; }
    __device__ P *end() const { return p + 2; }
};
__device__ inline P made(int c) { return P{c, 5}; }
"""
BODIES = (
    "P p{2, 3}; auto [a, s] = p; p.s = 7; AT(s + a);",
    "P p{2, 3}; auto &[a, s] = p; p.s = 7; AT(s + a);",
    "P p{2, 3}; auto &[a, s] = p; s = 4; AT(p.s);",
    "P p{2, 3}; auto [a, s] = p; s = 4; AT(p.s + s);",
    "W w{{1, 2}, {3, 4}}; const auto &[p, n] = w; AT(p.s + n[1]);",
    "W w{{1, 2}, {3, 4}}; auto &[p, n] = w; auto &[x, y] = n; x = 9; AT(w.n[0] + y);",
    "auto [a, s] = made(4); AT(a + s);",
    "auto &&[a, s] = made(4); if (c > 3) s = 5; AT(a + s);",
    "P x[2] = {{3, 6}, {4, 5}}; View v{x}; for (auto &[a, s] : v) { AT(1); a = s; }",
    "auto f = [&] { auto [a, s] = made(2); return a * s; }; AT(f());",
)


@pytest.mark.parametrize("body", BODIES)
def test_a_stride_made_of_bindings_is_that_of_every_execution(tmp_path: Path, body: str) -> None:
    (tmp_path / "host.cpp").write_text(
        f'#include <cstdio>\n#define __device__\n{HEAD}#define AT(place) std::printf("%d\\n", (place))\n'
        f"void k(int c) {{ {body} }}\nint main() {{ for (int c = 0; c < 6; ++c) k(c); }}\n"
    )
    subprocess.run([host_compiler(), "-std=c++17", "-w", "-o", tmp_path / "host", tmp_path / "host.cpp"], check=True)
    said = subprocess.run([tmp_path / "host"], capture_output=True, text=True, check=True).stdout
    (value,) = {int(line) for line in said.splitlines()}
    at = "#define AT(place) out[(place) * threadIdx.x] = 1\n"
    assert {found.stride for found, _ in accesses(tmp_path, body, parameters="int c", before=HEAD + at)} == {
        str(4 * value)
    }


def test_what_is_bound_by_value_is_loaded(tmp_path: Path) -> None:
    body = "auto [a, s] = ((const P *)in)[threadIdx.x]; out[threadIdx.x] = a + s;"
    *loads, store = accesses(tmp_path, body, before=HEAD)
    assert [count(load) for load in loads] == [sectors([8 * lane for lane in range(32)])] * 2
    assert store[0].result.exact


def test_a_name_of_a_part_of_memory_is_an_access(tmp_path: Path) -> None:
    found = access(tmp_path, "auto &[a, s] = ((P *)out)[threadIdx.x]; s = 3;", before=HEAD)
    assert found[0].result.exact
    assert count(found) == 8


def test_threads_part_by_what_a_binding_names(tmp_path: Path) -> None:
    body = "struct P { int a, s; }; auto [a, s] = P{(int)threadIdx.x, n}; if (WHICH < 3) __syncthreads();"
    verdicts = [barriers(tmp_path, body.replace("WHICH", which))[0].verdict for which in ("a", "s")]
    assert verdicts == [Verdict.DIVERGENT, Verdict.UNIFORM]


def test_the_parts_of_a_tuple_are_unknown_not_uniform(tmp_path: Path) -> None:
    tuple_ = """\
namespace std {
template <typename T> struct tuple_size;
template <unsigned long n, typename T> struct tuple_element;
}
struct Two { int x; long y, z; template <int n> __device__ long get() const { return n ? x : y; } };
template <> struct std::tuple_size<Two> { static constexpr int value = 2; };
template <unsigned long n> struct std::tuple_element<n, Two> { using type = long; };
"""
    body = "Two two{(int)threadIdx.x, 1, 2}; auto [p, q] = two; if (q < 3) __syncthreads(); out[p] = 0;"
    (found,) = accesses(tmp_path, body, before=tuple_)
    assert not found[0].result.exact
    assert found[0].result.unknown == "what a structured binding names is not followed"
