"""What undeclared functions may change, and constants made of undeclared types, are unknown."""

from __future__ import annotations

from pathlib import Path

import pytest
from outcomes import outcomes


@pytest.mark.parametrize(
    "call",
    [
        "advance(&i);",
        "if (advance(&i)) n = 3;",
        "lib::advance(&i);",
        "advance(i);",
        "lib::advance(i, n);",
        "int *p = &i; advance(p);",
        "auto f = [&] { return i; }; advance(f);",
    ],
)
def test_a_function_that_nothing_declares_may_change_what_it_is_handed(call: str, tmp_path: Path) -> None:
    found = outcomes(tmp_path, f"int i = t, j = 2 * t; {call} out[i] = in[j];")
    assert not found["out[i]"].lstrip("-").isdigit(), found
    assert found["in[j]"] == "8"


def test_a_method_that_nothing_declares_may_change_its_object(tmp_path: Path) -> None:
    before = "struct Cursor { float *at; int i; };"
    found = outcomes(tmp_path, "Cursor c{out, t}; c.advance(2); c.at[t] = in[c.i];", before)
    assert not any(text.lstrip("-").isdigit() for text in found.values()), found


@pytest.mark.parametrize(
    ("before", "size"),
    [
        ("struct S { Lib lib; bool b; }; constexpr int size = sizeof(S);", "size"),
        ("struct S { Lib lib; bool b; }; struct T { static constexpr int size = 4 + sizeof(S); };", "T::size"),
        ("struct S { Lib lib; }; enum { size = 2 * sizeof(S) };", "size"),
        ("struct S { Lib lib; }; constexpr int one = sizeof(S); constexpr int size = one + 1;", "size"),
    ],
)
def test_constants_made_of_unknown_sizes_are_unknown(before: str, size: str, tmp_path: Path) -> None:
    found = outcomes(tmp_path, f"out[{size} * t] = in[4 * t];", before)
    assert not found[f"out[{size} * t]"].lstrip("-").isdigit(), found
    assert found["in[4 * t]"] == "16"
