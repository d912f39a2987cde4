"""An index that memory decides costs no more sectors than the table lies in."""

from __future__ import annotations

import re

import pytest
from project import Project

SOURCE = """\
__device__ TYPE table[SIZE];
__global__ void k(float *out, const unsigned char *in, const TYPE *given, const unsigned *wide) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = LOAD;
}
void f(float *o, unsigned char *i, TYPE *g, unsigned *w) { k<<<4, 256>>>(o, i, g, w); }
"""


def most(project: Project, load: str, size: int = 4096, type_name: str = "unsigned char") -> int | None:
    """The most sectors of a request that the finding names, None where there is none."""
    source = SOURCE.replace("TYPE", type_name).replace("SIZE", str(size)).replace("LOAD", load)
    project.put("k.cu", source)
    found = project.lint("--select=COA104", "--show-info", "k.cu").report["diagnostics"]
    if not found:
        return None
    named = re.search(r"1 to (\d+) sectors", found[0]["message"])
    assert named is not None
    return int(named[1])


def touched(spread: int) -> int:
    """The most sectors that this many bytes lie in, wherever they begin."""
    return max(len({(first + byte) // 32 for byte in range(spread)}) for first in range(32))


@pytest.mark.parametrize("size", [65, 128, 500, 991])
def test_the_size_of_the_array_bounds_the_sectors(project: Project, size: int) -> None:
    assert most(project, "table[wide[i]]", size) == min(32, touched(size))


@pytest.mark.parametrize(
    ("load", "spread"),
    [
        ("given[in[i] & 127]", 128),
        ("given[in[i] % 100]", 100),
        ("given[blockIdx.x * 64 + (in[i] & 63)]", 64),
        ("given[(in[i] & 63) * 4]", 253),
    ],
)
def test_a_mask_or_a_remainder_bounds_them(project: Project, load: str, spread: int) -> None:
    assert most(project, load) == touched(spread)


@pytest.mark.parametrize("load", ["given[wide[i]]", "given[gridDim.x * in[i]]", "table[wide[i]]"])
def test_without_a_bound_each_lane_may_take_one(project: Project, load: str) -> None:
    assert most(project, load) == 32


@pytest.mark.parametrize(
    ("load", "size", "type_name"),
    [("table[wide[i]]", 16, "unsigned char"), ("given[in[i] & 7]", 4096, "float"), ("given[in[i] & 31]", 1, "double")],
)
def test_a_table_of_a_sector_or_two_is_not_reported(project: Project, load: str, size: int, type_name: str) -> None:
    assert most(project, load, size, type_name) is None


def test_the_access_that_may_cost_most_speaks_for_a_line(project: Project) -> None:
    project.put(
        "k.cu", SOURCE.replace("TYPE", "float").replace("SIZE", "64").replace("LOAD", "table[in[i]] + given[wide[i]]")
    )
    (found,) = project.lint("--select=COA104", "--show-info", "k.cu").report["diagnostics"]
    assert "`given[wide[i]]`" in found["message"]
