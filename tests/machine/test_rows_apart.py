"""Vectors of rows of one shared array, and of variables beside each other, as an H200 counted them."""

from __future__ import annotations

from pathlib import Path

from measured_files import compared

from coalint.core.facts.access import Space
from coalint.engine.verification.comparison.records import Comparison

FILE = Path(__file__).resolve().parents[1] / "support" / "rows_apart.cu"
OPEN = {
    "added_shifted",  # nvcc knows the whole distance between rows, which is more than a multiple of the vector
    "added_backward",
    "between_stores_far",
    "two_variables",  # where variables lie is the assembler's choice
    "three_variables",
    "of_other_types",
    "behind_array",
    "beside_element",
    "in_branch",
    "parted_by_barrier",
}


def shared() -> list[tuple[str, Comparison]]:
    return [(kernel, one) for kernel, one in compared(FILE) if one.space is Space.SHARED and one.accesses]


def is_exact(one: Comparison) -> bool:
    return all(access.result.exact for access in one.accesses)


def test_what_is_exact_is_what_was_counted() -> None:
    told = [(kernel, one) for kernel, one in shared() if is_exact(one)]
    assert [(kernel, one.line, one.predicted) for kernel, one in told if not one.is_executed_as_predicted] == []
    assert len(told) > 40


def test_vectors_that_rest_on_the_copies_of_a_loop_are_those_that_were_counted() -> None:
    """But for two rows that are both stored: nvcc merges halves of these."""
    others = [(kernel, one) for kernel, one in shared() if not is_exact(one) and kernel not in OPEN]
    assert {kernel for kernel, one in others if one.predicted_executed != one.requests} == {"stored_twice", "swapped"}
    assert len(others) > 25


def test_no_number_is_exact_that_rests_on_where_variables_or_rows_lie() -> None:
    is_open = {kernel for kernel, one in shared() if not is_exact(one) and "loop over" not in " ".join(assumed(one))}
    assert is_open == OPEN


def assumed(one: Comparison) -> set[str]:
    return {text for access in one.accesses for text in access.result.assumed}
