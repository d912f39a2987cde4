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


DIVISOR = """\
#include <numeric>
template <int N> __global__ void k(float *p) { p[threadIdx.x * N] = 0; }
void run(float *p, unsigned n) {
    switch (std::gcd(16 / sizeof(float), n)) {
        case 16: k<16><<<n, 256>>>(p); break;
        case 4: k<4><<<n, 256>>>(p); break;
        case 2: k<2><<<n, 256>>>(p); break;
    }
}
static_assert(std::gcd(12, 18) == 6 && std::gcd(0, 5) == 5 && std::gcd(-4, 6L) == 2 && std::lcm(4, 6) == 12, "");
"""


def test_a_common_divisor_is_at_most_what_it_divides(project: Project) -> None:
    project.put("k.cu", DIVISOR)
    report = project.lint("k.cu").report
    assert {tuple(at["template_arguments"]) for one in report["diagnostics"] for at in one["places"]} <= {
        ("4",),
        ("2",),
    }
    assert report["coverage"]["kernels"] == 1
    assert not any(one["code"].startswith("COA9") for one in report["diagnostics"])
