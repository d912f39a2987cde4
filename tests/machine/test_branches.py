"""Accesses to one place in two branches: where nvcc may make one instruction of them, their counts are open."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import evaluated

from coalint.core.facts.access import Operation

KERNEL = """\
__global__ void k(float *o, const float *in, float *p, int n, int m, float v, float w) {{
    __shared__ float s[300];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = v;
    {body}
    p[i] = s[t ^ 1];
}}
void run(float *p) {{ k<<<4, 256>>>(p, p, p, 300, 600, 1, 2); }}
"""

# What nvcc 13.2 makes of the stores to `o` (of those to `s[t + 2]`, but for the first) for sm_90.
STORES = {
    "if (i < n) o[i] = v; else o[i] = w;": 1,
    "if (i < n) o[i] = in[i]; else o[i] = v;": 2,
    "if (i < m) { if (i < n) o[i] = 1; else o[i] = 2; } else p[i + 900] = 3;": 2,
    "if (i < n) o[i] = v; else if (i < m) o[i] = w;": 2,
    "if (i < n) o[i] = in[i]; else if (i < m) o[i] = in[i + 64];": 2,
    "if (i < n) s[t + 2] = in[i]; else if (i < m) s[t + 2] = v; __syncthreads();": 2,
    "if (i < n) s[t + 2] = v; else if (i < m) s[t + 2] = in[i]; else s[t + 2] = 7; __syncthreads();": 1,
    "if (i < m) { if (i < n) o[i] = v; else o[i] = w; }": 2,
    "if (i < m) { if (i < n) o[i] = in[i]; else o[i] = in[i] * v; }": 2,
    "if (i < m) { p[i + 900] = 2; if (i < n) o[i] = v; else o[i] = w; }": 2,
    "if (i < n) o[i] = v; else { p[i + 900] = 2; if (i < m) o[i] = w; }": 2,
}
LOADS = {
    "if (i < n) o[i] = in[i] * 2; else p[i + 900] = in[i] * 3;": 1,
    "if (i < n) o[i] = in[i + 64]; else o[i] = in[i];": 1,
    "o[i] = i > 0 ? in[i - 1] : in[i];": 1,
    "o[i + 900] = i > 0 ? in[i - 1] : s[t];": 1,
    "if (i < n) o[i] = in[i] * 2; else if (i < m) p[i + 900] = in[i] * 3;": 2,
    "if (i < n) o[i] = in[i] + v; else if (i < m) o[i] = in[i] * v;": 2,
}


def counted(folder: Path, body: str, operation: Operation, target: str) -> list[int | None]:
    """How many warps execute each of these accesses; None where that rests on a supposition."""
    made = evaluated(folder, KERNEL.format(body=body))[1]
    found = [one for one, _ in made if one.op is operation and one.expression.startswith(target)]
    executions = [one.executions for one in found]
    return [None if one is None or one.assumed else one.warps for one in executions]


@pytest.mark.parametrize(("body", "stores"), STORES.items())
def test_stores_are_counted_where_nvcc_makes_each(tmp_path: Path, body: str, stores: int) -> None:
    found = counted(tmp_path, body, Operation.STORE, "s[t + 2]" if "s[t + 2]" in body else "o[")
    if None not in found:
        assert len(found) == stores
    if len(found) != stores:
        assert found == [None] * len(found)


@pytest.mark.parametrize(("body", "loads"), LOADS.items())
def test_loads_are_counted_where_nvcc_makes_each(tmp_path: Path, body: str, loads: int) -> None:
    found = counted(tmp_path, body, Operation.LOAD, "in[")
    assert found == [None, None] if loads < len(found) else None not in found


@pytest.mark.parametrize(
    "body",
    [
        "if (i < n) o[i] = v; else if (i < m) o[i] = w;",
        "if (i < n) s[t + 2] = in[i]; else if (i < m) s[t + 2] = v; __syncthreads();",
        "if (i < m) { if (i < n) o[i] = v; else o[i] = w; }",
        "if (i < n) o[i] = v; else { p[i + 900] = 2; if (i < m) o[i] = w; }",
    ],
)
def test_stores_that_stay_apart_have_exact_counts(tmp_path: Path, body: str) -> None:
    found = counted(tmp_path, body, Operation.STORE, "s[t + 2]" if "s[t + 2]" in body else "o[")
    assert found == [10, 10]  # 300 threads each, in whole warps and one in which the condition parts lanes
