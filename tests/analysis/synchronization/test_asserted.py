"""What a kernel asserts of its sizes, or traps for, tells which threads stay together."""

from __future__ import annotations

import json

import pytest
from project import Project

HEAD = """\
#include <cassert>
__constant__ int *cut;
__global__ void k(float *p, int n, int start, int end) {
    int lane = threadIdx.x & 31, w = (threadIdx.x + blockIdx.x * blockDim.x) / 32;
"""
AFTER = "p[n] = 0;"  # who has left a loop before has not left the kernel
WALK = "for (int i = start + lane; i < end; i += 32) { p[i] += 1; __syncwarp(); }"


def codes(project: Project, body: str) -> list[tuple[str, str]]:
    run = "void run(float *x, int n, int m) { k<<<m, 256>>>(x, n, m, n); }"
    project.put("k.cu", f"{HEAD}    {body}\n    {AFTER}\n}}\n{run}\n")
    found = project.lint("k.cu").report["diagnostics"]
    return [(one["code"], one["severity"]) for one in found if one["code"] in ("COA301", "COA303")]


WARP, BLOCK = [("COA303", "warning")], [("COA301", "warning")]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (WALK, WARP),
        (f"assert((end - start) % 32 == 0); {WALK}", []),
        (f"assert(end % 32 == 0 && start % 32 == 0); {WALK}", []),
        (f"assert((end - start) % 64 == 0); {WALK}", []),
        (f"assert((start - end) % 32 == 0); {WALK}", []),
        (f"assert((end - start) % 48 == 0); {WALK}", WARP),
        (f"assert((end + start) % 32 == 0); {WALK}", WARP),
        (f"if ((end - start) % 32 != 0) __trap(); {WALK}", []),
        (f"__builtin_assume((end - start) % 32 == 0); {WALK}", []),
        (f"if (n == 3) assert((end - start) % 32 == 0); {WALK}", WARP),
        (f"if (n == 3) {{ assert((end - start) % 32 == 0); {WALK} }}", []),
    ],
)
def test_lanes_walk_whole_rounds_of_a_length_that_is_asserted(project: Project, body: str, found: object) -> None:
    assert codes(project, body) == found


OF_BLOCK = f"{WALK.replace('syncwarp', 'syncthreads')} __syncthreads(); p[lane] = 1;"
OWN = "start = cut[w]; end = cut[w + 1];"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f"{OWN} assert((end - start) % 32 == 0); {WALK}", []),
        (f"{OWN} {WALK}", WARP),
        (f"start = cut[lane]; end = cut[lane + 1]; assert((end - start) % 32 == 0); {WALK}", WARP),
        (f"{OWN} {OF_BLOCK}", BLOCK),
        (f"{OWN} assert((end - start) % 32 == 0); {OF_BLOCK}", BLOCK),
    ],
)
def test_each_warp_may_have_a_length_of_its_own_that_is_asserted(project: Project, body: str, found: object) -> None:
    """That lanes of a warp walk together says nothing of the block: its warps may walk differently far."""
    assert codes(project, body) == found


def test_an_assertion_is_named_as_what_the_verdict_rests_on(project: Project) -> None:
    project.put(
        "k.cu",
        f"{HEAD}assert((end - start) % 32 == 0); {WALK}\n}}\nvoid run(float *x, int n) {{ k<<<n, 64>>>(x, n, 1, n); }}",
    )
    inspected = json.loads(project.coalint("inspect", "k.cu", "--output-format", "json").out)
    (barrier,) = inspected["kernels"][0]["barriers"]
    assert barrier["verdict"] == "uniform"
    assert "given that `assert((end - start) % 32 == 0)` holds here" in barrier["because"]


UP = """\
template <int N, typename T> constexpr __device__ T up(T n) {
    if (n == 0) return 0;
    return ((n - 1) / N + 1) * N;
}
"""


@pytest.mark.parametrize(
    ("guard", "bound", "found"),
    [
        ("true", "up<32>(n)", []),
        ("__shfl_sync(0xffffffff, p[threadIdx.x], 0) > 2", "up<32>(n)", []),
        ("__shfl_sync(0xffffffff, p[threadIdx.x], 0) > 2", "up<32>((long)n)", []),
        ("__shfl_sync(0xffffffff, p[threadIdx.x], 0) > 2", "up<24>(n)", WARP),
    ],
)
def test_a_length_that_is_rounded_up_to_whole_warps_under_other_conditions(
    project: Project, guard: str, bound: str, found: object
) -> None:
    """Rounded up by a function that has a case for 0, and where not all that keeps warps away is followed."""
    walk = f"for (int i = lane; i < {bound}; i += 32) {{ p[i] += 1; __syncwarp(); }}"
    run = "void run(float *x, int n) { k<<<n, 64>>>(x, n, n, n); }"
    project.put("k.cu", f"{UP}{HEAD}    if ({guard}) {walk}\n    {AFTER}\n}}\n{run}\n")
    diagnostics = project.lint("k.cu").report["diagnostics"]
    assert [(one["code"], one["severity"]) for one in diagnostics if one["code"] == "COA303"] == found


@pytest.mark.parametrize(("check", "is_found"), [("assert(s[255] == 0);", False), ("if (s[255] != 0) p[n] = 1;", True)])
def test_what_an_assertion_loads_makes_no_race(project: Project, check: str, is_found: bool) -> None:
    """A build for release does not load it."""
    body = f"__shared__ int s[256]; s[threadIdx.x] = n; __syncthreads(); {check} s[threadIdx.x] += lane;"
    run = "void run(float *x, int n, int m) { k<<<m, 256>>>(x, n, m, n); }"
    project.put("k.cu", f"{HEAD}    {body}\n    p[w] = s[threadIdx.x];\n}}\n{run}\n")
    found = [one for one in project.lint("k.cu").report["diagnostics"] if one["code"] == "COA304"]
    assert bool(found) == is_found
