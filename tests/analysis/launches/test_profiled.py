"""Which launches a profiled one may be: all whose block and grid are its own, or open."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.profiled_launch import ProfiledLaunch
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture

KERNEL = "__global__ void k(float *a, int n) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) a[i] = 0; }\n"
OPEN = """\
int main(int argc, char **argv) {
    float *a;
    int n = 1 << 20;
    if (argc > 1) n = atoi(argv[1]);
    int blocks = (n + 255) / 256;"""
GRID = (4096, 1, 1)


@pytest.mark.parametrize(
    ("launches", "sizes"),
    [
        ("k<<<blocks, 256>>>(a, 1);\nk<<<blocks, 256>>>(a, n);", [1, 1 << 20]),
        ("k<<<blocks, 256>>>(a, n);", [1 << 20]),
        ("k<<<blocks, 128>>>(a, 1);\nk<<<blocks, 256>>>(a, n);", [1 << 20]),
        ("k<<<7, 256>>>(a, 1);\nk<<<blocks, 256>>>(a, n);", [1 << 20]),
    ],
)
def test_a_launch_of_open_grid_may_be_the_one_that_was_profiled(
    launches: str, sizes: list[int], tmp_path: Path
) -> None:
    source = tmp_path / "k.cu"
    source.write_text(f"{KERNEL}{OPEN}\n{launches}\n}}\n")
    asked = ProfiledLaunch("k", (), block=(256, 1, 1), grid=GRID)
    job = Job((), architecture("sm_90"), (), keep=True, headers=shared_headers(), profiled=(asked,))
    found = [each.analysis.specialization for each in check_file(Source(str(source)), job).checked if each.analysis]
    assert {one.grid for one in found} == {GRID}
    assert sorted(dict(one.arguments)["n"] for one in found) == sizes
