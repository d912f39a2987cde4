"""What a kernel costs that is slow on purpose, beside one that does the same faster, is no warning."""

from __future__ import annotations

import pytest
from project import Project

SLOW = "__global__ void {}(float *p) {{ p[32 * (blockIdx.x * 256 + threadIdx.x)] = 1; }}\n"
RUN = "void run(float *p) {{ {}; }}\n"


def severities(project: Project, *names: str, file: str = "k.cu") -> list[str]:
    """The severities of what kernels of these names cost, in their order."""
    launches = RUN.format("; ".join(f"{name}<<<64, 256>>>(p)" for name in names))
    project.put(file, "".join(map(SLOW.format, names)) + launches)
    found = {one["kernel"]: one["severity"] for one in project.lint(".").report["diagnostics"]}
    return [found[name] for name in names]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("transposeNaive", "transposeCoalesced"), "info warning"),
        (("copy_Basic", "copy_Optimized"), "info warning"),
        (("naive_gemm_kernel", "gemm_tiled_kernel"), "info warning"),
        (("reduce_naive", "reduce"), "info warning"),
        (("sum_reference", "sum"), "info warning"),
        (("sum_v0", "sum_v1", "sum_v2"), "info info warning"),
        (("transposeNaive", "copyCoalesced"), "warning warning"),
        (("transposeNaive",), "warning"),
        (("transposeNaive", "transposeUnoptimized"), "warning warning"),
        (("basicBlock", "blockSum"), "warning warning"),
        (("sum_v1", "sum_v2"), "warning warning"),
        (("copy1", "copy2", "copy3"), "warning warning warning"),
        (("warmup",), "info"),
        (("warmUpGPU", "warm_up_2", "warming_up"), "info info info"),
        (("init_centers", "initKernel", "gpu_setup"), "info info info"),
        (("awq_repack_kernel", "prepackWeights"), "info info"),
        (("reference_gemm", "referenceGemmKernel", "reference", "golden_sum"), "info info info info"),
        (("reference_frame_filter", "referenced", "scale_by_reference"), "warning warning warning"),
        (("initial", "set_up_rows", "pack_rows"), "warning warning warning"),
        (("up", "warm", "up_sweep", "warmup_rows"), "warning warning warning warning"),
    ],
)
def test_a_plain_variant_is_known_by_its_name(project: Project, names: tuple[str, ...], expected: str) -> None:
    assert severities(project, *names) == expected.split()


@pytest.mark.parametrize(
    ("other", "severity"), [("gemm_tiled.cu", "info"), ("conv_tiled.cu", "warning"), ("gemm_tiled.txt", "warning")]
)
def test_a_plain_variant_is_known_by_the_name_of_its_file(project: Project, other: str, severity: str) -> None:
    project.put(other, "// no kernel\n")
    assert severities(project, "multiply", file="gemm_naive.cu") == [severity]


def test_what_is_wrong_in_a_plain_variant_stays_a_warning(project: Project) -> None:
    body = "__shared__ int n; n = threadIdx.x; __syncthreads(); p[threadIdx.x] = n;"
    race = f"__global__ void sumNaive(float *p) {{ {body} }}\n"
    project.put("k.cu", race + SLOW.format("sumFast") + RUN.format("sumNaive<<<1, 64>>>(p); sumFast<<<64, 256>>>(p)"))
    found = {one["kernel"]: one["severity"] for one in project.lint(".").report["diagnostics"]}
    assert found["sumNaive"] == "warning"
