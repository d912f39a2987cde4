"""Loops of constant length over shared memory that do not begin with a vector, and what stands beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import instructions
from measured_files import compared

from coalint.core.facts.access import Operation, Space
from coalint.engine.verification.comparison.records import Outcome
from coalint.machine.nvcc.instructions import MachineInstruction

FILE = Path(__file__).resolve().parents[1] / "support" / "walks_beside.cu"
KERNEL = """\
__global__ void k(const float *x, float *o, int n) {{
    __shared__ float s[512];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    float m = x[5];
    int w = blockDim.x / 32;
    {body}
    o[threadIdx.x] = m + w;
}}
void host(float *p) {{ k<<<1, 512>>>(p, p, 8); }}
"""


def test_what_is_counted_is_predicted_where_it_is_exact() -> None:
    held = [(kernel, one) for kernel, one in compared(FILE) if one.space is Space.SHARED]
    apart = [(kernel, one) for kernel, one in held if one.outcome is not Outcome.EQUAL]
    # Each is part of the vectors of the line after it.
    assert {(kernel, one.line) for kernel, one in apart} == {("largest", 6), ("largest_of_row", 15)}
    assert not any(access.result.exact for _, one in apart for access in one.accesses)
    beside = {(kernel, (one.line or 0) + 1): one.requests for kernel, one in apart}
    for kernel, one in held:
        if one.outcome is Outcome.EQUAL:
            assert one.predicted_executed == one.requests + beside.get((kernel, one.line or 0), 0)


def loads(folder: Path, body: str) -> list[MachineInstruction]:
    """The instructions that load from shared memory."""
    made = instructions(folder, KERNEL.format(body=body))
    return [one for one in made if one.written.space is Space.SHARED and one.written.op is Operation.LOAD]


# As nvcc 13.2 compiles them for sm_90: LDS.128 but for what is left at the end, and three of four are loaded as four.
@pytest.mark.parametrize(
    ("first", "end", "width", "count"),
    [
        (1, 4, 16, 1),
        (1, 6, 16, 2),
        (1, 8, 16, 2),
        (1, 9, 16, 3),
        (1, 16, 16, 4),
        (1, 33, 16, 9),
        (1, 100, 16, 25),
        (1, 256, 16, 64),
        (2, 8, 16, 2),
        (2, 4, 8, 1),
        (3, 5, 4, 1),
    ],
)
def test_a_walk_that_begins_inside_of_a_vector(tmp_path: Path, first: int, end: int, width: int, count: int) -> None:
    body = f"for (int i = {first}; i < {end}; ++i) m = fmaxf(m, s[i]);"
    (load,) = loads(tmp_path, body)
    assert (load.access.bytes, load.unrolled[0], load.access.result.exact) == (width, count, width == 4)


@pytest.mark.parametrize(
    ("first", "end", "width", "count"),
    [(1, 8, 16, 2), (1, 16, 16, 4), (2, 8, 16, 2), (1, 4, 8, 2), (3, 16, 16, 4), (1, 33, 16, 9), (1, 3, 4, 1)],
)
def test_so_do_stores_which_write_nothing_over(tmp_path: Path, first: int, end: int, width: int, count: int) -> None:
    body = f"__syncthreads(); for (int i = {first}; i < {end}; ++i) s[i] = x[i * 37 + n]; __syncthreads(); m = s[w];"
    made = instructions(tmp_path, KERNEL.format(body=body))
    (store,) = (one for one in made if one.written.space is Space.SHARED and one.written.loops)
    assert (store.access.bytes, store.unrolled[0], store.access.result.exact) == (width, count, width == 4)


@pytest.mark.parametrize(
    "body", ["for (int i = 1; i < 9; ++i) s[i] = x[i + n];", "for (int i = 6; i > 0; --i) s[i] = x[i + n];"]
)
def test_copies_of_two_iterations_begin_with_no_vector_either(tmp_path: Path, body: str) -> None:
    made = instructions(tmp_path, KERNEL.format(body=f"__syncthreads();\n#pragma unroll 2\n{body}\n"))
    (store,) = (one for one in made if one.written.space is Space.SHARED and one.written.loops)
    assert (store.access.bytes, store.access.result.exact) == (4, True)


@pytest.mark.parametrize(
    ("body", "is_exact"),
    [
        ("m = s[0]; for (int i = 1; i < 8; ++i) m = fmaxf(m, s[i]);", False),
        ("for (int i = 0; i < 7; ++i) m = fmaxf(m, s[i]); m += s[7];", False),
        ("m = s[8]; for (int i = 1; i < 8; ++i) m = fmaxf(m, s[i]);", True),
        ("m = s[0]; __syncthreads(); for (int i = 1; i < 8; ++i) m = fmaxf(m, s[i]);", True),
        ("m = s[0]; for (int i = 1; i < w; ++i) m = fmaxf(m, s[i]);", True),  # it is loaded by itself
        ("m = s[0]; for (int i = 1; i < n; ++i) m = fmaxf(m, s[i]);", True),
        ("m = s[0]; for (int i = 1; i < blockDim.x / 32; ++i) m = fmaxf(m, s[i]);", True),
    ],
)
def test_an_element_beside_a_walk_may_be_loaded_with_it(tmp_path: Path, body: str, is_exact: bool) -> None:
    (alone,) = (one for one in loads(tmp_path, body) if not one.written.loops)
    assert (alone.access.bytes, alone.access.result.exact) == (4, is_exact)


TILE = (
    "for (int t = 0; t < {end}; t += 4) {{ s[threadIdx.x] = x[t]; __syncthreads();\n{unroll}\n"
    "for (int i = 0; i < 4; ++i) {{ {condition} m += s[i] * x[t * 16 + i * 7]; }} __syncthreads(); }}"
)


@pytest.mark.parametrize("unroll", ["", "#pragma unroll"])
@pytest.mark.parametrize(
    ("condition", "end", "width"),
    [
        ("if (t + i < 8)", 8, 16),
        ("int j = t + i; if (j < 8)", 8, 16),
        ("const int j = t + i; if (j < 1024)", 1024, 16),
        ("int j = t + i; if (j >= 8) continue;", 8, 16),
        ("if (t + i < n)", 8, 4),
        ("int j = t + i; if (j < n)", 8, 4),
        ("int j = t + i; j -= n; if (j < 8)", 8, 4),
    ],
)
def test_a_condition_that_counters_decide_parts_no_vector(
    tmp_path: Path, unroll: str, condition: str, end: int, width: int
) -> None:
    (load,) = loads(tmp_path, TILE.format(condition=condition, end=end, unroll=unroll))
    assert (load.access.bytes, load.access.result.exact) == (width, width == 4)
