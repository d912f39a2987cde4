"""What the user states of a launch: it decides addresses and barriers, and what decides nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.synchronization import Verdict
from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.engine.findings.gather import unused_assumptions
from coalint.machine.architecture import architecture

KERNEL = """__global__ void k(float *y, int pitch) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[gridDim.x * threadIdx.x] = 1;
    y[pitch * threadIdx.x] = 1;
    if (i < 1000) __syncthreads();
}
"""
LAUNCH = "void run(float *y, int n) { k<<<n, 128>>>(y, n); }\n"


def check(folder: Path, source: str, *assume: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    job = Job(assume, architecture("sm_80"), (), keep=True, headers=shared_headers())
    result = check_file(Source(str(file)), job)
    assert not result.failures, result.failures
    return result


def outcome(result: FileResult) -> tuple[str, Verdict]:
    """The stride of the access that the grid decides, and what is known of the barrier."""
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return kernel.analysis.accesses[0].stride, kernel.analysis.barriers[0].verdict


@pytest.mark.parametrize("launch", [LAUNCH, ""])
def test_the_extent_of_the_grid_decides_addresses_and_barriers(tmp_path: Path, launch: str) -> None:
    assert outcome(check(tmp_path, KERNEL + launch)) == ("4*gridDim.x", Verdict.DIVERGENT)
    by_option = check(tmp_path, KERNEL + launch, "gridDim.x == 2")
    by_comment = check(tmp_path, f"// coalint: assume(gridDim.x == 2)\n{KERNEL}{launch}")
    assert outcome(by_option) == outcome(by_comment) == ("8", Verdict.UNIFORM)


def test_what_the_launch_says_is_not_replaced(tmp_path: Path) -> None:
    launch = "void run(float *y, int n) { k<<<4, 128>>>(y, n); }\n"
    result = check(tmp_path, KERNEL + launch, "gridDim.x == 2")
    assert outcome(result)[0] == "16"
    assert dict(result.facts) == {"gridDim.x": False}


@pytest.mark.parametrize(
    ("fact", "has_effect"),
    [
        ("gridDim.x == 2", True),
        ("gridDim.y == 2", False),
        ("pitch == 64", True),
        ("pitch % 4 == 0", True),
        ("width == 64", False),
        ("blockDim.x == 64", False),
    ],
)
def test_a_fact_without_effect_is_said_so(tmp_path: Path, fact: str, has_effect: bool) -> None:
    remarks = unused_assumptions([check(tmp_path, KERNEL + LAUNCH, fact)])
    name = fact.partition(" ")[0]
    said = f"the assumption about `{name}` has no effect: no checked kernel depends on it, or the launches"
    assert [remark.startswith(said) for remark in remarks] == ([] if has_effect else [True])


def test_a_fact_about_one_kernel_of_a_run_is_enough(tmp_path: Path) -> None:
    other = "__global__ void other(float *y) { y[threadIdx.x] = 1; }\n"
    results = [check(tmp_path, other, "pitch == 64"), check(tmp_path, KERNEL, "pitch == 64")]
    assert not unused_assumptions(results)
