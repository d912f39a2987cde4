"""`coalint profile`: tables, formulas and totals, alike in text, JSON and HTML."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from project import Project

MULTIPLY = """\
__global__ void multiply(const float *A, const float *B, float *C, int N) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0;
        for (int k = 0; k < N; ++k) sum += A[col * N + k] * B[k * N + col];
        C[col * N + row] = sum;
    }
}
__global__ void copy(float *to, const float *from) { to[threadIdx.x] = from[2 * threadIdx.x]; }
void run(const float *a, const float *b, float *c, int N) {
    multiply<<<dim3((N + 31) / 32, (N + 7) / 8), dim3(32, 8)>>>(a, b, c, N);
    copy<<<1, 256>>>(c, a);
}
"""


@pytest.fixture
def kernels(project: Project) -> dict[str, Any]:
    project.put("k.cu", MULTIPLY)
    done = project.coalint("profile", "k.cu", "--output-format=json")
    return {kernel["name"]: kernel for kernel in json.loads(done.out)["kernels"]}


def test_costs_and_shares_are_formulas_where_sizes_are_open(kernels: dict[str, Any]) -> None:
    columns, rows, store = kernels["multiply"]["instructions"]
    assert columns["executed_formula"] == "N^2*ceil(N/32)"
    assert columns["cost_formula"] == "32*N^2*ceil(N/32)"
    assert columns["excess_formula"] == "28*N^2*ceil(N/32)"
    assert columns["share_formula"] == "N/(N + 1)"
    assert store["share_formula"] == "1/(N + 1)"
    assert [item["share_limit"] for item in (columns, rows, store)] == [1, 0, 0]
    assert columns["traffic_share_limit"] == pytest.approx(8 / 9)
    assert columns["latex"]["executed"] == r"N^{2} \left\lceil{\frac{N}{32}}\right\rceil"
    assert columns["mathml"]["share"].startswith("<mrow><mfrac>")
    totals = kernels["multiply"]["totals"]["global"]
    assert totals["cost_formula"] == "36*N^2*ceil(N/32) + 32*N*ceil(N/32)"


def test_a_known_launch_has_no_formulas(kernels: dict[str, Any]) -> None:
    load, store = kernels["copy"]["instructions"]
    assert load["share_formula"] is load["mathml"] is None
    assert (load["cost"], load["share"], load["traffic_share"]) == (64, 1, pytest.approx(64 / 96))
    assert (load["bytes_moved"], load["bytes_needed"], store["bytes_needed"]) == (2048, 1024, 1024)


@pytest.mark.parametrize(
    ("body", "least"),
    [
        ("a[i] = b[i];", 2 * 4 * 1024),
        ("a[i] += b[i];", 3 * 4 * 1024),
        ("a[i] = b[blockIdx.x];", 4 * 1024 + 4 * 4),
        ("for (int k = 0; k < 8; k++) a[i] += b[k * 1024 + i];", 2 * 4 * 1024 + 8 * 4 * 1024),
        ("for (int k = 0; k < 8; k++) a[i] += b[i + k];", 3 * 4 * 1024),  # the windows overlap
        ("if (i < 100) a[i] = b[2 * i];", 2 * 400),
        ("a[i] = 1; b[i] = a[i];", 2 * 4 * 1024),  # what is stored before need not be fetched
        ("a[i] = b[idx[i]];", None),
    ],
)
def test_the_least_that_dram_moves(body: str, least: int | None, project: Project) -> None:
    head = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
    launch = "void run(float *a, float *b, int *idx) { k<<<4, 256>>>(a, b, idx); }"
    project.put("k.cu", f"__global__ void k(float *a, float *b, int *idx) {{ {head} {body} }}\n{launch}\n")
    (kernel,) = json.loads(project.coalint("profile", "k.cu", "--output-format=json").out)["kernels"]
    assert kernel["least_dram_bytes"] == least


def test_the_page_holds_what_the_table_holds(project: Project) -> None:
    project.put("k.cu", MULTIPLY)
    assert project.coalint("profile", "k.cu", "--let", "N=1024", "-o", "profile.html").out == ""
    page = Path("profile.html").read_text(encoding="utf-8")
    cells = [unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<td.*?</td>", page, re.DOTALL)]
    table = project.coalint("profile", "k.cu", "--let", "N=1024").out
    numbers = re.findall(r"\d{1,3}(?:,\d{3})+", table)
    assert len(numbers) > 10
    assert [number for number in numbers if not any(number in cell for cell in cells) and number not in page] == []
    assert "<script" not in page


def test_the_page_has_formulas_as_mathml(project: Project) -> None:
    project.put("k.cu", MULTIPLY)
    page = project.coalint("profile", "k.cu", "--output-format=html").out
    assert '<math title="N^2*ceil(N/32)"><mrow><msup><mi>N</mi><mn>2</mn></msup>' in page
    assert "global: 36*N^2*ceil(N/32) + 32*N*ceil(N/32) sectors" in page
    assert "~89%" in page


HALVES = """\
__global__ void fold(float *a, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) a[i] += a[i + half];
}
__global__ void clear(float *a) { a[threadIdx.x] = 0; }
void run(float *a, int n) {
    for (int half = 512; half > 0; half /= 2) fold<<<(half + 255) / 256, 256>>>(a, half);
    for (int r = 0; r < 100; r++) clear<<<1, 256>>>(a);
    for (int r = 0; r < n; r++) clear<<<2, 256>>>(a);
}
"""


@pytest.mark.slow
def test_each_launch_of_a_loop_of_the_host_is_counted(project: Project) -> None:
    project.put("k.cu", HALVES)
    kernels = json.loads(project.coalint("profile", "k.cu", "--output-format=json").out)["kernels"]
    folds = [k for k in kernels if k["name"] == "fold"]
    executed = sorted(kernel["instructions"][0]["executed"] for kernel in folds)
    assert executed == [1, 1, 1, 1, 1, 1, 2, 4, 8, 16]
    clears = {kernel["grid"][0]: kernel["launches"] for kernel in kernels if kernel["name"] == "clear"}
    assert clears == {1: 100, 2: None}
    text = project.coalint("profile", "k.cu").out
    assert "256 threads (launch at line 8), 1 block, 100 times" in text
    assert "256 threads (launch at line 9), 2 blocks, in a loop" in text


REDUCE = """\
__global__ void reduce(float *out, const float *in) {
    extern __shared__ float s[];
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned h = blockDim.x / 2; h > 0; h >>= 1) {
        __syncthreads();
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    }
    if (threadIdx.x < 100) out[blockIdx.x] = s[0];
}
"""


@pytest.mark.slow
def test_counts_without_a_launch_are_formulas_in_the_block(project: Project) -> None:
    project.put("k.cu", REDUCE)
    (kernel,) = json.loads(project.coalint("profile", "k.cu", "--output-format=json").out)["kernels"]
    assert kernel["supposed_block"] == {"blockDim.x": 256}
    (barrier,) = kernel["barriers"]
    assert barrier["executed_formula"] == "blockDim.x*gridDim.x*floor(log2(blockDim.x))/32"
    assert barrier["holds_for"] == "`blockDim.x` is a multiple of 32"
    load = kernel["instructions"][0]
    assert (load["executed_formula"], load["cost_formula"]) == ("blockDim.x*gridDim.x/32", "blockDim.x*gridDim.x/8")
    assert load["latex"]["executed"] == r"\frac{blockDim.x gridDim.x}{32}"
    halved = next(item for item in kernel["instructions"] if item["expression"] == "s[threadIdx.x + h]")
    assert halved["executed_formula"] == "gridDim.x*(blockDim.x/32 + 4)"
    assert halved["holds_for"] == "`blockDim.x` is a power of two from 32 on"
    assert kernel["instructions"][-1]["holds_for"] is None  # 100 lanes: of which blocks is no sum of few terms


@pytest.mark.slow
def test_what_is_no_formula_of_the_block_is_marked(project: Project) -> None:
    project.put("k.cu", REDUCE)
    table = project.coalint("profile", "k.cu").out
    assert re.search(r"8:28 +store global 4 B +~4\*gridDim.x +~", table)
    assert "~ in front of a number: at blockDim.x = 256" in table
    assert "global (at blockDim.x = 256): 36*gridDim.x sectors" in table
    assert "assuming `blockDim.x` is a power of two from 32 on" in table
    page = project.coalint("profile", "k.cu", "--output-format=html").out
    assert "Numbers after ~, and shares, are for blockDim.x = 256" in page
    assert '<math title="blockDim.x*gridDim.x/32">' in page


@pytest.mark.parametrize("block", [64, 512])
def test_a_number_for_the_block_gives_numbers(block: int, project: Project) -> None:
    project.put("k.cu", REDUCE)
    done = project.coalint(
        *("profile", "k.cu", "--output-format=json", "--let", f"blockDim.x={block}", "--let", "gridDim.x=3")
    )
    (kernel,) = json.loads(done.out)["kernels"]
    assert kernel["supposed_block"] == {}
    assert kernel["barriers"][0]["executed"] == 3 * block // 32 * (block.bit_length() - 1)
    assert {item["holds_for"] for item in kernel["instructions"]} == {None}


def test_active_lanes_stand_in_the_table_where_it_is_wide_enough(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.put("k.cu", f"__global__ void k(float *a) {{ if (threadIdx.x < 24) a[threadIdx.x] = 1; }}\n{CALL}")
    for columns, are_shown in (("100", True), ("80", False)):
        monkeypatch.setenv("COLUMNS", columns)
        table = project.coalint("profile", "k.cu").out
        assert bool(re.search(r"executed +lanes +cost", table)) is are_shown
        assert bool(re.search(r"store global 4 B +4 +24 +12 ", table)) is are_shown


CALL = "void run(float *a) { k<<<4, 64>>>(a); }"


def test_a_block_of_three_open_extents_has_marked_numbers(project: Project) -> None:
    body = "a[threadIdx.z * 64 + threadIdx.y * 8 + threadIdx.x] = 1;"
    project.put("k.cu", f"__global__ void k(float *a) {{ {body} }}\n")
    table = project.coalint("profile", "k.cu").out
    assert re.search(r"store global 4 B +~8 +~32 ", table)
    assert "~ in front of a number: at blockDim.x = 8, blockDim.y = 8, blockDim.z = 4" in table
