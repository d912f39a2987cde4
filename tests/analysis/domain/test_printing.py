"""Values in the words of the source."""

from __future__ import annotations

import pytest
from symbolic_trees import NAMES, quantities

from coalint.analysis.domain.algebra.printing import Printer


@pytest.mark.parametrize(
    ("operator", "shown"),
    [
        ("<", "(n < m)"),
        (">=", "(n >= m)"),
        ("==", "(n == m)"),
        ("!=", "(n != m)"),
    ],
)
def test_a_comparison_is_shown_as_one_and_so_is_its_opposite(operator: str, shown: str) -> None:
    case = quantities(dict.fromkeys(NAMES, 0))
    n, m = (case.atoms[name] for name in "nm")
    printer, value = Printer(case.algebra), case.algebra.compare(operator, n, m)
    assert printer.text(value) == shown
    opposite = {"<": ">=", ">=": "<", "==": "!=", "!=": "=="}
    left, sign, right = shown.strip("()").split()
    assert printer.text(1 - value) == f"({left} {opposite[sign]} {right})"


def test_a_sum_with_a_comparison_is_a_sum() -> None:
    case = quantities(dict.fromkeys(NAMES, 0))
    n, m = (case.atoms[name] for name in "nm")
    assert Printer(case.algebra).text(2 - case.algebra.compare("<", n, m)) == "-(n < m) + 2"
