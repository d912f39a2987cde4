"""Costs averaged over blocks and iterations of which it is not known how many there are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from evaluated import access, count, sectors


@cache
def _mean(address: str, period: int) -> float:
    """Sectors of 4-byte words at an index in b and t, over the warps of a block of 256 and over a period of blocks."""
    index = compile(address, "index", "eval")
    words = [[eval(index, {"b": b, "t": t}) for t in range(256)] for b in range(period, 2 * period)]
    by_hand = [sectors([4 * w for w in row[first : first + 32]]) for row in words for first in range(0, 256, 32)]
    return sum(by_hand) / len(by_hand)


@pytest.mark.parametrize(
    ("index", "by_hand"),
    [
        ("2 * b + t", "2 * b + t"),
        ("36 * b + 4 + t", "36 * b + 4 + t"),
        ("(100 * b + t) * 3 / 2", "(100 * b + t) * 3 // 2"),
        ("(100 * b + t) / 7", "(100 * b + t) // 7"),
        ("(100 * b + t) % 48", "(100 * b + t) % 48"),
        ("(20 * b + t) & 63", "(20 * b + t) & 63"),
        ("(20 * b + t) ^ 5", "(20 * b + t) ^ 5"),
        ("unsigned(100 * b + t) - 1u", "100 * b + t - 1"),
    ],
)
@pytest.mark.parametrize("guard", ["", "if (256 * b + t < n)", "if (b < n)"])
def test_patterns_are_averaged_over_the_blocks(tmp_path: Path, index: str, by_hand: str, guard: str) -> None:
    found = access(tmp_path, f"int b = blockIdx.x, t = threadIdx.x; {guard} out[{index}] = 0;")
    assert found[0].result.exact
    assert "averaged over the values of `blockIdx.x`" in found[0].result.assumed
    assert not any("multiple of 32" in text for text in found[0].result.assumed)
    assert count(found) == pytest.approx(_mean(by_hand, 16 * 7 * 3))


@pytest.mark.parametrize("guard", ["if (blockIdx.x > 5)", "if (blockIdx.x == 2)"])
def test_blocks_that_a_condition_picks_are_not_averaged_exactly(tmp_path: Path, guard: str) -> None:
    found, _ = access(tmp_path, f"{guard} out[2 * blockIdx.x + threadIdx.x] = 0;")
    assert not found.result.exact


def test_a_condition_that_comes_back_is_counted(tmp_path: Path) -> None:
    found = access(tmp_path, "if (blockIdx.x % 2 == 0) out[2 * blockIdx.x + threadIdx.x] = 0;")
    assert found[0].result.exact
    assert count(found) == 4.5


def test_products_of_blocks_and_iterations_are_no_multiples_of_a_sector(tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) out[i * j + threadIdx.x] = 0;"
    found = access(tmp_path, body)
    by_hand = [sectors([4 * (i * j + t) for t in range(32)]) for i in range(8) for j in range(8)]
    assert count(found) == sum(by_hand) / 64
