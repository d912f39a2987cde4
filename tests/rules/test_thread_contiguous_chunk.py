"""COA106: a row or chunk of consecutive elements per thread."""

from __future__ import annotations

from dataclasses import replace

import pytest
from project import Project
from rule_findings import LOOP, in_loop, kept, only, strided, text
from synthetic import access

from coalint.core.facts.access import LoopStride


def test_a_row_per_thread() -> None:
    row_sum = strided(2048, loops=in_loop(4, 512), expression="in[row * 512 + col]")
    finding = only(kept(row_sum), "COA106")
    assert "takes 32 sectors per request (ideal: 4)" in finding.message
    assert "an iteration over `col` moves each lane by 4 bytes, but neighbouring lanes are 2048 bytes apart" in text(
        finding
    )
    assert finding.notes[-1].span == LOOP


def test_a_row_per_thread_of_unknown_width() -> None:
    row_sum = strided(4096, strides=(None, 0, 0), loops=in_loop(4, None), exact=False, symbolic=("width",))
    only(kept(replace(row_sum, stride="4*width")), "COA106")


@pytest.mark.parametrize("loops", [(), in_loop(1024, 8), in_loop(None, None), in_loop(4, 1)])
def test_a_loop_that_does_not_walk_elements_is_no_chunk(loops: tuple[LoopStride, ...]) -> None:
    only(kept(strided(2048, loops=loops)), "COA101")


def test_overlapping_windows_are_no_chunks() -> None:
    """Stride 2 with 5 taps: neighbours share most of their window."""
    only(kept(strided(8, loops=in_loop(4, 5))), "COA101")


def test_swapped_axes_explain_a_chunk_better() -> None:
    both = access(lambda x, y, z: 2048 * x + 4 * y, loops=in_loop(4, 8))
    only(kept(both), "COA103")


WARP_PER_ROW = """\
__global__ void k(float *out, const float *in, long long rows, long long cols) {{
    int lane = {lane}, row = {row}, each = (cols + 31) / 32;
    float sum = 0;
    for (int i = 0; i < each; i++) sum += in[row * cols + lane * each + i];
    for (int i = 0; i < each; i++) out[row * cols + lane * each + i] = sum;
}}
void run(float *a, long long n, long long c) {{ k<<<n / 4, {block}>>>(a, a, n, c); }}
"""


@pytest.mark.parametrize(
    ("lane", "row", "block", "code"),
    [
        ("threadIdx.x % 32", "blockIdx.x * 4 + threadIdx.x / 32", 128, "COA106"),
        ("threadIdx.x & 31", "blockIdx.x * 4 + (threadIdx.x >> 5)", 128, "COA106"),
        ("threadIdx.x % 64", "blockIdx.x * 2 + threadIdx.x / 64", 128, "COA106"),
        # Lanes of one warp lie in two rows.
        ("(threadIdx.x + 16) % 32", "blockIdx.x * 4 + (threadIdx.x + 16) / 32", 128, "COA101"),
    ],
)
def test_a_warp_per_row_whose_lanes_walk_chunks(
    project: Project, lane: str, row: str, block: int | str, code: str
) -> None:
    project.put("k.cu", WARP_PER_ROW.format(lane=lane, row=row, block=block))
    report = project.lint("k.cu", "--show-info").report["diagnostics"]
    assert {one["code"] for one in report} == {code}
    if code == "COA106":
        (found,) = report
        assert [at["line"] for at in found["places"]] == [4, 5]
        assert found["cause"]["stride"] == "4*((cols + 31) / 32)"
