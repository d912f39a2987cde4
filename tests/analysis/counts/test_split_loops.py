"""Loops whose counter meets a number of the thread, held against what an H200 counted of the loops that nvcc makes."""

from __future__ import annotations

from pathlib import Path

import pytest
from analysed import analysed
from evaluated import accesses

from coalint.core.facts.access import Operation
from coalint.engine.report import Inspected
from coalint.engine.verification.comparison.compare import compare
from coalint.engine.verification.comparison.records import Comparison, Outcome
from coalint.engine.verification.measured import counters_path, load_measured, source_hash

FILE = Path(__file__).resolve().parents[2] / "support" / "split_loops.cu"
SPLIT = "the compiler does not split the loop over"


def compared() -> list[tuple[str, Comparison]]:
    measured = load_measured(counters_path(FILE, "sm_90"))
    assert measured.sha256 == source_hash(FILE), "measure again: benchmarks/measure_counters.py over a folder with it"
    made = [Inspected(one.analysis, one.instructions) for one in analysed(FILE).checked if one.analysis is not None]
    launches = compare(measured.launches, made)
    return [(launch.launch.kernel.split("(")[0], one) for launch in launches for one in launch.comparisons]


def rests_on_one_loop(comparison: Comparison) -> bool:
    return any(SPLIT in str(text) for one in comparison.accesses for text in one.result.assumed)


def test_what_costs_otherwise_in_split_loops_is_not_exact() -> None:
    """Beside these, `below` runs its loop to another end, and is a sample of its iterations."""
    differing = [(kernel, one) for kernel, one in compared() if one.outcome is Outcome.DIFFERENT]
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
    whole = {kernel for kernel, one in compared() if one.outcome is Outcome.EQUAL and rests_on_one_loop(one)}
    assert whole == {"heavy_open"}
    loads = {kernel for kernel, one in compared() if one.operation is Operation.LOAD and one.outcome is Outcome.EQUAL}
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
