"""What the evaluator makes of loops, conversions and clamps in real code, held against counting by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, accesses, count, wavefronts

from coalint.core.facts.access import Space


def test_a_pointer_that_is_assumed_aligned_is_the_same_pointer(tmp_path: Path) -> None:
    body = "const float *p = (const float *)__builtin_assume_aligned(in, 16); out[0] = p[2 * threadIdx.x];"
    load, _ = accesses(tmp_path, body)
    assert load[0].result.exact
    assert count(load) == 8


def test_even_steps_beside_an_unknown_offset_are_halved_without_supposing(tmp_path: Path) -> None:
    found = access(tmp_path, "extern __shared__ float s[]; s[(r * n + 6 * threadIdx.x) / 2] = 0;", 32, "int n, int r")
    assert found[0].result.exact
    assert not found[0].result.assumed
    for offset in range(8):
        by_hand = wavefronts([4 * ((offset + 6 * lane) // 2) for lane in range(32)])
        assert count(found) == by_hand


def test_an_unknown_offset_is_supposed_to_be_divisible(tmp_path: Path) -> None:
    found = access(tmp_path, "extern __shared__ float s[]; s[33 * ((n + threadIdx.x) / 4)] = 0;", 32)
    assert found[0].result.assumed == ("the uniform offset `n` is a multiple of 4",)
    assert count(found) == wavefronts([4 * 33 * (lane // 4) for lane in range(32)])


def test_a_block_index_is_not_supposed_to_be_divisible(tmp_path: Path) -> None:
    found, _ = access(tmp_path, "out[(100 * blockIdx.x + threadIdx.x) / 7] = 0;", 64)
    assert not any("multiple of 7" in text for text in found.result.assumed)
    assert found.result.lanes is None or any("averaged" in text for text in found.result.assumed)


SHARED = "__shared__ float s[128];"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("for (int i = 0; i < 4; ++i) p[i] = &s[i * 32]; p[1][t] = 0;", [[32 + t for t in range(32)]]),
        ("for (int i = 0; i < 4; ++i) p[i] = s + 3 * i * t; p[3][0] = 0;", [[9 * t for t in range(32)]]),
        (
            "for (int i = 0; i < 4; ++i) p[i] = s + 2 * i; for (int i = 0; i < 4; ++i) p[i][t * i] = 0;",
            [[2 * i + t * i for t in range(32)] for i in range(4)],
        ),
        ("int v[3]; for (int i = 0; i < 3; ++i) v[i] = t << i; s[v[2]] = 0;", [[t << 2 for t in range(32)]]),
    ],
)
def test_an_array_that_a_loop_fills_is_followed(tmp_path: Path, body: str, words: list[list[int]]) -> None:
    found = access(tmp_path, f"{SHARED} int t = threadIdx.x; float *p[4]; {body}", 32)
    assert found[0].space is Space.SHARED
    assert found[0].result.exact
    assert count(found) == sum(wavefronts([4 * w for w in row]) for row in words) / len(words)


@pytest.mark.parametrize(
    "fill",
    [
        "for (int i = 0; i < n; ++i) p[i] = &s[i * 32];",
        "for (int i = 0; i < 4; ++i) p[i] = i % 2 ? &s[i * 32] : out;",
        "for (int i = 0; i < 400; ++i) p[i % 4] = &s[i];",
    ],
)
@pytest.mark.parametrize("element", ["n", "2"])
def test_memory_behind_a_pointer_that_is_not_followed_is_not_called_global(
    tmp_path: Path, fill: str, element: str
) -> None:
    if "400" not in fill and "< 4" in fill:  # each element is known by itself
        element = "n"
    found, _ = access(tmp_path, f"{SHARED} float *p[4]; {fill} p[{element}][threadIdx.x] = 0;")
    assert found.result.unknown is not None
    assert found.space is Space.GENERIC
