"""States of random number generators: moved as nvcc moves them (in its code for sm_90), each lane its own struct."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import check

MOVED = {
    "curand(&s[i])": {("load", 8): 3, ("store", 8): 3},
    "curand_uniform(&s[i])": {("load", 8): 3, ("store", 8): 3},
    "curand_normal(&s[i])": {("load", 4): 2, ("store", 4): 3, ("load", 8): 3, ("store", 8): 3},
}


@pytest.mark.parametrize("call", MOVED)
def test_a_state_in_memory_is_read_and_written(tmp_path: Path, call: str) -> None:
    source = f"""#include <curand_kernel.h>
__global__ void k(curandState *s, float *out) {{ int i = threadIdx.x; out[i] = {call}; }}
void run(curandState *s, float *out) {{ k<<<1, 256>>>(s, out); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    found: dict[tuple[str, int], int] = {}
    for access, cost in zip(kernel.analysis.accesses, kernel.traffics, strict=True):
        if access.stride == "48":
            found[access.op.value, access.bytes] = found.get((access.op.value, access.bytes), 0) + 1
            assert cost is not None
            assert cost.count == 32
    assert found == MOVED[call]


MRG = {("load", 8): 3, ("store", 8): 2, ("store", 4): 2}
SOBOL32 = {("load", 4): 2, ("store", 4): 2}
SOBOL64 = {("load", 8): 2, ("store", 8): 2}
# What is moved several times at one place is one access.
OTHERS = (
    ("MRG32k3a", 48, "curand(&s[i])", MRG),
    ("MRG32k3a", 48, "curand_uniform_double(&s[i])", MRG),
    ("MRG32k3a", 48, "curand_normal2(&s[i]).x", {("load", 8): 3, ("store", 8): 3}),
    ("MRG32k3a", 48, "curand_normal(&s[i])",
     {("load", 4): 6, ("load", 8): 1, ("store", 4): 7, ("store", 8): 1}),
    ("MRG32k3a", 48, "(curand_init(7, i, 0, &s[i]), 1.0f)",
     {("load", 4): 3, ("store", 4): 7, ("store", 8): 5}),
    ("Philox4_32_10_t", 64, "(curand_init(7, i, 0, &s[i]), 1.0f)",
     {("load", 8): 2, ("store", 16): 3, ("store", 8): 3}),
    ("XORWOW", 48, "(skipahead(n, &s[i]), 1.0f)", {("load", 4): 2, ("store", 4): 6}),
    ("Sobol32", 140, "(skipahead(n, &s[i]), 1.0f)", {("load", 4): 3, ("store", 4): 3}),
    ("Sobol64", 536, "(curand_init(d, 7ull, &s[i]), 1.0f)", {("store", 8): 4}),
    ("MRG32k3a", 48, "(skipahead(7ull, &s[i]), 1.0f)", {("load", 4): 6, ("store", 4): 6}),
    ("Sobol32", 140, "curand(&s[i])", SOBOL32),
    ("ScrambledSobol32", 140, "curand_normal(&s[i])", SOBOL32),
    ("Sobol64", 536, "curand_uniform(&s[i])", SOBOL64),
    ("ScrambledSobol64", 536, "curand_poisson(&s[i], 9.0)", SOBOL64),
    ("Philox4_32_10_t", 64, "(skipahead(7ull, &s[i]), 1.0f)",
     {("load", 4): 1, ("store", 4): 1, ("load", 8): 2, ("store", 8): 1, ("load", 16): 1, ("store", 16): 1}),
)  # fmt: skip


@pytest.mark.parametrize(("state", "size", "call", "moved"), OTHERS, ids=[f"{row[0]} {row[2]}" for row in OTHERS])
def test_the_state_of_another_generator_is_moved_as_well(
    tmp_path: Path, state: str, size: int, call: str, moved: dict[tuple[str, int], int]
) -> None:
    source = f"""#include <curand_kernel.h>
__global__ void k(curandState{state} *s, float *out, unsigned n, const unsigned long long *d) {{
    int i = threadIdx.x;
    out[i] = {call};
}}
void run(curandState{state} *s, float *out, unsigned n, unsigned long long *d) {{ k<<<1, 256>>>(s, out, n, d); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    known = [access for access in kernel.analysis.accesses if access.stride == str(size)]
    found: dict[tuple[str, int], int] = {}
    for access in known:
        found[access.op.value, access.bytes] = found.get((access.op.value, access.bytes), 0) + 1
    assert found == moved
    led = [access.op.value for access in kernel.analysis.accesses if access.result.unknown is not None]
    draws = "Sobol" in state and "skipahead" not in call and "init" not in call
    assert led == (["load"] if draws else [])  # the direction that the position decides


@pytest.mark.parametrize(("mean", "stores"), [("9.0", 3), ("9000.0", 6), ("mean", None)])
def test_numbers_of_poisson_are_drawn_as_their_mean_wants(tmp_path: Path, mean: str, stores: int | None) -> None:
    source = f"""#include <curand_kernel.h>
__global__ void k(curandState *s, unsigned *out, float mean) {{
    int i = threadIdx.x;
    out[i] = curand_poisson(&s[i], {mean});
}}
void run(curandState *s, unsigned *out, float mean) {{ k<<<1, 256>>>(s, out, mean); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    moved = [access for access in kernel.analysis.accesses if access.stride == "48"]
    assert all(access.result.unknown is None for access in moved)
    written = sum(access.op.value == "store" for access in moved)
    assert written > 6 if stores is None else written == stores


def test_a_state_whose_functions_have_no_body_is_not_lost(tmp_path: Path) -> None:
    source = """#include <curand_kernel.h>
__global__ void k(curandStateMtgp32 *s, float *out) { int i = threadIdx.x; out[i] = curand_uniform(&s[blockIdx.x]); }
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    assert any("may access it" in (access.result.unknown or "") for access in kernel.analysis.accesses)


def test_a_function_that_gives_back_more_than_its_result_changes_its_argument(tmp_path: Path) -> None:
    source = """
__global__ void k(float *x) { int e = 0; float m = frexpf(x[threadIdx.x], &e); x[threadIdx.x * 2 + e] = m; }
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    assert [access.result.unknown is None for access in kernel.analysis.accesses] == [True, False]


@pytest.mark.parametrize("call", ["s[i]()", "u(s[i])", "(s[i].discard(3), 1.0f)"])
def test_an_engine_of_thrust_is_one_number_that_is_read_and_written(tmp_path: Path, call: str) -> None:
    source = f"""#include <thrust/random.h>
__global__ void k(thrust::default_random_engine *s, float *out) {{
    int i = threadIdx.x;
    thrust::uniform_real_distribution<float> u(0, 1);
    out[2 * i] = {call};
}}
void run(thrust::default_random_engine *s, float *out) {{ k<<<1, 256>>>(s, out); }}
"""
    (kernel,) = check(tmp_path, source).checked
    assert kernel.analysis is not None
    moved = [(a.op.value, a.bytes) for a in kernel.analysis.accesses if a.stride == "4"]
    assert moved == [("load", 4), ("store", 4)]
