"""Complex numbers of the libraries: every operand is read, as wide as nvcc reads it (seen in its code for sm_90)."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import accesses, check

OPERATIONS = {
    "r += a[i];": 1,
    "r -= f[2 * i];": 0,
    "r *= a[i];": 1,
    "r /= a[i];": 1,
    "r = r + a[i];": 1,
    "r = a[i] - r;": 1,
    "r = a[i] * f[i];": 1,
    "r = f[i] * a[i];": 1,
    "r = a[i] / f[i];": 1,
    "r = 2.0f / a[i];": 1,
    "r = -a[i];": 1,
    "r = conj(a[i]);": 1,
    "r = exp(a[i]);": 1,
    "r = sqrt(a[i]) + pow(a[i + 32], r);": 2,
    "r = C(norm(a[i]), abs(a[i + 32]));": 2,
    "r = C(a[i].real(), 0);": 0,
    "if (a[i] == r) r = C(1, 1);": 1,
    "r = a[i] != f[i] ? r : C(0, 1);": 1,
}
HEADERS = "".join(f"#include <{h}>\n" for h in "complex thrust/complex.h cuda/std/complex c10/util/complex.h".split())


@pytest.mark.parametrize("space", ["std", "thrust", "cuda::std", "c10"])
def test_every_operand_of_an_operation_is_read(tmp_path: Path, space: str) -> None:
    kernels = "\n".join(
        f"""__global__ void k{n}(const C *a, const float *f, C *out) {{
    int i = threadIdx.x; C r(1, 2);
    {body}
    out[i] = r; }}"""
        for n, body in enumerate(OPERATIONS)
    )
    result = check(tmp_path, f"{HEADERS}\ntypedef {space}::complex<float> C;\n{kernels}")
    assert not result.problems
    pieces = 2 if space == "std" else 1  # std's are aligned to 4 bytes
    for (body, loads), kernel in zip(OPERATIONS.items(), result.checked, strict=True):
        assert kernel.analysis is not None
        found = [(access.op.value, access.bytes) for access in kernel.analysis.accesses]
        wide = [("load", 8 // pieces)] * (loads * pieces)
        narrow = [("load", 4)] * (body.count("f[") + body.count(".real"))
        store = [("store", 8 // pieces)] * pieces
        assert sorted(found) == sorted([*wide, *narrow, *store]), body


def test_a_collective_reads_its_operands_and_changes_what_it_sorts(tmp_path: Path) -> None:
    source = """#include <cub/cub.cuh>
__global__ void k(const int *in, int *out) {
    typedef cub::BlockScan<int, 128> Scan;
    __shared__ typename Scan::TempStorage a;
    int v;
    Scan(a).InclusiveSum(in[2 * threadIdx.x], v);
    typedef cub::BlockRadixSort<int, 128, 2> Sort;
    __shared__ typename Sort::TempStorage b;
    int keys[2] = {1, 2};
    Sort(b).Sort(keys);
    out[keys[0]] = v;
}
"""
    found = {(access.op.value, access.result.unknown is None) for access in accesses(check(tmp_path, source))}
    assert found == {("load", True), ("store", False)}


@pytest.mark.parametrize("header", ["thrust/device_ptr.h", "cuda/std/tuple", "optional"])
def test_a_program_has_names_of_complex_numbers_of_its_own(tmp_path: Path, header: str) -> None:
    names = "typedef float real; typedef float proj; using namespace std;"
    kernel = "__global__ void k(real *p, proj *q) { p[threadIdx.x] = *q; }"
    assert len(accesses(check(tmp_path, f"#include <{header}>\n{names}\n{kernel}\n"))) == 2
