"""Accesses after loops that spin on an atomic, held against what an H200 counted of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses
from measured_files import compared

from coalint.engine.verification.comparison.records import Comparison, Outcome

FILE = Path(__file__).resolve().parents[2] / "support" / "spin_loops.cu"
TOGETHER = "the lanes of a warp go on together after the loop"


def is_supposed(comparison: Comparison) -> bool:
    return any(TOGETHER in str(text) for one in comparison.accesses for text in one.result.assumed)


def test_what_lanes_do_apart_after_a_spin_is_not_exact() -> None:
    exact = {
        (kernel, one.line)
        for kernel, one in compared(FILE)
        if one.outcome is Outcome.DIFFERENT and all(access.result.exact for access in one.accesses)
    }
    assert exact == set()
    apart = {kernel for kernel, one in compared(FILE) if one.outcome is Outcome.DIFFERENT and is_supposed(one)}
    spun = {"cas_inside", "cas_while", "cas_then_barrier", "cas_left_by_break", "cas_of_a_helper", "lock"}
    assert apart == spun | {"neighbours"}


def test_what_lanes_do_together_stays_exact() -> None:
    """One store after the spin and before a barrier is made by all lanes at once, and is thought not to be.

    So are the stores after a loop with an atomic that lanes leave by data.
    """
    equal = [(kernel, one) for kernel, one in compared(FILE) if one.outcome is Outcome.EQUAL]
    assert {kernel for kernel, one in equal if is_supposed(one)} == {"cas_then_barrier", "neighbours"}
    kernels = {kernel for kernel, one in equal if all(access.result.exact for access in one.accesses)}
    assert kernels >= {"cas_and_syncwarp", "cas_then_barrier", "cas_left_by_break", "halved", "left_by_data"}


@pytest.mark.parametrize(
    ("loop", "is_spun"),
    [
        ("while (atomicCAS(&sums[0], 0u, 1u) != 0u) {}", True),
        ("unsigned a, b = sums[0]; do { a = b; b = atomicCAS(&sums[0], a, a + 1); } while (a != b);", True),
        ("bool got = false; while (!got) { if (atomicExch(&sums[0], 1u) == 0u) { got = true; } }", True),
        ("for (;;) { unsigned old = atomicMax(&sums[0], 5u); if (old > 3u) break; }", True),
        ("for (int j = 0; j < n; ++j) atomicAdd(&sums[j], 1u);", False),
        ("for (int j = 0; j < sums[i]; ++j) atomicAdd(&sums[j + 64], 1u);", True),
        ("for (int j = i; j < 40; j += 32) atomicAdd(&sums[j], 1u);", True),
        ("for (int j = i; j < 128; j += 64) atomicAdd(&sums[j], 1u);", False),
        ("if (i % 2) for (int j = 0; j < n; ++j) atomicAdd(&sums[j], 1u);", True),
        ("if (i % 2) for (int j = 0; j < 4; ++j) atomicAdd(&sums[j], 1u);", False),
        ("if (i < 40) atomicAdd(&sums[0], 1u);", False),
        ("for (int j = i; j < 40; j += 32) atomicAdd(&sums[j], 1u); __syncwarp();", False),
        ("for (int j = 0; j < n; ++j) { unsigned old = atomicAdd(&sums[j], 1u); out[old] = 2; }", False),
        ("while (atomicCAS(&sums[0], 0u, 1u) != 0u) {} __syncthreads();", False),
        ("while (atomicCAS(&sums[0], 0u, 1u) != 0u) {} __syncwarp();", False),
        ("while (atomicCAS(&sums[0], 0u, 1u) != 0u) {} __threadfence();", True),
    ],
)
def test_a_loop_with_an_atomic_that_lanes_leave_apart_parts_them(tmp_path: Path, loop: str, is_spun: bool) -> None:
    made = accesses(tmp_path, f"int i = threadIdx.x; {loop} out[i + 32] = in[i];", 64, "unsigned *sums, int n")
    (load,) = (access for access, _ in made if access.expression == "in[i]")
    assert any(TOGETHER in str(text) for text in load.result.assumed) == is_spun
    assert load.result.exact == (not is_spun)
