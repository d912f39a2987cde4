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
    (load,) = (one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD)
    assert load.result.exact is not is_late
    said = " ".join(load.result.assumed)
    assert ("before the condition behind which it is used" in said) is is_late


@pytest.mark.parametrize("between", ["__syncthreads();", "atomicAdd(o, 1.0f);", "o[t + 512] = 1;"])
def test_what_no_other_pointer_leads_to_is_loaded_past_barriers_and_stores(tmp_path: Path, between: str) -> None:
    body = f"int t = threadIdx.x; float v = x[t]; {between} if (t == 0) o[t] = v;"
    text = f"__global__ void k(float *o, const float *__restrict__ x) {{ {body} }}\n"
    text += "void run(float *o) { k<<<1, 32>>>(o, o); }\n"
    (load,) = (one for one, _ in evaluated(tmp_path, text)[1] if one.op is Operation.LOAD)
    assert not load.result.exact
