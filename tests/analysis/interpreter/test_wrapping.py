"""32-bit arithmetic that might wrap around."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import access, barriers, count, sectors

from coalint.core.facts.synchronization import Verdict

WRAP = "the 32-bit index does not wrap around"

GLOBAL_ID = "unsigned i = blockIdx.x * blockDim.x + threadIdx.x;"


def test_an_unsigned_index_below_its_thread_is_supposed_not_to_wrap(tmp_path: Path) -> None:
    found = access(tmp_path, f"{GLOBAL_ID} out[i - 1] = 0;")
    assert WRAP in found[0].result.assumed
    assert found[0].stride == "4"
    assert count(found) == sectors([4 * lane + 28 for lane in range(32)])


def test_a_rank_beside_an_unknown_number_needs_no_supposition(tmp_path: Path) -> None:
    found, cost = access(tmp_path, "out[8 * u + threadIdx.x % 32u] = 0;", parameters="unsigned u")
    assert WRAP not in found.result.assumed
    assert found.result.exact
    assert cost is not None
    assert cost.count == 4


def test_what_is_known_wraps_as_it_does(tmp_path: Path) -> None:
    found = access(tmp_path, "unsigned i = threadIdx.x; out[(i - 16u) / 8u] = 0;")
    first = [4 * ((lane - 16) % (1 << 32) // 8) for lane in range(32)]
    rest = [[4 * ((lane - 16) // 8) for lane in range(32 * w, 32 * w + 32)] for w in range(1, 8)]
    assert found[0].result.exact
    assert not found[0].result.assumed
    assert count(found) == pytest.approx(sum(map(sectors, [first, *rest])) / 8)


@pytest.mark.parametrize(
    "body",
    [
        "unsigned h = threadIdx.x * 2654435761u + u; out[h >> 20] = 0;",  # a hash is meant to wrap
        "unsigned char c = threadIdx.x + u; out[c] = 0;",  # and so is a byte
    ],
)
def test_what_is_meant_to_wrap_is_not_supposed_not_to(tmp_path: Path, body: str) -> None:
    found, _ = access(tmp_path, body, parameters="unsigned u")
    assert found.result.lanes is None or not found.result.exact


def test_a_condition_that_rests_on_no_wrap_decides_no_barrier(tmp_path: Path) -> None:
    (barrier,) = barriers(tmp_path, "if ((threadIdx.x - mask) / 1024u == 0) __syncthreads();")
    assert barrier.verdict is not Verdict.UNIFORM
