"""Members of nameless structs and unions lie where the host's compiler puts them, however they are reached."""

from __future__ import annotations

import random
import subprocess
from itertools import count
from pathlib import Path

import pytest
from cuda_compiler import host_compiler
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

TYPES = ("char", "short", "int", "double", "float")


def members(rng: random.Random, names: count[int], depth: int) -> tuple[str, list[str]]:
    """Declarations of some members, nameless structs and unions among them, and the names that they give."""
    lines, found = [], []
    for _ in range(rng.choice((1, 2, 3))):
        if depth and rng.random() < 0.5:
            inner, inside = members(rng, names, depth - 1)
            lines.append(f"{rng.choice(('struct', 'union'))} {{ {inner} }};")
            found.extend(inside)
        else:
            name = f"f{next(names)}"
            lines.append(f"{rng.choice(TYPES)} {name};")
            found.append(name)
    return " ".join(lines), found


@pytest.mark.parametrize("seed", range(6))
def test_offsets_are_those_of_the_host_compiler(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    inner, names = members(rng, count(), 3)
    head = f"struct S {{ {inner} }};"
    (tmp_path / "host.cpp").write_text(
        f"#include <cstddef>\n#include <cstdio>\n{head}\nint main() {{\n"
        + "".join(f'std::printf("%zu ", offsetof(S, {name}));\n' for name in names)
        + "}\n"
    )
    subprocess.run([host_compiler(), "-w", "-o", tmp_path / "host", tmp_path / "host.cpp"], check=True)
    said = subprocess.run([tmp_path / "host"], capture_output=True, text=True).stdout
    expected = list(map(int, said.split()))
    ways = {
        "object": "".join(f"  s[threadIdx.x].{name} = 1;\n" for name in names),
        "pointer": "".join(f"  (s + threadIdx.x)->{name} = 1;\n" for name in names),
        "derived": "".join(f"  static_cast<D*>(s + threadIdx.x)->{name} = 1;\n" for name in names),
    }
    for way, body in ways.items():
        path = tmp_path / f"{way}.cu"
        path.write_text(f"{head}\nstruct D : S {{}};\n__global__ void k(S* s) {{\n{body}}}\n")
        assert stored(path) == expected, way
    path = tmp_path / "method.cu"
    body = "".join(f"  {name} = 1;\n" for name in names)
    path.write_text(f"{head[:-2]} __device__ void set() {{\n{body}}} }};\n__global__ void k(S* s) {{ s->set(); }}\n")
    assert stored(path) == expected


def test_a_constructor_initializes_them_where_they_lie(tmp_path: Path) -> None:
    path = tmp_path / "k.cu"
    path.write_text(
        "struct S { int h; union { int x, r; }; union { struct { int y, z; }; int g; };\n"
        "  __device__ S(int a) : h(0), x(a), y(a + 1), z(a + 2) {} };\n"
        "__global__ void k(float* p) { S s(threadIdx.x); p[s.x] = 1; p[8 * s.y] = 1; p[s.z * 16 + s.r] = 1; }\n"
    )
    result = check_file(Source(str(path)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert result.checked[0].analysis is not None
    assert [access.stride for access in result.checked[0].analysis.accesses] == ["4", "32", "68"]


def stored(path: Path) -> list[int | None]:
    """The offsets in bytes that a kernel stores to, in the order of the source."""
    result = check_file(Source(str(path)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert result.checked[0].analysis is not None
    accesses = sorted(result.checked[0].analysis.accesses, key=lambda access: access.span)
    assert all(access.result.unknown is None for access in accesses)
    return [access.address.offset_bytes for access in accesses]
