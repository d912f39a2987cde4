"""Loads of what a thread holds in a register already are not executed; the counts are those of nvcc 13.0's PTX."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from outcomes import check
from project import shared_headers

from coalint.core.facts.access import Access, Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

BODIES: dict[str, list[int]] = {
    "v[t] += (x - v[t]) * x;": [1, 0],
    "float a = v[t]; w[t] = 1; v[t] = a + v[t];": [1, 1],  # `w` may be `v`
    "float a = v[t]; r[t] = 1; v[t + 64] = a + v[t];": [1, 0],
    "float a = v[t]; v[t + 1] = 1; v[t + 64] = a + v[t];": [1, 0],
    "float a = v[t]; __syncthreads(); v[t + 64] = a + v[t];": [1, 1],
    "float a = v[t]; atomicAdd(w, a); v[t + 64] = a + v[t];": [1, 1],
    "float a = v[t]; if (t < 20) a += v[t]; v[t + 64] = a;": [1, 0],
    "float a = v[t]; if (t < 20) w[t] = 2; v[t + 64] = a + v[t];": [1, 1],
    "v[t] = 3; r[t] = v[t];": [0],
    "float a = v[d[t]]; v[t] = a; v[t + 64] = a * v[d[t]];": [1, 1, 1, 1],
    "for (int k = 0; k < 8; ++k) v[t + 64 * k] = v[t + 64 * k] * v[t + 64 * k];": [8, 0],
    "__shared__ float s[64]; s[t] = x; __syncwarp(); v[t] = s[t];": [1],
    "__shared__ float s[64]; s[t] = x; v[t] = s[t];": [0],
    'float a = v[t]; printf("%f", a); v[t + 64] = a + v[t];': [1, 1],  # as an H200 counted it, and the next
    'float a = v[t]; if (t == 3) printf("3"); v[t + 64] = a + v[t];': [1, 1],
    "volatile float *p = v; float a = p[t]; v[t + 64] = a + p[t];": [1, 1],
    "float a = v[t]; if (a > x) a += v[t]; w[t] = a;": [1, 0],
    "float a = x; for (int k = 0; k < 8; ++k) if (v[t + 64 * k] > a) a = v[t + 64 * k]; w[t] = a;": [8, 0],
    "float2 *p = (float2 *)v; float2 a = p[t]; a = cuCdivf(a, p[1]); ((float2 *)w)[t] = cuCaddf(a, p[t]);": [1, 1, 0],
    "float s, c, a = v[t]; sincosf(a, &s, &c); w[t] = s + c + v[t];": [1, 0],
    "int e; float q, a = v[t]; a = frexpf(a, &e); a += modff(a, &q); w[t] = a + e + q + v[t];": [1, 0],
    "float a = v[t]; if (isinf(a) || isnan(a)) a = lroundf(x); w[t] = a + v[t];": [1, 0],
    "float2 *p = (float2 *)v; float2 a = p[t]; w[t] = cuCabsf(a) + cuCabsf(p[t]);": [1, 0],
}
"""What stands in a kernel, and how often a warp executes each of its loads."""


@pytest.fixture(scope="module")
def accesses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Access, ...]]:
    """The accesses of each body, and of two branches that store to one place."""
    path = tmp_path_factory.mktemp("held") / "k.cu"
    path.write_text("".join(("#include <cuComplex.h>\n", *_kernels())))
    checked = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    analyses = {kernel.analysis.kernel: kernel.analysis for kernel in checked.checked if kernel.analysis is not None}
    return {body: analyses[f"k{number}"].accesses for number, body in enumerate((*BODIES, *BRANCHES))}


BRANCHES = {
    "if (t < 20) v[t] = x; else v[t] = -x;": False,
    "if (t < 20) v[t] = x; else v[t + 1] = -x;": True,
}
"""Two branches that store, and whether the counts of both are exact."""


def _kernels() -> Iterator[str]:
    bodies = (*BODIES, *BRANCHES)
    for number, body in enumerate(bodies):
        yield f"__global__ void k{number}(float *v, float *w, float *__restrict__ r, const int *d, float x) {{\n"
        yield f"    int t = threadIdx.x;\n    {body}\n}}\n"
    launches = " ".join(f"k{number}<<<1, 32>>>(v, w, r, d, 2);" for number in range(len(bodies)))
    yield f"void run(float *v, float *w, float *r, int *d) {{ {launches} }}\n"


@pytest.mark.parametrize(("body", "expected"), BODIES.items())
def test_what_is_in_a_register_is_not_loaded(
    body: str, expected: list[int], accesses: dict[str, tuple[Access, ...]]
) -> None:
    found = [access.executions for access in accesses[body] if access.op is Operation.LOAD]
    assert [None if one is None else one.warps for one in found] == expected


@pytest.mark.parametrize(("body", "is_exact"), BRANCHES.items())
def test_stores_of_one_place_in_both_branches_are_not_exact(
    body: str, is_exact: bool, accesses: dict[str, tuple[Access, ...]]
) -> None:
    found = [access.executions for access in accesses[body]]
    assert [one is not None and not one.assumed for one in found] == [is_exact, is_exact]


@pytest.mark.parametrize(
    ("call", "stores"),
    [
        ("sincosf(x, &v[2 * t], &w[t])", {8, 4}),
        ("w[t] = frexpf(x, &e[2 * t])", {8, 4}),
        ("w[t] = modff(x, &v[2 * t])", {8, 4}),
        ("v[t] = remquof(x, 2, &e[8 * t])", {32, 4}),
    ],
)
def test_what_such_a_function_stores_through_pointers_has_numbers(tmp_path: Path, call: str, stores: set[int]) -> None:
    text = f"__global__ void k(float *v, float *w, int *e, float x) {{ int t = threadIdx.x; {call}; }}\n"
    text += "void run(float *v, int *e) { k<<<1, 32>>>(v, v, e, 2); }\n"
    (kernel,) = check(tmp_path, text).checked
    assert kernel.analysis is not None
    made = zip(kernel.analysis.accesses, kernel.traffics, strict=True)
    costs = {None if cost is None else cost.count for access, cost in made if access.op is Operation.STORE}
    assert costs == stores
