"""Initial states of random number generators, held against what an H200 counted of them."""

from __future__ import annotations

from pathlib import Path

from measured_files import compared

from coalint.core.facts.access import Operation
from coalint.engine.verification.comparison.records import Outcome

FILE = Path(__file__).resolve().parents[1] / "support" / "random_states.cu"


def test_each_digit_of_a_sequences_number_stores_the_state_again() -> None:
    stores = [(kernel, one) for kernel, one in compared(FILE) if one.operation is Operation.STORE]
    assert {kernel for kernel, one in stores if one.outcome is not Outcome.EQUAL} == set()
    assert all(access.result.exact for _, one in stores for access in one.accesses)
    assert all(one.predicted_executed == one.requests for _, one in stores)
    assert {round(one.predicted or 0, 2) for kernel, one in stores if kernel == "sequence_for_each_thread"} == {
        20.21,
        32,
    }


def test_what_is_read_of_the_matrices_is_said_to_be_unknown() -> None:
    loads = [(kernel, one) for kernel, one in compared(FILE) if one.operation is Operation.LOAD]
    assert {kernel for kernel, _ in loads} == {kernel for kernel, _ in compared(FILE)} - {"first_sequence"}
    assert all(access.result.unknown for _, one in loads for access in one.accesses)
