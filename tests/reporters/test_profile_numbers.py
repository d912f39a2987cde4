"""Active lanes, guards with known numbers, bars and hovers of `coalint profile`."""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import pytest
from project import Project

MATRICES = """\
__global__ void sumMatrix(float *a, float *b, float *c, int nx, int ny) {
    int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix < nx && iy < ny) {
        int i = iy * nx + ix;
        c[i] = a[i] + b[i];
    }
}
void run(float *a, float *b, float *c) {
    dim3 block(32, 8), grid(16, 16);
    sumMatrix<<<grid, block>>>(a, b, c, NX, NY);
}
"""


def _instructions(project: Project, source: str, *options: str) -> list[dict[str, Any]]:
    project.put("k.cu", source)
    (kernel,) = json.loads(project.coalint("profile", "k.cu", "--output-format=json", *options).out)["kernels"]
    found: list[dict[str, Any]] = kernel["instructions"]
    return found


@pytest.mark.parametrize(("nx", "ny"), [(1, 1), (33, 9), (512, 128), (1000, 1000)])
def test_a_guard_with_known_numbers_is_evaluated(nx: int, ny: int, project: Project) -> None:
    """Of `sumMatrix<<<grid, block>>>(a, b, c, 1, 1)` one lane of one warp of the grid does something."""
    found = _instructions(project, MATRICES.replace("NX", str(nx)).replace("NY", str(ny)))
    lanes = list(product(range(min(nx, 16 * 32)), range(min(ny, 16 * 8))))
    assert [item["op"] for item in found] == ["load", "load", "store"]
    for item in found:
        assert (item["executed"], item["active_lanes"]) == (len({(x // 32, y) for x, y in lanes}), len(lanes))
        assert item["exact"]


LANES = """\
__global__ void k(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 0;
    if (i < 70) a[2 * i] = 1;
    if (threadIdx.x == 0) a[i] = 2;
    if (i < n) a[i + 1] = 3;
}
void run(float *a, int n) { k<<<4, 64>>>(a, n); }
"""


@pytest.mark.slow
def test_active_lanes_are_counted_over_the_launch(project: Project) -> None:
    counted = [(item["executed"], item["active_lanes"]) for item in _instructions(project, LANES)]
    assert counted == [(8, 256), (3, 70), (4, 4), (None, None)]
    counted = [(item["executed"], item["active_lanes"]) for item in _instructions(project, LANES, "--let", "n=100")]
    assert counted == [(8, 256), (3, 70), (4, 4), (4, 100)]
    page = project.coalint("profile", "k.cu", "--output-format=html").out
    titles = re.findall(r'<td class="n" title="([^"]*)">(\d+)', page)
    assert titles == [
        ("256 active lanes, 32 of 32 on average", "8"),
        ("70 active lanes, 23.3 of 32 on average", "3"),
        ("4 active lanes, 1 of 32 on average", "4"),
    ]


def _bars(page: str) -> list[tuple[str, float, str]]:
    """Return the share, the width of the bar in percent and the hover of each bar."""
    pattern = (
        r'<td class="bars" title="([^"]*)">(~?\d+%)<span class="track"><span class="bar ?\w*" style="width: ([\d.]+)%'
    )
    return [(share, float(width), title) for title, share, width in re.findall(pattern, page)]


def test_bars_are_as_wide_as_the_shares_that_stand_beside_them(project: Project) -> None:
    items = _instructions(project, LANES, "--let", "n=100")
    bars = _bars(project.coalint("profile", "k.cu", "--let", "n=100", "--output-format=html").out)
    shares = [share for item in items for share in (item["traffic_share"], item["share"])]
    assert len(bars) == len(shares) == 8
    for (text, width, _), share in zip(bars, shares, strict=True):
        assert width == pytest.approx(100 * share, abs=0.05)
        assert text == f"{share:.0%}"


@pytest.mark.slow
def test_bars_of_open_sizes_show_limits_and_tell_the_formula_when_pointed_at(project: Project) -> None:
    source = LANES.replace("if (i < 70)", "if (i < n)").replace("<<<4,", "<<<(n + 63) / 64,")
    items = _instructions(project, source)
    page = project.coalint("profile", "k.cu", "--output-format=html").out
    bars = _bars(page)
    limits = [item[name] for item in items for name in ("traffic_share_limit", "share_limit")]
    formulas = [item[name] for item in items for name in ("traffic_share_formula", "share_formula")]
    assert None not in limits
    assert len(bars) == len(limits)
    for (text, width, title), limit, formula in zip(bars, limits, formulas, strict=True):
        assert width == pytest.approx(100 * limit, abs=0.05)
        assert text == f"~{limit:.0%}"
        assert title == formula
    for item in items:
        assert f'<math title="{item["executed_formula"]}">' in page
