"""`__launch_bounds__`: constants, templates and traits."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_checks import check, specializations

from coalint.core.facts.launch import LaunchSource


@pytest.mark.parametrize(
    ("before", "bounds", "use", "threads"),
    [
        ("", "32 * 6", "", 192),
        ("#define WARPS 3\n", "32 * WARPS", "", 96),
        ("namespace n { constexpr int T = 160; }", "n::T", "", 160),
        ("enum { T = 224 };", "(T + 31) / 32 * 32, 2", "", 224),
        ("#define BOUNDS(n) __launch_bounds__(n)\n", "", "", 288),
        ("template <int N> struct Traits { static constexpr int kN = 2 * N; };", "Traits<64>::kN", "", 128),
        (
            "namespace n { template <class T, int W> struct Traits { enum { kW = W, kN = kW * 32 }; }; }",
            "n::Traits<float, 5>::kN",
            "",
            160,
        ),
    ],
)
def test_launch_bounds_are_evaluated(tmp_path: Path, before: str, bounds: str, use: str, threads: int) -> None:
    attribute = f"__launch_bounds__({bounds})" if bounds else "BOUNDS(288)"
    source = f"{before}\n__global__ void {attribute} k(float *p) {{ p[threadIdx.x] = 0; }}"
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == ((threads, 1, 1), LaunchSource.BOUNDS)


CONFIG = """
struct Config { int threads, blocks; };
#define CASE(n, t) if (J == n) return {t, 2}
constexpr __device__ Config config(int type, int J, bool large) { CASE(8, 128); CASE(16, 256); return {512, 1}; }
constexpr __device__ int threads(int type, int J, bool large) { return config(type, J, large).threads; }
__host__ int threads(int type, int J, bool large, int device) { return device < 800 ? 64 : 1024; }
constexpr __device__ int warp() { return 32; }
int some();
namespace a { namespace b { constexpr __device__ int half(int n) { return n / 2; } } }
"""


@pytest.mark.parametrize(
    ("bounds", "threads"),
    [
        ("threads(0, 8, false)", 128),
        ("threads(0, 2 * 8, true) / 2", 128),
        ("threads(0, 24u, true)", 512),
        ("4 * warp() + a::b::half(64)", 160),
        ("threads(a::b::half(16), a::b::half(16), true)", 128),
        ("int(warp())", None),  # a cast that is written as a call
        ("some()", None),
        ("threads(0, some(), false)", None),
        ("unlike()", None),
    ],
)
def test_bounds_that_functions_compute_are_evaluated(tmp_path: Path, bounds: str, threads: int | None) -> None:
    kernel = f"{CONFIG}__global__ void __launch_bounds__({bounds}) k(float *p) {{ p[threadIdx.x] = 0; }}"
    (found,) = (checked.specialization for checked in check(tmp_path, kernel).checked)
    source = LaunchSource.ASSUMED if threads is None else LaunchSource.BOUNDS
    assert (found.block[0], found.source) == (threads or 256, source)


def test_bounds_that_functions_compute_are_those_of_an_instance(tmp_path: Path) -> None:
    source = f"""{CONFIG}template <int J, bool L> __global__ void __launch_bounds__(threads(J, J, L)) k(float *p) {{
        p[32 * threadIdx.y + threadIdx.x] = 0;
    }}
    void launch(float *p, int n) {{ k<8, true><<<1, dim3(32, n)>>>(p); k<16, false><<<1, dim3(32, n)>>>(p); }}"""
    found = {(s.template_arguments, s.block, s.source, s.spread) for s in specializations(tmp_path, source)}
    bounds = LaunchSource.BOUNDS
    assert found == {(("8", "true"), (32, 4, 1), bounds, False), (("16", "false"), (32, 8, 1), bounds, False)}


def test_bounds_of_a_template_are_those_of_its_instance(tmp_path: Path) -> None:
    source = """template <int W> __global__ void __launch_bounds__(W * 32) k(float *p) { p[threadIdx.x] = 0; }
    template __global__ void k<3>(float *);
    template __global__ void k<5>(float *);"""
    found = {(s.template_arguments, s.block[0], s.source) for s in specializations(tmp_path, source)}
    assert found == {(("3",), 96, LaunchSource.BOUNDS), (("5",), 160, LaunchSource.BOUNDS)}


def test_bounds_come_from_the_traits_that_an_instance_is_given(tmp_path: Path) -> None:
    source = """template <int W> struct Traits { static constexpr int kWarps = W, kThreads = kWarps * 32; };
    template <class T> __global__ void __launch_bounds__(T::kThreads) k(float *p) { p[threadIdx.x] = 0; }
    template __global__ void k<Traits<3>>(float *);"""
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == ((96, 1, 1), LaunchSource.BOUNDS)


def test_bounds_of_a_template_that_is_specialized_are_not_guessed(tmp_path: Path) -> None:
    source = """template <int N> struct Traits { static constexpr int kN = N; };
    template <> struct Traits<64> { static constexpr int kN = 32; };
    __global__ void __launch_bounds__(Traits<64>::kN) k(float *p) { p[threadIdx.x] = 0; }"""
    (found,) = specializations(tmp_path, source)
    assert found.source is LaunchSource.ASSUMED


@pytest.mark.parametrize(
    ("threads", "tile", "block"),
    [
        (64, "tile[8][8]", (8, 8, 1)),
        (256, "tile[16][16]", (16, 16, 1)),
        (256, "tile[32][32]", (32, 8, 1)),
        (256, "tile[16][17]", (32, 8, 1)),
        (128, "tile[8][8]", (32, 4, 1)),
        (64, "tile[2][8][8]", (32, 2, 1)),
    ],
)
def test_a_block_is_as_wide_as_a_tile_that_has_an_element_for_each_thread(
    threads: int, tile: str, block: tuple[int, int, int], tmp_path: Path
) -> None:
    source = f"""__device__ float sum(float x) {{
        __shared__ float {tile};
        ((float *)tile)[threadIdx.x] = x;
        return ((float *)tile)[threadIdx.y];
    }}
    __global__ void __launch_bounds__({threads}) k(float *p) {{ p[threadIdx.x] = sum(p[threadIdx.y]); }}"""
    (found,) = specializations(tmp_path, source)
    assert (found.block, found.source) == (block, LaunchSource.BOUNDS)
