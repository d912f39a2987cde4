"""Counters of loops in types narrower than int."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, count, sectors


@pytest.mark.parametrize("type_", ["short", "unsigned short", "int"])
def test_a_narrow_counter_that_stays_in_range_is_a_counter(tmp_path: Path, type_: str) -> None:
    loop = f"for ({type_} i = threadIdx.x; i < 80; i += blockDim.x) out[4 * i] = 0;"
    found = access(tmp_path, loop)
    assert found[0].result.exact
    assert not found[0].result.assumed
    by_hand = [sectors([16 * i for i in range(first, min(first + 32, 80))]) for first in (0, 32, 64)]
    assert count(found) == pytest.approx(sum(by_hand) / 3)


def test_a_narrow_counter_behind_its_loop(tmp_path: Path) -> None:
    found = access(tmp_path, "short i = 0; for (; i < 9; i += 3) ; out[i + threadIdx.x] = 0;")
    assert found[0].result.exact
    assert count(found) == sectors([4 * (9 + lane) for lane in range(32)])


def test_a_narrow_counter_with_an_unknown_limit_is_supposed_to_stay(tmp_path: Path) -> None:
    found, cost = access(tmp_path, "for (short i = threadIdx.x; i < w; i += 256) out[i] = 0;", parameters="short w")
    assert "the 16-bit index does not wrap around" in found.result.assumed
    assert cost is not None
    assert cost.count == 4


@pytest.mark.parametrize(
    ("loop", "bits", "start", "step", "trips"),
    [
        ("short c = 32000; for (int k = 0; k < 1000; ++k) { out[c + threadIdx.x] = 0; c += 3; }", 16, 32000, 3, 1000),
        ("signed char c = 100; for (int k = 0; k < 60; ++k) { out[c + threadIdx.x] = 0; ++c; }", 8, 100, 1, 60),
    ],
)
def test_a_narrow_counter_that_wraps_does_so(
    tmp_path: Path, loop: str, bits: int, start: int, step: int, trips: int
) -> None:
    found = access(tmp_path, loop)
    half = 1 << (bits - 1)
    values = [(start + step * k + half) % (2 * half) - half for k in range(trips)]
    by_hand = [sectors([4 * (value + lane) for lane in range(32)]) for value in values]
    assert found[0].result.exact
    assert count(found) == pytest.approx(sum(by_hand) / trips)


def test_a_narrow_counter_that_never_ends_its_loop_is_not_followed(tmp_path: Path) -> None:
    found, _ = access(tmp_path, "for (short i = 0; i < 40000; i += 2) out[i + threadIdx.x] = 0;")
    assert not found.result.exact
