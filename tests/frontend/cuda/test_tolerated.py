"""What nvcc takes without a word is read without one: qualifiers, traits and functions of thrust."""

from __future__ import annotations

from pathlib import Path

from outcomes import accesses, check

KERNEL = """
__global__ void k(float *y) {
    __device__ __shared__ float tile[32];
    static __device__ __shared__ float more[32];
    tile[threadIdx.x] = y[threadIdx.x];
    more[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = tile[31 - threadIdx.x] + more[0];
}
"""
THRUST = """
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/transform.h>
template <typename It> struct S {
    typedef typename thrust::iterator_difference<It>::type difference;
    typedef typename thrust::iterator_value<It>::type value;
    typedef typename thrust::iterator_reference<It>::type reference;
    typedef typename thrust::iterator_pointer<It>::type pointer;
    typedef typename thrust::iterator_system<It>::type system;
    typedef typename thrust::iterator_traversal<It>::type traversal;
};
void run(float *y, thrust::device_vector<float> &v) {
    using namespace thrust::placeholders;
    S<float *>::difference d = 0;
    k<<<1, 32>>>(y);
    thrust::transform(v.begin(), v.end(), v.begin(), _1 * 2 + 1);
    thrust::transform(v.begin(), v.end(), v.begin(), v.begin(), 3.0f * _1 + _2);
    thrust::for_each(v.begin(), v.end(), _1 += d);
    thrust::transform(v.begin(), v.end(), v.begin(), -_1 > 2 && _1 < 5);
}
"""


def test_a_shared_variable_may_be_a_device_variable_too(tmp_path: Path) -> None:
    result = check(tmp_path, KERNEL)
    assert not result.problems
    assert [access.space.value for access in accesses(result)].count("shared") == 4


def test_traits_of_iterators_and_placeholders_are_declared(tmp_path: Path) -> None:
    assert not check(tmp_path, KERNEL + THRUST).problems


def test_launches_with_blanks_in_their_brackets_are_read_in_included_files_too(tmp_path: Path) -> None:
    launch = "template <class T> void run(T *p, int n) {\n k<T> << <dim3(n), dim3(8, 8) >> > (p);\n}\n"
    kernel = "template <class T> __global__ void k(T *p) { p[threadIdx.y * 8 + threadIdx.x] = 1; }\n"
    (tmp_path / "launches.tcu").write_text(kernel + launch)
    result = check(tmp_path, '#include "launches.tcu"\nvoid call(float *p, int n) { run(p, n); }\n')
    assert not result.problems
    assert [one.specialization.block for one in result.checked] == [(8, 8, 1)]


def test_operands_of_an_asm_statement_may_lack_a_comma(tmp_path: Path) -> None:
    helper = """\
__device__ unsigned sum(unsigned a, unsigned b) {
    unsigned c;
    asm volatile("add.u32 %0, %1, %2;\\n" : "=r"(c) : "r"(a) "r"(b));
    return c;
}
"""
    kernel = "__global__ void k(unsigned *p) { p[threadIdx.x] = sum(p[threadIdx.x], 2); }\n"
    launch = "void run(unsigned *p) { k<<<1, 32>>>(p); }\n"
    assert not check(tmp_path, helper + kernel + launch).problems
    apart = helper.replace('"r"(a) "r"(b)', '"r"((a + (1 * (a - 1))))\n        "r"(b)')
    assert not check(tmp_path, apart + kernel + launch).problems
    (tmp_path / "sum.cuh").write_text(helper)
    assert not check(tmp_path, f'#include "sum.cuh"\n{kernel}{launch}').problems


def test_no_copies_of_a_loop_may_be_asked_for(tmp_path: Path) -> None:
    loops = "".join(
        f"#pragma unroll {count}\nfor (int i = 0; i < 4; i++) s += y[threadIdx.x + 32 * i];\n" for count in (0, -1, 4)
    )
    result = check(tmp_path, f"__global__ void k(float *y) {{ float s = 0;\n{loops} y[threadIdx.x] = s; }}\n")
    assert not result.problems
    assert [loop.unroll for access in accesses(result) for loop in access.loops] == [None, None, 4]
