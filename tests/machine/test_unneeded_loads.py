"""Loads of which nvcc leaves out some, or makes some later, held against what an H200 counted of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from measured_files import compared

from coalint.core.facts.access import Operation
from coalint.engine.verification.comparison.records import Comparison

FILE = Path(__file__).resolve().parents[1] / "support" / "unneeded_loads.cu"


@pytest.fixture(scope="module")
def counted() -> list[tuple[str, Comparison]]:
    return compared(FILE)


def test_no_exact_number_is_another_than_what_was_counted(counted: list[tuple[str, Comparison]]) -> None:
    exact = [(kernel, one) for kernel, one in counted if all(access.result.exact for access in one.accesses)]
    assert len(exact) > 12
    assert not [(kernel, one.line) for kernel, one in exact if one.predicted != pytest.approx(one.counted)]
    assert not [(kernel, one.line) for kernel, one in exact if one.is_executed_as_predicted is False]


def test_loads_of_which_the_compiler_decides_how_many_there_are_have_no_count_of_their_own(
    counted: list[tuple[str, Comparison]],
) -> None:
    open_ = {
        (kernel, access.expression)
        for kernel, one in counted
        for access in one.accesses
        if access.op is Operation.LOAD
        and (not access.result.exact or (access.executions is not None and access.executions.assumed))
    }
    assert open_ == {
        ("first_held", "x[i + k * 512]"),  # its first iteration is in a register, as nvcc knows the four
        ("last_alone", "x[i + k * 512]"),
        ("last_with_sum", "x[i + k * 256 + 100]"),
        ("meets_once", "o[4 * i + 2]"),
        ("set_anew", "x[i]"),
        ("on_one_side", "x[i]"),
    }
