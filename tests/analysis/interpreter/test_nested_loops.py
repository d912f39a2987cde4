"""Loops whose start or end depends on the loops around them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, count, wavefronts


def _bitonic() -> list[list[int]]:
    sizes = [1 << n for n in range(1, 10)]
    strides = [stride for size in sizes for n in range(10) if (stride := size >> (n + 1))]
    return [[2 * t - (t & (stride - 1)) for t in range(512)] for stride in strides]


@pytest.mark.parametrize(
    ("loops", "index", "words"),
    [
        (
            "for (unsigned size = 2; size < 1024; size <<= 1) for (unsigned x = size / 2; x > 0; x >>= 1)",
            "2 * threadIdx.x - (threadIdx.x & (x - 1))",
            _bitonic(),
        ),
        (
            "for (unsigned size = 2; size < 1024; size <<= 1) for (unsigned x = 1; x < size; x *= 2)",
            "x * threadIdx.x",
            [[t << m for t in range(512)] for n in range(1, 10) for m in range(n)],
        ),
        (
            "for (int i = 1; i < 4; ++i) for (int j = i, x = i; j < 6; ++j, x *= 2)",
            "x * threadIdx.x",
            [[t * (i << (j - i)) for t in range(512)] for i in range(1, 4) for j in range(i, 6)],
        ),
    ],
)
def test_an_inner_loop_that_depends_on_the_outer_one(
    tmp_path: Path, loops: str, index: str, words: list[list[int]]
) -> None:
    found = access(tmp_path, f"extern __shared__ float s[]; {loops} s[{index}] = 0;", 512)
    by_hand = [wavefronts([4 * w for w in row[first : first + 32]]) for row in words for first in range(0, 512, 32)]
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert count(found) == pytest.approx(sum(by_hand) / len(by_hand))


def test_an_inner_loop_that_depends_on_an_endless_one_is_not_followed(tmp_path: Path) -> None:
    body = "for (int i = 1; i < n; ++i) for (int x = i; x > 0; x /= 2) s[x * threadIdx.x] = 0;"
    found, _ = access(tmp_path, f"extern __shared__ float s[]; {body}")
    assert not found.result.exact
