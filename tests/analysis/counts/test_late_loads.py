"""Loads before a condition behind which alone they are used, as nvcc 13.0 compiles them for sm_90."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import evaluated

from coalint.core.facts.access import Operation


@pytest.mark.parametrize(
    ("body", "is_late"),
    [
        ("float v = x[t]; if (t == 0) o[t] = v;", True),
        ("float v; v = x[t]; if (t == 0) o[t] = v;", True),
        ("float v = x[t]; if (t == 0) for (int i = 0; i < n; i++) o[i] = v;", True),
        ("float v = x[t]; if (t > 9) return; o[t] = v;", True),
        ("float v = x[t], w = n * 2.0f; if (t == 0) o[t] = v + w;", True),
        ("float v = x[t]; int k = 0; for (int i = 0; i < n; i++) k += i * k; if (t == 0) o[t] = v + k;", True),
        ("float v = x[t]; if (t == 0) o[t] = v; else o[t] = 1;", True),
        ("float v = 3 * x[t]; if (t == 0) o[t] = v;", True),
        ("float v = expf(fabsf(__ldg(x + t))); if (t == 0) o[t] = v;", True),
        ("float v = x[t], w = v * v + v; if (t == 0) o[t] = w + v;", True),
        ("float v = x[t]; v = t < n ? v : 1; if (t == 0) o[t] = v;", True),
        ("float v[2]; v[0] = x[t]; if (t == 0) o[t] = v[0];", True),
        ("float v = 0; v += x[t]; if (t == 0) o[t] = v;", True),
        ("float v = x[t]; switch (t & 3) { case 0: o[t] = v; break; case 1: o[t] = 3; }", True),
        ("float v = x[t]; for (int i = t; i < n; i++) o[i] = v;", True),
        ("float v = x[t]; for (int i = 0; i < n; i++) o[i] = v;", False),
        ("float v = x[t]; int m = n / 2; for (int i = 0; i < m; i++) o[i] = v;", False),
        ("float v = x[t]; for (int i = 0; i < 4; i++) o[i] = v;", False),
        ("float v = t < n ? x[t] : 1; if (t == 0) o[t] = v;", False),
        ("float v = x[t]; v += __shfl_xor_sync(~0u, v, 1); if (t == 0) o[t] = v;", False),
        ("float s = 0; for (int i = 0; i < 2; i++) s += x[t]; if (t == 0) o[t] = s;", False),
        ("const float &v = x[t]; if (t == 100) o[t] = 1; o[t] = v;", False),
        ("float v = __ldg(x + t); o[t + 512] = 1; if (t == 0) o[t] = v;", True),
        ("float v = x[t]; if (t == 0) { v = n; o[t + 32] = 1; } o[t] = v;", True),
        ("float v = x[t]; if (t == 0) { v = v * n; o[t + 32] = 1; } o[t] = v;", False),
        ("float v = x[t], w = v + 1; if (v > n) return; o[t] = w;", False),
        ("float v = x[t], w = v + 1; if (t > 9) return; o[t] = w;", True),
        ("float v = x[t], w = v + 1; if (t > 9) o[t] = w; o[t + 32] = v;", False),
        ("float v = x[t], u = __ldg(x + 99); if (t == 0) o[t] = v + u;", True),
        ("float v = x[t]; o[t] = v;", False),
        ("float v = x[t]; o[t + 512] = 1; if (t == 0) o[t] = v;", False),
        ("float v = x[t]; if (t == 0) o[t] = v; else o[t] = 2 * v;", False),
        ("float v = x[t]; if (v > n) o[t] = v;", False),
        ("float v = x[t]; if (t == 0) o[t] = v; o[t + 32] = v;", False),
        ("float v = x[t]; o[t] = t < n ? v : 0;", False),
        ("float v = x[t]; atomicAdd(o, 1.0f); if (t == 0) o[t] = v;", False),
        ("float v = x[t]; __syncthreads(); if (t == 0) o[t] = v;", False),
        ("float v = x[t]; if (t > 9) o[t + 512] = 1; if (t == 0) o[t] = v;", False),
    ],
)
def test_what_is_used_behind_a_condition_may_be_loaded_there(tmp_path: Path, body: str, is_late: bool) -> None:
    text = f"__global__ void k(float *o, const float *x, int n) {{ int t = threadIdx.x; {body} }}\n"
    text += "void run(float *o) { k<<<1, 32>>>(o, o, 7); }\n"
    loads = [one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD]
    assert {load.result.exact for load in loads} == {not is_late}
    said = {
        "does not load it later, where fewer threads or iterations need it" in " ".join(load.result.assumed)
        for load in loads
    }
    assert said == {is_late}


@pytest.mark.parametrize("between", ["__syncthreads();", "atomicAdd(o, 1.0f);", "o[t + 512] = 1;"])
def test_what_no_other_pointer_leads_to_is_loaded_past_barriers_and_stores(tmp_path: Path, between: str) -> None:
    body = f"int t = threadIdx.x; float v = x[t]; {between} if (t == 0) o[t] = v;"
    text = f"__global__ void k(float *o, const float *__restrict__ x) {{ {body} }}\n"
    text += "void run(float *o) { k<<<1, 32>>>(o, o); }\n"
    (load,) = (one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD)
    assert not load.result.exact


CALLED = """
struct View {
    const float *p;
    __device__ const float &operator[](int i) const { return p[i]; }
    __device__ float at(int i) const { return p[i]; }
};
__device__ float when(const float *p, int i, bool in) { float v = p[i]; return in ? v * 2 : 0; }
__device__ void put(float *o, const float *p, int i, int n) { float v = p[i]; if (i < n) o[i] = v; }
__device__ void store(float *o, int i, int n, float v) { if (i < n) o[i] = v; }
__device__ void stored(float *o, int i, float v) { o[i] = v; if (i == 0) o[i + 1] = v; }
__device__ void put_later(float *o, const float *p, int i) { float v = p[i]; __syncthreads(); if (i == 0) o[i] = v; }
"""


@pytest.mark.parametrize(
    ("restrict", "body", "is_late"),
    [
        ("", "put(o, x.p, t, n);", True),
        ("", "store(o, t, n, x.p[t]);", True),
        ("", "store(o, t, n, x.p[t] * x.p[t]);", True),
        ("", "stored(o, t, x.p[t]);", False),
        ("", "float v = x.at(t); if (t == 0) o[t] = v;", True),
        ("", "float v = x[t]; if (t == 0) o[t] = v;", True),
        ("", "float v = x.at(t); o[t] = v;", False),
        ("", "o[t] = when(x.p, t, t < n);", False),
        ("", "put_later(o, x.p, t);", False),
        ("__restrict__", "put_later(o, x.p, t);", True),
    ],
)
def test_calls_are_looked_into(tmp_path: Path, restrict: str, body: str, is_late: bool) -> None:
    text = f"{CALLED}__global__ void k(float *{restrict} o, View x, int n) {{ int t = threadIdx.x; {body} }}\n"
    text += "void run(float *o, View x) { k<<<1, 32>>>(o, x, 7); }\n"
    loads = [one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD]
    assert {load.result.exact for load in loads} == {not is_late}


def test_one_call_of_a_function_may_be_late_and_another_not(tmp_path: Path) -> None:
    body = "o[t] = x.at(t); float v = x.at(t + 32); if (t == 0) o[t + 32] = v;"
    text = f"{CALLED}__global__ void k(float *o, View x) {{ int t = threadIdx.x; {body} }}\n"
    text += "void run(float *o, View x) { k<<<1, 32>>>(o, x); }\n"
    accesses = (one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD)
    assert [one.result.exact for one in accesses] == [True, False]
