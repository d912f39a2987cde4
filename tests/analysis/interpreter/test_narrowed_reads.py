"""Loads of 64-bit integers of which a smaller one is all that is used: their widths against those of the compiler."""

from __future__ import annotations

from pathlib import Path

import pytest
from cuda_compiler import compile_to_cubin, disassemble, find_compiler
from expectations import Op, Space
from test_evaluate import accesses

from coalint.core.facts.access import Operation

PARAMETERS = (
    "const long long *__restrict__ p, int n, long long *q, const unsigned long long *u, const float *x, short *h"
)
WRITTEN = "int i = blockIdx.x * blockDim.x + threadIdx.x; {body}"
KERNELS = {
    "out[i] = (int)p[i];": [4],
    "out[i] = (unsigned)u[i];": [4],
    "int j = p[i]; out[i] = j * 3 + j;": [4],
    "out[i] = *(p + i);": [8],  # an exact conversion to float needs all
    "out[i] = (int)*(p + i);": [4],
    "h[i] = (short)p[i];": [2],
    "out[i] = (short)p[i];": [2],
    "out[i] = (unsigned char)p[i];": [1],
    "out[i] = x[(int)p[i]];": [4, 4],
    "q[i] = (int)p[i];": [4],
    "int s = 0; for (int k = 0; k < n; ++k) s += (int)p[i + k * 64]; out[i] = s;": [4],
    "long long v = p[i]; out[i] = (int)v + (v > 0 ? 1 : 2);": [8],
    "out[i] = p[i] == 3 ? 1 : (int)p[i];": [8],
    "out[i] = (int)p[2 * i] + (int)p[2 * i + 1];": [4, 4],
    "out[i] = (int)q[i]; q[i] = 0;": [4],
}


@pytest.mark.parametrize("body", KERNELS)
def test_no_more_is_loaded_than_is_used(tmp_path: Path, body: str) -> None:
    found = accesses(tmp_path, WRITTEN.format(body=body), parameters=PARAMETERS)
    loads = {(access.expression, access.bytes) for access, _ in found if access.op is Operation.LOAD}
    assert sorted(bytes for _, bytes in loads) == sorted(KERNELS[body])


@pytest.mark.slow
def test_the_compiler_loads_as_much(tmp_path: Path) -> None:
    compiler = find_compiler()
    source, cubin = tmp_path / "k.cu", tmp_path / "k.cubin"
    texts = [
        f"__global__ void k{number}(float *out, {PARAMETERS}) {{ {WRITTEN.format(body=body)} }}"
        for number, body in enumerate(KERNELS)
    ]
    source.write_text("\n".join(texts) + "\n")
    compile_to_cubin(compiler, source, cubin, options=())
    widths: dict[int | None, set[int]] = {}
    for instruction in disassemble(compiler, cubin, source):
        for space, op, bytes in instruction.accesses:
            if space is Space.GLOBAL and op is Op.LOAD:
                widths.setdefault(instruction.line, set()).add(bytes)
    assert widths == {line: set(bytes) for line, bytes in enumerate(KERNELS.values(), start=1)}
