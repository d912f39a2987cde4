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


@pytest.mark.parametrize("state", ["curandStateMRG32k3a", "curandStateSobol32"])
def test_a_state_whose_functions_have_no_body_is_not_lost(tmp_path: Path, state: str) -> None:
    source = f"""#include <curand_kernel.h>
__global__ void k({state} *s, float *out) {{ int i = threadIdx.x; out[i] = curand_uniform(&s[i]); }}
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
