"""Rows that a block's threads are in, found by a quotient: all of a block are in one where rows are whole blocks."""

from __future__ import annotations

import pytest
from project import Project

KERNEL = """\
__global__ void k(int *io, int rows, size_t n) {{
    {index};
    if (row < rows) {{
        io[n + row] = 1;
        __syncthreads();
    }}
    io[row] = 0;
}}
void run(int *io, int rows, size_t n) {{ {launch} }}
"""
PLAIN = "k<<<4096, {block}>>>(io, rows, 4096);"
GLOBAL = "size_t i = blockIdx.x * blockDim.x + threadIdx.x"
CHECKED = "if (n % 1024 != 0) throw 1; k<<<4096, {block}>>>(io, rows, n);"
CASES = """switch (n) {{
    case 2048: case 4096: s = 64; break;
    case 8192: s = 128; break;
    {default}
    }}
    k<<<4096, {block}>>>(io, rows, n);"""


def barriers(project: Project, index: str, launch: str) -> list[str]:
    project.put("k.cu", KERNEL.format(index=index, launch=launch))
    return [one["message"] for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA301"]


@pytest.mark.parametrize(
    "index",
    [
        f"{GLOBAL}; size_t row = i / 512",
        f"{GLOBAL}; size_t row = i / (n / 8)",
        f"{GLOBAL}; size_t row = i >> 9",
        "int i = blockIdx.x * 128 + threadIdx.x; int row = i / 384",
        f"{GLOBAL} + 256; size_t row = i / 512",
    ],
)
def test_a_block_is_in_one_row_of_whole_blocks(project: Project, index: str) -> None:
    assert barriers(project, index, PLAIN.format(block=128)) == []


@pytest.mark.parametrize(
    ("index", "block"),
    [
        (f"{GLOBAL}; size_t row = i / 512", 768),
        (f"{GLOBAL} + 64; size_t row = i / 512", 128),
        (f"{GLOBAL}; size_t row = i / 500", 128),
        (f"{GLOBAL}; size_t row = i >> 6", 128),
        ("int i = blockIdx.x * 128 + threadIdx.x - 600; int row = i / 512", 128),
    ],
)
def test_threads_of_a_block_part_between_other_rows(project: Project, index: str, block: int) -> None:
    assert len(barriers(project, index, PLAIN.format(block=block))) == 1


@pytest.mark.parametrize(
    ("launch", "block", "count"),
    [
        (CHECKED, 128, 0),
        (CHECKED, 192, 1),
        ("size_t s; " + CASES.replace("{default}", "default: throw 1;"), "s * 2", 0),
        ("size_t s; " + CASES.replace("{default}", "default: return;"), "128", 0),
        ("size_t s; " + CASES.replace("{default}", "case 96: s = 64; break; default: throw 1;"), "128", 1),
        ("size_t s = 64; " + CASES.replace("{default}", ""), "128", 1),
    ],
)
def test_what_the_host_allows_for_the_length_of_a_row_counts(
    project: Project, launch: str, block: str, count: int
) -> None:
    index = f"{GLOBAL}; size_t row = i / (n / 8)"
    assert len(barriers(project, index, launch.format(block=block))) == count
