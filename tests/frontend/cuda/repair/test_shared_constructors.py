"""`__shared__` objects whose constructors are the host's: nvcc takes them and runs none, clang finds no constructor."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import accesses, check, outcome

HEAD = (
    "struct Particle { float x, mass; Particle() {} Particle(double v) { x = v; } };\n"
    "struct Pair { Particle a, b; };\n"
    "struct Zero { float x, mass; Zero() : x(0) {} };\n"
)
KERNEL = "__global__ void {name}(float *out) {{ int t = threadIdx.x; {body} }}\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("__shared__ Particle s[64]; s[t].x = out[t]; __syncthreads(); out[t] = s[63 - t].mass;", ("8", "-8")),
        ("__shared__ Zero s[64]; s[t].x = out[t]; __syncthreads(); out[t] = s[63 - t].mass;", ("8", "-8")),
        ("__shared__ Pair s[64]; s[t].a.x = out[t]; __syncthreads(); out[t] = s[63 - t].b.x;", ("16", "-16")),
        ("__shared__ Particle s; s.x = out[t]; __syncthreads(); out[t] = s.x;", ("0", "0")),
        ("for (int i = 0; i < 2; ++i) { __shared__ Particle s[64]; s[t].x = i; out[t] = s[t].x; }", ("8", "8")),
    ],
)
def test_such_an_object_keeps_its_accesses(body: str, expected: tuple[str, str], tmp_path: Path) -> None:
    result = check(tmp_path, f"// ä\n{HEAD}{KERNEL.format(name='k', body=body)}")
    assert tuple(outcome(a) for a in accesses(result) if a.space.value == "shared") == expected
    assert {a.memory.name for a in accesses(result) if a.memory is not None} == {"s", "out"}
    assert result.problems == ()


def test_kernels_have_objects_of_one_name_each(tmp_path: Path) -> None:
    body = "__shared__ Particle s[64]; s[t].x = out[t]; __syncthreads(); out[t] = s[63 - t].mass;"
    kernels = "".join(KERNEL.format(name=name, body=body) for name in ("first", "second"))
    result = check(tmp_path, f"{HEAD}{kernels}")
    shared = [a.kernel for a in accesses(result) if a.space.value == "shared"]
    assert shared == ["first", "first", "second", "second"]
    assert result.problems == ()


@pytest.mark.parametrize("declared", ["Particle s;", "struct None { None(int); }; None s;"])
def test_what_is_not_shared_needs_its_constructor(declared: str, tmp_path: Path) -> None:
    result = check(tmp_path, f"{HEAD}{KERNEL.format(name='k', body=f'{declared} out[t] = 0;')}")
    assert [problem.message.partition(" for ")[0] for problem in result.problems] == ["no matching constructor"]
