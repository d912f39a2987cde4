"""Member templates that are called without the word `template`, as nvcc takes them."""

from __future__ import annotations

from pathlib import Path

from clang.cindex import TranslationUnit
from project import shared_headers

from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.frontend.cuda.libclang.errors import errors
from coalint.frontend.cuda.repair.repaired_file import RepairedFile
from coalint.machine.architecture import architecture

TILE = """\
#pragma once
template <int PITCH> struct Tile {
    float *p;
    template <int N> __device__ __forceinline__ int row(int i) const { return i + N * PITCH; }
    template <int N> __device__ __forceinline__ int row(int i, int j) const { return i + N * PITCH + j; }
    template <int N> __device__ __forceinline__ void set(int i, float v) { p[N * i] = v; }
};
"""
STEP = """\
#pragma once
#include "tile.cuh"
template <int N, int PITCH> __device__ int step(Tile<PITCH> &tile, int i) {
    tile.set<N>(i, 1.0f); int j = tile.row<2>(N * i);
    return tile.row<1>(j, 4);
}
"""
KERNEL = """\
#include "step.cuh"
template <int PITCH> __global__ void k(float *out) {
    Tile<PITCH> tile{out};
    int i = step<3>(tile, threadIdx.x);
    Tile<PITCH> *other = &tile;
    out[other->row<0>(5 * i)] = 0;
}
void run(float *out) { k<16><<<64, 256>>>(out); }
"""


def strides(folder: Path, **files: str) -> dict[str, str | None]:
    for name, text in {"tile": TILE, "step": STEP, **files}.items():
        (folder / f"{name}.cuh").write_text(text)
    file = folder / "k.cu"
    file.write_text(files.get("kernel", KERNEL))
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    found: dict[str, str | None] = {}
    for kernel in result.checked:
        assert kernel.analysis is not None
        found |= {
            a.expression: a.stride if a.result.unknown is None else a.result.unknown for a in kernel.analysis.accesses
        }
    return found


def unit(path: Path) -> TranslationUnit:
    return RepairedFile(str(path), (), path.read_text(), None).unit()


def test_what_such_a_call_does_is_followed(tmp_path: Path) -> None:
    assert strides(tmp_path) == {"p[N * i]": "12", "out[other->row<0>(5 * i)]": "60"}
    assert not errors(unit(tmp_path / "k.cu"))


def test_where_the_word_stands_already_nothing_is_put(tmp_path: Path) -> None:
    """A macro would put it there twice; then nothing is known, and that is said."""
    said = strides(tmp_path, step=STEP.replace("tile.row<1>", "tile.template row<1>"))
    assert said["out[other->row<0>(5 * i)]"] == "the body of `step` is not available"


def test_a_function_of_which_no_return_can_be_read_gives_nothing_known(tmp_path: Path) -> None:
    kernel = """\
template <int N> __device__ int step(int i) { return i.template row<N>(); }
template <int N> __global__ void k(float *out) { out[step<N>(threadIdx.x)] = 0; out[threadIdx.x] = 0; }
template __global__ void k<4>(float *);
"""
    assert strides(tmp_path, kernel=kernel)["out[threadIdx.x]"] == "4"
    assert strides(tmp_path, kernel=kernel)["out[step<N>(threadIdx.x)]"] == "what `step` returns could not be read"
