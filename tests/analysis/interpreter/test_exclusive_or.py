"""An exclusive or of the thread index with a number that is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, accesses, count, sectors, wavefronts

THREAD = "int x = blockIdx.x * blockDim.x + threadIdx.x;"


@pytest.mark.parametrize(
    ("type_", "size", "index", "threads"),
    [
        ("float", 4, "t ^ j", 256),
        ("float", 4, "b * 256 + (t ^ j)", 256),
        ("float", 4, "(b * 256 + t) ^ j", 256),
        ("float", 4, "(255 - t) ^ j", 256),
        ("float", 4, "3 * (t ^ j) + 1", 64),
        ("float", 4, "t ^ j", 16),
        ("char", 1, "t ^ j", 64),
        ("double", 8, "1 + (t ^ j)", 64),
    ],
)
def test_sectors_do_not_depend_on_what_is_xored(
    tmp_path: Path, type_: str, size: int, index: str, threads: int
) -> None:
    body = f"int t = threadIdx.x, b = blockIdx.x; p[{index}] = 0;"
    found = access(tmp_path, body, threads, f"{type_} *p, int j")
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert found[0].stride == "?"
    code = compile(index, "index", "eval")
    for j in [*range(70), 127, 128, 129, 200, 255, 256, 300, 511, 1000, 1 << 20]:
        addresses = [size * eval(code, {"t": t, "b": b, "j": j}) for b in (0, 3) for t in range(threads)]
        warps = [addresses[first : first + 32] for first in range(0, len(addresses), min(32, threads))]
        by_hand = [sectors(warp[: min(32, threads)], size) for warp in warps]
        assert count(found) == sum(by_hand) / len(by_hand)


@pytest.mark.parametrize("index", ["t ^ j", "2 * (t ^ j)", "(t ^ j) + 7", "32 * (t ^ j)"])
def test_wavefronts_do_not_depend_on_what_is_xored(tmp_path: Path, index: str) -> None:
    body = f"extern __shared__ float s[]; int t = threadIdx.x; s[{index}] = 0;"
    found = access(tmp_path, body, 64, "int j")
    assert found[0].result.exact
    code = compile(index, "index", "eval")
    for j in range(64):
        words = [eval(code, {"t": t, "j": j}) for t in range(64)]
        by_hand = [wavefronts([4 * w for w in words[:32]]), wavefronts([4 * w for w in words[32:]])]
        assert count(found) == sum(by_hand) / 2


@pytest.mark.parametrize(
    "index",
    [
        "(t ^ j) + t",  # not a set that moves
        "(2 * t) ^ j",  # gaps
        "(t + 1) ^ j",  # not aligned
        "(t + n) ^ j",
        "(t ^ j) / 3",
        "(t ^ j) * (t ^ j)",
        "(t & 7) ^ j",  # eight numbers: sectors are the same, but this is not seen
        "(t ^ j) * n",
    ],
)
def test_other_uses_of_an_exclusive_or_are_not_exact(tmp_path: Path, index: str) -> None:
    found, _ = access(tmp_path, f"int t = threadIdx.x; out[{index}] = 0;", parameters="int j, int n")
    assert found.result.lanes is None or not found.result.exact


def test_lanes_that_pass_a_condition_on_the_partner_are_not_known(tmp_path: Path) -> None:
    body = f"{THREAD} int y = x ^ j; if (y > x) {{ out[x] = 0; out[y] = 0; }}"
    for found, _ in accesses(tmp_path, body, parameters="int j"):
        assert found.result.assumed == ("every lane passes `y > x`",)
        assert not found.result.exact
