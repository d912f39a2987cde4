"""What conditions part and nvcc may join, held against what an H200 counted of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from measured_files import compared

from coalint.engine.verification.comparison.records import Comparison, Outcome

SUPPORT = Path(__file__).resolve().parents[1] / "support"
JOINED = "under another condition"
HELD = "again for threads that hold it"


@pytest.fixture(scope="module")
def counted() -> list[tuple[str, Comparison]]:
    return compared(SUPPORT / "both_sides.cu")


def kernels(found: Iterable[tuple[str, Comparison]]) -> set[str]:
    return {kernel for kernel, _ in found}


def rests_on(comparison: Comparison, text: str) -> bool:
    return any(text in assumed for one in comparison.accesses for assumed in one.result.assumed)


def is_exact(comparison: Comparison) -> bool:
    return all(access.result.exact for access in comparison.accesses)


def test_no_exact_number_is_another_than_what_was_counted(counted: list[tuple[str, Comparison]]) -> None:
    assert not [(kernel, one.line) for kernel, one in counted if one.outcome is Outcome.DIFFERENT and is_exact(one)]


def test_what_counts_differ_in_is_said(counted: list[tuple[str, Comparison]]) -> None:
    different = [(kernel, one) for kernel, one in counted if one.outcome is Outcome.DIFFERENT]
    joined = {
        *("two_places", "one_place", "warps_of_other_cost", "by_return"),
        *("by_switch", "a_choice", "adds", "overwritten"),
    }
    assert kernels((kernel, one) for kernel, one in different if rests_on(one, JOINED)) == joined
    assert kernels((kernel, one) for kernel, one in different if rests_on(one, HELD)) == {"stored_before"}


def test_what_costs_the_same_either_way_stays_exact(counted: list[tuple[str, Comparison]]) -> None:
    exact = kernels((kernel, one) for kernel, one in counted if is_exact(one) and one.outcome is Outcome.EQUAL)
    assert exact >= {"warps_apart", "alone", "passed_by", "in_shared_memory"}
    symbolic = kernels((kernel, one) for kernel, one in counted if rests_on(one, JOINED) or rests_on(one, HELD))
    assert not symbolic & {"warps_apart", "nobody_on_one", "alone", "passed_by"}


def test_after_short_searches_that_threads_leave_apart_numbers_are_exact() -> None:
    found = compared(SUPPORT / "early_exits.cu")
    exact = {(kernel, one.line): one.outcome for kernel, one in found if is_exact(one)}
    assert Outcome.DIFFERENT not in exact.values()
    searches = {
        *("rows_of_triangle", "counter_found", "skips_and_leaves", "by_function", "search_in_search"),
        *("two_searches", "in_a_table", "rows_of_block", "some_return", "in_shared_memory", "found_what"),
        "long_search",
    }
    assert {kernel for (kernel, _), outcome in exact.items() if outcome is Outcome.EQUAL} >= searches
