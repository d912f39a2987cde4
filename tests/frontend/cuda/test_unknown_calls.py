"""Calls of functions that nothing declares, inside of larger expressions: what they are given is read all the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import accesses, check

STATEMENTS = (
    "f[i] = unknown(f[2 * i]);",
    "f[i] = unknown(f[2 * i]) - other(f[3 * i]);",
    "f[i] = unknown(f[2 * i]) * f[3 * i];",
    "f[i] = f[3 * i] + unknown(f[2 * i]);",
    "f[i] = -unknown(f[2 * i]);",
    "f[i] = unknown(f[2 * i]).get(f[3 * i]);",
    "f[i] = unknown(f[2 * i])[f[3 * i]];",
    "f[i] = unknown(f[2 * i])(f[3 * i]);",
    "f[i] += unknown(f[2 * i]);",
    "f[i] = f[3 * i] < unknown(0) ? f[2 * i] : unknown(1);",
    "bool b = unknown(f[2 * i]) && unknown(f[3 * i]);",
    "if (unknown(f[2 * i]) == f[3 * i]) f[i] = 1;",
    "auto x = unknown(f[2 * i]); f[i] = x * f[3 * i];",
    "f[i] = (float)unknown(f[2 * i]);",
    "f[i] = fmaxf(unknown(f[2 * i]), f[3 * i]);",
    "f[i] = unknown<3>(f[2 * i]);",
    "f[i] = space::unknown(f[2 * i]);",
    "unknown(f[2 * i]), unknown(f[3 * i]);",
    "f[i + int(unknown(f[2 * i]))] = 1;",
    "float y[2] = {unknown(f[2 * i]), f[3 * i]}; f[i] = y[0];",
    "float4 z = make_float4(unknown(f[2 * i]), 0, f[3 * i], 0); f[i] = z.x;",
    "S s{unknown(f[2 * i])}; f[i] = s.v;",
    "h[i] = unknown(f[2 * i]) + h[i];",
    "while (unknown(f[2 * i]) > 0) f[i] = 0;",
    "auto g = [&](int j) { float s = unknown(f[2 * j]); return s; }; f[i] = g(i);",
)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_the_operands_of_an_unknown_call_are_read(tmp_path: Path, statement: str) -> None:
    source = f"""#include <cuda_fp16.h>
struct S {{ float v; }};
__global__ void k(float *f, __half *h) {{ int i = threadIdx.x; {statement} }}
"""
    found = {access.stride for access in accesses(check(tmp_path, source)) if access.op.value == "load"}
    assert {str(4 * factor) for factor in (2, 3) if f"f[{factor} *" in statement} <= found
