"""threadIdx and its kin as values of their own: copied, passed on, referred to."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.launch import LaunchSource
from coalint.engine.check.file import check_file
from coalint.engine.check.records import CheckedKernel, Job, Source
from coalint.machine.architecture import architecture

HELPERS = """
__device__ unsigned by_reference(const uint3 &index, int axis) { return axis == 0 ? index.x : index.y; }
__device__ unsigned by_value(uint3 index) { return index.x; }
__device__ unsigned by_pointer(const uint3 *index) { return index->x; }
template <typename Index> __device__ unsigned generic(const Index &index) { return index.x; }
template <typename Index> __device__ unsigned forwarded(Index &&index) { return index.x; }
"""


def checked(folder: Path, body: str, bounds: str = "") -> CheckedKernel:
    file = folder / "k.cu"
    file.write_text(f"{HELPERS}__global__ void {bounds} k(float *out) {{ {body} }}\n")
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    (kernel,) = result.checked
    return kernel


@pytest.mark.parametrize(
    "body",
    [
        "out[2 * by_reference(threadIdx, 0)] = 0;",
        "out[2 * by_value(threadIdx)] = 0;",
        "out[2 * by_pointer(&threadIdx)] = 0;",
        "out[2 * generic(threadIdx)] = 0;",
        "out[2 * forwarded(threadIdx)] = 0;",
        "uint3 t = threadIdx; out[2 * t.x] = 0;",
        "uint3 t; t = threadIdx; out[2 * t.x] = 0;",
        "const auto &t = threadIdx; out[2 * t.x] = 0;",
        "auto t = &threadIdx; out[2 * t->x] = 0;",
        "dim3 t(threadIdx); out[2 * t.x] = 0;",
        "dim3 t = threadIdx; t.x *= 2; out[t.x] = 0;",
        "uint3 both[2] = {blockIdx, threadIdx}; out[2 * both[1].x] = 0;",
        "out[2 * (threadIdx).x] = 0;",
        "for (int i = 0; i < 3; i++) { uint3 t = threadIdx; out[2 * t.x] = 0; }",
        "if (out == nullptr) return; uint3 t = threadIdx; out[2 * t.x] = 0;",
        "dim3 b = blockDim; out[b.x * 64 * blockIdx.x + 2 * threadIdx.x] = 0;",
    ],
)
def test_a_copy_of_threadidx_is_threadidx(tmp_path: Path, body: str) -> None:
    kernel = checked(tmp_path, body, "__launch_bounds__(256)")
    assert kernel.analysis is not None
    (access,) = kernel.analysis.accesses
    (cost,) = kernel.traffics
    assert access.result.exact is not kernel.specialization.spread
    assert access.strides[0] == 8
    assert cost is not None
    assert cost.count == 8  # 32 floats, two apart: 8 sectors of 32 bytes
    assert any("threadIdx.x" in note.message for note in access.provenance)


def test_the_axes_of_a_copy_suggest_the_block(tmp_path: Path) -> None:
    launch = checked(tmp_path, "uint3 t = threadIdx; out[32 * t.y + t.x] = 0;").specialization
    assert (launch.block, launch.source) == ((32, 8, 1), LaunchSource.ASSUMED)


@pytest.mark.parametrize("body", ["out[threadIdx] = 0;", "out[(int)threadIdx] = 0;", "int t = threadIdx; out[t] = 0;"])
def test_threadidx_where_a_number_belongs_fails_nothing(tmp_path: Path, body: str) -> None:
    file = tmp_path / "k.cu"
    file.write_text(f"__global__ void __launch_bounds__(256) k(float *out) {{ {body} }}\n")
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures
    assert [problem.code for problem in result.problems] == ["COA902"]
