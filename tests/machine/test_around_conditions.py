"""What nvcc joins, moves and leaves out around conditions, as an H200 counted it."""

from __future__ import annotations

from pathlib import Path

from measured_files import compared

from coalint.engine.verification.comparison.records import Comparison

FILE = Path(__file__).resolve().parents[1] / "support" / "around_conditions.cu"
JOINED = {"ends_alike", "added_alike", "left_by_return", "switched", "of_other_values"}
EQUAL_BY_LAUNCH = {"equal_by_launch", "stored_twice_by_launch", "loaded_back_by_launch"}
LATER = {
    *("computed_before", "loaded_by_call", "passed_to_call", "constant_past_store"),
    *("replaced_in_branch", "before_skipped_loop"),
}
PARTED = {"atomics_of_some", "atomics_behind_condition"}
"""Here the lanes of a warp met again after the loop; in random kernels that were counted they did not."""
OPEN = JOINED | EQUAL_BY_LAUNCH | LATER | PARTED | {"one_place_in_loop"}


def is_told(one: Comparison) -> bool:
    """Whether coalint says how many warps execute an instruction, and what it costs, without a supposition."""
    return one.predicted_executed is not None and all(access.result.exact for access in one.accesses)


def lines() -> list[tuple[str, Comparison]]:
    return [(kernel, one) for kernel, one in compared(FILE) if one.accesses]


def test_what_is_exact_is_what_was_counted() -> None:
    told = [(kernel, one) for kernel, one in lines() if is_told(one)]
    assert [(kernel, one.line) for kernel, one in told if not one.is_executed_as_predicted] == []
    assert len(told) > 30


def test_what_rests_on_the_compiler_alone_is_not_exact() -> None:
    assert {kernel for kernel, one in lines() if not is_told(one)} == OPEN


def test_no_number_of_the_rest_is_held_back() -> None:
    others = {kernel for kernel, _ in lines()} - OPEN
    apart = {"a_number_apart", "in_other_arrays"}
    assert others == apart | {"before_loop_of_all", "atomics_of_all", "atomics_then_barrier"}
