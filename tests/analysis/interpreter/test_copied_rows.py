"""Rows of an array whose pitch is not known, copied into a padded tile past L1."""

from __future__ import annotations

from pathlib import Path

import pytest
from project import shared_headers

from coalint.core.facts.access import Access, Space
from coalint.engine.check.file import check_file
from coalint.engine.check.records import Job, Source
from coalint.machine.architecture import architecture
from coalint.machine.traffic import Traffic

KERNEL = """\
__global__ void __launch_bounds__(256) rows(const float4 *in, int pitch) {{
    __shared__ __align__(128) float4 tile[32 * {padded}];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    unsigned target = (unsigned)__cvta_generic_to_shared(&tile[y * {padded} + x]);
    asm volatile("cp.async.{cache}.shared.global [%0], [%1], 16;\\n" ::"r"(target), "l"(&in[{index}]));
}}
"""
PITCH = "the pitch `16*pitch` is a multiple of 128 bytes"


def ends(folder: Path, index: str, padded: int = 9, cache: str = "cg") -> dict[Space, tuple[Access, Traffic | None]]:
    file = folder / "k.cu"
    file.write_text(KERNEL.format(index=index, padded=padded, cache=cache))
    result = check_file(Source(str(file)), Job((), architecture("sm_90"), (), keep=True, headers=shared_headers()))
    (kernel,) = result.checked
    assert kernel.analysis is not None
    return {a.space: (a, t) for a, t in zip(kernel.analysis.accesses, kernel.traffics, strict=True)}


@pytest.mark.parametrize("padded", [8, 9, 10, 12, 25])
def test_a_pitch_that_is_not_known_counts_as_whole_lines(tmp_path: Path, padded: int) -> None:
    found = ends(tmp_path, "y * pitch + x", padded)
    known = ends(tmp_path, "y * 64 + x", padded)
    for space, (access, cost) in found.items():
        assert access.result.unknown is None
        assert cost == known[space][1]
        assert not access.result.exact
        assert access.result.symbolic == ("pitch",)
        assert access.open.lacking == ("pitch",)
        assert PITCH in access.result.assumed


def test_what_the_rows_of_a_padded_tile_cost(tmp_path: Path) -> None:
    """As counted of known rows: fixtures/shared-bank-conflict/async_copies.cu, `copy_to_padded_rows`."""
    found = ends(tmp_path, "y * pitch + x")
    assert found[Space.GLOBAL][1] == Traffic(24, 16)
    assert found[Space.SHARED][1] == Traffic(10.5, 4)


def test_a_pitch_in_whole_lines_needs_no_assumption(tmp_path: Path) -> None:
    for access, _ in ends(tmp_path, "y * 8 * pitch + x").values():
        assert access.result.unknown is None
        assert not any("pitch" in text for text in access.result.assumed)


def test_through_l1_the_banks_of_the_rows_are_not_known(tmp_path: Path) -> None:
    assert ends(tmp_path, "y * pitch + x", cache="ca")[Space.SHARED][0].result.unknown is not None
    assert ends(tmp_path, "y * 64 + x", 8, cache="ca")[Space.SHARED][0].result.unknown is None
