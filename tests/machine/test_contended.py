"""Lanes that meet at one address: how many, against brute force; and which atomics nvcc is said to combine."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import Project
from synthetic import lanes_of, warps

from coalint.machine.shared_memory.contention import most_at_address

LANE = st.none() | st.integers(0, 12).map(lambda word: 4 * word)
WARP = st.lists(LANE, min_size=32, max_size=32)


@pytest.mark.slow
@given(st.lists(st.lists(WARP, min_size=2, max_size=2), min_size=1, max_size=3))
def test_most_lanes_at_an_address_against_brute_force(rows: list[list[list[int | None]]]) -> None:
    found = most_at_address(lanes_of(rows)).tolist()
    expected = [
        [max(Counter(lane for lane in warp if lane is not None).values(), default=0) for warp in row] for row in rows
    ]
    assert found == expected


def test_lanes_of_different_groups_do_not_meet() -> None:
    lanes = lanes_of([warps((32, 1, 1), lambda x, y, z: 0)], groups=[[lane // 8 for lane in range(32)]])
    assert most_at_address(lanes).tolist() == [[8]]


def test_many_iterations_are_counted_as_they_are() -> None:
    rows = [warps((256, 1, 1), lambda x, y, z, k=k: 4 * (x // (1 + k % 3)) + 512 * k) for k in range(64)]  # type: ignore[misc]
    assert most_at_address(lanes_of(rows)).tolist() == [[1 + k % 3] * 8 for k in range(64)]


KERNEL = """\
__global__ void k({type} *sums, const {type} *in, {type} *out, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {statement};
}}
void run({type} *a) {{ k<<<4, 256>>>(a, a, a, 1024); }}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type_", "statement", "found"),
    [
        # as nvcc 13.2 writes them for sm_90
        ("int", "atomicAdd(sums, in[i])", False),
        ("int", "atomicAdd(&sums[blockIdx.x], in[i])", False),
        ("int", "atomicAdd_block(sums, in[i])", False),
        ("int", "atomicSub(sums, in[i])", False),
        ("unsigned", "atomicXor(sums, in[i])", False),
        ("int", "out[i] = atomicAdd(sums, 1)", False),
        ("int", "out[i] = atomicAdd(sums, n)", False),
        ("int", "out[i] = atomicAdd(sums, in[i])", False),
        ("int", "out[i] = atomicMax(sums, in[i])", True),
        ("int", "atomicMax(sums, in[i])", False),
        ("int", "atomicAdd(&sums[i / 32], 1)", True),
        ("int", "atomicAdd(&sums[i / 8], 1)", True),
        ("int", "atomicAdd(&sums[i / 4], 1)", False),
        # only the launch tells that these are one address
        ("int", "atomicAdd(&sums[threadIdx.y], in[i])", True),
        ("int", "int row = threadIdx.x / 256; atomicAdd(&sums[row], in[i])", True),
        ("unsigned long long", "atomicAdd(sums, threadIdx.z + 1ull)", True),
        ("unsigned", "atomicInc(sums, 7u)", True),
        ("unsigned", "atomicDec(sums, 7u)", True),
        ("int", "atomicExch(sums, i)", True),
        ("int", "atomicCAS(sums, 0, i)", True),
        ("unsigned long long", "atomicAdd(sums, 1ull)", False),
        ("unsigned long long", "atomicAdd(sums, (unsigned long long)n)", False),
        ("unsigned long long", "atomicAdd(sums, in[i])", True),
        ("unsigned long long", "atomicMin(sums, in[i])", True),
        ("float", "atomicAdd(sums, in[i])", True),
        ("float", "atomicAdd(sums, 1.0f)", True),
        ("float", "if (i < n) atomicAdd(sums, in[i])", True),
        ("double", "atomicAdd(sums, in[i])", True),
        # one lane, and what only data can tell
        ("float", "if (threadIdx.x == 0) atomicAdd(sums, in[i])", False),
        ("float", "if (threadIdx.x % 32 == 0) atomicAdd(sums, in[i])", False),
        ("float", "if (in[i] > 0) atomicAdd(sums, in[i])", False),
        ("int", "atomicExch(&sums[in[i]], i)", False),
        ("float", "atomicAdd(&sums[i], in[i])", False),
    ],
)
def test_atomics_that_nvcc_combines_are_silent(project: Project, type_: str, statement: str, found: bool) -> None:
    project.put("k.cu", KERNEL.format(type=type_, statement=statement))
    assert project.lint("--select", "COA109", "k.cu").codes == (["COA109"] if found else [])


def test_giving_a_lock_back_is_silent(project: Project) -> None:
    statement = "while (atomicCAS(sums, 0, 1)) {} out[0] += i; atomicExch(sums, 0)"
    project.put("k.cu", KERNEL.format(type="int", statement=statement))
    report = project.lint("--select", "COA109", "k.cu").report["diagnostics"]
    assert [one["accesses"][0]["expression"] for one in report] == ["atomicCAS(sums, 0, 1)"]


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("atomicAdd(&sums[i / 32], in[i])", "`__reduce_add_sync`"),
        ("out[i] = atomicMax(sums, in[i])", "`__reduce_max_sync`"),
        ("out[i] = atomicExch(sums, i)", "(`__shfl_sync`)"),
        ("out[i] = atomicAdd(&sums[i / 32], in[i])", "`__shfl_up_sync`"),
    ],
)
def test_the_help_names_what_combines_the_lanes(project: Project, statement: str, says: str) -> None:
    project.put("k.cu", KERNEL.format(type="int", statement=statement))
    (found,) = project.lint("--select", "COA109", "k.cu").report["diagnostics"]
    assert says in found["help"]


def test_one_float_of_shared_memory_is_one_finding(project: Project) -> None:
    project.put(
        "k.cu",
        """\
__global__ void k(float *out, const float *in) {
    __shared__ float sum;
    atomicAdd(&sum, in[threadIdx.x]);
    out[0] = sum;
}
void run(float *a) { k<<<1, 256>>>(a, a); }
""",
    )
    (found,) = project.lint("--select", "COA1,COA2", "k.cu").report["diagnostics"]
    assert found["code"] == "COA109"
    assert found["message"].endswith("update the same address, which takes 64 wavefronts per request (ideal: 2)")


def test_a_function_that_only_sounds_like_an_atomic_is_not_judged(project: Project) -> None:
    text = KERNEL.format(type="float", statement="atomicAverage(sums, in[i])")
    project.put("k.cu", "__device__ float atomicAverage(float *, float);\n" + text)
    assert project.lint("--select", "COA109", "k.cu").codes == []
