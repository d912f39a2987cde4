"""`__launch_bounds__`: constants, templates and traits."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_checks import specializations

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
