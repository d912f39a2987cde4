"""Loops whose counter meets a number of the thread, held against what an H200 counted of the loops that nvcc makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluated import accesses
from measured_files import compared

from coalint.core.facts.access import Operation
from coalint.engine.verification.comparison.records import Comparison, Outcome

FILE = Path(__file__).resolve().parents[2] / "support" / "split_loops.cu"
SPLIT = "the compiler does not split the loop over"


def rests_on_one_loop(comparison: Comparison) -> bool:
    return any(SPLIT in str(text) for one in comparison.accesses for text in one.result.assumed)


def test_what_costs_otherwise_in_split_loops_is_not_exact() -> None:
    """Beside these, `below` runs its loop to another end, and is a sample of its iterations."""
    differing = [(kernel, one) for kernel, one in compared(FILE) if one.outcome is Outcome.DIFFERENT]
    assert {kernel for kernel, one in differing if not rests_on_one_loop(one)} == {"below"}
    assert not [one.line for _, one in differing for access in one.accesses if access.result.exact]
    split = {kernel for kernel, one in differing if rests_on_one_loop(one)}
    assert split == {
        "large",
        "once",
        "beside",
        "either",
        "only",
        "both",
        "unsigned_i",
        "row_guard",
        "inside_if",
        "stores",
    }


def test_loops_that_nvcc_leaves_whole_rest_on_nothing() -> None:
    """Only `heavy_open` is thought to be split and is not: nothing bounds the thread's number there."""
    equal = [(kernel, one) for kernel, one in compared(FILE) if one.outcome is Outcome.EQUAL]
    assert {kernel for kernel, one in equal if rests_on_one_loop(one)} == {"heavy_open"}
    loads = {kernel for kernel, one in equal if one.operation is Operation.LOAD}
    assert loads >= {"const_8", "const_64", "by_two", "scaled", "outside_only", "tiled", "inner", "by_block", "pair"}


@pytest.mark.parametrize(
    ("condition", "is_split"),
    [
        ("j != i", True),
        ("!(i == j)", True),
        ("j > i", True),
        ("j >= i && n > 7", True),
        ("j < i", False),
        ("2 * j != i", False),
        ("j != n / 2", False),
    ],
)
def test_iterations_that_threads_come_to_at_different_times_part_a_loop(
    tmp_path: Path, condition: str, is_split: bool
) -> None:
    body = f"int i = threadIdx.x; float s = 0; for (int j = 0; j < n; ++j) if ({condition}) s += in[j]; out[i] = s;"
    load, store = accesses(tmp_path, body, 64)
    assert any(SPLIT in str(text) for text in load[0].result.assumed) == is_split
    assert not any(SPLIT in str(text) for text in store[0].result.assumed)
    assert not (load[0].result.exact and is_split)
