"""CUB's collectives over a part of a warp wait for the lanes of that part alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coalint.cli.main import main

SOURCE = """\
#include <cub/cub.cuh>
using Reduce = cub::WarpReduce<int, SIZE>; using Scan = cub::WarpScan<int, SIZE>;
__global__ void k(int *out, const int *in) {
    __shared__ Reduce::TempStorage reduce[32]; __shared__ Scan::TempStorage scan[32];
    int v = in[threadIdx.x];
    if (threadIdx.x % 32 CONDITION) { CALL }
    out[threadIdx.x] = v;
}
void run(int *a, int *b) { k<<<1, 128>>>(a, b); }
"""
SIZES = (4, 12, 16, 32)
CONDITIONS = {"< 16": {32}, ">= 16": {32}, "< 8": {16, 32}, "!= 5": {4, 16, 32}, "< 32": set[int]()}
"""The sizes with which the lanes of some part come only in part."""


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize(
    "call",
    [
        "v = Reduce(reduce[threadIdx.x / SIZE]).Sum(v);",
        "Scan(scan[threadIdx.x / SIZE]).InclusiveSum(v, v);",
        "v = Scan(scan[threadIdx.x / SIZE]).Broadcast(v, 0);",
    ],
)
def test_who_is_waited_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], call: str, condition: str, size: int
) -> None:
    source = SOURCE.replace("CALL", call).replace("CONDITION", condition).replace("SIZE", str(size))
    (tmp_path / "k.cu").write_text(source)
    main(["lint", "--select=COA303", "--output-format=json", str(tmp_path / "k.cu")])
    report = json.loads(capsys.readouterr().out)
    assert report["coverage"]["analysed"] == 1
    assert bool(report["diagnostics"]) == (size in CONDITIONS[condition])
