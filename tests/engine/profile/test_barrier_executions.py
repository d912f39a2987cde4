"""How often warps execute barriers: what an H200 counted, and what is open or supposed."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from project import Project

from coalint.engine.verification.measured import source_hash

ROOT = Path(__file__).resolve().parents[3]
COUNTED = ROOT / "docs" / "data" / "barriers.sm_90.json"
WAITING = ("BAR", "SHFL", "VOTE")
"""What is executed for each call. WARPSYNC comes before some of them, and a VOTE lies at no line of the source."""

OPEN = """\
__global__ void k(float *x, int n) {
    __shared__ float s[128];
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = x[i];
        __syncthreads();
        x[i] = s[127 - threadIdx.x];
        __syncwarp();
    }
}
void run(float *x, int n) { k<<<4, 128>>>(x, n); }
"""


def test_executions_are_those_that_the_gpu_counted(project: Project) -> None:
    measured = json.loads(COUNTED.read_text(encoding="utf-8"))
    source = ROOT / measured["source"]
    assert measured["sha256"] == source_hash(source), "run: benchmarks/measure_barriers.py"
    counted: dict[str, list[int]] = defaultdict(list)
    for kernel in measured["kernels"]:
        counted[kernel["kernel"]] += [b["executed"] for b in kernel["barriers"] if b["opcode"] in WAITING]
    project.put("barriers.cu", source.read_text(encoding="utf-8"))
    kernels = json.loads(project.coalint("profile", "barriers.cu", "--output-format=json").out)["kernels"]
    assert {kernel["name"] for kernel in kernels} == counted.keys()
    for kernel in kernels:
        found = [barrier["executed"] for barrier in kernel["barriers"] if barrier["exact"]]
        assert sorted(found) == sorted(counted[kernel["name"]]), kernel["name"]


def test_an_open_number_is_a_formula_and_a_barrier_of_a_warp_may_be_left_out(project: Project) -> None:
    project.put("k.cu", OPEN)
    (kernel,) = json.loads(project.coalint("profile", "k.cu", "--output-format=json").out)["kernels"]
    block, warp = kernel["barriers"]
    assert (block["line"], block["scope"], block["executed_formula"], block["assumed"]) == (5, "block", "16*n", [])
    assert (warp["line"], warp["scope"], warp["executed_formula"]) == (7, "warp", "16*n")
    assert len(warp["assumed"]) == 1
    text = project.coalint("profile", "k.cu", "--let", "n=10").out
    assert [line.split()[:4] for line in text.splitlines() if "barrier " in line] == [
        ["5:9", "block", "barrier", "160"],
        ["7:9", "warp", "barrier", "160"],
    ]
    page = project.coalint("profile", "k.cu", "--let", "n=10", "--output-format=html").out
    assert "<td>block barrier</td>" in page
    assert "160 *" in page
