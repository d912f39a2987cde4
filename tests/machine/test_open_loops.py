"""Accesses in loops whose number of iterations nothing tells, as nvcc 13.0 compiles each of these kernels for sm_90."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import instructions

from coalint.core.facts.access import Space

KERNEL = """\
__global__ void k(const TYPE *v, TYPE *out, int n, int d) {
    ARRAY
    int t = threadIdx.x;
    for (int q = t; q < 256; q += blockDim.x) s[q] = v[q];
    __syncthreads();
    TYPE a = 0;
    BODY
    out[t] = a + s[d];
}
void host(TYPE *p, int n, int d) { k<<<4, 64, 2048>>>(p, p, n, d); }
"""
STATIC, DYNAMIC = "__shared__ TYPE s[256];", "extern __shared__ TYPE dynamic[]; TYPE *s = dynamic;"


def made(folder: Path, array: str, body: str, kind: str, n: str = "n") -> set[tuple[int, bool]]:
    """Bytes per lane and exactness of the instructions that the body becomes in shared memory.

    `n` is what the launch passes.
    """
    source = KERNEL.replace("ARRAY", array).replace("BODY", body.replace("\n", "\n    ")).replace("TYPE", kind)
    source = source.replace("(p, p, n, d)", f"(p, p, {n}, d)")
    lines = range(7, 7 + body.count("\n") + 1)
    its = (one for one in instructions(folder, source) if one.written.span.line in lines)
    return {(one.access.bytes, one.access.result.exact) for one in its if one.written.space is Space.SHARED}


VECTORS = [
    ("for (int j = 0; j < n; ++j) a += s[j] * v[j * d + t];", 16),  # LDS.128, and LDS for what is left
    ("for (int j = 1; j < n; ++j) a += s[j] * v[j * d + t];", 16),  # with LDS for the first ones
    ("for (int j = 0; j < n; ++j) a += s[4 * t + j] * v[j * d];", 16),
    ("for (int j = 0; j < n; ++j) a = fmaxf(a, s[j]);", 16),
    ("for (int j = 0; j < n; ++j) if (s[j] > 0) a += v[j * d + t];", 16),
    ("for (int i = 0; i < d; ++i) for (int j = 0; j < n; ++j) a += s[j] * v[j * d + i];", 16),
    ("for (int j = 0; j < n; ++j) s[j] = v[j * d];", 16),  # STS.128
    ("#pragma unroll 2\nfor (int j = 0; j < n; ++j) a += s[j] * v[j * d + t];", 8),
    ("for (int j = 0; j < t; ++j) a += s[j] * v[j * d];", 16),
    (
        "for (int b = 0; b < n; b += 64) { int m = min(64, n - b); for (int j = 0; j < m; ++j) a += s[j] * v[b + j]; }",
        16,
    ),
    ("for (int j = 0; j < n; ++j) a += s[2 * j] * v[j * d] + s[2 * j + 1];", 8),  # LDS.128: not said, and not exact
]
SCALARS = [
    "for (int j = 0; j < n; ++j) { float f = s[j]; if (f < 0) continue; a += f * v[j]; }",
    "for (int j = d; j < n; ++j) a += s[j] * v[j * d + t];",
    "for (int j = 0; j < n; ++j) a += s[33 * t + j] * v[j * d + t];",
    "for (int j = 0; j < n; ++j) a += s[t + j] * v[j * d + t];",
    "for (int j = n - 1; j >= 0; --j) a += s[j] * v[j * d + t];",
    "#pragma unroll 1\nfor (int j = 0; j < n; ++j) a += s[j] * v[j * d + t];",
    "for (int j = 0; j < n; j += 2) a += s[j] * v[j * d];",
]


@pytest.mark.parametrize("array", [STATIC, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize(("body", "width"), VECTORS)
def test_copies_of_a_body_become_vectors(tmp_path: Path, array: str, body: str, width: int) -> None:
    assert made(tmp_path, array, body, "float") == {(width, False)}


LESS_PLAIN = [  # nvcc copies all of these but the last one
    "int j = 0; while (j < n) { a += s[j] * v[j * d + t]; ++j; }",
    "int j = 0; while (j < n) a += s[j++];",
    "int j = 0; do { a += s[j] * v[j * d + t]; ++j; } while (j < n);",
    "int j = 0; for (;;) { if (j >= n) break; a += s[j] * v[j * d + t]; ++j; }",
    "for (int j = 0; j < n;) { a += s[j] * v[j * d + t]; ++j; }",
    "for (int j = 0; j < n && j < d; ++j) a += s[j] * v[j * d + t];",
    "int m = n, j = 0; while (m--) a += s[j++];",
    "for (int j = 0; j < n; ++j) { if (v[j] < 0) break; a += s[j]; }",
]


@pytest.mark.parametrize("array", [STATIC, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize("body", LESS_PLAIN)
def test_of_loops_that_say_less_plainly_how_often_they_run_nothing_is_sure(
    tmp_path: Path, array: str, body: str
) -> None:
    assert {exact for _, exact in made(tmp_path, array, body, "float")} == {False}


@pytest.mark.parametrize("array", [STATIC, DYNAMIC], ids=["static", "dynamic"])
@pytest.mark.parametrize("body", SCALARS)
def test_others_stay_as_they_are_written(tmp_path: Path, array: str, body: str) -> None:
    assert made(tmp_path, array, body, "float") == {(4, True)}


@pytest.mark.parametrize(("body", "width"), [(VECTORS[0][0], (16, False)), (SCALARS[4], (4, True))])
def test_a_number_that_a_launch_passes_tells_nvcc_nothing(tmp_path: Path, body: str, width: tuple[int, bool]) -> None:
    assert made(tmp_path, STATIC, body, "float", n="128") == {width}


@pytest.mark.parametrize(("kind", "width"), [("int", 16), ("double", 16)])
@pytest.mark.parametrize("array", [STATIC, DYNAMIC], ids=["static", "dynamic"])
def test_elements_of_other_types_do_so_too(tmp_path: Path, array: str, kind: str, width: int) -> None:
    assert made(tmp_path, array, VECTORS[0][0], kind) == {(width, False)}


def test_four_neighbours_in_the_source_are_one_vector_in_any_case(tmp_path: Path) -> None:
    body = "for (int j = 0; j < n; j += 4) a += s[j] + s[j + 1] * v[j] + s[j + 2] + s[j + 3];"
    assert made(tmp_path, STATIC, body, "float") == {(16, True)}
