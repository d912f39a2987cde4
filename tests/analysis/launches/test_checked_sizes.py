"""What PyTorch's checks say of the sizes that a kernel is launched with."""

from __future__ import annotations

import pytest
from project import Project

TEXT = """\
#include <torch/extension.h>
__global__ void k(float *p, int n) {
    float v = 0;
    if (threadIdx.x < n) v = __shfl_xor_sync(0xffffffff, p[threadIdx.x], 16);
    p[threadIdx.x] = v;
}
void run(at::Tensor x, int n, int threads) {
    CHECK
    k<<<4, threads>>>(x.data_ptr<float>(), n);
}
"""


@pytest.mark.parametrize(
    ("check", "codes"),
    [
        ('TORCH_CHECK(n >= 32 && n % 32 == 0, "whole warps");', []),
        ('TORCH_CHECK(n % (8 * 8) == 0, "whole warps");', []),
        ('if (n % 32) throw std::runtime_error("whole warps");', []),
        ('TORCH_CHECK(n % 16 == 0, "half a warp is left");', ["COA303"]),
        ('TORCH_CHECK(threads % 32 == 0, "whole warps of threads");', ["COA303"]),
    ],
)
def test_a_check_of_the_host_holds_for_the_launch_behind_it(project: Project, check: str, codes: list[str]) -> None:
    project.put("k.cu", TEXT.replace("CHECK", check))
    found = project.lint("k.cu").report["diagnostics"]
    assert [one["code"] for one in found if one["severity"] != "info"] == codes
