"""Tables in constant or global memory: an index that is read from one is known where nothing changes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Access, Operation
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.traffic import traffic

MAIN = "int main() {{ float *out; cudaMalloc(&out, 4096); {copied} k<<<1, 32>>>(out, 7); }}\n"


def store(folder: Path, table: str, index: str, copied: str = "", main: str = MAIN) -> Access:
    path = folder / "k.cu"
    statement = index if "out[" in index else f"out[{index}"
    body = f"__global__ void k(float *out, int n) {{ int i = threadIdx.x; {statement}] = 1; }}\n"
    path.write_text(f"{table}\n{body}{main.format(copied=copied)}")
    result = check_file(Source(str(path)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    (found,) = [access for access in kernel.analysis.accesses if access.op is Operation.STORE]
    return found


@pytest.mark.parametrize(
    ("table", "index", "sectors"),
    [
        ("__constant__ int t[4] = {0, 3, 1, 2};", "t[i & 3]", 1),
        ("__constant__ int t[4] = {0, 3, 1, 2};", "4 * i + t[i & 3]", 16),
        ("static __constant__ short t[] = {0, -3, 64, 2};", "t[i & 3] * 8 + 128", 4),
        ("__constant__ unsigned char t[4] = {0, 7, 64, 255};", "t[i / 8]", 3),
        ("__device__ const int t[2][4] = {{0, 3, 1, 2}, {4, 5}};", "t[1][i & 3] * 8", 3),
        ("constexpr int step = 8; __constant__ const int t[3] = {step, -step, ~7};", "64 + 8 * i + t[1]", 32),
    ],
)
def test_an_index_from_a_table_is_known(tmp_path: Path, table: str, index: str, sectors: int) -> None:
    found = store(tmp_path, table, index)
    cost = traffic(found, architecture("sm_90"))
    assert found.result.exact
    assert cost is not None
    assert cost.count == sectors


@pytest.mark.parametrize(
    ("index", "sectors"),
    [("8 * i + t[k & 3]", 32), ("t[k] * 8 + i", 4), ("t[k] * 8 + t[i & 3]", 1), ("t[t[i & 3]] + 8 * k", 1)],
)
def test_a_table_that_is_first_read_in_a_loop_is_known(tmp_path: Path, index: str, sectors: int) -> None:
    loop = f"for (int k = 0; k < 4; k++) out[{index}"
    cost = traffic(store(tmp_path, "__constant__ int t[4] = {0, 3, 1, 2};", loop), architecture("sm_90"))
    assert cost is not None
    assert cost.count == sectors


TABLE = "__constant__ int t[4] = {0, 3, 1, 2};"


@pytest.mark.parametrize(
    ("table", "copied", "main"),
    [
        (TABLE, "int v[4]; cudaMemcpyToSymbol(t, v, 16);", MAIN),
        (TABLE, "int v[4]; void *p; cudaGetSymbolAddress(&p, &t[0]);", MAIN),
        (TABLE, "", "void run(float *out) {{ k<<<1, 32>>>(out, 7); }}\n"),  # another file may name it
        ("__device__ int t[4] = {0, 3, 1, 2};", "", MAIN),  # another kernel may write to it
        ("__constant__ int t[4];", "", MAIN),
        ("int f(); __constant__ int t[4] = {f(), 3, 1, 2};", "", MAIN),
    ],
)
def test_a_table_that_may_change_is_data(tmp_path: Path, table: str, copied: str, main: str) -> None:
    found = store(tmp_path, table, "t[i & 3]", copied, main)
    assert not found.result.exact
    assert found.result.data_dependent
