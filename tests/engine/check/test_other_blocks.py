"""A kernel at other blocks than its own."""

from __future__ import annotations

from pathlib import Path

from project import shared_headers

from coalint.analysis.launches.specializations import specialize
from coalint.engine.check.other_blocks import OtherBlocks
from coalint.frontend.cuda.load import load

SOURCE = """
__global__ void k(float *a, const float *b) {
    __shared__ float s[4 * 1024];
    s[4 * threadIdx.x + 1] = b[threadIdx.x];
    __syncthreads();
    a[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x + threadIdx.x];
}
void run(float *a, float *b) { k<<<16, 256>>>(a, b); }
"""


def other_blocks(folder: Path) -> OtherBlocks:
    file = folder / "k.cu"
    file.write_text(SOURCE)
    module = load(str(file), (), shared_headers())
    ((kernel, specialization),) = specialize(module)
    return OtherBlocks(module, kernel, specialization)


def test_a_sketch_has_the_addresses_of_the_analysis_and_no_lanes(tmp_path: Path) -> None:
    block = (128, 1, 1)
    sketch, whole = other_blocks(tmp_path).sketched(block), other_blocks(tmp_path).reshaped(block)
    assert sketch is not None
    assert whole is not None
    places = [[(at.span, at.expression, at.address.offset_bytes) for at in one.accesses] for one in (sketch, whole)]
    assert places[0] == places[1]
    assert [offset for _, _, offset in places[0]] == [0, 4, 4 * 128, 0]
    assert all(at.result.lanes is None for at in sketch.accesses)
    assert all(at.result.lanes is not None for at in whole.accesses)


def test_what_was_analysed_at_a_block_stands_for_its_sketch(tmp_path: Path) -> None:
    blocks = other_blocks(tmp_path)
    whole = blocks.reshaped((64, 1, 1), races=True)
    assert whole is not None
    assert blocks.sketched((64, 1, 1)) is whole
    assert blocks.reshaped((64, 1, 1)) is whole
