"""Of what a function returns nvcc loads nothing where the caller has no use for it, as its machine code shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_compiler import compile_to_cubin, disassemble, find_compiler
from expectations import Op
from outcomes import accesses, check

HEAD = """
struct Pair {
    float a, b;
    __device__ Pair() {}
    __device__ Pair(const Pair &other) { a = other.a; b = other.b; }
    __device__ Pair operator=(const Pair &other) { a = other.a; b = other.b; return *this; }
};
__device__ float nth(const float *x) { return x[threadIdx.x]; }
__device__ float next(float *x) { return x[threadIdx.x] += 1; }
__device__ int counted(int *x) { return atomicAdd(x, 1); }
__device__ float twice(const float *x, float *y) { y[threadIdx.x] = 2; return x[threadIdx.x]; }
"""

BODIES = {
    "the copy that an assignment returns": ("out[threadIdx.x] = in[threadIdx.x];", 2, 2, 0),
    "a number": ("nth(x);", 0, 0, 0),
    "beside a store": ("twice(x, y);", 0, 1, 0),
    "a number that is changed": ("next(y);", 1, 1, 0),
    "an atomic": ("counted(n);", 0, 0, 1),
    "a number that is used": ("y[threadIdx.x] = nth(x);", 1, 1, 0),
}


@pytest.mark.parametrize(("body", "loads", "stores", "atomics"), BODIES.values(), ids=BODIES)
def test_a_result_that_nothing_uses_is_not_loaded(
    body: str, loads: int, stores: int, atomics: int, tmp_path: Path
) -> None:
    found = [access.op.value for access in accesses(check(tmp_path, _source(body)))]
    assert (found.count("load"), found.count("store"), found.count("atomic")) == (loads, stores, atomics)


VOLATILE = {
    "a parameter": HEAD.replace("nth(const float *x)", "nth(const volatile float *x)"),
    "a parameter of what it calls": HEAD.replace(
        "float nth(const float *x) { return x[threadIdx.x]; }",
        """
__device__ float other(const volatile float *x) { return x[threadIdx.x]; }
__device__ float nth(const float *x) { return other(x); }""",
    ),
    "a member": f"struct Other {{ volatile float x; }};{HEAD}",
}


@pytest.mark.parametrize("head", VOLATILE.values(), ids=VOLATILE)
def test_volatile_loads_are_made_as_they_are_written(head: str, tmp_path: Path) -> None:
    assert [access.op.value for access in accesses(check(tmp_path, _source("nth(x);", head)))] == ["load"]


def test_what_else_is_volatile_does_not_count(tmp_path: Path) -> None:
    head = f"__device__ void set(volatile float *x) {{ *x = 1; }}{HEAD}"
    assert accesses(check(tmp_path, _source("nth(x);", head))) == []


@pytest.mark.slow
@pytest.mark.parametrize(("body", "loads", "stores", "atomics"), BODIES.values(), ids=BODIES)
def test_the_machine_code_loads_as_much(body: str, loads: int, stores: int, atomics: int, tmp_path: Path) -> None:
    source, cubin = tmp_path / "k.cu", tmp_path / "k.cubin"
    source.write_text(_source(body))
    compiler = find_compiler()
    compile_to_cubin(compiler, source, cubin)
    found = [op for instruction in disassemble(compiler, cubin, source) for _, op, _ in instruction.accesses]
    assert (found.count(Op.LOAD), found.count(Op.STORE)) == (loads, stores)
    assert (found.count(Op.ATOMIC) > 0) == (atomics > 0)


def _source(body: str, head: str = HEAD) -> str:
    return f"{head}__global__ void k(const Pair *in, Pair *out, const float *x, float *y, int *n) {{ {body} }}\n"
