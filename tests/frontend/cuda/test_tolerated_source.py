"""Source that nvcc takes and that names of the toolkit, clang or the bundled headers stood in the way of."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import FileResult, Job, Source
from coalint.frontend.cuda.repair.single_percent import doubled
from coalint.frontend.cuda.repair.sized_shared import defined
from coalint.machine.architecture import architecture


def check(folder: Path, source: str) -> FileResult:
    file = folder / "k.cu"
    file.write_text(source)
    result = check_file(Source(str(file)), Job((), architecture("sm_80"), (), keep=True, headers=shared_headers()))
    assert not result.failures, result.failures
    return result


def strides(folder: Path, source: str) -> list[str]:
    result = check(folder, source)
    assert not result.problems, result.problems
    analyses = [kernel.analysis for kernel in result.checked]
    return [access.stride for analysis in analyses if analysis is not None for access in analysis.accesses]


HOST = """
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cusparse.h>
#include <libgen.h>
#include <cub/cub.cuh>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
__global__ void k(float *p, int n) { p[threadIdx.x * n] = 0; }
void f(float *p) {
"""


@pytest.mark.parametrize(
    "body",
    [
        "auto t = std::tuple_cat(std::make_tuple(1), std::make_tuple(2.f), std::make_tuple(3)); std::get<2>(t);",
        "int a[3]; std::reverse_iterator<int *> r(a + 3); ++r; int x = *r + r[1];",
        "thrust::constant_iterator<int> i(3); int x = i[2]; thrust::reverse_iterator<int *> r(&x);",
        'std::regex e("a+", std::regex::icase); std::smatch m; std::string s; std::regex_match(s, m, e);',
        'std::string s = std::regex_replace(std::string(), std::regex("a"), "b");',
        'std::unordered_map<std::string, int> m; m["a"] = 3;',
        "std::multiset<int, bool (*)(const int &, const int &)> s([](const int &a, const int &b) { return a < b; });",
        "std::map<int, float, std::greater<int>> m{std::greater<int>()}; m[1] = 2; std::set<int> s; s.insert(3);",
        "thrust::detail::iterator_facade_category<int, int, int, int>::type c; (void)c;",
        "cusparseHybMat_t h; cusparseCreateHybMat(&h); cusparseScsr2hyb(h, CUSPARSE_HYB_PARTITION_AUTO);",
        "cublasHandle_t h; cublasCreate_v2(&h); cublasSgemm_v2(h); cublasDestroy_v2(h);",
        "CUcontext c = 0; cuCtxDetach(c); if (cublasGetError() != CUBLAS_STATUS_SUCCESS) return;",
        'char path[] = "a/b"; basename(dirname(path));',
        "cublasLtReductionScheme_t r = CUBLASLT_REDUCTION_SCHEME_NONE; cublasLtMatmulAlgoConfigSetAttribute(&r);",
        "static_assert(cub::Log2<65>::VALUE == 7 && cub::Log2<64>::VALUE == 6 && CUB_WARP_THREADS(0) == 32);",
    ],
)
def test_the_host_names_the_library(tmp_path: Path, body: str) -> None:
    assert strides(tmp_path, f"{HOST}{body} k<<<1, 64>>>(p, 2); }}") == ["8"]


def test_the_raking_layout_of_a_block_has_its_padding(tmp_path: Path) -> None:
    """Segments of 4 elements are padded by one: what is 4 apart lies 5 apart (block_raking_layout.cuh)."""
    source = """
#include <cub/cub.cuh>
typedef cub::BlockRakingLayout<float, 128> Layout;
__global__ void k(float *p) {
  __shared__ Layout::TempStorage storage;
  *Layout::PlacementPtr(storage, threadIdx.x * 4) = 1;
  static_assert(Layout::SEGMENT_LENGTH == 4 && Layout::GRID_ELEMENTS == 160 && CUB_PTX_WARP_THREADS == 32);
}
void f(float *p) { k<<<1, 32>>>(p); }
"""
    assert strides(tmp_path, source) == ["20"]


def test_parts_of_a_pytorch_complex_are_public(tmp_path: Path) -> None:
    source = """
#include <c10/util/complex.h>
__global__ void k(c10::complex<float> *z, float *p) { p[threadIdx.x] = z[threadIdx.x].imag_; z[threadIdx.x].real_ = 0; }
void f(float *p) { k<<<1, 32>>>(nullptr, p); }
"""
    assert strides(tmp_path, source) == ["8", "4", "8"]


@pytest.mark.parametrize(
    "own",
    [
        "struct __half { unsigned short x; }; typedef __half half;",
        "typedef unsigned short half;",
        "class half { unsigned short x; };\nhalf __float2half(float);",
    ],
)
def test_a_program_may_declare_a_half_of_its_own(tmp_path: Path, own: str) -> None:
    source = f"{own}\n__global__ void k(half *p) {{ p[threadIdx.x] = half(); }}\nvoid f() {{ k<<<1, 32>>>(0); }}"
    assert strides(tmp_path, source) == ["2"]


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ('asm("mov.u32 %0, %laneid;" : "=r"(r));', 'asm("mov.u32 %0,%%laneid;" : "=r"(r));'),
        ('asm("mov.u32 %0,%laneid;" : "=r"(r));', 'asm("mov.u32 %0,%%laneid;" : "=r"(r));'),
        ('asm("mov.u32 %0, %%laneid;" : "=r"(r));', None),
        ('asm("add.u32 %0, %1, %[by];" : "=r"(r) : "r"(a), [by] "n"(3));', None),
        ('asm("add.u32 %0, %c1, %c[by];" : "=r"(r) : "n"(2), [by] "n"(3));', None),
        ('asm("mov.u32 r, %laneid;");', None),
        ('printf("%d %s", 1, "%x");', None),
    ],
)
def test_what_is_read_of_a_statement_with_a_percent_sign(statement: str, read: str | None) -> None:
    assert doubled(statement) == (read or statement)


def test_registers_in_assembly_may_have_one_percent_sign(tmp_path: Path) -> None:
    (tmp_path / "lane.cuh").write_text(
        '__device__ int lane() { int r; asm volatile("mov.u32 %0, %laneid;" : "=r"(r)); return r; }\n'
    )
    source = """
#include "lane.cuh"
__device__ int same() { int r; asm("mov.u32 %0,%laneid;" : "=r"(r)); return r; }
__global__ void k(float *p) { p[lane() * 2] = 0; p[same() * 4] = 0; }
void f(float *p) { k<<<1, 32>>>(p); }
"""
    assert strides(tmp_path, source) == ["8", "16"]


def test_hip_headers_say_that_hipcc_compiles(tmp_path: Path) -> None:
    source = """
#include <hip/hip_runtime.h>
#ifdef __HIPCC__
#define KERNEL __global__
#endif
KERNEL void k(float *p) { p[threadIdx.x * 2] = 0; }
void f(float *p) { hipLaunchKernelGGL(k, dim3(1), dim3(64), 0, 0, p); }
"""
    assert strides(tmp_path, source) == ["8"]


@pytest.mark.parametrize("place", ["k.cuh", "k.cu"])
def test_a_shared_object_with_a_size_may_be_extern(place: str, tmp_path: Path) -> None:
    """As nvcc has it: "extern declaration of the entity s is treated as a static definition"."""
    kernel = """
template <class T> __global__ void k(T *p) {
    extern __shared__ T s[32][32];
    extern __shared__ __align__(16) float
        one;
    s[threadIdx.x][0] = p[threadIdx.x];
    one = 0;
}
__global__ void open(float *p) { extern __shared__ float s[]; s[2 * threadIdx.x] = 0; }
"""
    (tmp_path / "k.cuh").write_text(kernel if place == "k.cuh" else "")
    source = '#include "k.cuh"\n' + (kernel if place == "k.cu" else "")
    launches = "void f(float *p) { k<<<1, 32>>>(p); open<<<1, 32, 999>>>(p); }\n"
    assert strides(tmp_path, source + launches) == ["4", "128", "0", "8"]


def test_what_is_extern_and_shared_without_a_size_stays() -> None:
    text = "extern __shared__ float s[];\nextern __shared__ char t[][4];\nextern float u[4];\nextern int f(float[4]);"
    assert defined(text) == text
