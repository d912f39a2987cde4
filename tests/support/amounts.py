"""How much of a property test the plain command runs; `pytest -m slow` runs the rest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def first(cases: Sequence[Any], count: int) -> list[Any]:
    """Return the cases, each a value or a tuple of values; those after the first `count` carry the marker `slow`."""
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*case, marks=[pytest.mark.slow] if n >= count else []) for n, case in enumerate(values)]


def half(cases: Sequence[T]) -> list[T]:
    """Return every second case, where other tests look at all of them and these take long."""
    return list(cases[::2])


def quarter(cases: Sequence[T]) -> list[T]:
    """Return every fourth case, where other tests look at all of them and these take very long."""
    return list(cases[::4])


CASES = 3


def left_to_the_slow(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the cases of tests with more than `CASES` but for that many, which lie evenly among them."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow") is None:
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    left = []
    for cases in tests.values():
        kept = {round(n * (len(cases) - 1) / (CASES - 1)) for n in range(CASES)}
        left += [case for n, case in enumerate(cases) if n not in kept]
    return left


def examples(count: int) -> int:
    """Return how many examples Hypothesis draws: a third of `count`, which COALINT_EXAMPLES multiplies."""
    return round(count / 3 * float(os.environ.get("COALINT_EXAMPLES", "1")))
